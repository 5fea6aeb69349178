import type { SessionSummary } from '@vitrine/protocol'

/** A session as the storage keeps it: who owns it, how far its log goes, and what its list row shows. */
export interface SessionRow extends Omit<SessionSummary, 'deleted' | 'readSeq'> {
  owner: string
  /**
   * Names this log as long as it only grows. It changes when events that were acknowledged are known to be lost: a
   * position in the old log then means nothing in the new one.
   */
  logId: string
  /** A run is active or turns are queued: look at it first after a restart. */
  unfinished: boolean
}

/** What the writer of a log may change in the row of its session. */
export type RowChange = Partial<
  Pick<
    SessionRow,
    | 'title'
    | 'agentId'
    | 'pinned'
    | 'archived'
    | 'folderId'
    | 'status'
    | 'waitsFor'
    | 'queued'
    | 'messageCount'
    | 'updatedAt'
    | 'unfinished'
  >
>

/** A session that is about to be stored: the storage itself chooses `logId`, and its events say how far it goes. */
export type SessionToStore = Omit<SessionRow, 'logId' | 'seq'>

/** A session that was deleted and can still be brought back. */
export interface HiddenSession extends SessionRow {
  /** The time after which nothing of it may be left. */
  eraseAt: number
}

/** Which page of a person's session list is wanted. */
export interface SessionQuery {
  owner: string
  limit: number
  /** The last row of the page before. */
  after?: { updatedAt: number; sessionId: string }
  search?: string
  only?: 'attention' | 'archived' | 'deleted'
}

/** The rows of sessions: finding and listing them, what people have read, and hiding, bringing back and erasing them. */
export interface SessionStore {
  session(sessionId: string): Promise<SessionRow | undefined>
  /**
   * Newest first (updatedAt, then id); strictly after the cursor. `attention` keeps to what must not fall off a list:
   * pinned, needs-input, failed or unfinished. `archived` lists those that were put away, `deleted` the hidden ones that `restoreSession` brings back; what was
   * hidden together is one entry.
   */
  sessions(query: SessionQuery): Promise<SessionRow[]>
  /** Those with `unfinished`, of all owners. */
  unfinished(): Promise<SessionRow[]>
  /** How far this person has read; it never goes back. */
  markRead(sessionId: string, person: string, seq: number): Promise<void>
  /** By session: how far this person has read. A session of which they have read nothing is not in it. */
  readSeqs(person: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>

  /** The session and the tasks below it, parents first, as far as they are not hidden. */
  tree(sessionId: string): Promise<SessionRow[]>
  /**
   * Hides the session with the tasks below it, in one commit, and returns what it has hidden: from now on they are found
   * by nothing but the methods below and the list of deleted ones, and their leases are stale. A task that is hidden
   * already keeps its own time. `eraseAt` 0 means for good, for all of them, hidden already or not.
   */
  hideSession(sessionId: string, eraseAt: number): Promise<HiddenSession[]>
  hiddenSession(sessionId: string): Promise<HiddenSession | undefined>
  /** Brings the session back with what was hidden together with it, and returns that; nothing when it was hidden for good. */
  restoreSession(sessionId: string): Promise<SessionRow[]>
  /** Hidden sessions that are to be erased at this time. From now on they are hidden for good. */
  due(now: number): Promise<HiddenSession[]>
  /**
   * Removes every byte of the session from every file of the storage, copies included. The bytes of its blobs live
   * elsewhere: `erase` of erase.ts removes them first. With ErasureIncomplete the session is gone and `scrub` has to be called
   * again.
   */
  eraseSession(sessionId: string): Promise<void>
  /** This person's session was erased, and bytes of it are still in a file. */
  bytesLeft(owner: string, sessionId: string): Promise<boolean>
  /** Removes the bytes that erasures had to leave; ErasureIncomplete when they still stay. */
  scrub(): Promise<void>
}
