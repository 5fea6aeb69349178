import { answerText, latestRun, type SessionState } from '@vitrine/protocol'
import type { ModelAgentConfig, ProviderAccess } from '@vitrine/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Conversation, converse } from './conversation.fixture.ts'
import { KNOWN_SINCE, knownModels } from './known-models.ts'
import { createModelSource } from './model-source.ts'
import { anthropic } from './wire/anthropic.fixture.ts'
import { google } from './wire/google.fixture.ts'
import { modelLists } from './wire/model-lists.fixture.ts'
import { openaiCompatible } from './wire/openai-chat.fixture.ts'
import { openaiResponses } from './wire/openai-responses.fixture.ts'
import { type Provider, startProvider } from './wire/provider.fixture.ts'

const KEY = 'canary-4821-key-of-a-provider'
const source = createModelSource()
let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

const at = (kind: string, path = '/v1'): ProviderAccess => ({ kind, baseURL: `${provider.url}${path}`, apiKey: KEY })

describe('the list of models of a provider', () => {
  it('SE-16 is asked of OpenAI, and has those that answer in words', async () => {
    provider.answers.push(
      modelLists.openai(['gpt-5-mini', 'gpt-5-mini', 'whisper-1', 'text-embedding-3-small', 'gpt-9']),
    )
    const verdict = await source.test(at('openai'))
    expect(verdict).toMatchObject({ ok: true, message: 'It works: 2 models can be used.', response: '200 OK' })
    expect(verdict.models).toEqual([
      {
        modelId: 'gpt-5-mini',
        name: 'GPT-5 mini',
        contextTokens: 400_000,
        outputTokens: 128_000,
        price: { input: 0.25, output: 2, cachedInput: 0.025 },
        takes: { images: true, files: true, tools: true },
        efforts: ['minimal', 'low', 'medium', 'high'],
      },
      { modelId: 'gpt-9' },
    ])
    const [{ method, path, headers }] = provider.requests as [(typeof provider.requests)[0]]
    expect([method, path, headers.authorization]).toEqual(['GET', '/v1/models', `Bearer ${KEY}`])
  })

  it('SE-16 is asked of Anthropic and of Google in their way', async () => {
    provider.answers.push(
      modelLists.anthropic({ 'claude-sonnet-4-5-20250929': 'Claude Sonnet 4.5', 'claude-next': 'Next' }),
    )
    const first = await source.test(at('anthropic'))
    expect(first.models).toMatchObject([
      { modelId: 'claude-sonnet-4-5-20250929', contextTokens: 200_000, price: { input: 3, output: 15 } },
      { modelId: 'claude-next', name: 'Next' },
    ])
    expect(first.models![1]).not.toHaveProperty('price')
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/models?limit=1000',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    })
    provider.answers.push(
      modelLists.google({ 'gemini-2.5-flash': ['generateContent'], 'embedding-001': ['embedContent'] }),
    )
    const second = await source.test(at('google', '/v1beta'))
    expect(second.models).toMatchObject([
      { modelId: 'gemini-2.5-flash', contextTokens: 1_048_576, outputTokens: 65_536, price: { input: 0.3 } },
    ])
    expect(provider.requests[1]).toMatchObject({
      path: '/v1beta/models?pageSize=1000',
      headers: { 'x-goog-api-key': KEY },
    })
  })

  it('SE-16 is asked of compatible servers, and what they say of their models counts', async () => {
    provider.answers.push(modelLists.ollama(['llama3.2:latest']))
    expect(await source.test({ kind: 'ollama', baseURL: provider.url })).toMatchObject({
      ok: true,
      message: 'It works: one model can be used.',
      models: [{ modelId: 'llama3.2:latest' }],
    })
    expect(provider.requests[0]).toMatchObject({ path: '/v1/models' })
    expect(provider.requests[0]!.headers).not.toHaveProperty('authorization')
    provider.answers.push(modelLists.ollama([]))
    expect(await source.test(at('ollama'))).toMatchObject({ ok: true, models: [], command: 'ollama pull llama3.2' })
    provider.answers.push(modelLists.vllm('Qwen/Qwen3-8B', 40_960))
    expect((await source.test(at('openai-compatible'))).models).toEqual([
      { modelId: 'Qwen/Qwen3-8B', contextTokens: 40_960 },
    ])
    provider.answers.push(modelLists.openRouter())
    const router = await source.test(at('openai-compatible', '/api/v1'))
    expect(router.models).toEqual([
      {
        modelId: 'anthropic/claude-sonnet-4.5',
        name: 'Anthropic: Claude Sonnet 4.5',
        contextTokens: 1_000_000,
        price: { input: 3, output: 15, cachedInput: 0.3 },
        takes: { images: true, files: true, tools: true },
        efforts: ['low', 'medium', 'high'],
      },
      {
        modelId: 'meta-llama/llama-3.3-70b-instruct:free',
        name: 'Meta: Llama 3.3 70B (free)',
        contextTokens: 65_536,
        price: { input: 0, output: 0 },
        takes: { images: false, files: false, tools: false },
      },
      { modelId: 'openrouter/auto', name: 'Auto Router', contextTokens: 2_000_000 },
    ])
  })

  it('SE-16 SE-18 odd entries are left out, and odd fields are not known', async () => {
    const odd = [null, 7, {}, { id: '' }, { id: 'good', context_length: 'many', pricing: 'free', name: 9 }]
    provider.answers.push(modelLists.fails(200, { data: odd }))
    expect((await source.test(at('openai-compatible'))).models).toEqual([{ modelId: 'good' }])
  })
})

