export type {
  AgentConfig,
  AgentInfo,
  Answer,
  AnswerName,
  CatalogInfo,
  Folder,
  FoundMessage,
  FoundSession,
  ListedModel,
  MessagesPage,
  ModelInfo,
  Problem,
  ProviderInfo,
  ProviderKind,
  ProviderTest,
  SessionSnapshot,
  SessionSummary,
  Snapshot,
  Snippet,
} from './answers.ts'
export type { AgentCapabilities, AgentCommand } from './capabilities.ts'
export { CODES, type Code, REFUSAL_CODES, type RefusalCode } from './codes.ts'
export type { Command, CommandName } from './commands.ts'
export { DataTree } from './data-tree.ts'
export {
  type Action,
  type Artifact,
  type Collection,
  type CollectionName,
  type Compaction,
  createState,
  type Diagnostic,
  type Entity,
  type Evidence,
  type Fact,
  type Fallback,
  type Feedback,
  type Message,
  type Metrics,
  type Part,
  type PartKind,
  type Permission,
  type Plan,
  type Queue,
  type Rewind,
  type Run,
  type Session,
  type SessionState,
  type SharedState,
  type Steer,
  type Subagent,
  type Surface,
  type Task,
  type Tool,
  type ToolResult,
  type Touch,
  type Turn,
} from './entities.ts'
export type {
  ActionKind,
  ActionOutcome,
  ActionRequest,
  Activity,
  Actor,
  AgentEventType,
  ArtifactFacts,
  BlobRef,
  Citation,
  EventDraft,
  EventOf,
  EventType,
  EvidenceFacts,
  Executor,
  Failure,
  FileChange,
  FileRef,
  FinishReason,
  Interaction,
  MessageSnapshot,
  PatchOperation,
  PlanStep,
  QueuedTurn,
  QueuePolicy,
  Reason,
  RunStatus,
  SessionEvent,
  Source,
  SurfaceOp,
  ToolContent,
  TurnInput,
  Usage,
} from './events.ts'
export { foldedText } from './folded-text.ts'
export {
  type EventsFrame,
  type ListFrame,
  packEvents,
  type StreamFrame,
  type StreamFrames,
  unpackEvents,
} from './frames.ts'
export { isHiddenSchema, MASK } from './hidden.ts'
export { isObject, type Json, type JsonObject, jsonBytes } from './json.ts'
export {
  ADDRESSABLE,
  MAX_CATALOG_ID,
  MAX_CHANGES,
  MAX_FILE_BYTES,
  MAX_FILE_NAME,
  MAX_FILES,
  MAX_ID,
  MAX_OP_VALUE,
  MAX_POINTER,
  MAX_SEARCH,
} from './limits.ts'
export { UI_SCHEMA_MEDIA_TYPE } from './media-types.ts'
export { createMeter, type Meter } from './meter.ts'
export { applyPatch, jsonEqual } from './patch.ts'
export {
  arrayIndex,
  formatPointer,
  memberAt,
  own,
  type Path,
  parsePointer,
  readPath,
  referencePath,
} from './pointer.ts'
export { apply } from './project/apply.ts'
export { type Applied, applyToWindow } from './project/window.ts'
export { roughBytes } from './rough-bytes.ts'
export { MAX_RESUMES, rules } from './rules.ts'
export {
  hasWholeWords,
  phrasesOf,
  placesOf,
  type SearchPhrase,
  type SearchWord,
  searchTest,
  type TextRange,
  wordsOf,
} from './search-words.ts'
export {
  activeRun,
  answerText,
  artifactFacts,
  inVersion,
  latestRun,
  messagesInOrder,
  onPath,
  openTasks,
  partsOf,
  pathStart,
  pendingActions,
  sessionStatus,
  verdictOf,
  versionsOf,
} from './selectors.ts'
export {
  addMessages,
  addPage,
  addParts,
  hydrate,
  messagesPage,
  partsPage,
  partsStart,
  snapshot,
  trim,
  type WindowLimits,
  windowStart,
} from './snapshot.ts'
export {
  applySurfaceOps,
  emptySurface,
  PathError,
  type SurfaceContent,
  splitOp,
  surfaceOps,
  type WritableData,
} from './surface.ts'
export { Text } from './text.ts'
export { type ToolChoices, type ToolMode, toolChoices, USUAL_TOOL_MODE } from './tool-choices.ts'
export { sameUiAction } from './ui-action.ts'
export { type Cost, numberIn, plusCost, usageOf } from './used.ts'
export { type Violation, verify, verifyAll } from './verify.ts'
