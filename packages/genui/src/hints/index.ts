export {
  type CompiledHints,
  type CompileHintsOptions,
  compileHints,
  hintsToSchema,
  inspectHints,
  validateHints,
} from './compile.ts'
export {
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
  uiHintsShape,
  uiHintsVersion,
} from './hints.ts'
export { hintsSignature, showUiPrompt, showUiPromptWithoutTool } from './prompt.ts'
export { type HintsStream, hintsStream } from './stream.ts'
export { estimateTokens } from './tokens.ts'
export { hintsCorrection, showUiTool } from './tool.ts'
