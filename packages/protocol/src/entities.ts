import type {
  ActionOutcome,
  ActionRequest,
  Activity,
  Actor,
  ArtifactFacts,
  BlobRef,
  Citation,
  EventOf,
  EvidenceFacts,
  Executor,
  Failure,
  FileRef,
  FinishReason,
  Interaction,
  PlanStep,
  QueuedTurn,
  QueuePolicy,
  Reason,
  RunStatus,
  Source,
  ToolContent,
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
/** A value that an event has said, or why it is not known. Whoever shows it has to handle both cases. */
export type Fact<T> = { known: true; value: T } | { known: false; why: Fallback }

/** Makes the fact of a value that an event has said. */
export const known = <T>(value: T): Fact<T> => ({ known: true, value })
/** Makes the fact of a value that is not known. */
export const missing = <T>(why: Fallback): Fact<T> => ({ known: false, why })

/** Anything that surfaces subscribe to. `v` is the `seq` of the event that changed it last. */
export interface Entity {
  key: string
  v: number
}

/** Hears of each entity that an event changes. */
export type Touch = (entity: Entity) => void

/** The listener of those who do not need to hear which entities change. */
export const ignore: Touch = () => {}

/** Entities by id, in order of appearance; itself an entity, touched when its membership changes. */
export interface Collection<T extends Entity> extends Entity {
  /** What its entities are called in their keys: `run` of `run:r1`. */
  readonly kind: string
  /** The field of its entities that is their id. */
  readonly idName: string
  readonly byId: Map<string, T>
}

/** What a session says of itself: its name, its agent, its settings and whether it works now. */
export interface Session extends Entity {
  sessionId: string
  title: Fact<string>
  agentId: Fact<string>
  queuePolicy: QueuePolicy
  pinned: boolean
  archived: boolean
  /** The folder of the person's list that it is in. A folder that was deleted counts as none. */
  folderId: string | null
  /** Who gave the title; null when no person did. */
  titledBy: Actor | null
  metadata: JsonObject
  forkOf: { sessionId: string; seq: number; ordinal?: number | undefined } | null
  parent: { sessionId: string; taskId?: string | undefined } | null
  createdAt: number
  updatedAt: number
  /** The run that owns the session now, or null. */
  activeRunId: string | null
  latestRunId: string | null
  /** Requests that wait for a person. */
  needsInput: number
}

/** One execution of an agent for a turn, with what it has begun and not ended yet. */
export interface Run extends Entity {
  runId: string
  turnId: string
  agentId: string
  parentRunId: string | null
  /** What somebody did that called a tool without an agent, when the run is that call; null for a run of an agent. */
  call: TurnInput | null
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
  /** What it returned beside its answer text. */
  result: Json | null
  finishReason: FinishReason | null
  metrics: JsonObject
  /** How often it was resumed since its last complete step. */
  resumes: number
  /** Ids of what it has begun and not ended. */
  openParts: Set<string>
  openTools: Set<string>
  openActions: Set<string>
  openSubagents: Set<string>
  openSteps: Set<string>
}

/** What a person sent to the agent in one go, and how far the agent is with it. */
export interface Turn extends Entity {
  turnId: string
  messageId: string
  input: TurnInput
  /** `merged`: it became part of the turn whose message it names. */
  state: 'active' | 'done' | 'failed' | 'interrupted' | 'merged'
  by: Actor | null
}

/** One message of the conversation. Its words are in its parts, which have entities of their own. */
export interface Message extends Entity {
  messageId: string
  ordinal: number
  role: 'user' | 'assistant' | 'system'
  runId: string | null
  turnId: string | null
  /** The subagent that speaks; null for the agent of the run. */
  subagentId: string | null
  at: number
  /** Its loaded parts in order: the newest from `partsFrom` on, and before them those older ones that were open. */
  parts: string[]
  /** The place, among all its parts, of the first from which on they are loaded. 0 means that all are. */
  partsFrom: number
  /** How many of the loaded parts have their place before `partsFrom`. */
  loose: number
  metadata: JsonObject
  /** The rewind with which it left the active path; null while it is on it. */
  rewindId: string | null
  /** What people think of it, by the id of the person. */
  feedback: Record<string, Feedback>
  /** Events up to this seq are already in it: it was loaded as a page of older history. */
  asOf: number
}

/** What one person thinks of a message. `none`: they took back what they said. */
export interface Feedback {
  rating: EventOf<'feedback.changed'>['rating']
  reason: string | null
  by: Actor
}

/** What a part of a message can be. The views have one way to draw each of them. */
export type PartKind =
  | 'text'
  | 'reasoning'
  | 'tool'
  | 'action'
  | 'artifact'
  | 'surface'
  | 'steer'
  | 'subagent'
  | 'compaction'
  | 'file'
  | 'source'
  | 'activity'

/** A piece of a message. A text has its words here; a tool call, an action or a surface stands in `refId`. */
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
  /** Whether the final text took the place of another one that was streamed. */
  replaced: boolean
  fallback: Fallback | null
  /** The tool call, action, artifact, surface, steer, subagent or compaction this part shows. */
  refId: string | null
  reason: Reason | null
  replacedBy: string | null
  /** What a part of this kind shows, and what a text or a reasoning has beside its text. */
  file: FileRef | null
  source: Source | null
  activity: Activity | null
  citations: Citation[] | null
  /** What a provider wants back with the next turn. It is opaque and never shown. */
  signature: string | null
  startedAt: number
  endedAt: number | null
}

