import { allow, type Cursor } from './cursor.ts'
import { openStream, type StreamOptions } from './open-stream.ts'

export interface SessionStreamOptions extends StreamOptions {
  sessionId: string
  cursor: Cursor
}

/** One session's events after a cursor, in any dialect. What cannot be followed is refused before the stream begins. */
export async function sessionStream({ sessionId, cursor, ...options }: SessionStreamOptions): Promise<Response> {
  await allow(options.sources, options.who, sessionId, cursor)
  const { connection, begin } = openStream({
    ...options,
    cursors: new Map([[sessionId, cursor]]),
    endsWithSession: true,
  })
  begin(sessionId)
  return connection.response
}
