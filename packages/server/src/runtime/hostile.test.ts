import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerText, hydrate, type JsonObject, type SessionState, type SessionSummary } from '@vitrine/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AgentContext, AgentOutput } from '../agents/agent.ts'
import type { Append } from '../storage/log-store.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import type { Storage } from '../storage/storage.ts'
import { StorageFailed } from '../storage/storage.ts'
import { card, ended, type Harness, harness as make, OWNER, scripted } from './harness.fixture.ts'

const open: Harness[] = []
const harness = async (...args: Parameters<typeof make>): Promise<Harness> => {
  const made = await make(...args)
  open.push(made)
  return made
}
const restart = async (h: Harness, ...args: Parameters<Harness['restart']>): Promise<Harness> => {
  const made = await h.restart(...args)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close().catch(() => {})))
})

/** The real database with some of its methods replaced. */
async function storageWith(change: (real: Storage) => Partial<Storage>): Promise<{ storage: Storage; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-hostile-'))
  const real = await openSqlite({ folder })
  return { storage: { ...real, ...change(real) }, folder }
}

const say = (text: string, partId = 'p'): AgentOutput => ({ type: 'text.delta', partId, delta: text })
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
const waits = scripted(async function* (_input, { signal }) {
  yield say('working')
  await aborted(signal)
})
const echo = scripted(async function* ({ text }) {
  yield say(`You said: ${text}`)
})
/** Shows a card with these actions to who types, and waits when told so. */
const showing = (...actions: JsonObject[]) =>
  scripted(async function* ({ text, interaction }, { signal }) {
    if (!interaction) yield* card(...actions)
    if (text === 'wait') await aborted(signal)
  })
/** The id of the call that has shown a card, when it has. */
async function cardOf(h: Harness, sessionId: string): Promise<string> {
  const { tools } = await h.until(sessionId, ({ tools }) => [...tools.byId.values()].some(({ result }) => result.known))
  return [...tools.byId.keys()][0]!
}
const answer = (state: SessionState, runId: string): string => {
  const message = state.messages.byId.get(`${runId}/m`)
  return message ? answerText(state, message) : ''
}
const refused = (code: string) => expect.objectContaining({ code })
const runsEnded = (count: number) => (state: SessionState) => state.counts.runs === count && ended(state)
const userTexts = (state: SessionState): string[] =>
  [...state.messages.byId.values()].filter(({ role }) => role === 'user').map(message => answerText(state, message))
/** Holds what it wraps until it is let go. */
function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

