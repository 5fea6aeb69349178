import type {
  ActionOutcome,
  ActionRequest,
  Actor,
  ArtifactFacts,
  BlobRef,
  EvidenceFacts,
  Failure,
  Interaction,
  PlanStep,
  QueuedTurn,
  QueuePolicy,
  Reason,
  RunStatus,
  TurnInput,
} from './events.ts'
import type { Json, JsonObject } from './json.ts'
import type { Meter } from './meter.ts'
import type { SurfaceContent } from './surface.ts'
import type { Text } from './text.ts'

/** What the projection shows when it does not know (L8). A value, so that a surface cannot forget the case. */
export type Fallback =
  | 'loading'
  | 'unknown'
  | 'unavailable'
  | 'stale'
  | 'blocked'
  | 'needs-input'
  | 'failed'
  | 'disputed'
export type Fact<T> = { known: true; value: T } | { known: false; why: Fallback }

/** Anything that surfaces subscribe to. `v` is the `seq` of the event that changed it last. */
export interface Entity {
  readonly key: string
  v: number
}

/** Entities by id, in order of appearance; itself an entity, touched when its membership changes. */
export interface Collection<T extends Entity> extends Entity {
  readonly byId: Map<string, T>
}

/** An entity's key is its kind and its id; the id itself may hold colons. */
export const idOf = (key: Entity['key']): string => key.slice(key.indexOf(':') + 1)

export interface Session extends Entity {
  sessionId: string
  title: Fact<string>
  agentId: Fact<string>
  queuePolicy: QueuePolicy
  pinned: boolean
  archived: boolean
  metadata: JsonObject
  forkOf: { sessionId: string; seq: number } | null
  parent: { sessionId: string; taskId?: string | undefined } | null
  createdAt: number
  updatedAt: number
  /** The run that owns the session now, or null. */
  activeRunId: string | null
  latestRunId: string | null
  /** Requests that wait for a person. */
  needsInput: number
}

export interface Run extends Entity {
  runId: string
  turnId: string
  agentId: string
  parentRunId: string | null
  status: RunStatus
  reason: Reason | null
  /** Who started it. */
  by: Actor | null
  attempt: number
  retryOf: string | null
  retriedBy: string | null
  startedAt: number
  endedAt: number | null
  /** Set by run.finished or run.failed and by nothing else (L4). */
  outcome: 'completed' | 'interrupted' | 'cancelled' | 'failed' | null
  error: Failure | null
  metrics: JsonObject
  /** Keys of parts, tools and actions that are still open. */
  open: Set<string>
}

export interface Turn extends Entity {
  turnId: string
  messageId: string
  input: TurnInput
  /** `merged`: it became part of the turn whose message it names. */
  state: 'active' | 'done' | 'failed' | 'interrupted' | 'merged'
  by: Actor | null
}

export interface Message extends Entity {
  messageId: string
  ordinal: number
  role: 'user' | 'assistant' | 'system'
  runId: string | null
  turnId: string | null
  /** The child agent that speaks; null for the agent of the session. */
  agentId: string | null
  at: number
  /** Its loaded parts in order: the newest from `partsFrom` on, and before them those older ones that were open. */
  parts: string[]
  /** The place, among all its parts, of the first from which on they are loaded. 0 means that all are. */
  partsFrom: number
  /** How many of the loaded parts have their place before `partsFrom`. */
  loose: number
  metadata: JsonObject
  /** Events up to this seq are already in it: it was loaded as a page of older history. */
  asOf: number
}

export type PartKind =
  | 'text'
  | 'reasoning'
  | 'tool'
  | 'action'
  | 'artifact'
  | 'surface'
  | 'steer'
  | 'agent'
  | 'compaction'

export interface Part extends Entity {
  partId: string
  messageId: string
  runId: string | null
  kind: PartKind
  state: 'streaming' | 'final' | 'incomplete' | 'retracted'
  /** Only of text and reasoning. */
  text: Text
  /** The final text when it was not streamed as it ended up; loaded on demand. */
  ref: BlobRef | null
  fallback: Fallback | null
  /** The tool call, action, artifact, surface, steer, agent or compaction this part shows. */
  refId: string | null
  reason: Reason | null
  replacedBy: string | null
  startedAt: number
  endedAt: number | null
}

export interface ToolResult {
  preview: string | null
  value: Json | null
  ref: BlobRef | null
  ui: JsonObject | null
  uiHints: JsonObject | null
}

export interface Tool extends Entity {
  toolCallId: string
  messageId: string
  partId: string
  runId: string
  name: string
  title: string | null
  summary: string | null
  retryOf: string | null
  state: 'preparing' | 'running' | 'done' | 'failed' | 'unknown'
  args: Text
  argsDone: boolean
  /** What a person changed the arguments to when approving the call: these are the ones that ran. */
  approvedArgs: Json | null
  /** Milliseconds that the call waited for people; they are no time of the tool. */
  waitedMs: number
  progress: { message: string | null; current: number | null; total: number | null } | null
  /** The newest part of the output; `outputLength` is all there was. */
  output: Text
  outputLength: number
  result: Fact<ToolResult>
  error: Failure | null
  startedAt: number
  endedAt: number | null
}

export interface Action extends Entity {
  actionId: string
  runId: string
  messageId: string | null
  toolCallId: string | null
  request: ActionRequest
  state: 'pending' | 'resolved' | 'stale'
  outcome: ActionOutcome | null
  by: Actor | null
  response: Json | null
  at: number
  resolvedAt: number | null
}

export interface Queue extends Entity {
  turns: QueuedTurn[]
  held: boolean
  reason: Reason | null
}

