import type { JsonObject } from '@vitrine/protocol'
import type { Agent, SourceTool, ToolEffects, ToolSource, ToolSourceHealth } from '@vitrine/server'

const schema: JsonObject = { type: 'object', properties: {}, additionalProperties: true }

/** A tool that says when it ran. */
export const tool = (sourceId: string, name: string, effects: ToolEffects, description: string): SourceTool => ({
  toolId: `${sourceId}:${name.toLowerCase().replaceAll(' ', '-')}`,
  name: name.toLowerCase().replaceAll(' ', '_'),
  title: name,
  description,
  inputSchema: schema,
  effects,
  execute: async () => ({ text: `${name} has run.` }),
})

/** A source of tools, in this process. */
export const source = (
  sourceId: string,
  name: string,
  tools: readonly SourceTool[],
  health: () => ToolSourceHealth = () => ({ state: 'ready' }),
): ToolSource => ({ sourceId, name, kind: 'host', tools: async () => tools, health })

/** Calls the tool that the turn names, such as `call write_note`, and runs `own` by itself. */
export const callingAgent = (agentId = 'caller', name = 'Caller'): Agent => ({
  agentId,
  name,
  description: 'Calls the tools that it is told to call',
  async *run({ text }, { tools }) {
    for (const [, wanted] of text.matchAll(/call (\w+)/g)) {
      await tools.find(each => each.name === wanted)?.call({})
    }
    if (text.includes('own')) {
      yield { type: 'tool.started', partId: 'own', toolCallId: 'own', name: 'own', title: 'My own', executor: 'agent' }
      yield { type: 'tool.result', toolCallId: 'own', value: 1 }
    }
    yield { type: 'text.delta', partId: 'answer', delta: 'It is done.' }
    yield {
      type: 'metric.changed',
      scope: 'run',
      usage: { inputTokens: 1_200, outputTokens: 340, cachedInputTokens: 800, reasoningTokens: 40 },
      values: {
        model: 'meridian-2',
        contextUsed: 1_540,
        contextTokens: 8_000,
        cost: { amount: 0.0123, currency: 'USD' },
      },
    }
  },
})
