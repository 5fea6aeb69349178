import { randomUUID } from 'node:crypto'
import type { SessionSummary } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import { Refusal, type Runtime } from '../runtime/runtime.ts'
import type { Storage } from '../storage/storage.ts'
import { createBacklog } from './backlog.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { follow } from './follower.ts'
import type { Hub } from './hub.ts'
import { type Frames, frame } from './outbox.ts'

export interface Sources {
  runtime: Pick<Runtime, 'summary' | 'sessions'>
  storage: Pick<Storage, 'events'>
  hub: Pick<Hub, 'onEvents' | 'onSummary'>
  /** Told when a stream breaks off for a reason of ours. */
  report(error: unknown): void
}

const frames: Frames = {
  events: (sessionId, events) =>
    `event: events\ndata: {"sessionId":${JSON.stringify(sessionId)},"events":[${events.map(event => event.json).join()}]}\n\n`,
  list: summaries => `event: list\ndata: {"sessions":[${summaries.join()}]}\n\n`,
}

const LIST_PAGE = 50
const LIST_ATTENTION = 200

export interface BrowserStreamOptions extends Omit<ConnectionOptions, 'frames'> {
  sources: Sources
  list: boolean
  /** By session: the newest seq that the browser has. */
  cursors: ReadonlyMap<string, number>
}

/** Everything one browser follows on one connection: several sessions from their cursors, and the session list. */
export function browserStream({ sources, list, cursors, ...options }: BrowserStreamOptions): Response {
  const connection = openConnection({ ...options, frames })
  const { runtime, storage, hub } = sources
  const { who, streams } = options
  const { outbox } = connection
  const backlog = createBacklog(connection, sources.report)

  outbox.frame(
    frame('hello', { streamId: randomUUID(), bootId: streams.bootId, heartbeatMs: streams.limits.heartbeatMs }),
  )

  // Changes that come while the first page is still being read are held back until it has been sent.
  let early: SessionSummary[] | null = list ? [] : null
  connection.onClose(
    hub.onSummary(who.id, summary => {
      if (early) early.push(summary)
      else if (list) outbox.summary(summary)
      if (summary.deleted && backlog.remove(summary.sessionId)) gone(summary.sessionId, 'session_deleted')
    }),
  )

  function gone(sessionId: string, code: string) {
    outbox.cursors.delete(sessionId)
    outbox.frame(frame('gone', { sessionId, code }))
  }

  async function sendList() {
    const [page, attention] = await Promise.all([
      runtime.sessions(who, { limit: LIST_PAGE }),
      runtime.sessions(who, { limit: LIST_ATTENTION, only: 'attention' }),
    ])
    const paged = new Set(page.sessions.map(({ sessionId }) => sessionId))
    const beyond = attention.sessions.filter(({ sessionId }) => !paged.has(sessionId))
    // The page comes last: its end, where the cursor stands, is the end of the frame.
    outbox.frame(frame('list', { reset: true, sessions: [...beyond, ...page.sessions], cursor: page.cursor }))
    for (const summary of early ?? []) outbox.summary(summary)
    early = null
  }

  async function join(sessionId: string, after: number) {
    outbox.cursors.set(sessionId, after)
    try {
      await allow(sources, who, sessionId, after)
    } catch (error) {
      if (error instanceof Refusal) return gone(sessionId, error.code)
      throw error
    }
    backlog.add(
      follow({
        sessionId,
        after,
        storage,
        hub,
        room: outbox.room,
        send: events => outbox.events(sessionId, events),
        caughtUp: seq => outbox.frame(frame('caught-up', { sessionId, seq })),
        fellBehind: backlog.work,
      }),
    )
  }

  const joining = [...cursors].map(([sessionId, after]) => join(sessionId, after))
  Promise.all(list ? [sendList(), ...joining] : joining).catch(error => {
    if (!connection.closed) sources.report(error)
    connection.fail(error)
  })
  return connection.response
}

/** Refuses a session that is not the person's, and a cursor that this log has never reached. */
export async function allow(
  { runtime, storage }: Pick<Sources, 'runtime' | 'storage'>,
  who: Principal,
  sessionId: string,
  after: number,
): Promise<void> {
  const { seq } = await runtime.summary(who, sessionId)
  if (after <= seq) return
  const [last] = await storage.events(sessionId, after - 1, 1)
  if (last) return
  throw new Refusal(409, 'cursor_ahead', `The session has no event ${after}.`, 'Load the session again.')
}
