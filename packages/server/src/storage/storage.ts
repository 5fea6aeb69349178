import type { SessionEvent, SessionSummary } from '@vitrine/protocol'

/** A session as the storage keeps it: who owns it, how far its log goes, and what its list row shows. */
export interface SessionRow extends Omit<SessionSummary, 'deleted'> {
  owner: string
  /** A run is active or turns are queued: look at it first after a restart. */
  unfinished: boolean
}

export type RowChange = Partial<
  Pick<
    SessionRow,
    | 'title'
    | 'agentId'
    | 'pinned'
    | 'archived'
    | 'status'
    | 'queued'
    | 'messageCount'
    | 'readSeq'
    | 'updatedAt'
    | 'unfinished'
  >
>

export interface Append {
  sessionId: string
  /** The lease under which the writer works; a newer lease makes this one stale. */
  epoch: number
  /** Consecutive, right after what is stored. */
  events: readonly SessionEvent[]
  /** The list row, changed in the same transaction. */
  row?: RowChange
}

/** A derived copy of the projection at `seq`, so that a session opens without its whole log. Safe to lose. */
export interface Checkpoint {
  seq: number
  /** Everything but the messages: `Snapshot` of protocol with a window that begins after the last message, as JSON. */
  state: string
  /** Messages that changed since the last checkpoint: one `MessagesPage` of a single message each, as JSON. */
  messages: readonly { ordinal: number; page: string }[]
}

export interface StoredBlob {
  digest: string
  size: number
  mediaType: string
}

/** An answer that was given to a write, kept so that the same write gets it again. */
export interface Answer {
  status: number
  body: string
}

/**
 * Where facts are durable. Every method resolves after its effect would survive a crash of the machine (L1).
 * One contract suite (storage.contract.ts) runs against every implementation.
 */
export interface Storage {
  /** Made once for each data folder; the secret signs cookies and tokens. */
  instance(): Promise<{ id: string; secret: string }>

  createSession(row: SessionRow): Promise<void>
  session(sessionId: string): Promise<SessionRow | undefined>
  /**
   * Newest first (updatedAt, then id); strictly after the cursor. `attention` keeps to what must not fall off a list:
   * pinned, needs-input, failed or unfinished.
   */
  sessions(query: {
    owner: string
    limit: number
    after?: { updatedAt: number; sessionId: string }
    search?: string
    only?: 'attention'
  }): Promise<SessionRow[]>
  /** Those with `unfinished`, of all owners. */
  unfinished(): Promise<SessionRow[]>
  updateSession(sessionId: string, change: RowChange): Promise<void>
  deleteSession(sessionId: string): Promise<void>

  /** Takes the session over: the new epoch makes every older one stale (L2). */
  lease(sessionId: string): Promise<{ epoch: number; seq: number }>
  /** Refuses with StaleLease or SeqConflict and then has written nothing of this append. */
  append(append: Append): Promise<void>
  /** In order of seq, strictly after `after`. */
  events(sessionId: string, after: number, limit: number): Promise<SessionEvent[]>

  saveCheckpoint(sessionId: string, checkpoint: Checkpoint): Promise<void>
  checkpoint(sessionId: string): Promise<{ seq: number; state: string } | undefined>
  /** Message pages with `ordinal < before`, the newest `limit` of them, in ascending order. */
  messagePages(sessionId: string, before: number, limit: number): Promise<{ ordinal: number; page: string }[]>

  /** The first answer given under this key, if any. */
  answer(owner: string, key: string): Promise<Answer | undefined>
  /** Keeps the answer; when one is there already it stays, and is returned. */
  keepAnswer(owner: string, key: string, answer: Answer): Promise<Answer>

  /** A session refers to a blob; bytes themselves live in the blob store. */
  addBlob(sessionId: string, owner: string, blob: StoredBlob): Promise<void>
  blob(sessionId: string, digest: string): Promise<StoredBlob | undefined>

  close(): Promise<void>
}

export class StaleLease extends Error {
  override name = 'StaleLease'
}

export class SeqConflict extends Error {
  override name = 'SeqConflict'
}

/** The data folder cannot be used; the message is one line for the person who started the server. */
export class StorageRefused extends Error {
  override name = 'StorageRefused'
}
