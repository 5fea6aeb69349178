export { type Compiled, type CompileOptions, compile, compileHints, validateHints } from './compile.ts'
export {
  hintsShape as uiHintsShape,
  type UiHintAction,
  type UiHintActionTarget,
  type UiHintChart,
  type UiHintField,
  type UiHintIcon,
  type UiHintImage,
  type UiHintIntent,
  type UiHintKvItem,
  type UiHintListItem,
  type UiHintProgress,
  type UiHintSection,
  type UiHintsPayload,
  type UiHintTable,
  uiHintsVersion,
} from './hints.ts'
export { type HintsStream, hintsStream } from './stream.ts'
export { estimateTokens } from './tokens.ts'
export {
  correction,
  hintsSignature,
  promptSection,
  promptSectionWithoutTool,
  showUiTool,
  type ToolDefinition,
} from './tool.ts'
