import { answerText, latestRun, partsOf, type SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { OWNER, stage } from './conversation.fixture.ts'
import type { ModelTool } from './tools.ts'
import { anthropic } from './wire/anthropic.fixture.ts'
import { google } from './wire/google.fixture.ts'
import { openaiChat, openaiCompatible } from './wire/openai-chat.fixture.ts'
import { openaiResponses } from './wire/openai-responses.fixture.ts'

const wires = [openaiChat, openaiResponses, openaiCompatible, anthropic, google]

const on = stage()
const { open } = on

const lastAnswer = (state: SessionState) =>
  [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')!
const said = (state: SessionState): string => answerText(state, lastAnswer(state))

const weather: ModelTool = {
  name: 'weather',
  description: 'Tells the weather in a city',
  inputSchema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  effects: 'reads',
  execute: ({ city }: { city: string }) => ({ city, celsius: 18 }),
}

describe.each(wires)('$name', wire => {
  it('MO-1 MO-2 an answer streams, is finished, and says what it used', async () => {
    await open(wire)
    on.provider.answers.push(wire.says({ text: ['Hello ', 'Ann.'], usage: { input: 30, output: 7, cached: 20 } }))
    const state = await on.talk.ask('Hi')
    expect(said(state)).toBe('Hello Ann.')
    const run = latestRun(state)!
    expect([run.status, run.outcome]).toEqual(['completed', 'completed'])
    expect(run.metrics).toMatchObject({ usage: { inputTokens: 30, outputTokens: 7, cachedInputTokens: 20 } })
    const steps = (await on.talk.events()).filter(({ type }) => type === 'step.finished')
    expect(steps).toMatchObject([{ stepId: '1', finishReason: 'stop', usage: { inputTokens: 30, outputTokens: 7 } }])
  })

  it('MO-3 calls of one step run side by side, and their results go back to the model', async () => {
    const both = Promise.withResolvers<void>()
    let running = 0
    const tool: ModelTool = {
      ...weather,
      execute: async ({ city }: { city: string }) => {
        // Each waits for the other: one after the other would never end.
        if (++running === 2) both.resolve()
        await both.promise
        return { city, celsius: 18 }
      },
    }
    await open(wire, { tools: [tool], instructions: 'Be brief.' })
    const calls = ['Paris', 'Rome'].map(city => ({ id: `call_${city}`, name: 'weather', args: { city } }))
    on.provider.answers.push(wire.says({ text: ['I look.'], calls }), wire.says({ text: ['18 °C in both.'] }))
    const state = await on.talk.ask('How is the weather?')
    expect(said(state)).toBe('I look.\n\n18 °C in both.')
    const tools = [...state.tools.byId.values()]
    expect(
      tools.map(({ name, args, state, result }) => [name, JSON.parse(args.toString()), state, result]),
    ).toMatchObject(
      ['Paris', 'Rome'].map(city => [
        'weather',
        { city },
        'done',
        { known: true, value: { value: { city, celsius: 18 } } },
      ]),
    )
    const [first, second] = on.provider.requests
    expect(JSON.stringify(first!.body)).toContain('Tells the weather in a city')
    expect(JSON.stringify(first!.body)).toContain('Be brief.')
    for (const text of ['Paris', 'Rome', 'celsius']) expect(JSON.stringify(second!.body)).toContain(text)
    const kinds = partsOf(state, lastAnswer(state)).map(({ kind }) => kind)
    expect(kinds).toEqual(['text', 'tool', 'tool', 'text'])
  })

  it('MO-4 a wrong key fails the run with words that help, without a second try', async () => {
    await open(wire)
    on.provider.answers.push(wire.fails(401, 'Incorrect API key provided: sk-proj-abcdefgh12345678.'))
    const run = latestRun(await on.talk.ask('Hi'))!
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'key_invalid', retryable: false } })
    expect(run.error!.next).toContain('key')
    expect(on.provider.requests).toHaveLength(1)
    expect(JSON.stringify(await on.talk.events())).not.toContain('abcdefgh')
  })

  it('MO-5 a provider that is busy is asked again when it wants, and people see why', async () => {
    await open(wire)
    on.provider.answers.push(wire.fails(429, 'Slow down.', { 'retry-after': '1' }), wire.says({ text: ['Now.'] }))
    const state = await on.talk.ask('Hi')
    expect([said(state), latestRun(state)!.outcome]).toEqual(['Now.', 'completed'])
    const statuses = (await on.talk.events()).filter(event => event.type === 'run.status')
    expect(statuses.map(({ status }) => status)).toEqual(['preparing', 'retrying', 'streaming'])
    expect(statuses[1]!.reason!.message).toContain('It is tried again in 1 s.')
  })

  it('MO-6 a provider that keeps failing is asked three times, and then the run fails', async () => {
    await open(wire)
    for (let n = 0; n < 4; n++) on.provider.answers.push(wire.fails(500, 'Broken.', { 'retry-after-ms': '1' }))
    const run = latestRun(await on.talk.ask('Hi'))!
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'provider_failed', retryable: true } })
    expect(on.provider.requests).toHaveLength(3)
  })

  it('MO-7 a stream that is cut is asked for again, and what was shown is withdrawn', async () => {
    await open(wire, { tools: [weather] })
    const calls = [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }]
    on.provider.answers.push(
      { ...wire.saysBeginning({ text: ['Half an '], calls }), cut: true },
      wire.says({ text: ['A whole answer.'] }),
    )
    const state = await on.talk.ask('Hi')
    expect([said(state), latestRun(state)!.outcome]).toEqual(['A whole answer.', 'completed'])
    const parts = partsOf(state, lastAnswer(state))
    expect(parts.filter(({ state }) => state === 'retracted').map(({ kind }) => kind)).toContain('text')
    expect(parts.filter(({ kind, state }) => kind === 'tool' && state !== 'retracted')).toEqual([])
  })

  it('MO-8 a stream that ends without its end marks never counts as an answer', async () => {
    await open(wire)
    for (let n = 0; n < 3; n++) on.provider.answers.push(wire.saysBeginning({ text: ['Half an '] }))
    const state = await on.talk.ask('Hi')
    expect(latestRun(state)!.outcome).toBe('failed')
    expect(on.provider.requests).toHaveLength(3)
  })

  it('MO-9 a chunk that is malformed never counts as an answer', async () => {
    await open(wire)
    const { pieces } = wire.says({ text: ['Well ', 'said.'] })
    const broken = { pieces: [pieces[0]!, 'data: {"candidates": [ {]\n\n', ...pieces.slice(1)] }
    on.provider.answers.push(broken, wire.says({ text: ['Again.'] }))
    const state = await on.talk.ask('Hi')
    expect([said(state), latestRun(state)!.outcome]).toEqual(['Again.', 'completed'])
  })

  it('MO-10 the messages of a turn begin with those of the turn before, with calls and results', async () => {
    await open(wire, { tools: [weather] })
    const calls = [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }]
    const again = [{ id: 'call_1', name: 'weather', args: { city: 'Rome' } }]
    on.provider.answers.push(
      wire.says({ reasoning: 'Which city?', text: ['I look.'], calls }),
      wire.says({ calls: again }),
      wire.says({ text: ['18 °C.'] }),
      wire.says({ text: ['You are welcome.'] }),
      wire.says({ text: ['Bye.'] }),
    )
    for (const text of ['How is the weather?', 'Thanks', 'Bye'])
      expect(latestRun(await on.talk.ask(text))!.outcome).toBe('completed')
    const sent = on.provider.requests.map(({ body }) => (body.messages ?? body.contents ?? body.input) as unknown[])
    expect(sent).toHaveLength(5)
    for (const [index, messages] of sent.entries()) {
      const before = sent[index - 1]
      if (before) expect(messages.slice(0, before.length).map(unmarked)).toEqual(before.map(unmarked))
    }
  })

  it('MO-11 an interrupt ends the request and the run at once', async () => {
    await open(wire)
    on.provider.answers.push({ ...wire.saysBeginning({ text: ['Well, '] }), open: true })
    await on.talk.send('Hi')
    await on.talk.until(state => state.messages.byId.size > 1 && said(state) === 'Well, ')
    await on.talk.runtime.interruptSession(OWNER, on.talk.sessionId, {})
    const state = await on.talk.until(({ session }) => session.activeRunId === null)
    expect(latestRun(state)!.outcome).toBe('interrupted')
    await expect.poll(() => on.provider.open()).toBe(0)
  })
})