describe('what is wrong with a provider, in words', () => {
  const wrongKey = { error: { message: `Incorrect API key provided: ${KEY}.`, type: 'invalid_request_error' } }
  const noCredit = {
    error: { message: 'You exceeded your current quota, please check your plan and billing details.' },
  }
  it.each([
    ['openai', 401, wrongKey, 'key_refused', /OpenAI does not accept the key \(401\)/],
    ['anthropic', 403, wrongKey, 'key_refused', /Anthropic does not accept the key/],
    [
      'google',
      400,
      { error: { message: 'API key not valid.', status: 'INVALID_ARGUMENT' } },
      'key_refused',
      /Google does not/,
    ],
    ['openai', 429, noCredit, 'no_credit', /no credit/],
    ['openai-compatible', 402, { error: { message: 'Insufficient credits' } }, 'no_credit', /no credit/],
    ['openai', 429, { error: { message: 'Slow down' } }, 'rate_limited', /no more requests/],
    ['openai-compatible', 404, 'Not Found', 'address_wrong', /no list of models/],
    ['openai', 503, 'Overloaded', 'provider_failed', /OpenAI failed \(503\)/],
    ['openai-compatible', 200, '<!doctype html><title>Welcome</title>', 'address_wrong', /not with a list of models/],
    ['openai-compatible', 200, { hello: 'world' }, 'address_wrong', /not with a list of models/],
  ])('SE-17 %s that answers %s is told', async (kind, status, body, code, words) => {
    provider.answers.push(modelLists.fails(status, body))
    const verdict = await source.test(at(kind))
    expect(verdict).toMatchObject({
      ok: false,
      code,
      message: expect.stringMatching(words),
      next: expect.stringMatching(/\.$/),
    })
    expect(verdict.response).toContain(`${status}`)
    expect(verdict.request).toMatch(/^GET http:\/\/127/)
    expect(JSON.stringify(verdict)).not.toMatch(/canary|4821-key/)
  })

  it('SE-17 nothing that answers, a host that is none, and one that is silent are told', async () => {
    const gone = provider.url
    await provider.close()
    const dead = await source.test({ kind: 'ollama', baseURL: `${gone}/v1` })
    expect(dead).toMatchObject({
      ok: false,
      code: 'unreachable',
      message: expect.stringMatching(/Ollama is not running/),
      command: 'ollama serve',
      response: expect.stringMatching(/ECONNREFUSED/),
    })
    const other = await source.test({ kind: 'openai-compatible', baseURL: `${gone}/v1` })
    expect(other).toMatchObject({ ok: false, code: 'unreachable' })
    expect(other).not.toHaveProperty('command')
    const nobody = await source.test({ kind: 'openai-compatible', baseURL: 'http://nobody.invalid/v1' })
    expect(nobody).toMatchObject({
      ok: false,
      code: 'address_wrong',
      message: expect.stringContaining('nobody.invalid'),
    })
    provider = await startProvider()
    provider.answers.push({ status: 200, pieces: [], open: true })
    const silent = await source.test(at('openai'), AbortSignal.timeout(200))
    expect(silent).toMatchObject({ ok: false, code: 'timed_out' })
  })

  it('SE-17 a required key that is missing, and one that a server asks for, are told', async () => {
    expect(await source.test({ kind: 'openai', baseURL: provider.url })).toMatchObject({
      ok: false,
      code: 'key_missing',
    })
    expect(provider.requests).toEqual([])
    provider.answers.push(modelLists.fails(401, 'Who are you?'))
    const asked = await source.test({ kind: 'openai-compatible', baseURL: provider.url })
    expect(asked).toMatchObject({ ok: false, code: 'key_missing', message: expect.stringMatching(/asks for a key/) })
  })

  it('SE-17 SE-20 an address that leads elsewhere is not followed, and too much is not read', async () => {
    const other = await startProvider()
    try {
      provider.answers.push(modelLists.fails(302, '', { location: `${other.url}/v1/models` }))
      const verdict = await source.test(at('anthropic'))
      expect(verdict).toMatchObject({ ok: false, code: 'address_wrong', message: expect.stringContaining(other.url) })
      expect(other.requests).toEqual([])
      provider.answers.push({ status: 200, pieces: Array.from({ length: 100 }, () => 'x'.repeat(50_000)), open: true })
      expect(await source.test(at('openai'))).toMatchObject({ ok: false, code: 'address_wrong' })
    } finally {
      await other.close()
    }
  })
})

