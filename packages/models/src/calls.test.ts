import { answerText, latestRun, partsOf, type SessionState, type Tool } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OWNER, stage } from './conversation.fixture.ts'
import { type ModelAgentOptions, modelAgent } from './model-agent.ts'
import type { ModelTool } from './tools.ts'
import { openaiChat as wire } from './wire/openai-chat.fixture.ts'
import type { SaidCall } from './wire/provider.fixture.ts'

const on = stage()
const open = (options: Partial<ModelAgentOptions> = {}) => on.open(wire, options)

const call = (name: string, args: SaidCall['args'] = {}, id = `call_${name}`): SaidCall => ({ id, name, args })

const tool = (execute: ModelTool['execute'], more: Partial<ModelTool> = {}): ModelTool => ({
  name: 'work',
  description: 'Works',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  effects: 'none',
  execute,
  ...more,
})

const toolOf = (state: SessionState): Tool => [...state.tools.byId.values()].at(-1)!
/** What the model was told in the newest request, as the results of its calls. */
const told = (): string[] =>
  on.provider.requests
    .at(-1)!
    .body.messages.filter(({ role }: { role: string }) => role === 'tool')
    .map(({ content }: { content: string }) => content)
const pending = (state: SessionState) => [...state.actions.byId.values()].find(action => action.state === 'pending')
const said = (state: SessionState): string =>
  answerText(state, [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')!)

/** A turn in which the model makes these calls and then says that it is done. */
const turn = async (...calls: SaidCall[]): Promise<SessionState> => {
  on.provider.answers.push(wire.says({ calls }), wire.says({ text: ['Done.'] }))
  return on.talk.ask('Work')
}

describe('what a tool returns', () => {
  it.each([
    ['data', { n: 1 }, '{"n":1}'],
    ['a text', 'words', 'words'],
    ['nothing', undefined, 'The tool returned nothing.'],
    ['null', null, 'null'],
    ['bytes', new Uint8Array(3), 'The tool returned 3 bytes, which cannot be given to a model.'],
    ['a function', () => {}, 'The tool returned something that is no data: function.'],
  ])('MO-13 %s reaches the model in an honest form', async (_, value, expected) => {
    await open({ tools: [tool(() => value)] })
    expect(latestRun(await turn(call('work')))!.outcome).toBe('completed')
    expect(told()).toEqual([expected])
  })

  it('MO-13 a result of any size is stored, and the model gets its beginning and its end', async () => {
    await open({ tools: [tool(() => `begin${'x'.repeat(20_000_000)}end`)] })
    const state = await turn(call('work'))
    const { result } = toolOf(state)
    expect(result).toMatchObject({ known: true, value: { ref: { size: 20_000_008 } } })
    expect(told()[0]!.length).toBeLessThan(10_000)
    expect(told()[0]).toMatch(/^beginx+\n\n\[The middle is left out. The whole has 20000008 bytes.\]\n\nx+end$/)
  })

  it.each([
    ['an error', () => Promise.reject(new Error('No such file.')), 'No such file.'],
    ['a word', () => Promise.reject('no'), 'no'],
    ['data that is no JSON', () => ({ n: 1n }), 'BigInt'],
  ])('MO-14 %s that it throws is the result of a failed call, and the run goes on', async (_, execute, expected) => {
    await open({ tools: [tool(execute)] })
    const state = await turn(call('work'))
    expect([toolOf(state).state, toolOf(state).error!.code, said(state)]).toEqual(['failed', 'tool_failed', 'Done.'])
    expect(told()[0]).toContain(expected)
  })

  it('MO-15 a tool that hangs and ignores its signal fails after its time', async () => {
    await open({ tools: [tool(() => new Promise(() => {}))], toolTimeoutMs: 50 })
    expect(toolOf(await turn(call('work'))).error).toMatchObject({ code: 'timeout' })
  })

  it('MO-15 an interrupt ends a run whose tool ignores its signal', async () => {
    await open({ tools: [tool(() => new Promise(() => {}))] })
    on.provider.answers.push(wire.says({ calls: [call('work')] }))
    await on.talk.send('Work')
    await on.talk.until(state => toolOf(state)?.state === 'running')
    await on.talk.runtime.interruptSession(OWNER, on.talk.sessionId, {})
    const state = await on.talk.until(({ session }) => session.activeRunId === null)
    expect([latestRun(state)!.outcome, toolOf(state).state]).toEqual(['interrupted', 'failed'])
  })
})

describe('arguments', () => {
  const path = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } }

  it.each([
    ['JSON Schema', path],
    ['zod', z.object({ path: z.string() })],
  ])('MO-16 that do not fit a %s are told to the model, and the tool does not run', async (_, inputSchema) => {
    const ran: unknown[] = []
    await open({ tools: [tool((args: never) => void ran.push(args), { inputSchema })] })
    on.provider.answers.push(
      wire.says({ calls: [call('work', { path: 7 }, 'a')] }),
      wire.says({ calls: [call('work', { path: 'x' }, 'b')] }),
      wire.says({ text: ['Done.'] }),
    )
    const state = await on.talk.ask('Work')
    expect(latestRun(state)!.outcome).toBe('completed')
    expect(ran).toEqual([{ path: 'x' }])
    expect(told()[0]).toContain('The arguments do not fit.\\n- path: ')
  })

  it('MO-17 that do not fit three times in a row fail the run', async () => {
    await open({ tools: [tool(() => 1, { inputSchema: path })] })
    for (const id of ['a', 'b', 'c', 'd']) on.provider.answers.push(wire.says({ calls: [call('work', {}, id)] }))
    expect(latestRun(await on.talk.ask('Work'))!.error).toMatchObject({ code: 'tool_arguments_invalid' })
    expect(on.provider.requests).toHaveLength(3)
  })

  it('MO-16 of a tool that does not exist are told to the model as well', async () => {
    await open({ tools: [tool(() => 1)] })
    expect(toolOf(await turn(call('fly'))).error!.message).toBe('There is no tool called fly.')
  })

  it('MO-18 a call id that a provider uses twice is two calls', async () => {
    await open({ tools: [tool(() => 1)] })
    on.provider.answers.push(
      wire.says({ calls: [call('work')] }),
      wire.says({ calls: [call('work')] }),
      wire.says({ text: ['Done.'] }),
    )
    const state = await on.talk.ask('Work')
    expect([latestRun(state)!.outcome, state.tools.byId.size]).toEqual(['completed', 2])
  })
})

