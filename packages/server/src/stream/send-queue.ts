import type { Piece } from './batch.ts'

/** What waits to be written to one reader: pieces that it shares with the others, and how many bytes they are. */
export interface SendQueue {
  /** Bytes that wait. */
  readonly bytes: number
  /** Since when the reader has taken nothing; infinitely late when it is waiting for us. */
  readonly idleSince: number
  /** By session that is followed: up to which event the reader has been given everything. */
  readonly cursors: Map<string, number>
  /** Whether this much more may wait. What does not fit is read from storage later, at the reader's pace. */
  fits(more: number): boolean
  push(piece: Piece): void
  /** The last frame, made when it is taken; `drop` throws away what still waits before it. */
  last(make: () => Piece, drop: boolean): void
  /** Resolves when so little waits that a piece of the backlog may follow. */
  room(): Promise<void>
  /** Resolves when there is something to take. */
  ready(): Promise<void>
  /** The next chunk, or null after the last one. */
  take(): Uint8Array | null
}

/** What is handed to the socket at once, and what has to wait at most before the backlog goes on. */
const CHUNK_BYTES = 64 * 1024

export function createSendQueue(maxBytes: number): SendQueue {
  let waiting: Piece[] = []
  let bytes = 0
  let idleSince = Date.now()
  let last: (() => Piece) | null = null
  let ended = false
  const cursors = new Map<string, number>()
  let wakeReader: (() => void) | null = null
  let wakeBacklog: (() => void) | null = null
  const little = Math.min(CHUNK_BYTES, maxBytes / 4)

  return {
    get bytes() {
      return bytes
    },
    get idleSince() {
      return idleSince
    },
    cursors,
    fits: more => bytes + more <= maxBytes,
    push(piece) {
      if (last) return
      waiting.push(piece)
      bytes += piece.bytes.byteLength
      wakeReader?.()
    },
    last(make, drop) {
      if (last) return
      last = make
      if (drop) {
        waiting = []
        bytes = 0
      }
      wakeReader?.()
      wakeBacklog?.()
    },
    async room() {
      if (bytes >= little && !last) {
        await new Promise<void>(resolve => {
          wakeBacklog = resolve
        })
        wakeBacklog = null
      }
    },
    async ready() {
      if (waiting.length > 0 || last) return
      idleSince = Number.POSITIVE_INFINITY
      await new Promise<void>(resolve => {
        wakeReader = resolve
      })
      wakeReader = null
      idleSince = Date.now()
    },
    take() {
      if (ended) return null
      idleSince = Date.now()
      let size = 0
      let count = 0
      // A large piece goes as it is; small ones go together, which costs a copy.
      while (count < waiting.length && (count === 0 || size + waiting[count]!.bytes.byteLength <= CHUNK_BYTES)) {
        const { bytes: own, upTo } = waiting[count]!
        size += own.byteLength
        if (upTo && cursors.has(upTo.sessionId)) cursors.set(upTo.sessionId, upTo.seq)
        count += 1
      }
      const taken = waiting.slice(0, count)
      waiting = waiting.slice(count)
      bytes -= size
      if (bytes < little) wakeBacklog?.()
      if (last && waiting.length === 0) {
        ended = true
        taken.push(last())
      }
      return taken.length === 1 ? taken[0]!.bytes : Buffer.concat(taken.map(piece => piece.bytes))
    },
  }
}