describe('what is known of models', () => {
  it('SE-18 comes from one file with a date, also for names with a date, and what is unknown stays unknown', () => {
    expect(KNOWN_SINCE).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(source.info('openai', 'gpt-5-2025-08-07')).toMatchObject({ modelId: 'gpt-5-2025-08-07', name: 'GPT-5' })
    expect(source.info('anthropic', 'claude-3-5-haiku-latest').price).toEqual({
      input: 0.8,
      output: 4,
      cachedInput: 0.08,
    })
    for (const [kind, modelId] of [
      ['openai', 'gpt-unheard-of'],
      ['ollama', 'gpt-5'],
      ['toString', 'constructor'],
      ['openai', '__proto__'],
    ] as const) {
      expect(source.info(kind, modelId)).toEqual({ modelId })
    }
    for (const models of Object.values(knownModels)) {
      for (const { name, contextTokens, price } of Object.values(models)) {
        expect([name, contextTokens! > 0, price!.input! > 0, price!.output! > 0]).toEqual([name, true, true, true])
      }
    }
  })

  it('SE-18 can be given by whoever runs the server', () => {
    const own = createModelSource({ known: { 'openai:gpt-5': { name: 'Ours', price: { input: 1 } } } })
    expect(own.info('openai', 'gpt-5')).toEqual({ modelId: 'gpt-5', name: 'Ours', price: { input: 1 } })
  })
})