/** What a tool call brought: forms of the same result for people, for programs and for models. */
export interface ToolResult {
  preview: string | null
  /** The end of a result whose preview is only the beginning. */
  tail: string | null
  value: Json | null
  ref: BlobRef | null
  ui: JsonObject | null
  uiHints: JsonObject | null
  /** What is not legal in the hints or the document, so that not all of it may be shown. */
  uiProblems: string[] | null
  content: ToolContent[] | null
  structured: Json | null
  app: { server: string; resourceUri: string } | null
  meta: JsonObject | null
  /** Another result follows: the call is not over. */
  preliminary: boolean
}

/** One tool call with its arguments, its output while it works and its result. */
export interface Tool extends Entity {
  toolCallId: string
  messageId: string
  partId: string
  /** Empty for a call that a repair brought into a message of no run. */
  runId: string
  name: string
  title: string | null
  summary: string | null
  retryOf: string | null
  executor: Executor | null
  metadata: JsonObject | null
  state: 'preparing' | 'running' | 'done' | 'failed' | 'unknown'
  args: Text
  argsDone: boolean
  /** What a person changed the arguments to when approving the call: these are the ones that ran. */
  approvedArgs: Json | null
  /** Who or what has allowed the call: a person, a remembered permission or a policy. */
  allowedBy: Actor | null
  /** Milliseconds that the call waited for people; they are no time of the tool. */
  waitedMs: number
  progress: { message: string | null; current: number | null; total: number | null } | null
  /** The newest part of the output; `outputLength` is all there was. */
  output: Text
  /** The beginning of the output, when `output` no longer has it. */
  outputHead: string
  outputLength: number
  result: Fact<ToolResult>
  error: Failure | null
  startedAt: number
  endedAt: number | null
}

/** Something that an agent asked a person for, and what became of it. */
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
  /** What the person wrote: instructions that go with a refusal, or an answer in their own words. */
  text: string | null
  at: number
  resolvedAt: number | null
}

/** The turns that wait for their run, and whether the queue is held. */
export interface Queue extends Entity {
  turns: QueuedTurn[]
  held: boolean
  reason: Reason | null
}

/** What a person said to a run while it was active, and whether the agent has taken it up. */
export interface Steer extends Entity {
  steerId: string
  runId: string | null
  text: string
  interaction: Interaction | null
  files: FileRef[] | null
  by: Actor | null
  state: 'accepted' | 'rejected' | 'consumed'
  reason: Reason | null
  at: number
}

