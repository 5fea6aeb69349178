import type { EventReader } from '../storage/log-store.ts'
import type { Encoded, Piece } from './batch.ts'
import { type Dialect, FRAME_BYTES } from './dialect.ts'
import type { Hub } from './hub.ts'
import { readPage } from './pages.ts'
import type { Followed } from './rounds.ts'
import type { SendQueue } from './send-queue.ts'

/** A page of the backlog is about this large, whatever the size of its events. */
const PAGE_BYTES = 256 * 1024
const FIRST_PAGE = 128
const MAX_PAGE = 1000
/** What is sent in one round grows up to this, so that what else the reader follows comes early too. */
const MAX_ROUND_BYTES = 64 * 1024

export interface FollowerOptions {
  sessionId: string
  after: number
  dialect: Dialect
  storage: EventReader
  hub: Pick<Hub, 'onEvents' | 'onHint'>
  sendQueue: SendQueue
  /** Everything durable has been sent: for the first time, or again after `fellBehind`. */
  caughtUp(seq: number): void
  /** The reader did not keep up. */
  fellBehind(): void
  /** There is something to read: it wants `step`. */
  wantsRound(): void
  /** In this dialect the stream is complete. */
  ended(): void
}

/** One session as one reader follows it: strictly after its cursor, each event once and in order. */
export function follow(options: FollowerOptions): Followed {
  const { sessionId, dialect, storage, hub, sendQueue } = options
  let { encoder } = dialect
  let sent = options.after
  /** The newest event that is known to be durable. */
  let known = options.after
  let behind = true
  /** The reader was told, or knows, that it is behind: it hears when it is not any more. */
  let saidBehind = true
  let stopped = false
  let limit = FIRST_PAGE
  let roundBytes = FRAME_BYTES
  /** The page that is being sent, the seq of its last event, its next frame, and whether the log ended with it. */
  let page: Encoded | null = null
  let pageEnd = 0
  let next = 0
  let whole = false

  /** All of these frames have been pushed. */
  function passed(encoded: Encoded, upTo: number) {
    sent = upTo
    encoder = encoded.next
    if (!encoded.ends) return
    stop()
    options.ended()
  }

  function readOn() {
    behind = true
    options.wantsRound()
  }

  // Listening begins before the backlog is read. Meanwhile only the newest seq is kept: what is published is durable,
  // so storage has it too and nothing has to wait in memory. A reader that is stuck costs no more than this.
  const forgetBatches = hub.onEvents(sessionId, ({ events, encoded }) => {
    const upTo = events.at(-1)!.seq
    known = Math.max(known, upTo)
    if (behind || known <= sent) return
    // A batch was missed, or a part of it has been read from storage: storage has the rest.
    if (events[0]!.seq !== sent + 1) return readOn()
    const batch = encoded(encoder)
    if (sendQueue.fits(batch.whole.bytes.byteLength)) {
      push(batch.whole)
      return passed(batch, upTo)
    }
    saidBehind = true
    options.fellBehind()
    readOn()
  })
  const forgetHints = hub.onHint(sessionId, seq => {
    known = Math.max(known, seq)
    if (!behind && known > sent) readOn()
  })

  function push(piece: Piece) {
    if (piece.bytes.byteLength > 0) sendQueue.push(piece)
  }

  async function read() {
    const expected = known
    const { events, encoded } = await readPage(storage, sessionId, sent, limit)
    whole = events.length < limit
    next = 0
    // A log that has been deleted has nothing more, whatever was announced: do not ask for ever.
    if (events.length === 0 && known === expected) known = sent
    if (events.length === 0) return null
    page = encoded(encoder)
    pageEnd = events.at(-1)!.seq
    const average = page.whole.bytes.byteLength / events.length
    limit = Math.min(MAX_PAGE, Math.max(8, Math.floor(PAGE_BYTES / average)))
    return page
  }

  function stop() {
    if (stopped) return
    stopped = true
    page = null
    forgetBatches()
    forgetHints()
  }

  return {
    get behind() {
      return behind && !stopped
    },
    async step() {
      const reading = page ?? (await read())
      if (stopped) return
      if (reading && next < reading.frames) {
        const slice = reading.slice(next, roundBytes)
        push(slice.piece)
        next = slice.next
        roundBytes = Math.min(2 * roundBytes, MAX_ROUND_BYTES)
      }
      if (reading && next < reading.frames) return
      page = null
      if (reading) passed(reading, pageEnd)
      if (stopped || !whole || known > sent) return
      behind = false
      if (saidBehind) options.caughtUp(sent)
      saidBehind = false
    },
    stop,
  }
}
