import type {
  AgentInfo,
  Answer,
  Command,
  Entity,
  Folder,
  Problem,
  SessionEvent,
  SessionState,
  SessionSummary,
} from '@vitrine/protocol'

/** The life of the one connection that a browser has. The table in connection.ts decides it. */
export type ConnectionState = 'connecting' | 'live' | 'catching-up' | 'offline' | 'stale' | 'refused' | 'closed'

/** What is known of the connection to the server. */
export interface Connection {
  state: ConnectionState
  /** When the next attempt is due, while offline. */
  retryAt: number | null
  /** Why the server refused, or what went wrong last. */
  problem: Problem | null
}

/** A value that can be read at any time and tells when it changed. */
export interface Readable<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

/** What became of a write. It fails without losing anything: the caller keeps the draft (L7). */
export type Outcome<T = unknown> = { ok: true; value: T } | { ok: false; problem: Problem }

/** How far the loading of a session has come. `ready` says that its snapshot is there. */
export type SessionPhase = 'loading' | 'ready' | 'failed' | 'gone'

/**
 * One open session: its projection, subscriptions by entity key, and its controlled writes. A method that asks the server
 * for an operation has the id of the operation.
 */
export interface SessionHandle {
  readonly sessionId: string
  /** Owned by the store and updated in place; read it inside a subscription, never write to it. */
  readonly state: SessionState
  /** Loading until the snapshot is there; failed and gone carry a problem. */
  readonly phase: Readable<{ phase: SessionPhase; problem: Problem | null }>
  /** Whether what is shown is the present: not while it loads, lags behind or has no connection, whatever other sessions do. */
  readonly live: Readable<boolean>
  /** Tells when the entity with this key (`part:…`, `run:…`, `queue`, `messages`, …) changed, at most once a frame. */
  subscribe(key: Entity['key'], listener: () => void): () => void
  /** Grows with each flush that touched the key. */
  version(key: Entity['key']): number
  /** Every event after it was applied, in order (for derived views such as surfaces). */
  onEvent(listener: (event: SessionEvent) => void): () => void
  /** Loads one page of older messages, of about so many; false when there are none. */
  loadOlder(messages?: number): Promise<Outcome<boolean>>
  /** Loads one page of earlier parts of a long message; false when there are none. */
  loadEarlierParts(messageId: string): Promise<Outcome<boolean>>

  /** Says something else in the place of a message; what came after it becomes an earlier version. */
  editMessage(
    ordinal: number,
    input: Omit<Command<'editMessage'>, 'turnId'>,
    turnId?: string,
  ): Promise<Outcome<Answer<'TurnStarted'>>>
  /** Runs the turn of an answer again; the answer becomes an earlier version. */
  regenerateMessage(ordinal: number, newRunId?: string): Promise<Outcome<Answer<'RunRetried'>>>
  giveFeedback(ordinal: number, feedback: Command<'giveFeedback'>): Promise<Outcome>
  /** Copies the session into a new one. With the same `sessionId` it is the same copy, however often it is sent. */
  forkSession(
    input?: Omit<Command<'forkSession'>, 'sessionId'>,
    sessionId?: string,
  ): Promise<Outcome<Answer<'Session'>>>
  /** A page of the parts of a message before a place. `loadEarlierParts` does this for messages that are loaded. */
  listMessageParts(ordinal: number, before: number): Promise<Outcome<Answer<'MessagesPage'>>>
  /** A page of the messages of an earlier version, after an ordinal. They are not kept live. */
  listVersionMessages(rewindId: string, after: number): Promise<Outcome<Answer<'MessagesPage'>>>