it.each([anthropic, google])(
  'MO-12 what $name wants back with its reasoning goes back, also after the turn',
  async wire => {
    await open(wire, { tools: [weather] })
    const calls = [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }]
    on.provider.answers.push(
      wire.says({ reasoning: 'Which city?', calls }),
      wire.says({ text: ['18 °C.'] }),
      wire.says({ text: ['Bye.'] }),
    )
    const state = await on.talk.ask('How is the weather?')
    expect(partsOf(state, lastAnswer(state)).map(({ kind }) => kind)).toEqual(['reasoning', 'tool', 'text'])
    expect(said(state)).toBe('18 °C.')
    await on.talk.ask('Bye')
    for (const { body } of on.provider.requests.slice(1)) expect(JSON.stringify(body)).toContain('signed:Which city?')
  },
)

it('MO-12 what OpenAI has stored itself is never referred to, because the log is the memory', async () => {
  await open(openaiResponses, { tools: [weather] })
  const calls = [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }]
  on.provider.answers.push(
    openaiResponses.says({ reasoning: 'Which city?', text: ['I look.'], calls }),
    openaiResponses.says({ text: ['18 °C.'] }),
  )
  const state = await on.talk.ask('How is the weather?')
  expect(partsOf(state, lastAnswer(state)).map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'tool', 'text'])
  const { input } = on.provider.requests[1]!.body
  expect(input.map((item: { type?: string; role?: string }) => item.type ?? item.role)).toEqual([
    'developer',
    'user',
    'assistant',
    'function_call',
    'function_call_output',
  ])
})