describe('P-622 garbage from an agent is a diagnostic of its run and nothing else', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const throws = {
    get x(): never {
      throw new Error('gotcha')
    },
  }
  let deep: unknown = 1
  for (let i = 0; i < 50_000; i++) deep = [deep]
  class Nasty extends Error {
    override get message(): never {
      throw new Error('gotcha')
    }
  }
  const garbage: [string, unknown][] = [
    ['null', null],
    ['undefined', undefined],
    ['a string', 'hello'],
    ['a number', 42],
    ['no type', {}],
    ['a type that every object has', { type: 'constructor' }],
    ['the prototype as a type', { type: '__proto__' }],
    ['a symbol as a type', { type: Symbol('text.delta') }],
    ['a long type', { type: 'x'.repeat(1_000_000) }],
    ['a cyclic value', { type: 'state.snapshot', state: cyclic }],
    ['a getter that throws', throws],
    ['a getter inside that throws', { type: 'state.snapshot', state: throws }],
    ['a value nested without end', { type: 'state.snapshot', state: deep }],
    ['arguments that are null', { type: 'tool.args', toolCallId: 'c', delta: null }],
    ['text that is undefined', { type: 'text.delta', partId: 'p', delta: undefined }],
    ['text that is a number', { type: 'text.delta', partId: 'p', delta: 7 }],
    ['output that is an object', { type: 'tool.output.delta', toolCallId: 'c', delta: {} }],
    ['an id that is an object', { type: 'text.delta', partId: {}, delta: 'x' }],
    ['an id of 10,000 characters', { type: 'text.delta', partId: 'i'.repeat(10_000), delta: 'x' }],
    ['NaN', { type: 'text.delta', partId: 'p', delta: Number.NaN }],
    ['a negative number', { type: 'messages.snapshot', snapshotId: 's', page: -1, last: true, messages: [] }],
    ['10 MB in one field', { type: 'diagnostic.changed', diagnosticId: 'd', state: 'open', message: 'x'.repeat(1e7) }],
  ]

  let given: unknown
  let shared: Harness
  beforeAll(async () => {
    const agent = scripted(async function* ({ text }) {
      if (text !== 'break') return yield say('fine')
      yield say('before')
      yield { type: 'tool.started', partId: 'pt', toolCallId: 'c', name: 'tool' }
      if (given instanceof Error) throw given
      yield given as AgentOutput
      // Long enough that the timer of the log, not the agent, meets the garbage.
      await sleep(20)
      yield say(' and after')
    })
    shared = await make({ agents: [agent], limits: { batchMs: 5 } })
  })
  afterAll(() => shared.close())

  it.each(garbage)('P-622 %s', async (_name, output) => {
    const id = await shared.session()
    given = output
    const { runId } = await shared.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'break' })
    const state = await shared.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'completed' })
    expect(answer(state, runId)).toBe('before and after')
    const codes = [...state.diagnostics.byId.values()].map(({ code }) => code)
    expect(codes[0]).toMatch(/^output_(unreadable|unknown|invalid|clipped)$/)
  })

  it('P-622 an error whose message throws fails the run, and the session stays usable', async () => {
    const id = await shared.session()
    given = new Nasty()
    const { runId } = await shared.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'break' })
    const failed = await shared.until(id, ended)
    expect(failed.runs.byId.get(runId)).toMatchObject({ outcome: 'failed', error: { code: 'agent_error' } })
    expect(answer(failed, runId)).toBe('before')
    const next = await shared.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'go on' })
    expect(answer(await shared.until(id, runsEnded(2)), next.runId)).toBe('fine')
  })

  it('P-622 an iterator that throws when it is closed, and one that never closes, do not keep the run open', async () => {
    const broken = (close: () => Promise<never>) => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({
          done: false as const,
          value: { type: 'tool.result', toolCallId: 'never' } as AgentOutput,
        }),
        return: close,
      }),
    })
    const agent = scripted(({ text }) =>
      broken(text === 'throws' ? () => Promise.reject(new Error('no')) : () => new Promise(() => {})),
    )
    const h = await harness({ agents: [agent], limits: { interruptMs: 40 } })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'throws' })
    await h.until(id, runsEnded(1))
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'hangs' })
    const state = await h.until(id, runsEnded(2))
    expect(state.runs.byId.get(runId)).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent_broke_rule', params: { rule: 'tool_not_found' }, retryable: false },
    })
  })

  it('P-622 promises of the context that nobody awaits never end the process', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const slow = scripted(async function* () {
        for (let i = 0; i < 20; i++) {
          yield say(`${i} `)
          await sleep(3)
        }
      }, 'slow')
      const agent = scripted(async function* (_input, context) {
        void context.spawn('nobody', 'x')
        void context.spawn('slow', 'x')
        void context.ask({ kind: 'question', title: 'Anyone?', expiresAt: Date.now() + 60_000 })
        void context.ask({ kind: 'nonsense' as 'question', title: '' })
        for (const { call } of context.tools) void call(null as never)
        void context.surfaces.apply(null as never)
        await sleep(20)
        yield say('done')
      })
      const h = await harness({ agents: [agent, slow] })
      const id = await h.session()
      await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
      const state = await h.until(id, ended)
      await sleep(80)
      expect(unhandled).toEqual([])
      expect(state.session.needsInput).toBe(0)
    } finally {
      process.off('unhandledRejection', note)
    }
  })

  it('P-622 a subagent that still speaks when its parent has ended does not keep the run open', async () => {
    const child = scripted(async function* () {
      for (;;) yield say('x'.repeat(100_000))
    }, 'child')
    const parent = scripted(async function* (_input, { spawn }) {
      spawn('child', 'talk').catch(() => {})
      yield say('bye')
      await sleep(20)
    })
    const h = await harness({ agents: [parent, child] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'completed' })
    expect(answer(state, runId)).toBe('bye')
  })
})

