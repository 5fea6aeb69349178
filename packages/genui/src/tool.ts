import type { JsonObject } from '@vitrine/protocol'

/** A tool by which an agent draws, as any agent framework takes it. */
export interface UiToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
}
