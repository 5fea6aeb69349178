import { randomUUID } from 'node:crypto'
import type { Code } from '@vitrine/protocol'
import { Refusal } from '../refusal.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { allow, type Cursor, type Sources } from './cursor.ts'
import { follow } from './follower.ts'
import { followList } from './list.ts'
import { createRounds } from './rounds.ts'

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
  const { dialect, who, streams } = options
  const { outbox } = connection
  const rounds = createRounds(connection, sources.report)

  const { bootId, limits } = streams
  connection.say({ event: 'hello', data: { streamId: randomUUID(), bootId, heartbeatMs: limits.heartbeatMs } })
  connection.onClose(
    hub.onSummary(who.id, ({ sessionId, deleted }) => {
      if (deleted && rounds.remove(sessionId)) gone(sessionId, 'session_deleted')
    }),
  )

  function gone(sessionId: string, code: Code) {
    outbox.cursors.delete(sessionId)
    connection.say({ event: 'gone', data: { sessionId, code } })
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
    rounds.add(
      sessionId,
      follow({
        sessionId,
        after,
        dialect,
        storage,
        hub,
        outbox,
        caughtUp: seq => connection.say({ event: 'caught-up', data: { sessionId, seq } }),
        fellBehind: () => connection.say({ event: 'behind', data: { sessionId } }),
        wantsRound: rounds.work,
        ended: () => rounds.remove(sessionId),
      }),
    )
  }

  const joining = [...cursors].map(([sessionId, cursor]) => join(sessionId, cursor))
  Promise.all(joining).catch(error => {
    if (!connection.closed) sources.report(error)
    connection.fail(error)
  })
  if (list)
    rounds.add(LIST, followList({ who, from: list, runtime, hub, dialect, connection, wantsRound: rounds.work }))
  return connection.response
}
