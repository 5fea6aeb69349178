import { setTimeout as sleep } from 'node:timers/promises'
import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { Action, Json, SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { ended, type Harness, harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import type { SourceTool, ToolCall } from './tool.ts'
import { caller, lastCall, source, tool, turn } from './tools.fixture.ts'

let kit: Harness
afterEach(() => kit.close())

/** A session whose agent calls these tools, and what it was answered. */
async function open(...tools: SourceTool[]): Promise<{ sessionId: string; answers: Json[] }> {
  const answers: Json[] = []
  kit = await harness({ agents: [caller(answers)], tools: [source(tools)], limits: { toolMs: 1_000 } })
  return { sessionId: await kit.session(), answers }
}

const pending = (state: SessionState): Action | undefined =>
  [...state.actions.byId.values()].find(action => action.state === 'pending')

const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } }

describe('a call of a tool of a source', () => {
  it('TO-1 is announced with its arguments, runs, and its result is the answer that the log has', async () => {
    let got: unknown
    const { sessionId, answers } = await open(
      tool('weather', {
        title: 'Weather',
        inputSchema: schema,
        execute: async (args, call) => {
          got = { args, ...call }
          return { value: { celsius: 18 }, structured: { c: 18 }, meta: { took: 3 } }
        },
      }),
    )
    const state = await turn(kit, sessionId, 'weather {"city":"Paris"}')
    const call = lastCall(state)
    expect(call).toMatchObject({
      name: 'weather',
      title: 'Weather',
      executor: 'runtime',
      state: 'done',
      argsDone: true,
    })
    expect(call.args.toString()).toBe('{"city":"Paris"}')
    expect(call.result).toMatchObject({
      known: true,
      value: { value: { celsius: 18 }, structured: { c: 18 }, meta: { took: 3 } },
    })
    expect(answers).toEqual([{ result: { value: { celsius: 18 } } }])
    expect(got).toMatchObject({
      args: { city: 'Paris' },
      sessionId,
      runId: call.runId,
      agentId: 'test',
      by: { kind: 'person', id: 'ann' },
      toolCallId: call.toolCallId,
      idempotencyKey: call.toolCallId,
    })
  })

  it('TO-2 is durable before the tool acts', async () => {
    let before: string[] = []
    const { sessionId } = await open(
      tool('act', {
        execute: async () => {
          before = (await kit.events(sessionId)).map(({ type }) => type)
          return {}
        },
      }),
    )
    await turn(kit, sessionId, 'act')
    expect(before).toContain('tool.started')
    expect(before.at(-1)).toBe('tool.progress')
  })

  it('TO-3 with arguments that do not fit the schema does not run, and the model is told what is wrong', async () => {
    let ran = false
    const { sessionId, answers } = await open(
      tool('weather', {
        inputSchema: schema,
        execute: async () => {
          ran = true
          return {}
        },
      }),
    )
    const state = await turn(kit, sessionId, 'weather {"city":7}')
    expect(ran).toBe(false)
    expect(lastCall(state)).toMatchObject({ state: 'failed', error: { code: 'invalid_arguments' } })
    expect(answers[0]).toMatchObject({
      error: { code: 'invalid_arguments', message: expect.stringContaining('city:') },
    })
  })

  it('TO-4 says who or what has allowed it', async () => {
    const { sessionId } = await open(tool('look'), tool('write', { effects: 'writes' }))
    const looked = await turn(kit, sessionId, 'look')
    expect(lastCall(looked).allowedBy).toEqual({ kind: 'policy', id: 'default', name: '' })
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'w', text: 'write' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    await kit.runtime.respondToAction(OWNER, sessionId, pending(asked)!.actionId, { decision: 'approve' })
    const done = await kit.until(sessionId, ended)
    expect(lastCall(done).allowedBy).toMatchObject({ kind: 'person', id: 'ann' })
  })

  it('TO-5 that writes asks with its arguments, the risk and what it would change; an edit of them is what runs', async () => {
    let ran: unknown
    const { sessionId } = await open(
      tool('write', {
        title: 'Write a file',
        effects: 'writes',
        describe: async () => ({ detail: 'It is new.', changes: [{ path: 'a.txt', after: 'Hello' }] }),
        execute: async args => {
          ran = args
          return {}
        },
      }),
    )
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'w', text: 'write {"path":"a.txt"}' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    const { actionId, request, toolCallId } = pending(asked)!
    expect(request).toMatchObject({
      kind: 'approval',
      title: 'Run Write a file?',
      risk: 'medium',
      args: { path: 'a.txt' },
      detail: 'It is new.',
      changes: [{ path: 'a.txt', after: 'Hello' }],
      scope: { key: 'tool:test:write', label: 'Write a file' },
    })
    expect(toolCallId).toBe(lastCall(asked).toolCallId)
    expect(ran).toBeUndefined()
    await kit.runtime.respondToAction(OWNER, sessionId, actionId, { decision: 'approve', value: { path: 'b.txt' } })
    await kit.until(sessionId, ended)
    expect(ran).toEqual({ path: 'b.txt' })
  })

  it('TO-6 that is denied does not run, and the model reads what the person said', async () => {
    let ran = false
    const { sessionId, answers } = await open(
      tool('send', {
        effects: 'outside',
        execute: async () => {
          ran = true
          return {}
        },
      }),
    )
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 's', text: 'send' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    expect(pending(asked)!.request.risk).toBe('high')
    await kit.runtime.respondToAction(OWNER, sessionId, pending(asked)!.actionId, {
      decision: 'deny',
      text: 'Not today.',
    })
    const done = await kit.until(sessionId, ended)
    expect(ran).toBe(false)
    expect(lastCall(done)).toMatchObject({ state: 'failed', error: { code: 'denied' } })
    expect(answers[0]).toMatchObject({ error: { message: expect.stringContaining('Not today.') } })
  })

  it('TO-7 that a person always allows in this session runs at once from then on, by that permission', async () => {
    const { sessionId } = await open(tool('send', { effects: 'outside' }))
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 's', text: 'send' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    await kit.runtime.respondToAction(OWNER, sessionId, pending(asked)!.actionId, { decision: 'approve-for-scope' })
    await kit.until(sessionId, ended)
    const again = await turn(kit, sessionId, 'send')
    const permissionId = [...again.permissions.byId.keys()][0]!
    expect(lastCall(again)).toMatchObject({ state: 'done', allowedBy: { kind: 'policy', id: permissionId } })
    expect([...again.actions.byId.values()].at(-1)).toMatchObject({ outcome: 'approved', by: { id: permissionId } })
  })

  it('TO-8 tells its progress and its output as they appear', async () => {
    const { sessionId } = await open(
      tool('work', {
        execute: async (_, call) => {
          call.progress({ message: 'Half', current: 1, total: 2 })
          call.output('line 1\n')
          call.output('bad\n', 'error')
          return { text: 'all' }
        },
      }),
    )
    const call = lastCall(await turn(kit, sessionId, 'work'))
    expect(call.progress).toEqual({ message: 'Half', current: 1, total: 2 })
    expect(call.output.toString()).toBe('line 1\nbad\n')
    expect(call.result).toMatchObject({ value: { preview: 'all' } })
  })

  it('TO-9 keeps a large text, images and resources as blobs, and the model gets the beginning and the end', async () => {
    const long = `${'a'.repeat(20_000)}the end`
    const bytes = new Uint8Array([1, 2, 3])
    const { sessionId, answers } = await open(
      tool('long', { execute: async () => ({ text: long }) }),
      tool('draw', {
        execute: async () => ({
          content: [
            { kind: 'text', text: 'A picture' },
            { kind: 'image', bytes, mediaType: 'image/png' },
            { kind: 'resource', uri: 'file:///a.txt', title: 'a.txt', text: 'Hello' },
          ],
        }),
      }),
    )
    await turn(kit, sessionId, 'long')
    expect(answers[0]).toMatchObject({
      result: { tail: expect.stringMatching(/the end$/), ref: { size: long.length } },
    })
    const { digest } = (answers[0] as { result: { ref: { digest: string } } }).result.ref
    expect((await kit.runtime.getBlob(OWNER, sessionId, digest)).size).toBe(long.length)
    const call = lastCall(await turn(kit, sessionId, 'draw'))
    expect(call.result).toMatchObject({
      value: {
        content: [
          { kind: 'text', text: 'A picture' },
          { kind: 'image', ref: { size: 3, mediaType: 'image/png' } },
          { kind: 'resource', uri: 'file:///a.txt', title: 'a.txt', text: 'Hello' },
        ],
      },
    })
    expect(answers[1]).toMatchObject({ result: { preview: expect.stringContaining('[image image/png, 3 bytes]') } })
  })

  it('TO-10 shows its hints as a card', async () => {
    const uiHints: UiHintsPayload = {
      intent: 'status',
      title: 'Weather',
      items: [{ key: 'city', value: 'Paris' }],
    }
    const { sessionId } = await open(tool('card', { execute: async () => ({ text: 'shown', uiHints }) }))
    const call = lastCall(await turn(kit, sessionId, 'card'))
    expect(call.result).toMatchObject({ value: { uiHints, ui: { root: expect.anything() } } })
  })

  const bad: [string, Partial<SourceTool>, object][] = [
    ['hangs', { timeoutMs: 50, execute: () => new Promise(() => {}) }, { code: 'timeout' }],
    ['ignores its abort', { timeoutMs: 50, execute: () => sleep(600).then(() => ({})) }, { code: 'timeout' }],
    ['throws', { execute: () => Promise.reject(new Error('Boom.')) }, { code: 'tool_failed', message: 'Boom.' }],
    [
      'throws at once',
      {
        execute: () => {
          throw new Error('Boom at once.')
        },
      },
      { message: 'Boom at once.' },
    ],
    [
      'throws where nobody catches',
      {
        execute: () =>
          new Promise(() => {
            setTimeout(() => {
              throw new Error('Boom later.')
            })
          }),
      },
      { code: 'tool_crashed', message: expect.stringContaining('Boom later.') },
    ],
    ['returns bytes', { execute: async () => new Uint8Array(5) as never }, { code: 'output_invalid' }],
    ['returns a number', { execute: async () => 7 as never }, { code: 'output_invalid' }],
    ['returns 20 MB', { execute: async () => ({ text: 'x'.repeat(20_000_000) }) }, { code: 'output_too_large' }],
    [
      'returns 20 MB of data',
      { execute: async () => ({ value: ['x'.repeat(20_000_000)] }) },
      { code: 'output_invalid' },
    ],
    [
      'says that it failed',
      { execute: async () => ({ failed: true, text: 'No such city.' }) },
      { message: 'No such city.' },
    ],
    ['has a schema that cannot be used', { inputSchema: { type: 'object', $ref: '#' } }, { code: 'invalid_arguments' }],
  ]
  it.each(bad)('TO-11 of a tool that %s ends with a clear error, and nothing else stops', async (_, given, error) => {
    const { sessionId, answers } = await open(tool('bad', given))
    const state = await turn(kit, sessionId, 'bad')
    expect(lastCall(state)).toMatchObject({ state: 'failed', error })
    expect(answers).toMatchObject([{ error }])
    expect([...state.runs.byId.values()].at(-1)!.outcome).toBe('completed')
  })

  it('TO-11 of a tool that returns undefined has a result that says so', async () => {
    const { sessionId, answers } = await open(tool('quiet', { execute: async () => undefined as never }))
    expect(lastCall(await turn(kit, sessionId, 'quiet')).state).toBe('done')
    expect(answers).toEqual([{ result: { preview: 'The tool returned nothing.' } }])
  })

  it('TO-12 is stopped with its run, and what the tool says afterwards reaches nobody', async () => {
    const late = Promise.withResolvers<void>()
    let used: ToolCall | undefined
    const { sessionId } = await open(
      tool('slow', {
        execute: async (_, call) => {
          used = call
          await new Promise<void>(resolve => call.signal.addEventListener('abort', () => resolve()))
          late.resolve()
          return { text: 'too late' }
        },
      }),
    )
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 's', text: 'slow' })
    const running = await kit.until(sessionId, () => used !== undefined)
    await kit.runtime.interruptRun(OWNER, sessionId, running.session.activeRunId!)
    await late.promise
    const done = await kit.until(sessionId, ended)
    expect(lastCall(done)).toMatchObject({ state: 'failed', error: { code: 'interrupted' } })
    used!.output('after the end')
    expect(lastCall(await kit.state(sessionId)).output.toString()).toBe('')
  })

  it('TO-13 can ask the person in the middle, and the time of the person is not that of the tool', async () => {
    const { sessionId, answers } = await open(
      tool('book', {
        timeoutMs: 300,
        execute: async (_, call) => {
          const { value } = await call.ask({ kind: 'question', title: 'Which day?' })
          return { text: `Booked for ${value}` }
        },
      }),
    )
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'b', text: 'book' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    await sleep(400)
    await kit.runtime.respondToAction(OWNER, sessionId, pending(asked)!.actionId, {
      decision: 'answer',
      value: 'Monday',
    })
    await kit.until(sessionId, ended)
    expect(answers).toEqual([{ result: { preview: 'Booked for Monday' } }])
  })

  it('TO-14 that its agent has announced only gets its result, and one that it has not is announced', async () => {
    const agent = scripted(async function* (_, { tools }): AsyncGenerator<AgentOutput> {
      yield { type: 'tool.started', partId: 'p', toolCallId: 'c1', name: 'look', executor: 'runtime' }
      yield { type: 'tool.args', toolCallId: 'c1', delta: '{}', done: true }
      await tools.find(({ name }) => name === 'look')!.call({}, { toolCallId: 'c1' })
      await tools.find(({ name }) => name === 'look')!.call({}, { toolCallId: 'c2' })
    })
    kit = await harness({ agents: [agent], tools: [source([tool('look')])] })
    const sessionId = await kit.session()
    const state = await turn(kit, sessionId, 'go')
    expect([...state.tools.byId.values()].map(call => call.state)).toEqual(['done', 'done'])
  })
})

