import type { SourceTool, ToolSource } from '@vitrine/server'

/** A source that offers the same tools to everybody. */
export const sourceOf = (sourceId: string, name: string, tools: readonly SourceTool[]): ToolSource => ({
  sourceId,
  name,
  kind: 'runtime',
  tools: async () => tools,
})