/** Work in the background as its parent session sees it. The work itself is in `childSessionId`. */
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

/** One piece of work inside a run, which an agent gave to another agent or to a part of itself. */
export interface Subagent extends Entity {
  subagentId: string
  runId: string
  /** The connected agent that does the work, where it is one. */
  agentId: string | null
  name: string
  parentSubagentId: string | null
  input: string | null
  state: 'running' | 'completed' | 'failed' | 'interrupted' | 'unknown'
  summary: string | null
  handedOffTo: string | null
  handoffReason: Reason | null
  handedOffAt: number | null
  startedAt: number
  endedAt: number | null
}

/** A result that lives on its own, such as a document or a table, with its versions. */
export interface Artifact extends Entity {
  artifactId: string
  /** What was said; `artifactFacts` has what is known of each fact. */
  facts: Partial<ArtifactFacts>
  versions: ArtifactFacts['version'][]
  deleted: boolean
  updatedAt: number
}

/** What supports or contradicts a claim, as far as it has been said. */
export interface Evidence extends Entity {
  evidenceId: string
  facts: Partial<EvidenceFacts>
  updatedAt: number
}

/** What an agent drew with A2UI, and the message that shows it. */
export interface Surface extends Entity, SurfaceContent {
  surfaceId: string
  messageId: string | null
  /** The ordinal of its message, by which the page that has its components is loaded. */
  ordinal: number | null
  partId: string | null
  /** False while its message is outside the loaded window: then it is a shell that follows nothing. */
  loaded: boolean
  asOf: number
}

/** The steps that the agent means to take, as its newest plan says. */
export interface Plan extends Entity {
  runId: string | null
  title: string | null
  steps: PlanStep[]
  final: boolean
}

/** What a person approved for a scope, so that the agent need not ask again until it is revoked. */
export interface Permission extends Entity {
  permissionId: string
  state: 'granted' | 'revoked'
  scope: { key: string; label: string } | null
  actionId: string | null
  by: Actor | null
  at: number
}

/** The place where an agent replaced older history by a summary, in its own context and not in the log. */
export interface Compaction extends Entity {
  compactionId: string
  /** `removed`: what it summarised has left the active path. */
  state: 'running' | 'done' | 'unknown' | 'removed'
  /** The last message that there was when it began. */
  ordinal: number
  reason: Reason | null
  tokensBefore: number | null
  tokensAfter: number | null
  summary: string | null
  /** The message, or the step of its run, from which on the agent still reads everything as it was said. */
  keptFrom: string | null
}

/** Messages that left the active path together. They are an earlier version of what came after them. */
export interface Rewind extends Entity {
  rewindId: string
  fromMessageId: string
  fromOrdinal: number
  /** The last message that there was. */
  toOrdinal: number
  reason: EventOf<'history.rewound'>['reason']
  by: Actor
  at: number
  /** A later rewind went back further: this one is inside of it. */
  inner: boolean
}

/** Something that is odd and ends nothing. Repetitions of it are counted. */
export interface Diagnostic extends Entity {
  diagnosticId: string
  state: 'open' | 'cleared'
  level: 'info' | 'warning' | 'error'
  code: string
  message: string
  count: number
}

/** The state that an agent or an application shares with everybody who follows the session. */
export interface SharedState extends Entity {
  value: Fact<Json>
}

/** What the whole session has used, such as tokens and cost, by name. */
export interface Metrics extends Entity {
  values: JsonObject
}

