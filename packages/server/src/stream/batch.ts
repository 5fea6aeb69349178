import type { SessionEvent } from '@vitrine/protocol'

/**
 * About how large a frame is. A reader advances by whole frames, so a connection that is cut again and again still
 * makes progress as long as it lives for one frame. An event that is larger is a frame of its own.
 */
export const FRAME_BYTES = 4 * 1024

/** Bytes that are ready for the wire: whole frames. All readers that are sent a batch hold the same ones. */
export interface Piece {
  readonly bytes: Uint8Array
  /** A reader that has taken the piece has every event of this session up to this one. */
  readonly upTo?: { readonly sessionId: string; readonly seq: number }
}

/** How one kind of stream puts consecutive events of one session on the wire. */
export type Dialect = (sessionId: string, events: readonly SessionEvent[]) => Frame[]

export interface Frame {
  readonly text: string
  /** The seq of its last event. */
  readonly upTo: number
}

/** Consecutive events of one session, as the log has them. It is encoded once for each dialect, however many read it. */
export interface Batch {
  readonly events: readonly SessionEvent[]
  encoded(dialect: Dialect): Encoded
}

export interface Encoded {
  readonly whole: Piece
  /** The frames from this one on that have about so many bytes together, at least one, and the number of the next. */
  slice(from: number, bytes: number): { piece: Piece; next: number } | null
}

const encoder = new TextEncoder()

export const frame = (event: string, data: unknown): Piece =>
  pieceOf(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

export const pieceOf = (text: string): Piece => ({ bytes: encoder.encode(text) })

export function createBatch(sessionId: string, events: readonly SessionEvent[]): Batch {
  const made = new Map<Dialect, Encoded>()
  return {
    events,
    encoded(dialect) {
      let encoded = made.get(dialect)
      if (!encoded) {
        encoded = encode(sessionId, dialect(sessionId, events))
        made.set(dialect, encoded)
      }
      return encoded
    },
  }
}

function encode(sessionId: string, frames: readonly Frame[]): Encoded {
  const bytes = encoder.encode(frames.map(({ text }) => text).join(''))
  /** Where each frame ends. */
  const ends: number[] = []
  for (const { text } of frames) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text))
  const piece = (from: number, next: number): Piece => ({
    bytes: bytes.subarray(ends[from - 1] ?? 0, ends[next - 1] ?? 0),
    upTo: { sessionId, seq: frames[next - 1]!.upTo },
  })
  return {
    whole: piece(0, frames.length),
    slice(from, most) {
      if (from >= frames.length) return null
      const start = ends[from - 1] ?? 0
      let next = from + 1
      while (next < ends.length && ends[next]! - start <= most) next += 1
      return { piece: piece(from, next), next }
    },
  }
}
