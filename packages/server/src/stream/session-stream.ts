import { createBacklog } from './backlog.ts'
import { allow, type Sources } from './browser-stream.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { follow } from './follower.ts'
import { type Frames, frame } from './outbox.ts'

const frames: Frames = {
  events: (_, events) => events.map(({ seq, json }) => `id: ${seq}\ndata: ${json}\n\n`).join(''),
  list: () => '',
}

export interface SessionStreamOptions extends Omit<ConnectionOptions, 'frames'> {
  sources: Sources
  sessionId: string
  after: number
}

/** One session's events for API clients; `id:` is the seq, so that Last-Event-ID resumes. */
export async function sessionStream({
  sources,
  sessionId,
  after,
  ...options
}: SessionStreamOptions): Promise<Response> {
  await allow(sources, options.who, sessionId, after)
  const connection = openConnection({ ...options, frames })
  const { storage, hub } = sources
  const { outbox } = connection
  const backlog = createBacklog(connection, sources.report)
  outbox.cursors.set(sessionId, after)
  // Headers and a first byte leave at once, also when the session is silent.
  outbox.frame(': open\n\n')
  connection.onClose(
    hub.onSummary(options.who.id, summary => {
      if (summary.deleted && summary.sessionId === sessionId) {
        connection.end(frame('gone', { sessionId, code: 'session_deleted' }))
      }
    }),
  )
  backlog.add(
    follow({
      sessionId,
      after,
      storage,
      hub,
      room: outbox.room,
      send: events => outbox.events(sessionId, events),
      caughtUp: () => {},
      fellBehind: backlog.work,
    }),
  )
  return connection.response
}
