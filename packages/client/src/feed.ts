import type { ListFrame, Problem, SessionEvent } from '@vitrine/protocol'
import type { Connection, Readable } from './types.ts'

/** How far somebody has come in the log of a session, and which log that is. */
export interface Cursor {
  seq: number
  /** Another log under the same id (made again, or put back from an older copy) has nothing to do with this one. */
  log: string
}

/** Where the events of one followed session go. */
export interface Sink {
  /** In order, strictly after the cursor, without gaps and without repeats. */
  events(events: SessionEvent[]): void
  /** The session does not exist any more, or not for us. */
  gone(problem: Problem): void
  /** The server cannot continue from the cursor: a new snapshot is needed. Nothing follows. */
  hole(): void
  /** Whether everything that is durable is here, and what comes next will be. Told when it changes; at first it is not. */
  live(live: boolean): void
}

/** A source of events: the connection of this tab, or the one that it shares with other tabs. */
export interface Feed {
  readonly connection: Readable<Connection>
  follow(sessionId: string, after: Cursor, sink: Sink): () => void
  onList(listener: (frame: ListFrame) => void): void
  /** Something suggests that the network is back or that time has passed: look now instead of later. */
  wake(): void
  reconnect(): void
  close(): void
}
