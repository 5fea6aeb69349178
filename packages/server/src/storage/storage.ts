import type { SessionEvent, SessionSummary } from '@vitrine/protocol'

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

export type RowChange = Partial<
  Pick<
    SessionRow,
    'title' | 'agentId' | 'pinned' | 'archived' | 'status' | 'queued' | 'messageCount' | 'updatedAt' | 'unfinished'
  >
>

/** A session that is about to be stored: the storage itself chooses `logId`, and its events say how far it goes. */
export type NewSession = Omit<SessionRow, 'logId' | 'seq'>

/** A session that was deleted and can still be brought back. */
export interface HiddenSession extends SessionRow {
  /** The time after which nothing of it may be left. */
  eraseAt: number
}

/** What a session accepts once and for ever. `kind` says whose id it is: turn, steer, run, action. */
export interface AcceptedId {
  kind: string
  id: string
  /** Of the content that came under this id, so that other content under the same id can be refused. */
  digest?: string
}

export interface Append {
  sessionId: string
  /** The lease under which the writer works; a newer lease makes this one stale. */
  epoch: number
  /** Consecutive, right after what is stored. */
  events: readonly SessionEvent[]
  /** The list row, changed in the same transaction. */
  row?: RowChange
  /** What this append accepts, in the same transaction. An id that is stored already keeps its first entry. */
  ids?: readonly AcceptedId[]
}

/** A derived copy of the projection at `seq`, so that a session opens without its whole log. Safe to lose. */
export interface Checkpoint {
  seq: number
  /** The fold that made it (`FOLD` of upcast.ts). The pages of another fold are dropped when it is saved. */
  fold: number
  /** Everything but the messages: `Snapshot` of protocol with a window that begins after the last message, as JSON. */
  state: string
  /**
   * Messages that changed since the last checkpoint: rows with a `MessagesPage` of a message, or of older parts of it, as
   * JSON. Storage only knows that their numbers rise with history (stored-history.ts).
   */
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
 * Where facts are durable. Every write resolves after its effect would survive a crash of the machine (L1), and every
 * read sees the writes that had resolved when it was asked for. What goes wrong inside is a StorageFailed.
 * One contract suite (storage.contract.ts) runs against every implementation.
 */
export interface Storage {
  /** Made once for each data folder; the secret signs cookies and tokens. */
  instance(): Promise<{ id: string; secret: string }>
  /** Replaces the secret by a new one and returns it: what the old one signed counts no more. */
  rotateSecret(): Promise<string>

  /**
   * Stores a session and its first events in one commit and returns it. When its owner made a session of this id before,
   * that one stays as it is and is returned. An id of somebody else, or of a hidden session, is refused (SessionExists).
   */
  createSession(session: NewSession, events: readonly SessionEvent[]): Promise<SessionRow>
  session(sessionId: string): Promise<SessionRow | undefined>
  /**
   * Newest first (updatedAt, then id); strictly after the cursor. `attention` keeps to what must not fall off a list:
   * pinned, needs-input, failed or unfinished. `deleted` lists the hidden ones that `restoreSession` brings back; what was
   * hidden together is one entry.
   */
  sessions(query: {
    owner: string
    limit: number
    after?: { updatedAt: number; sessionId: string }
    search?: string
    only?: 'attention' | 'deleted'
  }): Promise<SessionRow[]>
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
   * elsewhere: `erase` of erase.ts removes them first. With BytesLeft the session is gone and `scrub` has to be called
   * again.
   */
  eraseSession(sessionId: string): Promise<void>
  /** This person's session was erased, and bytes of it are still in a file. */
  bytesLeft(owner: string, sessionId: string): Promise<boolean>
  /** Removes the bytes that erasures had to leave; BytesLeft when they still stay. */
  scrub(): Promise<void>

  /** The log cannot be read: nothing is known of what was under way in it. Gives the row as it is listed from now on. */
  noteDamage(sessionId: string): Promise<SessionRow | undefined>
  /** Takes the session over: the new epoch makes every older one stale (L2). */
  lease(sessionId: string): Promise<{ epoch: number; seq: number }>
  /** Refuses with StaleLease or SeqConflict and then has written nothing of this append. */
  append(append: Append): Promise<void>
  /** In order of seq, strictly after `after`, in today's shape. Throws LogDamaged rather than serve other events. */
  events(sessionId: string, after: number, limit: number): Promise<SessionEvent[]>
  /** LogDamaged when one of the newest rows of the log is not what was written; looks at rows of about so many characters. */
  check(sessionId: string, characters: number): Promise<void>
  /** Where this id was accepted, when an append that has resolved did so. */
  accepted(sessionId: string, kind: string, id: string): Promise<{ seq: number; digest: string | null } | undefined>

  saveCheckpoint(sessionId: string, checkpoint: Checkpoint): Promise<void>
  checkpoint(sessionId: string): Promise<Omit<Checkpoint, 'messages'> | undefined>
  /** Message pages with `ordinal < before`, the newest `limit` of them, in ascending order; undefined when they are damaged. */
  messagePages(
    sessionId: string,
    before: number,
    limit: number,
  ): Promise<{ ordinal: number; page: string }[] | undefined>

  /** The first answer given under this key, if any. */
  answer(owner: string, key: string): Promise<Answer | undefined>
  /**
   * Keeps the answer for a week; when one is there already it stays, and is returned. It is erased with the session that
   * it belongs to, and not kept when that session has been erased meanwhile.
   */
  keepAnswer(owner: string, key: string, answer: Answer, sessionId?: string): Promise<Answer>

  /** A session refers to a blob; bytes themselves live in the blob store. */
  addBlob(sessionId: string, owner: string, blob: StoredBlob): Promise<void>
  blob(sessionId: string, digest: string): Promise<StoredBlob | undefined>
  /**
   * The digests of the blobs that this session, hidden or not, refers to and nobody else needs. What is hidden for good
   * needs none, so that sessions that are erased together leave none of theirs.
   */
  soleBlobs(sessionId: string): Promise<string[]>

  close(): Promise<void>
}

export class StaleLease extends Error {
  override name = 'StaleLease'
}

export class SeqConflict extends Error {
  override name = 'SeqConflict'
}

export class SessionExists extends Error {
  override name = 'SessionExists'
}

/** The stored log of a session is not what was written. Nothing of the damaged part is served. */
export class LogDamaged extends Error {
  override name = 'LogDamaged'
}

/** Why the storage could not do what it was asked for. */
export type StorageFailure = 'disk_full' | 'read_only' | 'io_error' | 'damaged' | 'stopped' | 'unknown'

/** The storage could not do it, and nothing of it was done. The message says why. */
export class StorageFailed extends Error {
  override name = 'StorageFailed'
  readonly code: StorageFailure

  constructor(code: StorageFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A session is erased for everybody who asks, and bytes of it are still in a file. The message says why. */
export class BytesLeft extends Error {
  override name = 'BytesLeft'
  readonly code: StorageFailure

  constructor(code: StorageFailure, message: string) {
    super(message)
    this.code = code
  }
}

/** The data folder cannot be used; the message is one line for the person who started the server. */
export class StorageRefused extends Error {
  override name = 'StorageRefused'
}
