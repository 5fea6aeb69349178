import { Refusal } from '../refusal.ts'
import type { ConnectionOptions } from './connection.ts'
import { allow, type Cursor, type Sources } from './cursor.ts'
import { followList } from './list.ts'
import { openStream } from './open-stream.ts'

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
  const { connection, rounds, follow } = openStream(sources, options)
  const { runtime, hub } = sources
  const { dialect, who } = options
  const { outbox } = connection
  connection.onClose(
    hub.onSummary(who.id, ({ sessionId, deleted }) => {
      if (deleted && rounds.remove(sessionId)) gone(sessionId, 'session_deleted')
    }),
  )

  function gone(sessionId: string, code: string) {
    outbox.cursors.delete(sessionId)
    connection.say({ event: 'gone', data: { sessionId, code } })
  }

  async function join(sessionId: string, cursor: Cursor) {
    outbox.cursors.set(sessionId, cursor.seq)
    try {
      await allow(sources, who, sessionId, cursor)
    } catch (error) {
      if (error instanceof Refusal) return gone(sessionId, error.code)
      throw error
    }
    follow(sessionId, cursor.seq, () => rounds.remove(sessionId))
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