  submitTurn(input: Omit<Command<'submitTurn'>, 'turnId'>, turnId?: string): Promise<Outcome<Answer<'TurnStarted'>>>
  queueTurn(input: Omit<Command<'queueTurn'>, 'turnId'>, turnId?: string): Promise<Outcome<Answer<'TurnQueued'>>>
  editQueuedTurn(turnId: string, change: Command<'editQueuedTurn'>): Promise<Outcome<Answer<'QueuedTurnPlace'>>>
  removeQueuedTurn(turnId: string): Promise<Outcome>
  updateQueue(change: Command<'updateQueue'>): Promise<Outcome<Answer<'QueueHeld'>>>
  steerRun(
    runId: string,
    input: Omit<Command<'steerRun'>, 'steerId'>,
    steerId?: string,
  ): Promise<Outcome<Answer<'SteerAccepted'>>>
  /** With the same `taskId` (letters, digits, `_`, `.` and `-`) it is the same task, however often it is sent. */
  startTask(
    text: string,
    taskId?: string,
    files?: Command<'submitTurn'>['files'],
  ): Promise<Outcome<Answer<'SessionCreated'>>>
  interruptRun(runId: string): Promise<Outcome<Answer<'RunsInterrupted'>>>
  interruptSession(target?: Command<'interruptSession'>): Promise<Outcome<Answer<'RunsInterrupted'>>>
  retryRun(runId: string): Promise<Outcome<Answer<'RunRetried'>>>
  respondToAction(actionId: string, response: Command<'respondToAction'>): Promise<Outcome<Answer<'ActionResolved'>>>
  revokePermission(permissionId: string): Promise<Outcome>
  /** An action sent again with its key acts once. */
  sendSurfaceInteraction(
    surfaceId: string,
    action: Omit<Command<'sendSurfaceInteraction'>, 'key'>,
    key?: string,
  ): Promise<Outcome<Answer<'InteractionAccepted'>>>
  /** The key is the id of the turn that the action became, or of the steer when a run was active. */
  sendUiAction(
    action: Omit<Command<'sendUiAction'>, 'key'>,
    key?: string,
  ): Promise<Outcome<Answer<'InteractionAccepted'> & { turnId: string }>>
  updateSession(change: Command<'updateSession'>): Promise<Outcome<Answer<'Session'>>>
  markSessionRead(): Promise<Outcome>
  /** Bytes behind a reference of this session, as text. */
  getBlob(digest: string): Promise<Outcome<string>>
  /** Gives the handle back; the last one closes the subscription. */
  close(): void
}

/** What is known of the session list, newest first, and of the folders in it. */
export interface SessionListState {
  loaded: boolean
  sessions: readonly SessionSummary[]
  folders: readonly Folder[]
  /** Whether there are older sessions, which `loadMoreSessions` brings. */
  more: boolean
}

/** All that an interface needs of a server: the connection, the list of sessions, and a handle for each session that is open. */
export interface VitrineClient {
  /** Where the API is, and what carries requests there when it is not the browser itself. */
  readonly api: { readonly baseUrl: string; readonly fetch: typeof globalThis.fetch | undefined }
  readonly connection: Readable<Connection>
  /** The session list, kept live by the stream. */
  readonly sessions: Readable<SessionListState>
  loadMoreSessions(): Promise<Outcome<boolean>>
  listAgents(): Promise<Outcome<AgentInfo[]>>
  createSession(input: Command<'createSession'>): Promise<Outcome<Answer<'SessionCreated'>>>
  /** Hides the session and the tasks below it; `restoreSession` brings them back until they are erased. */
  deleteSession(sessionId: string): Promise<Outcome>
  restoreSession(sessionId: string): Promise<Outcome<Answer<'Session'>>>
  /** For good, deleted before or not: when it is done, no file has anything of it. */
  eraseSession(sessionId: string): Promise<Outcome>
  /** Opens (or joins) a session. Late answers for an earlier opening are dropped. */
  open(sessionId: string): SessionHandle
  /** Makes a new token and signs out everybody but this browser. */
  rotateToken(): Promise<Outcome<Answer<'NewToken'>>>
  /** Try again now instead of at `retryAt`. */
  reconnect(): void
  close(): void
}
