import { type Dialect, frame, pieceOf } from './batch.ts'
import { allow, type Cursor, type Sources } from './browser-stream.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { follow } from './follower.ts'
import { createTurns } from './turns.ts'

const dialect: Dialect = (_, events) =>
  events.map(event => ({ text: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`, upTo: event.seq }))

export interface SessionStreamOptions extends ConnectionOptions {
  sources: Sources
  sessionId: string
  cursor: Cursor
}

/** One session's events for API clients; `id:` is the seq, so that Last-Event-ID resumes. */
export async function sessionStream({
  sources,
  sessionId,
  cursor,
  ...options
}: SessionStreamOptions): Promise<Response> {
  await allow(sources, options.who, sessionId, cursor)
  const after = cursor.seq
  const connection = openConnection(options)
  const { storage, hub } = sources
  const { outbox } = connection
  const turns = createTurns(connection, sources.report)
  outbox.cursors.set(sessionId, after)
  // Headers and a first byte leave at once, also when the session is silent.
  outbox.push(pieceOf(': open\n\n'))
  connection.onClose(
    hub.onSummary(options.who.id, summary => {
      if (summary.deleted && summary.sessionId === sessionId) {
        connection.end(frame('gone', { sessionId, code: 'session_deleted' }))
      }
    }),
  )
  const caughtUp = () => {}
  turns.add(sessionId, follow({ sessionId, after, dialect, storage, hub, outbox, caughtUp, fellBehind: turns.work }))
  return connection.response
}
