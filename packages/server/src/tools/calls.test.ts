import type { Action, Command, SessionState, Tool } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../agents/agent.ts'
import { problemOf } from '../http/problem.ts'
import type { Refusal } from '../refusal.ts'
import { card, ended, type Harness, harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import type { SourceTool } from './tool.ts'
import { lastCall, source, tool, turn } from './tools.fixture.ts'

let kit: Harness
afterEach(() => kit.close())

const send = { type: 'tool', toolId: 'test:send', params: { to: 'Bo' } } as const
const unknown = { type: 'tool', toolId: 'nobody.knows', params: {} } as const

/** What the agent was told of the conversation, turn by turn. */
let histories: HistoryMessage[][] = []
/** The agent answers a turn only when this is resolved. */
let gate = Promise.withResolvers<void>()

const agent = scripted(async function* ({ text, interaction }, { history, signal }) {
  histories.push(await history())
  if (text === 'show') yield* card(send, unknown)
  else if (text === 'wait')
    await Promise.race([gate.promise, new Promise(end => signal.addEventListener('abort', end))])
  yield { type: 'text.delta', partId: 'answer', delta: interaction ? 'I was asked.' : `You said ${text}.` }
})

/** A session in which a card with a button for the tool `send` is shown. */
async function shown(...tools: SourceTool[]): Promise<string> {
  histories = []
  gate = Promise.withResolvers()
  kit = await harness({ agents: [agent], tools: [source(tools)], limits: { toolMs: 1_000, interruptMs: 2_000 } })
  const sessionId = await kit.session()
  await turn(kit, sessionId, 'show')
  return sessionId
}

const cardOf = async (sessionId: string): Promise<string> => [...(await kit.state(sessionId)).tools.byId.keys()][0]!

const press = async (sessionId: string, given: Partial<Command<'sendUiAction'>> = {}) =>
  kit.runtime.sendUiAction(OWNER, sessionId, { key: 'k', toolCallId: await cardOf(sessionId), action: send, ...given })

const refused = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was taken'),
    (error: Refusal) => problemOf(error),
  )

const isOver = (state: SessionState): boolean => (callOf(state)?.outcome ?? null) !== null
const callOf = (state: SessionState) => [...state.runs.byId.values()].findLast(run => run.call !== null)
const pending = (state: SessionState): Action | undefined =>
  [...state.actions.byId.values()].find(action => action.state === 'pending')
const called = (state: SessionState): Tool => lastCall(state)

