import { randomUUID } from 'node:crypto'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import type { Sources } from './cursor.ts'
import { follow } from './follower.ts'
import { createRounds, type Rounds } from './rounds.ts'

/** A connection that has said hello, and on which a reader follows sessions. */
export interface OpenStream {
  readonly connection: Connection
  readonly rounds: Rounds
  /** Sends the events of a session after a seq. `ended` is called when the stream is complete in this dialect. */
  follow(sessionId: string, after: number, ended: () => void): void
}

export function openStream({ storage, hub, report }: Sources, options: ConnectionOptions): OpenStream {
  const { dialect, streams } = options
  const connection = openConnection(options)
  const rounds = createRounds(connection, report)
  const { bootId, limits } = streams
  connection.say({ event: 'hello', data: { streamId: randomUUID(), bootId, heartbeatMs: limits.heartbeatMs } })
  return {
    connection,
    rounds,
    follow(sessionId, after, ended) {
      rounds.add(
        sessionId,
        follow({
          sessionId,
          after,
          dialect,
          storage,
          hub,
          outbox: connection.outbox,
          caughtUp: seq => connection.say({ event: 'caught-up', data: { sessionId, seq } }),
          fellBehind: () => connection.say({ event: 'behind', data: { sessionId } }),
          wantsRound: rounds.work,
          ended,
        }),
      )
    },
  }
}