it('MO-35 an image that a model makes stands in the answer, with its bytes', async () => {
  await open(google)
  on.provider.answers.push(google.says({ text: ['Look:'], image: Buffer.from('PNG').toString('base64') }))
  const state = await on.talk.ask('Draw')
  const [, image] = partsOf(state, lastAnswer(state))
  expect(image).toMatchObject({ kind: 'file', file: { mediaType: 'image/png', size: 3 } })
  const blob = await on.talk.runtime.getBlob(OWNER, on.talk.sessionId, image!.file!.digest)
  const bytes: Uint8Array[] = []
  for await (const piece of await blob.read(0, blob.size)) bytes.push(piece)
  expect(Buffer.concat(bytes).toString()).toBe('PNG')
})

it('MO-36 an error inside the stream of Anthropic is tried again, and what was shown is withdrawn', async () => {
  await open(anthropic)
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const { pieces } = anthropic.saysBeginning({ text: ['Half'] })
  on.provider.answers.push(
    { pieces: [...pieces, `event: error\ndata: ${JSON.stringify(error)}\n\n`] },
    anthropic.says({ text: ['Whole.'] }),
  )
  const state = await on.talk.ask('Hi')
  expect([said(state), latestRun(state)!.outcome]).toEqual(['Whole.', 'completed'])
  const statuses = (await on.talk.events()).filter(event => event.type === 'run.status').map(({ status }) => status)
  expect(statuses).toEqual(['preparing', 'streaming', 'retrying', 'streaming'])
})

/** A message without the marks by which a provider is told where its cache ends. */
const unmarked = (message: unknown): unknown =>
  JSON.parse(JSON.stringify(message, (name, value) => (name === 'cache_control' ? undefined : value)))