describe('P-623 what an agent starts is bounded', () => {
  it('P-623 an agent that spawns itself without end is stopped', async () => {
    let started = 0
    const agent = scripted(async function* (_input, { spawn }) {
      started++
      const { outcome, text } = await spawn('test', 'again')
      yield say(`${outcome} ${text.length}`)
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(started).toBeLessThan(20)
    expect([...state.subagents.byId.values()].some(({ state: is }) => is === 'failed')).toBe(true)
  })

  it('P-623 thousands of requests and of steers that nobody takes are refused beyond a limit', async () => {
    const errors: unknown[] = []
    const asks = scripted(async function* ({ text }, context) {
      yield say('asking')
      if (text === 'ask') {
        for (let i = 0; i < 300; i++) {
          context.ask({ kind: 'question', title: `${i}?` }).catch(error => errors.push(error))
        }
      }
      await aborted(context.signal)
    })
    const h = await harness({ agents: [asks] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'ask' })
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 5_000)
    const state = await h.until(id, ({ session }) => session.needsInput > 0)
    expect(state.session.needsInput).toBeLessThanOrEqual(100)
    await h.runtime.interruptSession(OWNER, id, {})
    await h.until(id, ended)

    const other = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, other, { turnId: 't', text: 'wait' })
    const steers = Array.from({ length: 130 }, (_, i) =>
      h.runtime.steerRun(OWNER, other, runId, { steerId: `s${i}`, text: 'x' }),
    )
    const outcomes = await Promise.allSettled(steers)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'steer_rejected' } })
  })

  it('P-623 a run that is interrupted while it waits for a place never starts its agent', async () => {
    const started: string[] = []
    const agent = scripted(async function* ({ text }, { signal }) {
      started.push(text)
      yield say('working')
      await aborted(signal)
    })
    const h = await harness({ agents: [agent], limits: { runs: 1 } })
    const [a, b] = [await h.session(), await h.session()]
    await h.runtime.submitTurn(OWNER, a, { turnId: 't', text: 'first' })
    const { runId } = await h.runtime.submitTurn(OWNER, b, { turnId: 't', text: 'second' })
    await h.until(b, state => state.runs.byId.get(runId)?.status === 'queued')
    await h.runtime.interruptSession(OWNER, b, {})
    expect((await h.until(b, ended)).runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
    expect(started).toEqual(['first'])
  })
})

describe('P-624 events stay within the limit of the wire', () => {
  it('P-624 text, arguments and output full of control characters are cut to fit', async () => {
    const noise = '\u0001'.repeat(40_000)
    const agent = scripted(async function* () {
      yield say(noise)
      yield { type: 'tool.started', partId: 'pt', toolCallId: 'c', name: 'cat' }
      yield { type: 'tool.args', toolCallId: 'c', delta: JSON.stringify(noise), done: true }
      yield { type: 'tool.output.delta', toolCallId: 'c', delta: noise }
      yield { type: 'tool.failed', toolCallId: 'c', error: { code: 'x', message: 'x' }, preview: noise }
      yield { type: 'tool.started', partId: 'pu', toolCallId: 'u', name: 'ui' }
      yield {
        type: 'tool.result',
        toolCallId: 'u',
        preview: '漢'.repeat(8_000),
        uiHints: { version: '2.1', title: '字'.repeat(12_000) },
      }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'completed', error: null })
    expect(answer(state, runId)).toBe(noise)
    expect(state.tools.byId.get(`${runId}/c`)!.args.toString()).toBe(JSON.stringify(noise))
    const sizes = (await h.events(id)).map(event => Buffer.byteLength(JSON.stringify(event)))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
  })

  it('P-624 ids as long as a command may give them work to the end', async () => {
    const h = await harness({
      agents: [
        scripted(async function* (_input, { attempt, spawn }) {
          yield say(`attempt ${attempt}`)
          if (attempt === 1) throw new Error('again')
          await spawn('echo', 'x')
        }),
        { ...echo, agentId: 'echo' },
      ],
    })
    const id = await h.session()
    const long = (letter: string): string => letter.repeat(100)
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: long('t'), text: 'x' })
    await h.until(id, ended)
    await h.runtime.retryRun(OWNER, id, runId, { newRunId: long('r') })
    const state = await h.until(id, runsEnded(2))
    expect(state.runs.byId.get(long('r'))).toMatchObject({ outcome: 'completed' })
  })

  it('L7 a write that is too large is refused with what to do, and changes nothing', async () => {
    const h = await harness({ agents: [waits] })
    const metadata = { big: 'x'.repeat(100_000) }
    await expect(h.runtime.createSession(OWNER, { sessionId: 'big', metadata })).rejects.toEqual(refused('too_large'))
    await expect(h.runtime.position(OWNER, 'big')).rejects.toEqual(refused('session_not_found'))
    const id = await h.session()
    await expect(h.runtime.updateSession(OWNER, id, { metadata })).rejects.toEqual(refused('too_large'))
    const context = Array.from({ length: 60 }, (_, i) => ({ kind: 'file', ref: `r${i}`, title: 'x'.repeat(2_000) }))
    await expect(h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x', context })).rejects.toEqual(
      refused('too_large'),
    )
    expect((await h.state(id)).counts.runs).toBe(0)
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
  })
})

