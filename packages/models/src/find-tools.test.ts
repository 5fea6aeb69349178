import type { SourceTool, ToolSource } from '@vitrine/server'
import { describe, expect, it } from 'vitest'
import { stage } from './conversation.fixture.ts'
import { openaiChat as wire } from './wire/openai-chat.fixture.ts'

const on = stage()

const tools = Array.from(
  { length: 500 },
  (_, n): SourceTool => ({
    toolId: `many:tool_${n}`,
    name: `tool_${n}`,
    description: `Does the thing number ${n}`,
    inputSchema: { type: 'object' },
    effects: 'reads',
    execute: async () => ({ text: `I am ${n}.` }),
  }),
)
const source: ToolSource = { sourceId: 'many', name: 'Many', kind: 'mcp', tools: async () => tools }
const call = (name: string, args: object) => ({ id: `call_${name}_${JSON.stringify(args).length}`, name, args })

/** The tools of each request as the provider got them. */
const given = () =>
  on.provider.requests.map(({ body }) => (body.tools as { function: { name: string } }[]).map(one => one.function.name))

describe('a model with five hundred tools', () => {
  it('MC-28 searches and chooses, gets only the chosen ones, and calls one', async () => {
    await on.open(wire, {}, [source])
    on.provider.answers.push(
      wire.says({ calls: [call('find_tools', { query: 'number 321' })] as never }),
      wire.says({ calls: [call('find_tools', { names: ['tool_321'] })] as never }),
      wire.says({ calls: [call('tool_321', {})] as never }),
      wire.says({ text: ['Done.'] }),
    )
    const state = await on.talk.ask('Do number 321.')
    const own = ['a2ui', 'show_ui', 'ask', 'find_tools']
    expect(given()).toEqual([own, own, [...own, 'tool_321'], [...own, 'tool_321']])
    const searched = on.provider.requests[1]!.body.messages.at(-1)
    expect(JSON.stringify(searched)).toContain('Does the thing number 321')
    expect([...state.tools.byId.values()].at(-1)).toMatchObject({ name: 'tool_321', state: 'done' })
  })

  it('MC-29 begins the next turn with exactly the same tools and instructions, so that caching works', async () => {
    await on.open(wire, {}, [source])
    on.provider.answers.push(
      wire.says({ calls: [call('find_tools', { names: ['tool_7', 'tool_3'] })] as never }),
      wire.says({ text: ['Ready.'] }),
    )
    await on.talk.ask('Get ready.')
    on.provider.answers.push(wire.says({ text: ['Still ready.'] }))
    await on.talk.ask('And?')
    const [before, after] = on.provider.requests.slice(-2).map(({ body }) => body)
    expect(after!.tools).toEqual(before!.tools)
    expect(after!.messages.slice(0, before!.messages.length)).toEqual(before!.messages)
  })
})
