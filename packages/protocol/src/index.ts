export { CODES, type Code } from './codes.ts'
export type { Command, CommandName, Problem, SessionSummary } from './commands.ts'
export { DataTree } from './data-tree.ts'
export type * from './entities.ts'
export { createState } from './entities.ts'
export type * from './events.ts'
export { type EventsFrame, packEvents, unpackEvents } from './frames.ts'
export { type Json, type JsonObject, jsonBytes } from './json.ts'
export { MAX_ID, MAX_OP_VALUE, MAX_POINTER } from './limits.ts'
export { UI_SCHEMA_MEDIA_TYPE } from './media-types.ts'
export { createMeter, type Meter } from './meter.ts'
export { applyPatch, jsonEqual } from './patch.ts'
export { arrayIndex, formatPointer, own, type Path, parsePointer, readPath, step } from './pointer.ts'
export { type Applied, apply, type Touch } from './project.ts'
export { rules } from './rules.ts'
export {
  activeRun,
  answerText,
  latestRun,
  messagesInOrder,
  openTasks,
  partsOf,
  pendingActions,
  runsOfTurn,
  sessionStatus,
  toolsOfRun,
} from './selectors.ts'
export {
  addMessages,
  addPage,
  addParts,
  hydrate,
  type MessagesPage,
  messagesPage,
  partsPage,
  partsStart,
  type SessionSnapshot,
  type Snapshot,
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