describe('policy', () => {
  const writes = (ran: unknown[]): ModelTool =>
    tool((args: never) => void ran.push(args), { effects: 'writes', title: 'Write a file' })

  const answered = async (command: object): Promise<SessionState> => {
    on.provider.answers.push(wire.says({ calls: [call('work', { path: 'a' })] }), wire.says({ text: ['Done.'] }))
    await on.talk.send('Work')
    const waiting = await on.talk.until(state => pending(state) !== undefined)
    const { actionId, request, toolCallId } = pending(waiting)!
    expect(request).toMatchObject({ kind: 'approval', title: 'Run Write a file?', args: { path: 'a' } })
    expect(toolCallId).toBe(toolOf(waiting).toolCallId)
    await on.talk.runtime.respondToAction(OWNER, on.talk.sessionId, actionId, command as never)
    return on.talk.until(({ session }) => session.activeRunId === null)
  }

  it('MO-19 a call that writes runs when a person allows it', async () => {
    const ran: unknown[] = []
    await open({ tools: [writes(ran)] })
    await answered({ decision: 'approve' })
    expect(ran).toEqual([{ path: 'a' }])
  })

  it('MO-19 a call that is denied does not run, and the model reads the instructions', async () => {
    const ran: unknown[] = []
    await open({ tools: [writes(ran)] })
    await answered({ decision: 'deny', text: 'Use another folder.' })
    expect(ran).toEqual([])
    expect(told()[0]).toContain('The person did not allow this call. They said: Use another folder.')
  })

  it('MO-20 arguments that a person edits are the ones that run, and the model learns of it', async () => {
    const ran: unknown[] = []
    await open({ tools: [writes(ran)] })
    await answered({ decision: 'approve', value: { path: 'b' } })
    expect(ran).toEqual([{ path: 'b' }])
    expect(told()).toEqual(['A person changed the arguments to {"path":"b"}.\n\nThe tool returned nothing.'])
    // The next turn is made of the log, and says the same.
    on.provider.answers.push(wire.says({ text: ['Bye.'] }))
    await on.talk.ask('Bye')
    expect(told()).toEqual(['A person changed the arguments to {"path":"b"}.\n\nThe tool returned nothing.'])
  })

  it('MO-19 a tool that says nothing of its effects asks, and approve decides otherwise', async () => {
    const { effects: _, ...unknown } = tool(() => 1)
    await open({ tools: [unknown], approve: ({ effects }) => effects !== 'outside' })
    const state = await turn(call('work'))
    expect([state.actions.byId.size, toolOf(state).state]).toEqual([0, 'done'])
  })
})