describe('the gate for a tool that an agent executes itself', () => {
  const admitted: Json[] = []
  const agent = scripted(async function* ({ text }, { admit }): AsyncGenerator<AgentOutput> {
    yield { type: 'tool.started', partId: 'p', toolCallId: 'c1', name: 'mail', executor: 'agent' }
    yield { type: 'tool.args', toolCallId: 'c1', delta: text, done: true }
    const args = JSON.parse(text)
    const answer = await admit({ toolCallId: 'c1', name: 'mail', args, effects: 'outside', inputSchema: schema })
    admitted.push(answer as Json)
    if (answer.allowed) yield { type: 'tool.result', toolCallId: 'c1', value: answer.args }
    else yield { type: 'tool.failed', toolCallId: 'c1', error: answer.error }
  })
  afterEach(() => void admitted.splice(0))

  it('TO-15 asks by policy and gives the arguments that may run with an idempotency key', async () => {
    kit = await harness({ agents: [agent] })
    const sessionId = await kit.session()
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: '{"city":"Paris"}' })
    const asked = await kit.until(sessionId, state => pending(state) !== undefined)
    expect(pending(asked)!.request.scope).toEqual({ key: 'tool:test:mail', label: 'mail' })
    const { actionId } = pending(asked)!
    await kit.runtime.respondToAction(OWNER, sessionId, actionId, { decision: 'approve', value: { city: 'Rome' } })
    const done = await kit.until(sessionId, ended)
    expect(admitted).toEqual([
      { allowed: true, args: { city: 'Rome' }, edited: true, idempotencyKey: lastCall(done).toolCallId },
    ])
  })

  it('TO-15 refuses arguments that do not fit', async () => {
    kit = await harness({ agents: [agent] })
    await turn(kit, await kit.session(), '{"city":1}')
    expect(admitted).toMatchObject([{ allowed: false, error: { code: 'invalid_arguments' } }])
  })
})