describe('an agent of a source of models', () => {
  let talk: Conversation | undefined
  afterEach(async () => {
    await talk?.close()
    talk = undefined
  })
  const config: ModelAgentConfig = {
    agentId: 'forge',
    name: 'Forge',
    description: 'Writes code',
    providerId: 'p',
    modelId: 'test-model',
    instructions: 'Be brief.',
    effort: null,
    temperature: null,
    maxSteps: null,
  }
  const said = (state: SessionState): string =>
    answerText(state, [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')!)
  const wires = [
    ['openai', '/v1', openaiResponses],
    ['anthropic', '/v1', anthropic],
    ['google', '/v1beta', google],
    ['ollama', '', openaiCompatible],
    ['openai-compatible', '/v1', openaiCompatible],
  ] as const

  it.each(wires)(
    'SE-19 answers with a model of %s, with its key, instructions and effort',
    async (kind, path, wire) => {
      // OpenAI knows by the name whether a model thinks.
      const modelId = kind === 'openai' ? 'gpt-5-mini' : 'test-model'
      const agent = source.agent({ ...config, modelId, effort: 'high' }, async () => at(kind, path))
      expect(agent).toMatchObject({
        agentId: 'forge',
        model: { providerId: 'p', modelId, effort: 'high' },
      })
      talk = await converse(agent)
      provider.answers.push(wire.says({ text: ['Hello ', 'Ann.'] }))
      expect(said(await talk.ask('Hi'))).toBe('Hello Ann.')
      const [{ headers, body }] = provider.requests as [(typeof provider.requests)[0]]
      expect(JSON.stringify(headers)).toContain(KEY)
      expect(JSON.stringify(body)).toContain('Be brief.')
      expect(JSON.stringify(body)).toMatch(/effort|thinking/i)
    },
  )

  it('SE-19 is told what a step and a run cost when the price is known, and nothing otherwise', async () => {
    const price = { input: 3, output: 15, cachedInput: 0.3 }
    const own = createModelSource({ known: { 'openai-compatible:test-model': { price } } })
    const agent = own.agent(config, async () => at('openai-compatible'))
    talk = await converse(agent)
    const usage = { input: 1_000, output: 100, cached: 400 }
    const ask = [{ id: 'c1', name: 'nothing', args: {} }]
    provider.answers.push(
      openaiCompatible.says({ calls: ask, usage }),
      openaiCompatible.says({ text: ['Done.'], usage }),
    )
    const state = await talk.ask('Hi')
    const steps = (await talk.events()).filter(({ type }) => type === 'step.finished')
    expect(steps).toMatchObject([
      { usage: { inputTokens: 1_000, cost: { amount: 0.00342, currency: 'USD' } } },
      { usage: { cost: { amount: 0.00342, currency: 'USD' } } },
    ])
    expect(latestRun(state)!.metrics).toMatchObject({ usage: { cost: { amount: 0.00684, currency: 'USD' } } })
    await talk.close()
    talk = await converse(source.agent(config, async () => at('openai-compatible')))
    provider.answers.push(openaiCompatible.says({ text: ['Done.'], usage }))
    expect(latestRun(await talk.ask('Hi'))!.metrics.usage).not.toHaveProperty('cost')
    // The provider itself says what it takes.
    provider.answers.push(
      modelLists.fails(200, { data: [{ id: 'test-model', pricing: { prompt: '0.000001', completion: '0.000002' } }] }),
    )
    await source.test(at('openai-compatible'))
    provider.answers.push(openaiCompatible.says({ text: ['Done.'], usage: { input: 10, output: 1 } }))
    expect(latestRun(await talk.ask('Hi'))!.metrics.usage).toMatchObject({ cost: { amount: 0.000012 } })
  })

  it('SE-20 no event, no log and no retry repeats a key that a provider repeats, and a redirect gets no key', async () => {
    const other = await startProvider()
    let key = KEY
    talk = await converse(source.agent(config, async () => ({ ...at('anthropic'), apiKey: key })))
    try {
      for (const status of [400, 401, 404, 500, 500, 500, 529]) {
        provider.answers.push(
          anthropic.fails(status, `The key ${KEY} (${KEY.slice(4, 20)}) is odd.`, { 'retry-after-ms': '1' }),
        )
      }
      for (let turn = 0; turn < 4; turn++) {
        expect(latestRun(await talk.ask('Hi'))).toMatchObject({ outcome: 'failed' })
      }
      expect(provider.requests.length).toBeGreaterThan(5)
      provider.answers.splice(0)
      provider.answers.push({ status: 307, headers: { location: `${other.url}/v1/messages` }, pieces: [''] })
      expect(latestRun(await talk.ask('Hi'))).toMatchObject({ outcome: 'failed', error: { code: 'address_wrong' } })
      expect(other.requests).toEqual([])
      expect(JSON.stringify(await talk.events())).not.toMatch(/canary|4821-key|key-of-a/)
      // A new key counts for the next run.
      key = 'another-key-4821'
      provider.answers.push(anthropic.says({ text: ['Hello.'] }))
      expect(said(await talk.ask('Hi'))).toBe('Hello.')
      expect(provider.requests.at(-1)!.headers['x-api-key']).toBe('another-key-4821')
    } finally {
      await other.close()
    }
  })
})