describe('tools of the runtime', () => {
  it('MO-21 a card is shown once, with the arguments as they were streamed, and the model is told', async () => {
    await open()
    const state = await turn(call('show_ui', { intent: 'status', status: 'success', title: 'Saved' }))
    expect([...state.tools.byId.values()].map(({ name, state }) => [name, state])).toEqual([['show_ui', 'done']])
    expect(toolOf(state).result).toMatchObject({ known: true, value: { ui: expect.anything() } })
    const pieces = (await on.talk.events()).filter(({ type }) => type === 'tool.args')
    expect(pieces.length).toBeGreaterThan(1)
    expect(JSON.parse(told()[0]!)).toMatchObject({ shown: true })
    on.provider.answers.push(wire.says({ text: ['Bye.'] }))
    await on.talk.ask('Bye')
    expect(JSON.parse(told()[0]!)).toMatchObject({ shown: true })
  })

  it('MO-21 a card that is refused is a failed call, and the model is told what to correct', async () => {
    await open()
    const state = await turn(call('show_ui', { intent: 7 }))
    expect(toolOf(state).state).toBe('failed')
    expect(JSON.parse(told()[0]!)).toMatchObject({ shown: false })
  })

  it('MO-22 the ask tool waits for the person, and the answer goes to the model', async () => {
    await open()
    on.provider.answers.push(
      wire.says({ calls: [call('ask', { question: 'Which city?' })] }),
      wire.says({ text: ['Paris.'] }),
    )
    await on.talk.send('Work')
    const { actionId } = pending(await on.talk.until(state => pending(state) !== undefined))!
    await on.talk.runtime.respondToAction(OWNER, on.talk.sessionId, actionId, { decision: 'answer', value: 'Paris' })
    const state = await on.talk.until(({ session }) => session.activeRunId === null)
    expect([said(state), state.tools.byId.size]).toEqual(['Paris.', 1])
    expect(JSON.parse(told()[0]!)).toEqual({ outcome: 'answered', value: 'Paris' })
  })

  it('MO-23 two tools with one name are refused', async () => {
    expect(() => modelAgent({ agentId: 'm', model: 'ollama:x', tools: [tool(() => 1), tool(() => 2)] })).toThrow(
      'Two tools of this agent are called work.',
    )
    await open({ tools: [tool(() => 1, { name: 'ask' })] })
    expect(latestRun(await on.talk.ask('Work'))!.error).toMatchObject({ code: 'tool_name_taken' })
    const only = { runtimeTools: ['show_ui'], tools: [tool(() => 1, { name: 'ask' })] }
    await open(only)
    expect(toolOf(await turn(call('ask'))).state).toBe('done')
  })
})