describe('commands that overlap with the end of a run', () => {
  /** Appends wait while the gate is closed, and only those that `which` picks. */
  async function held(which: (append: Append) => boolean) {
    const release = gate()
    const reached = gate()
    let before: Promise<unknown> = Promise.resolve()
    const made = await storageWith(real => ({
      append: append => {
        const turn = before.then(async () => {
          if (which(append)) {
            reached.open()
            await release.passed
          }
          return real.append(append)
        })
        before = turn.catch(() => {})
        return turn
      },
    }))
    return { ...made, release: release.open, reached: reached.passed }
  }

  it('P-625 a steer, an interrupt and an interaction are answered while the end of the run is being written', async () => {
    const { storage, folder, release, reached } = await held(({ events }) =>
      events.some(({ type }) => type === 'run.finished'),
    )
    const action = { type: 'payload' as const, payload: {} }
    const h = await harness({ storage, folder, agents: [showing(action)] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await reached
    const toolCallId = await cardOf(h, id)
    const steered = h.runtime.steerRun(OWNER, id, runId, { steerId: 's', text: 'x' })
    const stopped = h.runtime.interruptSession(OWNER, id, {})
    const acted = h.runtime.sendUiAction(OWNER, id, { key: 'k', toolCallId, action })
    setTimeout(release, 30)
    await expect(steered).rejects.toEqual(refused('steer_rejected'))
    expect(await stopped).toEqual({ runIds: [] })
    // Whether its turn waits or starts depends on which of them the log takes first.
    expect(['queued', 'started']).toContain((await acted).state)
    const state = await h.until(id, runsEnded(2))
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'completed' })
  })

  it('L6 a response that is being written wins over the expiry, also for the agent', async () => {
    let outcome = ''
    let expiresAt = 0
    const agent = scripted(async function* (_input, { ask }) {
      // Long enough for the response to come in time on a busy machine.
      expiresAt = Date.now() + 2_000
      const got = await ask({ kind: 'approval', title: 'Sure?', expiresAt })
      outcome = got.outcome
      yield say(outcome)
    })
    const { storage, folder, release, reached } = await held(({ events }) =>
      events.some(({ type }) => type === 'action.resolved'),
    )
    const h = await harness({ storage, folder, agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    const answered = h.runtime.respondToAction(OWNER, id, [...asked.actions.byId.keys()][0]!, { decision: 'approve' })
    await reached
    await sleep(expiresAt + 100 - Date.now())
    release()
    expect(await answered).toMatchObject({ outcome: 'approved', first: true })
    const state = await h.until(id, ended)
    expect([...state.actions.byId.values()][0]).toMatchObject({ outcome: 'approved' })
    expect(outcome).toBe('approved')
  })

  it('P-625 two interrupts, and an interrupt while an action and a subagent are open, end the run once', async () => {
    const child = scripted(async function* (_input, { ask }) {
      const { outcome } = await ask({ kind: 'question', title: 'Well?' })
      yield say(outcome)
    }, 'child')
    const parent = scripted(async function* (_input, { spawn }) {
      const { outcome } = await spawn('child', 'ask')
      yield say(outcome)
    })
    const h = await harness({ agents: [parent, child] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.until(id, ({ session }) => session.needsInput === 1)
    await Promise.all([h.runtime.interruptSession(OWNER, id, {}), h.runtime.interruptSession(OWNER, id, {})])
    const state = await h.until(id, ended)
    expect([...state.runs.byId.values()]).toMatchObject([{ outcome: 'interrupted' }])
    expect(state.session.needsInput).toBe(0)
  })

  it('L1 the list never shows what is not durable yet', async () => {
    const { storage, folder, release, reached } = await held(({ row }) => row?.pinned === true)
    const h = await harness({ storage, folder, agents: [echo] })
    const id = await h.session()
    const seen: SessionSummary[] = []
    h.hub.onSummary(OWNER.id, summary => seen.push(summary))
    const pin = h.runtime.updateSession(OWNER, id, { pinned: true })
    await reached
    await h.runtime.markSessionRead(OWNER, id, { seq: 1 })
    expect(seen.some(({ pinned }) => pinned)).toBe(false)
    release()
    expect((await pin).session.pinned).toBe(true)
  })

  it('P-625 an action request with a schema that is not one is refused to the agent, not to the person', async () => {
    const agent = scripted(async function* (_input, { ask }) {
      const schema = { type: 'nonsense', $ref: '#/nowhere' }
      const said = await ask({ kind: 'form', title: 'Form', schema }).then(
        ({ outcome }) => outcome,
        (error: { code?: string }) => error.code,
      )
      yield say(`${said}`)
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    expect(answer(await h.until(id, ended), runId)).toBe('invalid_arguments')
  })
})

describe('the queue under stress', () => {
  it('P-626 merging keeps long texts and what was attached to each turn', async () => {
    const got: { text: string; context: unknown }[] = []
    const go = gate()
    const agent = scripted(async function* ({ text, context }) {
      got.push({ text, context })
      yield say('ok')
      await go.passed
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session({ queuePolicy: { mode: 'merge', onFailure: 'hold' } })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'first' })
    const long = `${'long '.repeat(10_000)}end`
    const context = (ref: string) => [{ kind: 'file', ref }]
    await h.runtime.queueTurn(OWNER, id, { turnId: 't1', text: long, context: context('a') })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't2', text: 'short', context: context('b') })
    go.open()
    await h.until(id, runsEnded(2))
    expect(got[1]).toEqual({ text: `${long}\n\nshort`, context: [...context('a'), ...context('b')] })
  })

  it('P-626 a turn that waits and is then submitted runs once', async () => {
    const h = await harness({ agents: [echo] })
    const id = await h.session()
    await h.runtime.updateQueue(OWNER, id, { held: true })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't', text: 'once' })
    await expect(h.runtime.queueTurn(OWNER, id, { turnId: 't', text: 'other' })).rejects.toEqual(refused('key_reused'))
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'once' })
    await h.until(id, runsEnded(1))
    await h.runtime.updateQueue(OWNER, id, { held: false })
    expect((await h.runtime.getQueue(OWNER, id)).turns).toEqual([])
    expect((await h.state(id)).counts.runs).toBe(1)
  })

  it('P-626 actions in a surface that a run did not take up become turns in their order, also after a crash', async () => {
    const action = { type: 'payload' as const, payload: {} }
    const long = { type: 'payload' as const, payload: { text: 'x'.repeat(30_000) } }
    const h = await harness({ agents: [showing(action, long)] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'wait' })
    const toolCallId = await cardOf(h, id)
    for (const key of ['k1', 'k2']) await h.runtime.sendUiAction(OWNER, id, { key, toolCallId, action })
    const after = await harness({ folder: h.folder, storage: h.storage, agents: [echo] })
    const state = await after.state(id)
    expect(state.queue.turns.map(({ input }) => input.interaction?.kind)).toEqual(['ui_schema', 'ui_schema'])
    const third = { key: 'k3', toolCallId, action: long }
    expect(await after.runtime.sendUiAction(OWNER, id, third)).toEqual({ state: 'queued' })
  })

  it('P-626 an action too long to steer with is queued', async () => {
    const action = { type: 'payload' as const, payload: { text: 'x'.repeat(30_000) } }
    const h = await harness({ agents: [showing(action)] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'wait' })
    const toolCallId = await cardOf(h, id)
    expect(await h.runtime.sendUiAction(OWNER, id, { key: 'k', toolCallId, action })).toEqual({ state: 'queued' })
  })

  it('P-626 a retry under the id of another run is refused', async () => {
    const fails = scripted(async function* () {
      yield say('x')
      throw new Error('no')
    })
    const h = await harness({ agents: [fails] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.until(id, ended)
    await expect(h.runtime.retryRun(OWNER, id, runId, { newRunId: runId })).rejects.toEqual(refused('key_reused'))
  })
})

describe('checkpoints', () => {
  const texts = async (h: Harness, id: string): Promise<string[]> => {
    const state = hydrate(await h.runtime.getSession(OWNER, id, 1_000))
    return [...state.messages.byId.values()].map(message => answerText(state, message))
  }

  it('L11 what happened after the last checkpoint is in the next one', async () => {
    const agent = scripted(async function* (input, context) {
      if (input.text !== 'wait') return yield* echo.run(input, context)
      await context.spawn('child', 'look')
      yield* waits.run(input, context)
    })
    const child = scripted(async function* () {
      yield say('a key')
      yield { type: 'text.final', partId: 'p' }
    }, 'child')
    const h = await harness({ agents: [agent, child] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'one' })
    await h.until(id, ended)
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'wait' })
    await h.until(id, state => answer(state, runId) === 'working')
    const second = await restart(h)
    await second.runtime.submitTurn(OWNER, id, { turnId: 't3', text: 'three' })
    await second.until(id, runsEnded(3))
    const expected = ['one', 'You said: one', 'wait', 'working', 'a key', 'three', 'You said: three']
    expect(await texts(second, id)).toEqual(expected)
    const third = await restart(second)
    expect(await texts(third, id)).toEqual(expected)
  })

  it('L11 a checkpoint that could not be saved stops nothing and loses nothing', async () => {
    let failing = true
    const { storage, folder } = await storageWith(real => ({
      saveCheckpoint: async (...args) => {
        if (failing) throw new Error('disk full')
        return real.saveCheckpoint(...args)
      },
    }))
    const h = await harness({ storage, folder, agents: [echo] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'one' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't2', text: 'two' })
    await h.until(id, runsEnded(2))
    await sleep(30)
    failing = false
    await h.runtime.submitTurn(OWNER, id, { turnId: 't3', text: 'three' })
    await h.until(id, runsEnded(3))
    const live = await texts(h, id)
    await h.runtime.close()
    await h.storage.close()
    const again = await harness({ folder, agents: [echo] })
    expect(await texts(again, id)).toEqual(live)
  })

  it('L11 the first attempt of a retried run still knows its retry, and removed messages stay removed', async () => {
    const agent = scripted(async function* ({ text }, { attempt }) {
      if (text === 'repair') {
        yield { type: 'messages.snapshot', snapshotId: 's', page: 0, last: true, fromOrdinal: 2, messages: [] }
        return
      }
      yield say(`attempt ${attempt}`)
      if (attempt === 1) throw new Error('no')
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.until(id, ended)
    await h.runtime.getSession(OWNER, id, 10)
    await h.runtime.retryRun(OWNER, id, runId, { newRunId: 'second' })
    await h.until(id, runsEnded(2))
    const page = async (of: Harness) => {
      const { entities } = await of.runtime.listMessages(OWNER, id, 3, 1)
      return { runs: entities.runs.map(run => run.retriedBy), turns: entities.turns.map(turn => turn.state) }
    }
    const live = await page(h)
    const cold = await restart(h)
    expect(await page(cold)).toEqual(live)
    await expect(cold.runtime.retryRun(OWNER, id, runId, { newRunId: 'third' })).rejects.toEqual(refused('run_retried'))
    await cold.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'repair' })
    await cold.until(id, runsEnded(3))
    const before = await texts(cold, id)
    // What agents said is gone, what the person said is not.
    expect(before).toEqual(['x', 'repair'])
    const last = await restart(cold)
    expect(await texts(last, id)).toEqual(before)
  })
})

