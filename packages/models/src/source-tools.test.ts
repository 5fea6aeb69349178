import type { JsonObject } from '@vitrine/protocol'
import type { SourceTool, ToolSource } from '@vitrine/server'
import { describe, expect, it } from 'vitest'
import { stage } from './conversation.fixture.ts'
import { openaiChat as wire } from './wire/openai-chat.fixture.ts'

const on = stage()

const weather: SourceTool = {
  toolId: 'sky:weather',
  name: 'weather',
  title: 'Weather',
  description: 'How the weather is',
  inputSchema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  effects: 'reads',
  execute: async ({ city }) => ({ text: `${'It rains. '.repeat(2_000)}In ${city}.` }),
}
const source: ToolSource = { sourceId: 'sky', name: 'Sky', kind: 'host', tools: async () => [weather] }
const call = (args: JsonObject, name = 'weather') => ({ id: 'call_1', name, args })

describe('a model and the tools of sources', () => {
  it('TO-22 the call runs through the boundary, and the next turn begins with exactly what the model was told', async () => {
    await on.open(wire, {}, [source])
    on.provider.answers.push(wire.says({ calls: [call({ city: 'Paris' })] }), wire.says({ text: ['Wet.'] }))
    const state = await on.talk.ask('How is the weather?')
    const tool = [...state.tools.byId.values()][0]!
    expect(tool).toMatchObject({ name: 'weather', executor: 'runtime', state: 'done', allowedBy: { kind: 'policy' } })
    const second = on.provider.requests.at(-1)!.body.messages
    expect(second.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('The middle is left out.') })
    on.provider.answers.push(wire.says({ text: ['Still wet.'] }))
    await on.talk.ask('And now?')
    const third = on.provider.requests.at(-1)!.body.messages
    expect(third.slice(0, second.length)).toEqual(second)
  })

  it('TO-22 arguments that do not fit are told to the model twice, and then the run fails honestly', async () => {
    await on.open(wire, {}, [source])
    for (let n = 0; n < 3; n++)
      on.provider.answers.push(wire.says({ calls: [{ ...call({ city: 7 }), id: `call_${n}` }] }))
    const state = await on.talk.ask('How is the weather?')
    expect(on.provider.requests).toHaveLength(3)
    expect([...state.runs.byId.values()][0]).toMatchObject({
      outcome: 'failed',
      error: { code: 'tool_arguments_invalid' },
    })
  })

  it('TO-16 a tool of a source that has the name of one of the agent is called after its source', async () => {
    const own = { ...weather, execute: () => 'Mine.' }
    await on.open(wire, { tools: [own] }, [source])
    on.provider.answers.push(
      wire.says({ calls: [call({ city: 'Rome' }, 'sky_weather')] }),
      wire.says({ text: ['Ok.'] }),
    )
    const state = await on.talk.ask('How is the weather?')
    expect([...state.tools.byId.values()][0]).toMatchObject({ name: 'sky_weather', state: 'done', executor: 'runtime' })
  })
})
