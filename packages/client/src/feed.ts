import type { Problem, SessionEvent, SessionSummary } from '@vitrine/protocol'
import type { Connection, Readable } from './types.ts'

/** The frame of the stream that carries the session list. */
export interface ListFrame {
  reset?: boolean
  sessions: SessionSummary[]
  cursor?: string | null
}

/** Where the events of one followed session go. */
export interface Sink {
  /** In order, strictly after the cursor, without gaps and without repeats. */
  events(events: SessionEvent[]): void
  /** The session does not exist any more, or not for us. */
  gone(problem: Problem): void
  /** The server cannot continue from the cursor: a new snapshot is needed. Nothing follows. */
  hole(): void
}

/** A source of events: the connection of this tab, or the one that it shares with other tabs. */
export interface Feed {
  readonly connection: Readable<Connection>
  follow(sessionId: string, after: number, sink: Sink): () => void
  onList(listener: (frame: ListFrame) => void): void
  /** Something suggests that the network is back or that time has passed: look now instead of later. */
  wake(): void
  reconnect(): void
  close(): void
}