describe('a session is in memory once', () => {
  it('L2 a session does not leave memory while somebody works with it', async () => {
    const h = await harness({ agents: [waits], limits: { openSessions: 1 } })
    const ids = [await h.session(), await h.session(), await h.session()]
    const runs = await Promise.all(ids.map(id => h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })))
    await Promise.all(ids.map((id, i) => h.until(id, state => answer(state, runs[i]!.runId) === 'working')))
    for (const [i, id] of ids.entries()) {
      expect(await h.runtime.interruptSession(OWNER, id, {})).toEqual({ runIds: [runs[i]!.runId] })
      const state = await h.until(id, ended)
      expect(state.runs.byId.get(runs[i]!.runId)?.reason).toMatchObject({
        code: 'interrupted_by_person',
        params: { name: 'Ann' },
      })
    }
  })

  it('L12 recovery opens a parent once, also when its child reports to it first', async () => {
    const h = await harness({ agents: [waits] })
    const parent = await h.session({ sessionId: 'z-parent' })
    const { runId } = await h.runtime.submitTurn(OWNER, parent, { turnId: 't', text: 'x' })
    const { session, taskId } = await h.runtime.createSession(OWNER, {
      sessionId: 'a-child',
      parent: { sessionId: parent, turnId: 'task', input: { text: 'work' } },
    })
    await h.until(parent, state => state.tasks.byId.get(taskId!)?.status === 'streaming')
    await h.until(parent, state => answer(state, runId) === 'working')
    const leases: string[] = []
    const storage: Storage = {
      ...h.storage,
      lease: (sessionId, holder) => {
        leases.push(sessionId)
        return h.storage.lease(sessionId, holder)
      },
    }
    const after = await harness({ folder: h.folder, storage, agents: [waits] })
    await after.until(parent, state => state.tasks.byId.get(taskId!)?.status === 'interrupted')
    expect(leases.toSorted()).toEqual([session.sessionId, parent])
    const next = await after.runtime.submitTurn(OWNER, parent, { turnId: 't2', text: 'y' })
    await after.until(parent, state => answer(state, next.runId) === 'working')
  })

  it('P-627 creating the same session twice at once, or again after a crash in between, makes it once', async () => {
    let failing = true
    const { storage, folder } = await storageWith(real => ({
      append: async append => {
        if (failing && append.sessionId === 'half') throw new Error('disk full')
        return real.append(append)
      },
    }))
    const h = await harness({ storage, folder, agents: [echo] })
    const both = await Promise.all([h.session({ sessionId: 'same' }), h.session({ sessionId: 'same' })])
    expect(both).toEqual(['same', 'same'])
    const above = await h.session()
    const command = { sessionId: 'half', parent: { sessionId: above, turnId: 't', input: { text: 'x' } } }
    await expect(h.runtime.createSession(OWNER, command)).rejects.toEqual(refused('storage_failed'))
    failing = false
    const made = await h.runtime.createSession(OWNER, command)
    expect(await h.runtime.createSession(OWNER, command)).toMatchObject({ taskId: made.taskId })
    const state = await h.until('half', runsEnded(1))
    expect(userTexts(state)).toEqual(['x'])
    await h.until(above, ({ tasks }) => tasks.byId.get(made.taskId!)?.status === 'completed')
  })

  it('P-627 a session that is deleted while it works is gone, and nothing of it comes back', async () => {
    const h = await harness({ agents: [waits] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    const others = Promise.allSettled([
      h.runtime.eraseSession(OWNER, id),
      ...Array.from({ length: 10 }, (_, i) => h.runtime.queueTurn(OWNER, id, { turnId: `q${i}`, text: 'x' })),
      h.runtime.steerRun(OWNER, id, runId, { steerId: 's', text: 'x' }),
      h.runtime.eraseSession(OWNER, id),
    ])
    for (const result of await others) {
      if (result.status === 'rejected') expect(['session_not_found', 'stopping']).toContain(result.reason.code)
    }
    await expect(h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })).rejects.toEqual(
      refused('session_not_found'),
    )
    await h.runtime.createSession(OWNER, { sessionId: id })
    expect((await h.state(id)).counts.runs).toBe(0)
  })
})

