import { randomUUID } from 'node:crypto'
import { packEvents } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import { Refusal, type Runtime } from '../runtime/runtime.ts'
import type { Storage } from '../storage/storage.ts'
import { type Dialect, FRAME_BYTES, frame } from './batch.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { follow } from './follower.ts'
import type { Hub } from './hub.ts'
import { followList } from './list.ts'
import { createTurns } from './turns.ts'

export interface Sources {
  runtime: Pick<Runtime, 'position' | 'sessions'>
  storage: Pick<Storage, 'events'>
  hub: Pick<Hub, 'onEvents' | 'onSummary'>
  /** Told when a stream breaks off for a reason of ours. */
  report(error: unknown): void
}

/** How far a reader has come in a log, and in which one when it knows that. */
export interface Cursor {
  seq: number
  log?: string | undefined
}

const dialect: Dialect = (sessionId, events) =>
  packEvents(sessionId, events, FRAME_BYTES).map(({ json, upTo }) => ({
    text: `event: events\ndata: ${json}\n\n`,
    upTo,
  }))

/** The name of the list among what a browser follows; a session id is never empty. */
const LIST = ''

export interface BrowserStreamOptions extends ConnectionOptions {
  sources: Sources
  /** From where the list is wanted too, as `LIST_FROM` has it. */
  list?: string | undefined
  /** By session: what the browser has. */
  cursors: ReadonlyMap<string, Cursor>
}

/** Everything one browser follows on one connection: several sessions from their cursors, and the session list. */
export function browserStream({ sources, list, cursors, ...options }: BrowserStreamOptions): Response {
  const connection = openConnection(options)
  const { runtime, storage, hub } = sources
  const { who, streams } = options
  const { outbox } = connection
  const turns = createTurns(connection, sources.report)

  outbox.push(
    frame('hello', { streamId: randomUUID(), bootId: streams.bootId, heartbeatMs: streams.limits.heartbeatMs }),
  )
  connection.onClose(
    hub.onSummary(who.id, ({ sessionId, deleted }) => {
      if (deleted && turns.remove(sessionId)) gone(sessionId, 'session_deleted')
    }),
  )

  function gone(sessionId: string, code: string) {
    outbox.cursors.delete(sessionId)
    outbox.push(frame('gone', { sessionId, code }))
  }

  async function join(sessionId: string, cursor: Cursor) {
    const after = cursor.seq
    outbox.cursors.set(sessionId, after)
    try {
      await allow(sources, who, sessionId, cursor)
    } catch (error) {
      if (error instanceof Refusal) return gone(sessionId, error.code)
      throw error
    }
    turns.add(
      sessionId,
      follow({
        sessionId,
        after,
        dialect,
        storage,
        hub,
        outbox,
        caughtUp: seq => outbox.push(frame('caught-up', { sessionId, seq })),
        fellBehind() {
          outbox.push(frame('behind', { sessionId }))
          turns.work()
        },
      }),
    )
  }

  const joining = [...cursors].map(([sessionId, cursor]) => join(sessionId, cursor))
  Promise.all(joining).catch(error => {
    if (!connection.closed) sources.report(error)
    connection.fail(error)
  })
  if (list) turns.add(LIST, followList({ who, from: list, runtime, hub, outbox, fellBehind: turns.work }))
  return connection.response
}

/** Refuses a session that is not the person's, and a cursor that this log has never reached or that is of another log. */
export async function allow(
  { runtime, storage }: Pick<Sources, 'runtime' | 'storage'>,
  who: Principal,
  sessionId: string,
  { seq, log }: Cursor,
): Promise<void> {
  const position = await runtime.position(who, sessionId)
  if (log !== undefined && log !== position.log) {
    const detail = 'The session has another log now: it was made again, or put back from an older copy.'
    throw new Refusal(409, 'cursor_foreign', detail, 'Load the session again.')
  }
  if (seq <= position.seq) return
  const [last] = await storage.events(sessionId, seq - 1, 1)
  if (last) return
  throw new Refusal(409, 'cursor_ahead', `The session has no event ${seq}.`, 'Load the session again.')
}
