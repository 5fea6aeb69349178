import { randomUUID } from 'node:crypto'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { allow, type Cursor, type Sources } from './cursor.ts'
import { follow } from './follower.ts'
import { createRounds } from './rounds.ts'

export interface SessionStreamOptions extends ConnectionOptions {
  sources: Sources
  sessionId: string
  cursor: Cursor
}

/** One session's events after a cursor, in any dialect. */
export async function sessionStream({
  sources,
  sessionId,
  cursor,
  ...options
}: SessionStreamOptions): Promise<Response> {
  const { dialect, streams, who } = options
  await allow(sources, who, sessionId, cursor)
  const after = cursor.seq
  const connection = openConnection(options)
  const { storage, hub } = sources
  const { outbox } = connection
  const rounds = createRounds(connection, sources.report)
  outbox.cursors.set(sessionId, after)
  const { bootId, limits } = streams
  connection.say({ event: 'hello', data: { streamId: randomUUID(), bootId, heartbeatMs: limits.heartbeatMs } })
  connection.onClose(
    hub.onSummary(who.id, summary => {
      if (summary.deleted && summary.sessionId === sessionId) {
        connection.end({ event: 'gone', data: { sessionId, code: 'session_deleted' } })
      }
    }),
  )
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
      ended: connection.end,
    }),
  )
  return connection.response
}
