import type { SessionEvent } from '@vitrine/protocol'
import type { TextChange } from './search-store.ts'
import type { RowChange, SessionRow, SessionToStore } from './session-store.ts'
import type { RunUsage } from './usage-store.ts'

/** What a session accepts once and for ever. `kind` says whose id it is: turn, steer, run, action. */
export interface AcceptedId {
  kind: string
  id: string
  /** Of the content that came under this id, so that other content under the same id can be refused. */
  digest?: string
}

/** Events that a writer adds to the log of its session, with everything that becomes true in the same transaction. */
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
  /** What people can search for, changed in the same transaction. */
  texts?: TextChange
  /** What runs have used that ended with these events, in the same transaction. */
  usage?: readonly RunUsage[]
}

/** The right to write to one log, until somebody takes a newer one. */
export interface Lease {
  /** Rises with every lease of any session; each append carries it. */
  epoch: number
  /** Where the log ended when the lease was taken. */
  seq: number
}

/** All that a reader of logs needs; the process that reads need not be the one that writes. */
export interface EventReader {
  /** In order of seq, strictly after `after`, in today's shape. Throws LogDamaged rather than serve other events. */
  events(sessionId: string, after: number, limit: number): Promise<SessionEvent[]>
}

/** The logs: each session has one, with one writer at a time. */
export interface LogStore extends EventReader {
  /**
   * Stores a session and its first events in one commit and returns it. When its owner made a session of this id before,
   * that one stays as it is and is returned. An id of somebody else, or of a hidden session, is refused (SessionExists).
   */
  createSession(session: SessionToStore, events: readonly SessionEvent[]): Promise<SessionRow>
  /** Takes the session over for `holder`, who names one start of one process: every older lease is stale from now on (L2). */
  lease(sessionId: string, holder: string): Promise<Lease>
  /** Refuses with StaleLease or SeqConflict and then has written nothing of this append. */
  append(append: Append): Promise<void>
  /** LogDamaged when one of the newest rows of the log is not what was written; looks at rows of about so many characters. */
  check(sessionId: string, characters: number): Promise<void>
  /** Where this id was accepted, when an append that has resolved did so. */
  accepted(sessionId: string, kind: string, id: string): Promise<{ seq: number; digest: string | null } | undefined>
  /** The log cannot be read: nothing is known of what was under way in it. Gives the row as it is listed from now on. */
  noteDamage(sessionId: string): Promise<SessionRow | undefined>
}
