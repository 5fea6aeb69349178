import type { SessionEvent } from '@vitrine/protocol'
import type { Storage } from '../storage/storage.ts'
import type { Hub } from './hub.ts'
import { jsonOf } from './outbox.ts'

/** A page of the backlog is about this large, whatever the size of its events. */
const PAGE_BYTES = 256 * 1024
const FIRST_PAGE = 128
const MAX_PAGE = 1000
/** What is handed over before the reader is waited for. */
const SLICE_BYTES = 32 * 1024

/** One session as one reader follows it: strictly after its cursor, each event once and in order. */
export interface Follower {
  readonly sessionId: string
  /** True until everything that is durable has been sent. */
  readonly behind: boolean
  /** Sends one page of the backlog, at the pace of the reader. */
  readPage(): Promise<void>
  stop(): void
}

export interface FollowerOptions {
  sessionId: string
  after: number
  storage: Pick<Storage, 'events'>
  hub: Pick<Hub, 'onEvents'>
  /** Resolves when the reader can take more of the backlog. */
  room(): Promise<void>
  send(events: readonly SessionEvent[]): void
  caughtUp(seq: number): void
  /** It is behind again and wants `readPage`. */
  fellBehind(): void
}

export function follow(options: FollowerOptions): Follower {
  const { sessionId, storage, hub, room } = options
  let sent = options.after
  /** The newest event that is known to be durable. */
  let known = options.after
  let behind = true
  let stopped = false
  let limit = FIRST_PAGE

  function send(events: readonly SessionEvent[]) {
    sent = events.at(-1)!.seq
    options.send(events)
  }

  // Listening begins before the backlog is read. Meanwhile only the newest seq is kept: what is published is durable,
  // so the backlog has it too and nothing has to wait in memory.
  const unsubscribe = hub.onEvents(sessionId, events => {
    const fresh = events[0]!.seq > sent ? events : events.filter(event => event.seq > sent)
    if (fresh.length === 0) return
    known = fresh.at(-1)!.seq
    if (behind) return
    // A burst is no reason to call the reader slow: it is read like a backlog, at the reader's pace.
    if (fresh[0]!.seq === sent + 1 && bytesOf(fresh) <= PAGE_BYTES) return send(fresh)
    behind = true
    options.fellBehind()
  })

  return {
    sessionId,
    get behind() {
      return behind && !stopped
    },
    async readPage() {
      const expected = known
      const events = await storage.events(sessionId, sent, limit)
      // A log that has been deleted has nothing more, whatever was announced: do not ask for ever.
      if (events.length === 0 && known === expected) known = sent
      for (const slice of slices(events)) {
        await room()
        if (stopped) return
        send(slice)
      }
      if (stopped) return
      const whole = events.length < limit
      if (events.length > 0) {
        const average = bytesOf(events) / events.length
        limit = Math.min(MAX_PAGE, Math.max(8, Math.floor(PAGE_BYTES / average)))
      }
      if (!whole || known > sent) return
      behind = false
      options.caughtUp(sent)
    },
    stop() {
      stopped = true
      unsubscribe()
    },
  }
}

function bytesOf(events: readonly SessionEvent[]): number {
  let bytes = 0
  for (const event of events) bytes += jsonOf(event).length
  return bytes
}

function* slices(events: readonly SessionEvent[]): Iterable<readonly SessionEvent[]> {
  let from = 0
  let bytes = 0
  for (const [index, event] of events.entries()) {
    bytes += jsonOf(event).length
    if (bytes < SLICE_BYTES && index < events.length - 1) continue
    yield events.slice(from, index + 1)
    from = index + 1
    bytes = 0
  }
}