describe('the loop', () => {
  it('MO-24 what a person says meanwhile reaches the model with the next step', async () => {
    const started = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const waits = tool(() => {
      started.resolve()
      return go.promise
    })
    await open({ tools: [waits] })
    on.provider.answers.push(
      wire.says({ calls: [call('work')] }),
      wire.says({ text: ['In French.'] }),
      wire.says({ text: ['Bye.'] }),
    )
    await on.talk.send('Work')
    await started.promise
    const { session } = await on.talk.state()
    await on.talk.runtime.steerRun(OWNER, on.talk.sessionId, session.activeRunId!, {
      steerId: 's',
      text: 'In French, please',
    })
    go.resolve()
    await on.talk.until(state => state.session.activeRunId === null)
    expect(on.provider.requests[1]!.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'In French, please' })
    await on.talk.ask('Bye')
    const [, second, third] = on.provider.requests.map(({ body }) => body.messages)
    expect(third.slice(0, second.length)).toEqual(second)
  })

  it('MO-5 a provider that wants a long wait is not waited for, and the person reads how long it is', async () => {
    await open()
    on.provider.answers.push(wire.fails(429, 'Slow down.', { 'retry-after': '600' }))
    const next = 'Try again in 10 minutes.'
    expect(latestRun(await on.talk.ask('Hi'))!.error).toMatchObject({ code: 'rate_limited', next })
  })

  it('MO-25 a run that reaches its limit of steps says so', async () => {
    await open({ tools: [tool(() => 1)], maxSteps: 2 })
    for (const id of ['a', 'b', 'c']) on.provider.answers.push(wire.says({ calls: [call('work', {}, id)] }))
    const state = await on.talk.ask('Work')
    expect(latestRun(state)!.error).toMatchObject({ code: 'max_steps', message: expect.stringContaining('2 times') })
    expect(on.provider.requests).toHaveLength(2)
  })

  it.each([
    ['length', 'answer_cut'],
    ['tired', 'finish_unknown'],
  ])('MO-26 an answer that ends with %s is shown as incomplete', async (finish, code) => {
    await open()
    on.provider.answers.push(wire.says({ text: ['Well, '], finish }))
    const state = await on.talk.ask('Hi')
    expect([...state.diagnostics.byId.values()].map(diagnostic => diagnostic.code)).toEqual([code])
  })

  it.each([
    [{ text: ['No.'], finish: 'content_filter' }, 'content_filtered'],
    [{ finish: 'tired' }, 'model_stopped'],
    [{ finish: 'length' }, 'answer_cut'],
    [{}, 'model_silent'],
  ])('MO-26 an answer %j never ends as a success', async (answer, code) => {
    await open()
    on.provider.answers.push(wire.says(answer))
    expect(latestRun(await on.talk.ask('Hi'))!.error).toMatchObject({ code })
  })

  it('MO-27 images and texts that people attach reach the model, and others with an honest word', async () => {
    await open()
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
    const files = [
      { digest: await on.talk.upload(png, 'text/plain'), name: 'a.png' },
      { digest: await on.talk.upload(Buffer.from('one,two'), 'text/csv'), name: 'b.csv' },
      { digest: await on.talk.upload(Buffer.from('y'.repeat(200_000)), 'text/plain'), name: 'long.txt' },
      { digest: await on.talk.upload(Uint8Array.from([0, 255, 254]), 'application/zip'), name: 'c.zip' },
    ]
    on.provider.answers.push(wire.says({ text: ['Seen.'] }), wire.says({ text: ['Bye.'] }))
    await on.talk.ask('Look', files)
    const [first] = on.provider.requests
    const { content } = first!.body.messages.at(-1)
    expect(content).toMatchObject([
      { text: 'Look' },
      { image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } },
      { text: 'The attached file "b.csv":\n\none,two' },
      {
        text: expect.stringContaining(
          'This is the beginning: the file has 200000 bytes. Read more of it with read_attached_file',
        ),
      },
      {
        text: 'The attached file "c.zip" (application/zip) is of a kind that cannot be given to a model. You do not see its content.',
      },
    ])
    await on.talk.ask('Bye')
    const { messages } = on.provider.requests[1]!.body
    expect(messages.slice(0, first!.body.messages.length)).toEqual(first!.body.messages)
  })

  it('MO-28 a session of a model agent gets its title from the first exchange', async () => {
    await open()
    on.provider.answers.push(wire.says({ text: ['Here you are.'] }))
    await on.talk.ask('Please compare three offers')
    const { session } = await on.talk.until(({ session }) => session.title.known)
    expect(session.title).toEqual({ known: true, value: 'Compare three offers' })
  })

  it('MO-29 parts of steps have ids of their own, and the log says which step they belong to', async () => {
    await open({ tools: [tool(() => 1)] })
    const state = await turn(call('work'))
    const message = [...state.messages.byId.values()].at(-1)!
    const local = partsOf(state, message).map(({ partId }) => partId.slice(message.messageId.length + 1))
    expect(local).toEqual(['1/c0', '2/t0'])
  })
})
