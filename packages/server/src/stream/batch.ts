import type { SessionEvent } from '@vitrine/protocol'
import type { Encoder, Frame } from './dialect.ts'

/** Bytes that are ready for the wire: whole frames. All readers that are sent a batch hold the same ones. */
export interface Piece {
  readonly bytes: Uint8Array
  /** A reader that has taken the piece has every event of this session up to this one. */
  readonly upTo?: { readonly sessionId: string; readonly seq: number }
}

/** Consecutive events of one session, as the log has them. It is encoded once for each encoder, however many read it. */
export interface Batch {
  readonly events: readonly SessionEvent[]
  encoded(encoder: Encoder): Encoded
}

/** A batch as one encoder writes it. */
export interface Encoded {
  readonly whole: Piece
  /** How many frames it has; there may be none, when the dialect has no words for these events. */
  readonly frames: number
  /** Nothing comes after it. */
  readonly ends: boolean
  /** The encoder for the events after these. */
  readonly next: Encoder
  /** The frames from this one on that have about so many bytes together, at least one, and the number of the next. */
  slice(from: number, bytes: number): { piece: Piece; next: number }
}

const encoder = new TextEncoder()

export const pieceOf = (text: string): Piece => ({ bytes: encoder.encode(text) })

export function createBatch(sessionId: string, events: readonly SessionEvent[]): Batch {
  const made = new Map<Encoder, Encoded>()
  return {
    events,
    encoded(by) {
      let encoded = made.get(by)
      if (!encoded) {
        const { frames, next } = by(sessionId, events)
        encoded = encode(sessionId, frames, next)
        made.set(by, encoded)
      }
      return encoded
    },
  }
}

function encode(sessionId: string, given: readonly Frame[], next: Encoder): Encoded {
  const last = given.findIndex(({ ends }) => ends)
  const frames = last < 0 ? given : given.slice(0, last + 1)
  const bytes = encoder.encode(frames.map(({ text }) => text).join(''))
  /** Where each frame ends. */
  const ends: number[] = []
  for (const { text } of frames) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text))
  const piece = (from: number, to: number): Piece => ({
    bytes: bytes.subarray(ends[from - 1] ?? 0, ends[to - 1] ?? 0),
    upTo: { sessionId, seq: frames[to - 1]!.upTo },
  })
  return {
    whole: frames.length === 0 ? { bytes } : piece(0, frames.length),
    frames: frames.length,
    ends: last >= 0,
    next,
    slice(from, most) {
      const start = ends[from - 1] ?? 0
      let to = from + 1
      while (to < ends.length && ends[to]! - start <= most) to += 1
      return { piece: piece(from, to), next: to }
    },
  }
}
