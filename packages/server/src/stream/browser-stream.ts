import { Refusal } from '../refusal.ts'
import { allow, type Cursor } from './cursor.ts'
import { followList } from './list.ts'
import { openStream, type StreamOptions } from './open-stream.ts'

/** The name of the list among what a browser follows; a session id is never empty. */
const LIST = ''

export interface BrowserStreamOptions extends StreamOptions {
  /** From where the list is wanted too, as `LIST_FROM` has it. */
  list?: string | undefined
  /** By session: what the browser has. */
  cursors: ReadonlyMap<string, Cursor>
}

/** Everything one browser follows on one connection: several sessions from their cursors, and the session list. */
export function browserStream({ list, ...options }: BrowserStreamOptions): Response {
  const { sources, cursors, dialect, who } = options
  const { connection, rounds, begin, gone } = openStream({ ...options, endsWithSession: false })

  async function join(sessionId: string, cursor: Cursor) {
    try {
      await allow(sources, who, sessionId, cursor)
    } catch (error) {
      if (error instanceof Refusal) return gone(sessionId, error.code)
      throw error
    }
    begin(sessionId)
  }

  const joining = [...cursors].map(([sessionId, cursor]) => join(sessionId, cursor))
  Promise.all(joining).catch(error => {
    if (!connection.closed) sources.report(error)
    connection.fail(error)
  })
  if (list) {
    const { runtime, hub } = sources
    rounds.add(LIST, followList({ who, from: list, runtime, hub, dialect, connection, wantsRound: rounds.work }))
  }
  return connection.response
}
