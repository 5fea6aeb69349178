import type { Storage } from '../storage/storage.ts'
import { type Dialect, type Encoded, FRAME_BYTES, type Piece } from './batch.ts'
import type { Hub } from './hub.ts'
import type { Outbox } from './outbox.ts'
import { readPage } from './pages.ts'
import type { Source } from './turns.ts'

/** A page of the backlog is about this large, whatever the size of its events. */
const PAGE_BYTES = 256 * 1024
const FIRST_PAGE = 128
const MAX_PAGE = 1000
/** What is sent in one turn grows up to this, so that what else the reader follows comes early too. */
const MAX_TURN_BYTES = 64 * 1024

export interface FollowerOptions {
  sessionId: string
  after: number
  dialect: Dialect
  storage: Pick<Storage, 'events'>
  hub: Pick<Hub, 'onEvents'>
  outbox: Outbox
  caughtUp(seq: number): void
  /** It is behind again and wants `step`. */
  fellBehind(): void
}

/** One session as one reader follows it: strictly after its cursor, each event once and in order. */
export function follow(options: FollowerOptions): Source {
  const { sessionId, dialect, storage, hub, outbox } = options
  let sent = options.after
  /** The newest event that is known to be durable. */
  let known = options.after
  let behind = true
  let stopped = false
  let limit = FIRST_PAGE
  let turnBytes = FRAME_BYTES
  /** The page that is being sent, its next frame, and whether the log ended with it when it was read. */
  let page: Encoded | null = null
  let next = 0
  let whole = false

  function push(piece: Piece) {
    outbox.push(piece)
    sent = piece.upTo!.seq
  }

  // Listening begins before the backlog is read. Meanwhile only the newest seq is kept: what is published is durable,
  // so storage has it too and nothing has to wait in memory. A reader that is stuck costs no more than this.
  const unsubscribe = hub.onEvents(sessionId, ({ events, encoded }) => {
    known = Math.max(known, events.at(-1)!.seq)
    if (behind || known === sent) return
    if (events[0]!.seq === sent + 1) {
      const piece = encoded(dialect).whole
      if (outbox.fits(piece.bytes.byteLength)) return push(piece)
    }
    behind = true
    options.fellBehind()
  })

  async function read() {
    const expected = known
    const { events, encoded } = await readPage(storage, sessionId, sent, limit)
    whole = events.length < limit
    next = 0
    // A log that has been deleted has nothing more, whatever was announced: do not ask for ever.
    if (events.length === 0 && known === expected) known = sent
    if (events.length === 0) return null
    page = encoded(dialect)
    const average = page.whole.bytes.byteLength / events.length
    limit = Math.min(MAX_PAGE, Math.max(8, Math.floor(PAGE_BYTES / average)))
    return page
  }

  return {
    get behind() {
      return behind && !stopped
    },
    async step() {
      const reading = page ?? (await read())
      if (stopped) return
      const slice = reading?.slice(next, turnBytes)
      if (slice) {
        push(slice.piece)
        next = slice.next
        turnBytes = Math.min(2 * turnBytes, MAX_TURN_BYTES)
      }
      if (reading?.slice(next, 0)) return
      page = null
      if (!whole || known > sent) return
      behind = false
      options.caughtUp(sent)
    },
    stop() {
      stopped = true
      page = null
      unsubscribe()
    },
  }
}
