import type { ConnectionOptions } from './connection.ts'
import { allow, type Cursor, type Sources } from './cursor.ts'
import { openStream } from './open-stream.ts'

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
  const { who } = options
  await allow(sources, who, sessionId, cursor)
  const { connection, follow } = openStream(sources, options)
  connection.outbox.cursors.set(sessionId, cursor.seq)
  connection.onClose(
    sources.hub.onSummary(who.id, summary => {
      if (summary.deleted && summary.sessionId === sessionId) {
        connection.end({ event: 'gone', data: { sessionId, code: 'session_deleted' } })
      }
    }),
  )
  follow(sessionId, cursor.seq, connection.end)
  return connection.response
}