/** The projection of one session: everything that its events have said, as entities that the fold changes in place. */
export interface SessionState {
  readonly sessionId: string
  /** The newest event that was folded; while it is being folded, the event itself. */
  seq: number
  /** When that event was logged. */
  at: number
  /** Set by `apply` for the event at hand. */
  touch: Touch
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
  readonly subagents: Collection<Subagent>
  readonly artifacts: Collection<Artifact>
  readonly evidence: Collection<Evidence>
  readonly surfaces: Collection<Surface>
  readonly permissions: Collection<Permission>
  readonly compactions: Collection<Compaction>
  readonly diagnostics: Collection<Diagnostic>
  readonly rewinds: Collection<Rewind>
  /** `messages` are those on the active path; `ordinals` is the newest place that was given to one. */
  readonly counts: { messages: number; ordinals: number; runs: number; tools: number; unknownEvents: number }
  /** Messages before this ordinal are not loaded. 1 means that everything is. */
  windowFrom: number
  /** The newest event that spoke of something outside the window; a page must be at least as new. */
  outsideSeq: number
  /** Pages of a messages.snapshot that have come so far. */
  repair: { snapshotId: string; page: number; fromOrdinal: number; named: Set<string> } | null
  /** Weighs shared state where events come in that nobody has verified: on the server. A browser follows its server. */
  meter: Meter | null
}

/** The entities of which a session has one each. */
export const SINGLES = ['session', 'shared', 'queue', 'plan', 'metrics'] as const

/** Those that come and go with the messages they belong to. */
export const PAGED = [
  'runs',
  'turns',
  'messages',
  'parts',
  'tools',
  'actions',
  'steers',
  'subagents',
  'surfaces',
] as const

/** All lists of entities that a session has, by their name in the state. */
export const COLLECTIONS = [
  ...PAGED,
  'tasks',
  'artifacts',
  'evidence',
  'permissions',
  'compactions',
  'diagnostics',
  'rewinds',
] as const

/** The name of a list of entities in the state of a session. */
export type CollectionName = (typeof COLLECTIONS)[number]

function collection<T extends Entity>(key: string, kind = key.slice(0, -1), idName = `${kind}Id`): Collection<T> {
  return { key, v: 0, kind, idName, byId: new Map() }
}

/** The sets of a run. */
export const OPEN = ['openParts', 'openTools', 'openActions', 'openSubagents', 'openSteps'] as const

/** The projection of a session before its first event. It is one literal, because a state that is put together from entries is slower. */
export function createState(sessionId: string): SessionState {
  return {
    sessionId,
    seq: 0,
    at: 0,
    touch: ignore,
    session: {
      key: 'session',
      v: 0,
      sessionId,
      title: missing('unknown'),
      agentId: missing('unknown'),
      queuePolicy: { mode: 'serial', onFailure: 'hold' },
      pinned: false,
      archived: false,
      metadata: {},
      folderId: null,
      titledBy: null,
      forkOf: null,
      parent: null,
      createdAt: 0,
      updatedAt: 0,
      activeRunId: null,
      latestRunId: null,
      needsInput: 0,
    },
    shared: { key: 'state', v: 0, value: missing('unavailable') },
    queue: { key: 'queue', v: 0, turns: [], held: false, reason: null },
    plan: { key: 'plan', v: 0, runId: null, title: null, steps: [], final: false },
    metrics: { key: 'metrics', v: 0, values: {} },
    runs: collection('runs'),
    turns: collection('turns'),
    messages: collection('messages'),
    parts: collection('parts'),
    tools: collection('tools', 'tool', 'toolCallId'),
    actions: collection('actions'),
    steers: collection('steers'),
    subagents: collection('subagents'),
    surfaces: collection('surfaces'),
    tasks: collection('tasks'),
    artifacts: collection('artifacts'),
    evidence: collection('evidence', 'evidence'),
    permissions: collection('permissions'),
    compactions: collection('compactions'),
    diagnostics: collection('diagnostics'),
    rewinds: collection('rewinds'),
    counts: { messages: 0, ordinals: 0, runs: 0, tools: 0, unknownEvents: 0 },
    windowFrom: 1,
    outsideSeq: 0,
    repair: null,
    meter: null,
  }
}