describe('a tool that is called without the agent', () => {
  it('TO-40 is a run of its own: announced, allowed by policy, with its result, and no turn', async () => {
    let got: unknown
    const sessionId = await shown(
      tool('send', {
        title: 'Send it',
        execute: async (args, { by, idempotencyKey, agentId }) => {
          got = { args, by, idempotencyKey, agentId }
          return { value: { sent: true } }
        },
      }),
    )
    const answer = await press(sessionId)
    const state = await kit.until(sessionId, isOver)
    const run = callOf(state)!
    expect(answer).toEqual({ state: 'called', runId: run.runId })
    expect(run).toMatchObject({ outcome: 'completed', by: { id: 'ann' }, call: { interaction: { action: send } } })
    expect(called(state)).toMatchObject({
      name: 'send',
      title: 'Send it',
      state: 'done',
      executor: 'runtime',
      allowedBy: { kind: 'policy', id: 'default' },
      result: { value: { value: { sent: true } } },
    })
    expect(got).toEqual({
      args: { to: 'Bo' },
      by: { kind: 'person', id: 'ann', name: 'Ann' },
      idempotencyKey: called(state).toolCallId,
      agentId: 'test',
    })
    expect(state.turns.byId.has('k')).toBe(false)
    expect(state.queue.turns).toEqual([])
    expect(state.session.latestRunId).not.toBe(run.runId)
    expect(histories).toHaveLength(1)
  })

  it('TO-40 works beside the active run, and neither waits for the other', async () => {
    const sessionId = await shown(tool('send'))
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'w', text: 'wait' })
    const working = await kit.until(sessionId, state => state.turns.byId.has('w'))
    await press(sessionId)
    const state = await kit.until(sessionId, isOver)
    expect(state.session.activeRunId).toBe(working.session.activeRunId)
    expect(called(state).state).toBe('done')
    gate.resolve()
    expect((await kit.until(sessionId, ended)).turns.byId.get('w')?.state).toBe('done')
  })

  it('TO-41 is done once: the same press sent again gets the first answer, also after a restart', async () => {
    let ran = 0
    const count = tool('send', { execute: async () => ({ value: ++ran }) })
    const sessionId = await shown(count)
    const first = await press(sessionId)
    expect(await press(sessionId)).toEqual(first)
    await kit.until(sessionId, isOver)
    kit = await kit.restart()
    expect(await press(sessionId)).toEqual(first)
    expect(await refused(press(sessionId, { action: unknown }))).toMatchObject({ code: 'key_reused' })
    expect(ran).toBe(1)
  })

  it('TO-42 that asks waits for a person like any other call, and the answer of a person lets it run', async () => {
    let ran: unknown
    const sessionId = await shown(
      tool('send', {
        effects: 'outside',
        execute: async args => {
          ran = args
          return {}
        },
      }),
    )
    await press(sessionId)
    const waiting = await kit.until(sessionId, state => pending(state) !== undefined)
    expect(waiting.session.needsInput).toBe(1)
    expect(pending(waiting)).toMatchObject({ request: { args: { to: 'Bo' } }, toolCallId: called(waiting).toolCallId })
    await kit.runtime.respondToAction(OWNER, sessionId, pending(waiting)!.actionId, {
      decision: 'approve',
      value: { to: 'Cy' },
    })
    const state = await kit.until(sessionId, isOver)
    expect(ran).toEqual({ to: 'Cy' })
    expect(called(state).allowedBy).toMatchObject({ kind: 'person', id: 'ann' })
    expect(callOf(state)).toMatchObject({ outcome: 'completed' })
  })

  it('TO-42 that a person denies does not run and is no success', async () => {
    let ran = false
    const sessionId = await shown(
      tool('send', {
        effects: 'writes',
        execute: async () => {
          ran = true
          return {}
        },
      }),
    )
    await press(sessionId)
    const waiting = await kit.until(sessionId, state => pending(state) !== undefined)
    await kit.runtime.respondToAction(OWNER, sessionId, pending(waiting)!.actionId, { decision: 'deny' })
    const state = await kit.until(sessionId, isOver)
    expect([ran, called(state).error?.code, callOf(state)?.outcome]).toEqual([false, 'denied', 'failed'])
  })

  it('TO-43 says why it failed, and its run is no success', async () => {
    const sessionId = await shown(
      tool('send', {
        inputSchema: { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } },
      }),
    )
    await press(sessionId)
    const state = await kit.until(sessionId, isOver)
    expect(called(state)).toMatchObject({ state: 'failed', error: { code: 'invalid_arguments' } })
    expect(callOf(state)).toMatchObject({ outcome: 'failed', error: { code: 'invalid_arguments' } })
  })

  it('TO-44 can be interrupted by itself, and the active run goes on', async () => {
    const sessionId = await shown(tool('send', { execute: () => new Promise(() => {}), timeoutMs: 60_000 }))
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'w', text: 'wait' })
    await press(sessionId)
    const working = await kit.until(sessionId, state => called(state).allowedBy !== null)
    const { runId } = callOf(working)!
    expect(await kit.runtime.interruptRun(OWNER, sessionId, runId)).toEqual({ runIds: [runId] })
    const state = await kit.until(sessionId, isOver)
    expect(callOf(state)).toMatchObject({ outcome: 'interrupted', reason: { code: 'interrupted_by_person' } })
    expect(called(state)).toMatchObject({ state: 'failed', error: { code: 'interrupted' } })
    expect(state.session.activeRunId).toBe(working.session.activeRunId)
    gate.resolve()
    await kit.until(sessionId, ended)
  })

  it('TO-45 that a crash cut off is interrupted after the restart, and the queue is not held for it', async () => {
    const sessionId = await shown(tool('send', { effects: 'writes' }))
    await press(sessionId)
    await kit.until(sessionId, state => pending(state) !== undefined)
    // Another runtime takes the session over while the first one still waits, as after a kill.
    const { storage, folder } = kit
    const next = await harness({ agents: [agent], tools: [source([tool('send')])], storage, folder })
    const state = await next.until(sessionId, isOver)
    expect(callOf(state)).toMatchObject({ outcome: 'interrupted', reason: { code: 'server_crashed' } })
    expect(called(state)).toMatchObject({ state: 'failed', error: { code: 'interrupted' } })
    expect(pending(state)).toBeUndefined()
    expect(state.queue.held).toBe(false)
    await next.runtime.close()
  })

  it('TO-46 is known to the agent with its next turn, and what it has read before stays the beginning', async () => {
    const sessionId = await shown(tool('send', { execute: async () => ({ value: { sent: true } }) }))
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 'w', text: 'wait' })
    await kit.until(sessionId, state => state.turns.byId.has('w'))
    await press(sessionId)
    await kit.until(sessionId, isOver)
    gate.resolve()
    await kit.until(sessionId, ended)
    await turn(kit, sessionId, 'next')
    await turn(kit, sessionId, 'last')
    const [, during, next, last] = histories
    expect(next!.slice(0, during!.length)).toEqual(during)
    expect(last!.slice(0, next!.length)).toEqual(next)
    expect(next!.map(({ text }) => text)).toEqual([
      'show',
      'You said show.',
      'wait',
      'You said wait.',
      '[tool.called]\n{"tool":"send","by":"the person, without the agent","args":{"to":"Bo"},"result":{"sent":true}}',
    ])
    expect(next!.at(-1)).toMatchObject({ role: 'user', parts: [{ kind: 'call', name: 'send' }] })
  })

  it('TO-46 that has not ended is known to no agent', async () => {
    const sessionId = await shown(tool('send', { effects: 'writes' }))
    await press(sessionId)
    const waiting = await kit.until(sessionId, state => pending(state) !== undefined)
    await turn(kit, sessionId, 'next')
    expect(histories[1]!.map(({ text }) => text)).toEqual(['show', 'You said show.'])
    await kit.runtime.respondToAction(OWNER, sessionId, pending(waiting)!.actionId, { decision: 'approve' })
    await kit.until(sessionId, isOver)
    await turn(kit, sessionId, 'last')
    const [, second, third] = histories
    expect(third!.slice(0, second!.length)).toEqual(second)
    expect(third!.at(-1)!.text).toContain('[tool.called]')
  })

  it('TO-47 is not tried again as a turn; a message is edited when it has ended; a branch ends it', async () => {
    const sessionId = await shown(tool('send', { effects: 'writes' }))
    await press(sessionId)
    const waiting = await kit.until(sessionId, state => pending(state) !== undefined)
    const { runtime } = kit
    const edit = () => runtime.editMessage(OWNER, sessionId, 1, { turnId: 'e', text: 'Something else' })
    expect(await refused(edit())).toMatchObject({ code: 'run_active' })
    const fork = (await runtime.forkSession(OWNER, sessionId, {})).session.sessionId
    expect(callOf(await kit.state(fork))).toMatchObject({ outcome: 'interrupted', reason: { code: 'branched' } })
    await runtime.respondToAction(OWNER, sessionId, pending(waiting)!.actionId, { decision: 'deny' })
    const state = await kit.until(sessionId, isOver)
    const again = runtime.retryRun(OWNER, sessionId, callOf(state)!.runId, { newRunId: 'again' })
    expect(await refused(again)).toMatchObject({ code: 'not_allowed' })
    const { ordinal } = [...state.messages.byId.values()].at(-1)!
    const answer = runtime.regenerateMessage(OWNER, sessionId, ordinal, { newRunId: 'r' })
    expect(await refused(answer)).toMatchObject({ code: 'message_fixed' })
    await edit()
    const after = await kit.until(sessionId, ended)
    expect([...after.messages.byId.values()].filter(({ rewindId }) => rewindId !== null)).toHaveLength(3)
  })

  it('TO-47 ends when its session is deleted or the server stops', async () => {
    const sessionId = await shown(tool('send', { effects: 'writes' }))
    await press(sessionId)
    await kit.until(sessionId, state => pending(state) !== undefined)
    await kit.runtime.deleteSession(OWNER, sessionId)
    await kit.runtime.restoreSession(OWNER, sessionId)
    const state = await kit.state(sessionId)
    expect(callOf(state)).toMatchObject({ outcome: 'interrupted', reason: { code: 'session_deleted' } })
  })
})