export interface Steer extends Entity {
  steerId: string
  runId: string | null
  text: string
  interaction: Interaction | null
  by: Actor | null
  state: 'accepted' | 'rejected' | 'consumed'
  reason: Reason | null
  at: number
}

export interface Task extends Entity {
  taskId: string
  title: Fact<string>
  status: RunStatus
  childSessionId: string | null
  parentTaskId: string | null
  progress: number | null
  detail: string | null
  attention: 'none' | 'needs-input' | 'failed'
  startedAt: number
  updatedAt: number
}

export interface Agent extends Entity {
  agentId: string
  runId: string
  name: string
  parentAgentId: string | null
  input: string | null
  state: 'running' | 'completed' | 'failed' | 'interrupted' | 'unknown'
  summary: string | null
  handedOffTo: string | null
  startedAt: number
  endedAt: number | null
}

export interface Artifact extends Entity {
  artifactId: string
  facts: { [K in keyof ArtifactFacts]: Fact<NonNullable<ArtifactFacts[K]>> }
  versions: ArtifactFacts['version'][]
  deleted: boolean
  updatedAt: number
}

export interface Evidence extends Entity {
  evidenceId: string
  facts: Partial<EvidenceFacts>
  /** `disputed` when a system's verdict and a person's review contradict each other. */
  verdict: Fact<'pass' | 'fail' | 'inconclusive' | 'accepted' | 'rejected' | 'changes-requested'>
  updatedAt: number
}

export interface Surface extends Entity, SurfaceContent {
  surfaceId: string
  messageId: string | null
  /** Of its message: where the rest of a shell is found. */
  ordinal: number | null
  partId: string | null
  /** False while its message is outside the loaded window: then it is a shell that follows nothing. */
  loaded: boolean
  asOf: number
}

export interface Plan extends Entity {
  runId: string | null
  title: string | null
  steps: PlanStep[]
  final: boolean
}

export interface Permission extends Entity {
  permissionId: string
  state: 'granted' | 'revoked'
  scope: { key: string; label: string } | null
  actionId: string | null
  by: Actor | null
  at: number
}

export interface Compaction extends Entity {
  compactionId: string
  state: 'running' | 'done' | 'unknown'
  reason: Reason | null
  tokensBefore: number | null
  tokensAfter: number | null
  summary: string | null
}

export interface Diagnostic extends Entity {
  diagnosticId: string
  state: 'open' | 'cleared'
  level: 'info' | 'warning' | 'error'
  code: string
  message: string
  count: number
}

export interface SharedState extends Entity {
  value: Fact<Json>
}

export interface Metrics extends Entity {
  values: JsonObject
}

export interface SessionState {
  readonly sessionId: string
  seq: number
  readonly session: Session
  readonly shared: SharedState
  readonly queue: Queue
  readonly plan: Plan
  readonly metrics: Metrics
  readonly runs: Collection<Run>
  readonly turns: Collection<Turn>
  readonly messages: Collection<Message>
  readonly parts: Collection<Part>
  readonly tools: Collection<Tool>
  readonly actions: Collection<Action>
  readonly steers: Collection<Steer>
  readonly tasks: Collection<Task>
  readonly agents: Collection<Agent>
  readonly artifacts: Collection<Artifact>
  readonly evidence: Collection<Evidence>
  readonly surfaces: Collection<Surface>
  readonly permissions: Collection<Permission>
  readonly compactions: Collection<Compaction>
  readonly diagnostics: Collection<Diagnostic>
  readonly counts: { messages: number; runs: number; tools: number; unknownEvents: number }
  /** Messages before this ordinal are not loaded. 1 means that everything is. */
  windowFrom: number
  /** The newest event that spoke of something outside the window; a page must be at least as new. */
  outsideSeq: number
  /** Pages of a messages.snapshot that have come so far. */
  repair: { snapshotId: string; page: number; fromOrdinal: number; named: Set<string> } | null
  /** Weighs shared state where events come in that nobody has verified: on the server. A browser follows its server. */
  meter: Meter | null
}

/** Those that come and go with the messages they belong to. */
export const PAGED = ['runs', 'turns', 'messages', 'parts', 'tools', 'actions', 'steers', 'agents', 'surfaces'] as const

export const COLLECTIONS = [
  ...PAGED,
  'tasks',
  'artifacts',
  'evidence',
  'permissions',
  'compactions',
  'diagnostics',
] as const

export type CollectionName = (typeof COLLECTIONS)[number]

const collections = (): Pick<SessionState, CollectionName> => {
  const empty = COLLECTIONS.map(key => [key, { key, v: 0, byId: new Map() }])
  return Object.fromEntries(empty) as Pick<SessionState, CollectionName>
}

export function createState(sessionId: string): SessionState {
  return {
    sessionId,
    seq: 0,
    session: {
      key: 'session',
      v: 0,
      sessionId,
      title: { known: false, why: 'unknown' },
      agentId: { known: false, why: 'unknown' },
      queuePolicy: { mode: 'serial', onFailure: 'hold' },
      pinned: false,
      archived: false,
      metadata: {},
      forkOf: null,
      parent: null,
      createdAt: 0,
      updatedAt: 0,
      activeRunId: null,
      latestRunId: null,
      needsInput: 0,
    },
    shared: { key: 'state', v: 0, value: { known: false, why: 'unavailable' } },
    queue: { key: 'queue', v: 0, turns: [], held: false, reason: null },
    plan: { key: 'plan', v: 0, runId: null, title: null, steps: [], final: false },
    metrics: { key: 'metrics', v: 0, values: {} },
    ...collections(),
    counts: { messages: 0, runs: 0, tools: 0, unknownEvents: 0 },
    windowFrom: 1,
    outsideSeq: 0,
    repair: null,
    meter: null,
  }
}
