import type { Code } from '@vitrine/protocol'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import type { Cursor, Sources } from './cursor.ts'
import type { Notice } from './dialect.ts'
import { follow } from './follower.ts'
import { createRounds, type Rounds } from './rounds.ts'

export interface StreamOptions extends ConnectionOptions {
  sources: Sources
}

export interface OpenStreamOptions extends StreamOptions {
  /** By session: what the reader has. */
  cursors: ReadonlyMap<string, Cursor>
  /** Whether the stream ends when its session does. A stream of several sessions goes on with the others. */
  endsWithSession: boolean
}

/** A connection and the sessions that its reader follows on it. */
export interface OpenStream {
  readonly connection: Connection
  /** What else the reader follows is added here. */
  readonly rounds: Rounds
  /** Begins to send what the session has after the cursor of the reader. `allow` has to be asked before. */
  begin(sessionId: string): void
  /** Tells the reader why the session cannot be followed, or not any more. */
  gone(sessionId: string, code: Code): void
}

/** What all streams of sessions have in common, from the first frame to the last, in any dialect. */
export function openStream({ sources, cursors, endsWithSession, ...options }: OpenStreamOptions): OpenStream {
  const { dialect, who } = options
  const { storage, hub, report } = sources
  const connection = openConnection(options)
  const { sendQueue, say } = connection
  const rounds = createRounds(connection, report)
  for (const [sessionId, { seq }] of cursors) sendQueue.cursors.set(sessionId, seq)

  const gone = (sessionId: string, code: Code) => leave(sessionId, { event: 'gone', data: { sessionId, code } })

  function leave(sessionId: string, why?: Notice) {
    if (!sendQueue.cursors.delete(sessionId)) return
    rounds.remove(sessionId)
    if (endsWithSession) connection.end(why)
    else if (why) say(why)
  }

  connection.onClose(
    hub.onSummary(who.id, ({ sessionId, deleted }) => {
      if (deleted) gone(sessionId, 'session_deleted')
    }),
  )

  return {
    connection,
    rounds,
    gone,
    begin(sessionId) {
      const after = sendQueue.cursors.get(sessionId)
      // The session was deleted while the cursor was checked.
      if (after === undefined) return
      rounds.add(
        sessionId,
        follow({
          sessionId,
          after,
          dialect,
          storage,
          hub,
          sendQueue,
          caughtUp: seq => say({ event: 'caught-up', data: { sessionId, seq } }),
          fellBehind: () => say({ event: 'behind', data: { sessionId } }),
          wantsRound: rounds.work,
          ended: () => leave(sessionId),
        }),
      )
    },
  }
}
