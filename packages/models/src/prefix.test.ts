import { latestRun } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { stage } from './conversation.fixture.ts'
import type { ModelTool } from './tools.ts'
import { anthropic } from './wire/anthropic.fixture.ts'
import { google } from './wire/google.fixture.ts'
import { openaiChat } from './wire/openai-chat.fixture.ts'
import { openaiResponses } from './wire/openai-responses.fixture.ts'
import { prefixReuse } from './wire/provider.fixture.ts'

const on = stage()
const wires = [openaiChat, openaiResponses, anthropic, google].map(wire => [wire.name, wire] as const)
const tool: ModelTool = {
  name: 'work',
  description: 'Works',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  effects: 'none',
  execute: ({ n }: { n: number }) => (n === 1 ? { rows: [1, 2, 3] } : 'long '.repeat(5_000)),
}

describe.each(wires)('%s', (_, wire) => {
  it('MO-72 each request begins with the one before: next steps, next turns, with tools, after a restart', async () => {
    await on.open(wire, { tools: [tool], instructions: 'Be brief.' })
    const calls = [1, 2].map(n => ({ id: `call_${n}`, name: 'work', args: { n } }))
    for (const text of ['One.', 'Two.']) {
      on.provider.answers.push(wire.says({ reasoning: 'Hm.', text: ['I look.'], calls }), wire.says({ text: [text] }))
      expect(latestRun(await on.talk.ask('Look'))!.outcome).toBe('completed')
    }
    await on.talk.restart()
    on.provider.answers.push(wire.says({ text: ['Three.'] }))
    await on.talk.ask('And?')
    const { requests } = on.provider
    expect(requests).toHaveLength(5)
    for (const [at, request] of requests.slice(1).entries()) {
      expect(prefixReuse(requests[at]!, request), `request ${at + 2}`).toBeGreaterThanOrEqual(0.95)
    }
  }, 30_000)
})

it('MO-72 a summary breaks the beginning on purpose, once, and people see it in the conversation', async () => {
  await on.open(openaiChat, { runtimeTools: [] })
  for (const text of ['One.', 'Two.', 'Summary.', 'Three.', 'Four.'])
    on.provider.answers.push(openaiChat.says({ text: [text] }))
  for (const text of ['a'.repeat(2_000), 'b', '/compact', 'c', 'd']) await on.talk.ask(text)
  const { requests } = on.provider
  const reuse = requests.slice(1).map((request, at) => prefixReuse(requests[at]!, request))
  expect(reuse.map(share => share >= 0.95)).toEqual([true, true, false, true])
  expect([...(await on.talk.state()).compactions.byId.values()].map(({ state }) => state)).toEqual(['done'])
}, 30_000)