describe('a button of a card', () => {
  it('TO-50 asks the agent to run a tool that nobody offers, or when the person was told so', async () => {
    const sessionId = await shown(tool('send'))
    expect(await press(sessionId, { action: unknown })).toEqual({ state: 'started' })
    await kit.until(sessionId, ended)
    expect(await press(sessionId, { key: 'l', through: 'agent' })).toMatchObject({
      state: expect.not.stringMatching('called'),
    })
    await expect.poll(async () => (await kit.state(sessionId)).turns.byId.has('l')).toBe(true)
  })

  it('TO-50 does nothing when the person was told that it runs a tool which is gone', async () => {
    const sessionId = await shown()
    expect(await refused(press(sessionId, { through: 'call' }))).toMatchObject({
      status: 409,
      code: 'tool_not_offered',
    })
    expect((await kit.state(sessionId)).runs.byId.size).toBe(1)
  })

  it('TO-51 runs at most eight tools at once', async () => {
    const sessionId = await shown(tool('send', { effects: 'writes' }))
    for (let n = 0; n < 8; n++) await press(sessionId, { key: `k${n}` })
    expect(await refused(press(sessionId, { key: 'ninth' }))).toMatchObject({ code: 'calls_full' })
    const all = await kit.runtime.interruptSession(OWNER, sessionId, {})
    expect(all.runIds).toHaveLength(8)
  })
})
