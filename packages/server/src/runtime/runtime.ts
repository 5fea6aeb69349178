import type {
  ActionOutcome,
  Command,
  MessagesPage,
  QueuedTurn,
  QueuePolicy,
  SessionSummary,
  Snapshot,
} from '@vitrine/protocol'

/** A refusal with a stable code; http/ turns it into a problem document. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly next: string | undefined

  constructor(status: number, code: string, message: string, next?: string) {
    super(message)
    this.status = status
    this.code = code
    this.next = next
  }
}

export type Accepted = { turnId: string; runId: string; state: 'started' }
export type QueueState = { turns: QueuedTurn[]; held: boolean; reason: string | null; policy: QueuePolicy }

/** The owner of sessions, runs, queues and requests. Every write is accepted once by the id or key it carries. */
export interface Runtime {
  createSession(owner: string, command: Command<'createSession'>): Promise<{ session: SessionSummary; taskId?: string }>
  updateSession(
    owner: string,
    sessionId: string,
    command: Command<'updateSession'>,
  ): Promise<{ session: SessionSummary }>
  deleteSession(owner: string, sessionId: string): Promise<void>
  markRead(owner: string, sessionId: string, seq: number): Promise<void>
  sessions(
    owner: string,
    query: { limit: number; cursor?: string; search?: string; only?: 'attention' },
  ): Promise<{
    sessions: SessionSummary[]
    cursor: string | null
  }>
  /** Throws a 404 refusal for a session that does not exist or is not the owner's. */
  summary(owner: string, sessionId: string): Promise<SessionSummary>

  snapshot(owner: string, sessionId: string, messages: number): Promise<Snapshot>
  messages(owner: string, sessionId: string, before: number, limit: number): Promise<MessagesPage>

  submit(owner: string, sessionId: string, command: Command<'submitTurn'>): Promise<Accepted>
  queue(owner: string, sessionId: string): Promise<QueueState>
  enqueue(
    owner: string,
    sessionId: string,
    command: Command<'queueTurn'>,
  ): Promise<{ turnId: string; state: 'queued' | 'started'; position: number }>
  holdQueue(owner: string, sessionId: string, held: boolean): Promise<{ held: boolean }>
  editQueued(
    owner: string,
    sessionId: string,
    turnId: string,
    command: Command<'editQueued'>,
  ): Promise<{ turnId: string; position: number }>
  removeQueued(owner: string, sessionId: string, turnId: string): Promise<void>
  steer(
    owner: string,
    sessionId: string,
    runId: string,
    command: Command<'steer'>,
  ): Promise<{ steerId: string; state: 'accepted' }>
  interrupt(
    owner: string,
    sessionId: string,
    target: { runId?: string; turnId?: string; taskId?: string },
  ): Promise<{ runIds: string[] }>
  retry(owner: string, sessionId: string, runId: string, newRunId: string): Promise<{ runId: string }>
  respond(
    owner: string,
    sessionId: string,
    actionId: string,
    command: Command<'respond'>,
  ): Promise<{ actionId: string; outcome: ActionOutcome; first: boolean }>
  revoke(owner: string, sessionId: string, permissionId: string): Promise<void>
  surfaceAction(
    owner: string,
    sessionId: string,
    surfaceId: string,
    command: Command<'surfaceAction'>,
  ): Promise<{ state: 'steered' | 'queued' | 'started'; runId?: string }>
  uiAction(
    owner: string,
    sessionId: string,
    command: Command<'uiAction'>,
  ): Promise<{ state: 'steered' | 'queued' | 'started' | 'event'; runId?: string }>
  blob(owner: string, sessionId: string, digest: string): Promise<{ bytes: Uint8Array; mediaType: string }>

  /** Ends runs that a crash cut off and goes on with queues (L12). Call once, before serving. */
  recover(): Promise<void>
  /** Stops accepting, interrupts what runs, and resolves when everything is durable. */
  close(): Promise<void>
}
