export { UI_CODES, type UiCode } from './codes.ts'
export { diagnosticLines, type UiDiagnostic, type UiDiagnosticLevel } from './diagnostic.ts'
export { DRAWN_ICONS, lucideName, lucideNameOfMaterial } from './icon-names.ts'
export { JsonStream, type JsonStreamOptions, type OpenContainer } from './json-stream.ts'
export { type JsonText, locatePointer, type RepeatedKey, readJsonText, type TextPosition } from './json-text.ts'
export { DEFAULT_UI_LIMITS, type UiLimits } from './limits.ts'
export { matchesPattern, patternProblem } from './pattern/in-place.ts'
export { judgePattern, type PatternUse, type PatternVerdict } from './pattern/judge.ts'
export { type LimitedThread, limitedThread, type Thread, type ThreadEvents } from './pattern/limited-thread.ts'
export {
  PATTERN_LIMIT_MS,
  type PatternRequest,
  type PatternWorker,
  patternWorker,
  testPattern,
} from './pattern/worker.ts'
export { type JsonSchemaOptions, jsonSchemaOf } from './shape/json-schema.ts'
export { type ReadShapeOptions, type ReadShapeResult, readShape } from './shape/read.ts'
export type { Shape } from './shape/shape.ts'
export type { UiToolDefinition } from './tool.ts'
export { imageUrlProblem, judgeUrl, pathProblem, type UrlUse, type UrlVerdict, urlProblem } from './url.ts'
export { codePointName, hiddenCharacters, visibleControls } from './visible.ts'
