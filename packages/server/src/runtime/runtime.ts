import type {
  ActionOutcome,
  Code,
  Command,
  MessagesPage,
  Problem,
  QueuedTurn,
  QueuePolicy,
  Reason,
  SessionSnapshot,
  SessionSummary,
} from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import type { SessionRow } from '../storage/storage.ts'

/** A refusal with a stable code; http/ turns it into a problem document. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: Code
  readonly status: number
  readonly next: string | undefined
  /** Where it is wrong, as JSON pointers into the command. */
  readonly errors: Problem['errors']
  /** Values for the words that a reader's language has for the code. */
  readonly params: Problem['params']

  constructor(
    status: number,
    code: Code,
    message: string,
    next?: string,
    errors?: Problem['errors'],
    params?: Problem['params'],
  ) {
    super(message)
    this.status = status
    this.code = code
    this.next = next
    this.errors = errors
    this.params = params
  }
}

/** The same answer for what is not there and for what is somebody else's. */
export const keyReused = (): Refusal =>
  new Refusal(409, 'key_reused', 'This id was used for something else in this session.', 'Use a new id.')
export const notFound = (): Refusal => new Refusal(404, 'session_not_found', 'There is no such session.')

/** What the list shows of a session. */
export function summaryOf({ owner: _, unfinished: __, logId: ___, ...summary }: SessionRow): SessionSummary {
  return summary.eraseAt === undefined ? summary : { ...summary, deleted: true }
}

export type Accepted = { turnId: string; runId: string; state: 'started' }
export type QueueState = { turns: QueuedTurn[]; held: boolean; reason: Reason | null; policy: QueuePolicy }

/** The owner of sessions, runs, queues and requests. Every write is accepted once by the id or key it carries. */
export interface Runtime {
  createSession(
    who: Principal,
    command: Command<'createSession'>,
  ): Promise<{ session: SessionSummary; taskId?: string }>
  updateSession(
    who: Principal,
    sessionId: string,
    command: Command<'updateSession'>,
  ): Promise<{ session: SessionSummary }>
  /** Stops what works in the session and its tasks, and hides them all. They can be brought back until they are erased. */
  deleteSession(who: Principal, sessionId: string): Promise<void>
  /** Brings a deleted session back, with the tasks that were deleted with it. */
  restoreSession(who: Principal, sessionId: string): Promise<{ session: SessionSummary }>
  /** Resolves when no file has a byte of the session, deleted before or not, or of the tasks that go with it. */
  eraseSession(who: Principal, sessionId: string): Promise<void>
  markRead(who: Principal, sessionId: string, seq: number): Promise<void>
  sessions(
    who: Principal,
    query: { limit: number; cursor?: string; search?: string; only?: 'attention' | 'deleted' },
  ): Promise<{
    sessions: SessionSummary[]
    cursor: string | null
  }>
  /** Which log the session has, and how far it goes. Throws a 404 refusal for one that this principal may not see. */
  position(who: Principal, sessionId: string): Promise<{ log: string; seq: number }>

  snapshot(who: Principal, sessionId: string, messages: number): Promise<SessionSnapshot>
  messages(who: Principal, sessionId: string, before: number, limit: number): Promise<MessagesPage>
  /** Older parts of the message at this ordinal, before a place among its parts. */
  parts(who: Principal, sessionId: string, ordinal: number, before: number): Promise<MessagesPage>

  submit(who: Principal, sessionId: string, command: Command<'submitTurn'>): Promise<Accepted>
  queue(who: Principal, sessionId: string): Promise<QueueState>
  enqueue(
    who: Principal,
    sessionId: string,
    command: Command<'queueTurn'>,
  ): Promise<{ turnId: string; state: 'queued' | 'started'; position: number }>
  holdQueue(who: Principal, sessionId: string, held: boolean): Promise<{ held: boolean }>
  editQueued(
    who: Principal,
    sessionId: string,
    turnId: string,
    command: Command<'editQueued'>,
  ): Promise<{ turnId: string; position: number }>
  removeQueued(who: Principal, sessionId: string, turnId: string): Promise<void>
  steer(
    who: Principal,
    sessionId: string,
    runId: string,
    command: Command<'steer'>,
  ): Promise<{ steerId: string; state: 'accepted' }>
  interrupt(
    who: Principal,
    sessionId: string,
    target: { runId?: string; turnId?: string; taskId?: string },
  ): Promise<{ runIds: string[] }>
  retry(who: Principal, sessionId: string, runId: string, newRunId: string): Promise<{ runId: string }>
  respond(
    who: Principal,
    sessionId: string,
    actionId: string,
    command: Command<'respond'>,
  ): Promise<{ actionId: string; outcome: ActionOutcome; first: boolean }>
  revoke(who: Principal, sessionId: string, permissionId: string): Promise<void>
  surfaceAction(
    who: Principal,
    sessionId: string,
    surfaceId: string,
    command: Command<'surfaceAction'>,
  ): Promise<{ state: 'steered' | 'queued' | 'started'; runId?: string }>
  /** Only what the card of the call offers, with values that its form takes. */
  uiAction(
    who: Principal,
    sessionId: string,
    command: Command<'uiAction'>,
  ): Promise<{ state: 'steered' | 'queued' | 'started'; runId?: string }>
  blob(who: Principal, sessionId: string, digest: string): Promise<{ bytes: Uint8Array; mediaType: string }>

  /** Ends runs that a crash cut off, goes on with queues (L12) and with erasing. Call once, before serving. */
  recover(): Promise<void>
  /** Stops accepting, interrupts what runs, and resolves when everything is durable. */
  close(): Promise<void>
}
