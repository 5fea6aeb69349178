export type {
  AgentInfo,
  Answer,
  AnswerName,
  MessagesPage,
  Problem,
  SessionSnapshot,
  SessionSummary,
  Snapshot,
} from './answers.ts'
export type { AgentCapabilities } from './capabilities.ts'
export { CODES, type Code, REFUSAL_CODES, type RefusalCode } from './codes.ts'
export type { Command, CommandName } from './commands.ts'
export { DataTree } from './data-tree.ts'
export type * from './entities.ts'
export { createState } from './entities.ts'
export type * from './events.ts'
export {
  type EventsFrame,
  type ListFrame,
  packEvents,
  type StreamFrame,
  type StreamFrames,
  unpackEvents,
} from './frames.ts'
export { isObject, type Json, type JsonObject, jsonBytes } from './json.ts'
export { MAX_ID, MAX_OP_VALUE, MAX_POINTER } from './limits.ts'
export { UI_SCHEMA_MEDIA_TYPE } from './media-types.ts'
export { createMeter, type Meter } from './meter.ts'
export { applyPatch, jsonEqual } from './patch.ts'
export { arrayIndex, formatPointer, own, type Path, parsePointer, readPath, step } from './pointer.ts'
export { apply } from './project/apply.ts'
export { type Applied, applyToWindow } from './project/window.ts'
export { rules } from './rules.ts'
export {
  activeRun,
  answerText,
  artifactFacts,
  latestRun,
  messagesInOrder,
  onPath,
  openTasks,
  partsOf,
  pathStart,
  pendingActions,
  runsOfTurn,
  sessionStatus,
  toolsOfRun,
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
  weigh,
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
export { type Violation, verify, verifyAll } from './verify.ts'