describe('what a person chooses in a session', () => {
  it('TO-25 counts for the next call: what is turned off is not offered, and what is allowed does not ask', async () => {
    const { sessionId, answers } = await open(tool('look'), tool('send', { effects: 'outside' }))
    await kit.runtime.updateTools(OWNER, sessionId, { mode: 'all', policies: { 'test:look': 'off' } })
    await turn(kit, sessionId, 'look')
    const sent = lastCall(await turn(kit, sessionId, 'send'))
    expect(answers).toEqual(['no such tool', { result: { preview: 'done' } }])
    expect(sent.allowedBy).toEqual({ kind: 'policy', id: 'mode:all', name: '' })
  })

  it('TO-25 counts in a run that is under way', async () => {
    const agent = scripted(async function* (_, { tools, sessionId }): AsyncGenerator<AgentOutput> {
      await kit.runtime.updateTools(OWNER, sessionId, { policies: { 'test:look': 'off' } })
      const { error } = await tools.find(({ name }) => name === 'look')!.call({})
      yield { type: 'text.delta', partId: 'p', delta: JSON.stringify(error) }
    })
    kit = await harness({ agents: [agent], tools: [source([tool('look')])] })
    const state = await turn(kit, await kit.session(), 'go')
    expect(lastCall(state)).toMatchObject({ state: 'failed', error: { code: 'tool_off' } })
  })
})
