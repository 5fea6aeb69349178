import { answerText, latestRun, type SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { stage } from './conversation.fixture.ts'
import type { ModelTool } from './tools.ts'
import { anthropic } from './wire/anthropic.fixture.ts'
import { google } from './wire/google.fixture.ts'
import { openaiChat, openaiCompatible } from './wire/openai-chat.fixture.ts'
import { openaiResponses } from './wire/openai-responses.fixture.ts'

const on = stage()
const wires = [openaiChat, openaiCompatible, openaiResponses, anthropic, google].map(wire => [wire.name, wire] as const)
const shown = (state: SessionState): string =>
  answerText(state, [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')!)
const codes = ({ diagnostics }: SessionState) => [...diagnostics.byId.values()].map(({ code }) => code)
const tool: ModelTool = {
  name: 'work',
  description: 'Works',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  effects: 'none',
  execute: () => 'done',
}

describe.each(wires)('%s', (_, wire) => {
  it('MO-66 an account without credit fails the run at once, with what to do', async () => {
    await on.open(wire)
    on.provider.answers.push(wire.fails(402, 'Payment required'))
    const run = latestRun(await on.talk.ask('Hi'))!
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'no_credit', retryable: false } })
    expect(run.error!.next).toContain('credit')
    expect(on.provider.requests).toHaveLength(1)
  })

  it('MO-67 a provider that takes the request and never answers fails the run after a time', async () => {
    await on.open(wire, { settings: { timeout: { chunkMs: 300 } } })
    on.provider.answers.push({ pieces: [], open: true })
    const run = latestRun(await on.talk.ask('Hi'))!
    expect([run.outcome, run.error!.code]).toEqual(['failed', 'provider_silent'])
  }, 30_000)

  it('MO-68 chunks that come twice break nothing: the run ends, and its log is legal', async () => {
    await on.open(wire, { tools: [tool] })
    const twice = wire.says({ text: ['Hello.'], calls: [{ id: 'c', name: 'work', args: { path: 'x' } }] })
    const done = wire.says({ text: ['Done.'] })
    on.provider.answers.push({ ...twice, pieces: twice.pieces.flatMap(piece => [piece, piece]) })
    for (let n = 0; n < 4; n++) on.provider.answers.push(done)
    const state = await on.talk.ask('Hi')
    expect(['completed', 'failed']).toContain(latestRun(state)!.outcome)
    expect([...state.tools.byId.values()].every(({ endedAt }) => endedAt !== null)).toBe(true)
  }, 30_000)
})

describe('a model that lacks something', () => {
  it('MO-69 answers without tools when it has none, and people are told once', async () => {
    await on.open(openaiCompatible, { tools: [tool] })
    on.provider.answers.push(
      openaiCompatible.fails(400, 'registry.ollama.ai/library/gemma:2b does not support tools'),
      openaiCompatible.says({ text: ['Without tools.'] }),
      openaiCompatible.says({ text: ['Again.'] }),
    )
    const state = await on.talk.ask('Hi')
    expect([shown(state), codes(state)]).toEqual(['Without tools.', ['tools_unsupported']])
    await on.talk.ask('Hi again')
    expect(on.provider.requests).toHaveLength(3)
    expect(on.provider.requests[2]!.body.tools).toBeUndefined()
  })

  it('MO-69 is asked for its whole answer when it cannot stream', async () => {
    await on.open(openaiChat)
    const message = { role: 'assistant', content: 'All at once.' }
    const whole = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'test-model',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 },
    }
    on.provider.answers.push(openaiChat.fails(400, 'Streaming is not supported for this model.'), {
      status: 200,
      pieces: [JSON.stringify(whole)],
    })
    const state = await on.talk.ask('Hi')
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'All at once.'])
    expect(on.provider.requests.map(({ body }) => body.stream)).toEqual([true, undefined])
  })
})

it('MO-70 an answer of 50 MB ends the run with the limit that it broke, and the session goes on', async () => {
  await on.open(openaiChat)
  const answer = openaiChat.says({ text: Array.from({ length: 50 }, () => 'x'.repeat(1024 * 1024)) })
  on.provider.answers.push(answer, openaiChat.says({ text: ['Short.'] }))
  const run = latestRun(await on.talk.ask('Hi'))!
  expect([run.outcome, run.error!.message]).toEqual(['failed', expect.stringContaining('at most')])
  expect(shown(await on.talk.ask('Again'))).toBe('Short.')
}, 180_000)

it('MO-71 a key and a token that a provider repeats in an error or in its stream stand nowhere in the log', async () => {
  const canary = 'sk-canary-0123456789abcdef'
  await on.open(openaiChat)
  on.provider.answers.push(openaiChat.fails(400, `The key ${canary} may not use this.`))
  await on.talk.ask('Hi')
  on.provider.answers.push(
    ...Array.from({ length: 3 }, () => ({ pieces: [`data: {"error":{"message":"Bearer ${canary} is odd"}}\n\n`] })),
  )
  await on.talk.ask('Hi')
  expect(JSON.stringify(await on.talk.events())).not.toContain('0123456789abcdef')
}, 30_000)
