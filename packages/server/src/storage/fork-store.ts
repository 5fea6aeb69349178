import type { SessionEvent } from '@vitrine/protocol'
import type { AcceptedId } from './log-store.ts'
import type { SessionRow, SessionToStore } from './session-store.ts'

/** A part of a log that is being copied. */
export interface ForkPiece {
  /** Consecutive, right after the piece before. */
  events: readonly SessionEvent[]
  /** What these events accepted, each with the event that did. */
  ids: readonly (AcceptedId & { seq: number })[]
  /** Blobs that these events may name. Those that the copied session refers to are referred to by the copy as well. */
  digests: readonly string[]
}

/**
 * Copies of logs, which are made piece by piece, so that a long one keeps nobody waiting. Nobody finds a copy before it is
 * whole. One that is never finished is `due` at its time, and goes at once when the session that it is made from is erased.
 */
export interface ForkStore {
  /**
   * Begins a copy of `source` under the id of `session` and gives the token that the next calls need. A copy of this id
   * that its owner began before, and did not finish, is thrown away. An id of another session is refused (SessionExists).
   */
  beginFork(session: SessionToStore, source: string, eraseAt: number): Promise<string>
  /** ForkLost when the copy was thrown away, or when its source is deleted. */
  extendFork(sessionId: string, token: string, piece: ForkPiece): Promise<void>
  /** The last piece, and the row as it is listed: from now on it is a session like any other. ForkLost as above. */
  finishFork(session: SessionToStore, token: string, piece: ForkPiece): Promise<SessionRow>
}
