// Agents that answer with a language model.

export type { ModelInputs } from './attachments.ts'
export { KNOWN_SINCE, type KnownModel, type ModelPrice } from './known-models.ts'
export type { AttachedPart } from './messages.ts'
export { toModelMessages } from './messages.ts'
export { type ModelAgentOptions, modelAgent } from './model-agent.ts'
export { createModelSource, type ModelSourceOptions } from './model-source.ts'
export { type Model, openModel, type ProviderOptions } from './open-model.ts'
export { outputs } from './outputs.ts'
export type { CallRules } from './run-call.ts'
export type { ModelSettings } from './speak.ts'
export type { ModelPart } from './step-outputs.ts'
export type { Effects, ModelTool, ToolRun } from './tools.ts'