describe('storage that fails', () => {
  it('L7 an append that fails ends its run with a reason, and the queue and the session are kept', async () => {
    let fail = false
    const kept = Promise.withResolvers<void>()
    const queued = Promise.withResolvers<void>()
    const { storage, folder } = await storageWith(real => ({
      append: async append => {
        if (fail) {
          fail = false
          throw new Error('disk full')
        }
        await real.append(append)
        if (append.events.some(({ type }) => type === 'text.delta')) kept.resolve()
      },
    }))
    const agent = scripted(async function* (input, context) {
      if (input.text !== 'break') return yield* echo.run(input, context)
      yield say('working')
      await Promise.all([kept.promise, queued.promise])
      fail = true
      yield say('never seen')
      await aborted(context.signal)
    })
    const h = await harness({ storage, folder, agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'break' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't2', text: 'later' })
    queued.resolve()
    // Nobody does anything: the runtime itself takes the session up again.
    const state = await h.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
    expect(answer(state, runId)).toBe('working')
    expect((await h.runtime.getQueue(OWNER, id)).turns).toMatchObject([{ turnId: 't2' }])
    await h.runtime.updateQueue(OWNER, id, { held: false })
    await h.until(id, runsEnded(2))
  })

  it('L7 AU-58 a command whose append fails says so, and the same command works afterwards', async () => {
    let fail = false
    const { storage, folder } = await storageWith(real => ({
      append: async append => {
        if (!fail) return real.append(append)
        fail = false
        throw new Error('disk full')
      },
    }))
    const h = await harness({ storage, folder, agents: [echo] })
    const id = await h.session()
    fail = true
    const command = { turnId: 't', text: 'x' }
    await expect(h.runtime.submitTurn(OWNER, id, command)).rejects.toMatchObject({ code: 'storage_failed' })
    await h.runtime.submitTurn(OWNER, id, command)
    const state = await h.until(id, runsEnded(1))
    expect(userTexts(state)).toEqual(['x'])
  })

  it('L12 what a crash cut off is reported as soon as the disk has space again, without anybody touching it', async () => {
    const first = await harness({ agents: [waits] })
    const id = await first.session()
    const { runId } = await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await first.until(id, state => answer(state, runId) === 'working')
    // Another process takes the folder over as a crash would leave it; its disk is full for a while.
    let full = true
    const storage: Storage = {
      ...first.storage,
      append: async append => {
        if (full) throw new StorageFailed('disk_full', 'database or disk is full')
        return first.storage.append(append)
      },
    }
    const after = await harness({ storage, folder: first.folder, agents: [waits] })
    await after.runtime.recover()
    await expect(after.runtime.updateSession(OWNER, id, { title: 'x' })).rejects.toBeInstanceOf(StorageFailed)
    full = false
    const state = await after.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
  })

  it('H13 an erasure that was cut off is finished at the next start', async () => {
    let failing = true
    const { storage, folder } = await storageWith(real => ({
      eraseSession: async sessionId => {
        if (failing) throw new StorageFailed('io_error', 'disk I/O error')
        return real.eraseSession(sessionId)
      },
    }))
    const h = await harness({ storage, folder, agents: [echo] })
    const id = await h.session()
    await expect(h.runtime.eraseSession(OWNER, id)).rejects.toBeInstanceOf(StorageFailed)
    expect(await storage.session(id)).toBeUndefined()
    expect(await storage.due(Date.now())).toHaveLength(1)
    failing = false
    const again = await harness({ storage, folder, agents: [echo] })
    await again.runtime.recover()
    expect(await storage.hiddenSession(id)).toBeUndefined()
  })

  it('L2 appends keep their order while a new lease is taken', async () => {
    const { storage, folder } = await storageWith(real => ({
      lease: async (sessionId, holder) => {
        const lease = await real.lease(sessionId, holder)
        await sleep(20)
        return lease
      },
    }))
    const stubborn = scripted(async function* () {
      yield say('a')
      await sleep(400)
    })
    const h = await harness({ storage, folder, agents: [stubborn], limits: { interruptMs: 20 } })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.until(id, state => answer(state, runId) === 'a')
    await h.runtime.interruptSession(OWNER, id, {})
    const writes: Promise<unknown>[] = []
    for (let i = 0; i < 40; i++) {
      writes.push(h.runtime.updateSession(OWNER, id, { title: `title ${i}` }))
      await sleep(1)
    }
    await Promise.all(writes)
    const state = await h.until(id, ended)
    expect(state.session.title).toEqual({ known: true, value: 'title 39' })
  })
})

describe('L9 the cost of a turn does not grow with the history', () => {
  it('L9 the conversation is read from its end', async () => {
    let context: AgentContext | undefined
    const h = await harness({
      agents: [
        scripted(async function* (_input, given) {
          context = given
          yield say('x')
        }),
      ],
    })
    const id = await h.session()
    for (let i = 1; i <= 3; i++) {
      await h.runtime.submitTurn(OWNER, id, { turnId: `t${i}`, text: `turn ${i}` })
      await h.until(id, runsEnded(i))
    }
    const history = await context!.history(2)
    expect(history.map(({ text }) => text)).toEqual(['turn 2', 'x'])
    expect(await context!.history(0)).toEqual([])
  })
})
