import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Action,
  type ActionRequest,
  answerText,
  type Command,
  type Json,
  type SessionState,
} from '@vitrine/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AgentContext, AgentOutput } from '../agents/agent.ts'
import { StaleLease } from '../storage/storage.ts'
import { ended, type Harness, harness as make, OWNER, person, scripted } from './harness.fixture.ts'

const open: Harness[] = []
const harness = async (...args: Parameters<typeof make>): Promise<Harness> => {
  const made = await make(...args)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

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
const answer = (state: SessionState, runId: string): string => {
  const message = state.messages.byId.get(`${runId}/m`)
  return message ? answerText(state, message) : ''
}
const refused = (code: string) => expect.objectContaining({ code })

describe('a turn is accepted once and runs to its end', () => {
  it('P-601 AU-10 AU-50 streams, reconciles and finishes', async () => {
    const h = await harness({ agents: [echo] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'hello' })
    const state = await h.until(id, ended)
    expect(answer(state, runId)).toBe('You said: hello')
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'completed' })
    expect(state.parts.byId.get(`${runId}/m/p`)).toMatchObject({ state: 'final' })
    expect(state.session.title).toEqual({ known: true, value: 'Hello' })
  })

  it('P-602 the same turn again gets the first answer, another text under its id is refused', async () => {
    const h = await harness({ agents: [waits] })
    const id = await h.session()
    const command = { turnId: 't1', text: 'hello' }
    const [first, second] = await Promise.all([
      h.runtime.submitTurn(OWNER, id, command),
      h.runtime.submitTurn(OWNER, id, command),
    ])
    expect(second).toEqual(first)
    await expect(h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'other' })).rejects.toEqual(
      refused('key_reused'),
    )
    await expect(h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'x' })).rejects.toEqual(refused('run_active'))
    expect((await h.state(id)).counts.runs).toBe(1)
  })

  it('P-603 a text that no event can carry reaches the agent whole', async () => {
    let got = ''
    const h = await harness({
      agents: [
        scripted(async function* ({ text }) {
          got = text
          yield say('ok')
        }),
      ],
    })
    const id = await h.session()
    const text = `${'long '.repeat(40_000)}end`
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text })
    const state = await h.until(id, ended)
    expect(got).toBe(text)
    const { input } = state.turns.byId.get('t1')!
    expect(input.ref).toMatchObject({ size: text.length })
    const { read, size } = await h.runtime.getBlob(OWNER, id, input.ref!.digest)
    const bytes: Uint8Array[] = []
    for await (const piece of await read(0, size)) bytes.push(piece)
    expect(Buffer.concat(bytes).toString()).toBe(text)
  })

  it('A03 a session that does not exist and one of another person get the same refusal', async () => {
    const h = await harness({ agents: [echo] })
    const id = await h.session()
    const foreign = await h.runtime
      .submitTurn(person('eve'), id, { turnId: 't', text: 'x' })
      .catch((error: Error) => error)
    const nothing = await h.runtime.submitTurn(OWNER, 'nope', { turnId: 't', text: 'x' }).catch((error: Error) => error)
    expect(foreign).toEqual(nothing)
    expect(foreign).toMatchObject({ code: 'session_not_found' })
  })

  it('P-604 a bounded number of runs work at once, the rest wait visibly', async () => {
    const h = await harness({ agents: [waits], limits: { runs: 1 } })
    const [a, b] = [await h.session(), await h.session()]
    await h.runtime.submitTurn(OWNER, a, { turnId: 't', text: 'x' })
    await h.until(a, state => state.parts.byId.size > 1)
    const { runId } = await h.runtime.submitTurn(OWNER, b, { turnId: 't', text: 'x' })
    await h.until(b, state => state.runs.byId.get(runId)?.status === 'queued')
    await h.runtime.interruptSession(OWNER, a, {})
    await h.until(b, state => state.runs.byId.get(runId)?.status === 'streaming')
  })

  it('P-605 surrogate pairs that a stream cuts in two survive', async () => {
    const [high, low] = ['\ud83d', '\ude00']
    const h = await harness({
      agents: [
        scripted(async function* () {
          yield say(`a${high}`)
          await sleep(40)
          yield say(`${low}b`)
          yield say(high!)
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    expect(answer(await h.until(id, ended), runId)).toBe('a😀b\ufffd')
  })
})

describe('the queue', () => {
  it('P-606 AU-16 AU-51 turns wait in order, can be edited, moved and removed, and then run', async () => {
    const said: string[] = []
    let release = (): void => {}
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    const h = await harness({
      agents: [
        scripted(async function* ({ text }) {
          said.push(text)
          yield say(text)
          await gate
        }),
      ],
    })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'first' })
    for (const turnId of ['a', 'b', 'c']) await h.runtime.queueTurn(OWNER, id, { turnId, text: turnId })
    expect(await h.runtime.queueTurn(OWNER, id, { turnId: 'a', text: 'a' })).toMatchObject({
      state: 'queued',
      position: 0,
    })
    await h.runtime.editQueuedTurn(OWNER, id, 'b', { text: 'B!', position: 0 })
    await h.runtime.removeQueuedTurn(OWNER, id, 'c')
    expect((await h.runtime.getQueue(OWNER, id)).turns.map(turn => turn.preview)).toEqual(['B!', 'a'])
    await expect(h.runtime.removeQueuedTurn(OWNER, id, 'c')).rejects.toEqual(refused('turn_not_found'))
    await expect(h.runtime.editQueuedTurn(OWNER, id, 't0', { text: 'x' })).rejects.toEqual(refused('turn_started'))
    release()
    await h.until(id, state => ended(state) && state.queue.turns.length === 0 && state.counts.runs === 3)
    expect(said).toEqual(['first', 'B!', 'a'])
  })

  it('P-607 AU-51 a failure holds the queue until a person releases it, or goes on, as the policy says', async () => {
    const fails = scripted(async function* ({ text }) {
      yield say(text)
      await sleep(30)
      if (text === 'bad') throw new Error('boom')
    })
    const h = await harness({ agents: [fails] })
    const held = await h.session()
    await h.runtime.submitTurn(OWNER, held, { turnId: 't0', text: 'bad' })
    await h.runtime.queueTurn(OWNER, held, { turnId: 't1', text: 'good' })
    const state = await h.until(held, ({ queue }) => queue.held)
    expect(state.queue).toMatchObject({ reason: { code: 'held_after_failed' } })
    await h.runtime.updateQueue(OWNER, held, { held: false })
    await h.until(held, now => now.counts.runs === 2 && ended(now))

    const going = await h.session({ queuePolicy: { mode: 'serial', onFailure: 'continue' } })
    await h.runtime.submitTurn(OWNER, going, { turnId: 't0', text: 'bad' })
    await h.runtime.queueTurn(OWNER, going, { turnId: 't1', text: 'good' })
    await h.until(going, now => now.counts.runs === 2 && ended(now))
  })

  it('P-608 a queue that merges makes one turn of those that wait', async () => {
    const said: string[] = []
    const h = await harness({
      agents: [
        scripted(async function* ({ text }) {
          said.push(text)
          yield say(text)
          await sleep(40)
        }),
      ],
    })
    const id = await h.session({ queuePolicy: { mode: 'merge', onFailure: 'hold' } })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'first' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't1', text: 'second' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't2', text: 'third' })
    await h.until(id, state => state.counts.runs === 2 && ended(state))
    expect(said).toEqual(['first', 'second\n\nthird'])
  })
})

describe('steering', () => {
  it('P-609 AU-52 a steer is accepted, consumed where it takes effect, and repeated safely', async () => {
    const h = await harness({
      agents: [
        scripted(async function* (_input, { steers }) {
          yield say('going north', 'p1')
          await steers.wait()
          for (const { text } of await steers.take()) yield say(`now ${text}`, 'p2')
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const command = { steerId: 's1', text: 'south' }
    await h.runtime.steerRun(OWNER, id, runId, command)
    await h.runtime.steerRun(OWNER, id, runId, command)
    const state = await h.until(id, ended)
    expect(state.steers.byId.get('s1')).toMatchObject({ state: 'consumed' })
    const kinds = state.messages.byId.get(`${runId}/m`)!.parts.map(partId => state.parts.byId.get(partId)!.kind)
    expect(kinds).toEqual(['text', 'steer', 'text'])
  })

  it('P-8680 a queued turn becomes a steer in one commit; what is refused stays in the queue', async () => {
    const h = await harness({
      agents: [
        scripted(async function* (_input, { steers }) {
          await steers.wait()
          for (const { text } of await steers.take()) yield say(`now ${text}`)
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 'q', text: 'south' })
    const long = { steerId: 's0', text: 'x'.repeat(17_000), turnId: 'q' }
    await expect(h.runtime.steerRun(OWNER, id, runId, long)).rejects.toMatchObject({ code: 'steer_rejected' })
    expect((await h.state(id)).queue.turns.map(({ turnId }) => turnId)).toEqual(['q'])

    const command = { steerId: 's1', text: 'south', turnId: 'q' }
    await h.runtime.steerRun(OWNER, id, runId, command)
    expect(await h.runtime.steerRun(OWNER, id, runId, command)).toEqual({ steerId: 's1', state: 'accepted' })
    const state = await h.until(id, ended)
    expect(state.queue.turns).toEqual([])
    const events = await h.events(id)
    const removed = events.findIndex(event => event.type === 'queue.changed' && event.change === 'removed')
    expect(events[removed + 1]).toMatchObject({ type: 'steer.accepted', steerId: 's1' })
    expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(1)

    const again = { steerId: 's2', text: 'south', turnId: 'q' }
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'go' })
    const second = (await h.state(id)).session.activeRunId!
    await expect(h.runtime.steerRun(OWNER, id, second, again)).rejects.toMatchObject({ code: 'turn_not_found' })
  })

  it('P-610 AU-52 a steer that comes too late is rejected with what to do instead', async () => {
    const h = await harness({ agents: [echo] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, ended)
    await expect(h.runtime.steerRun(OWNER, id, runId, { steerId: 's', text: 'x' })).rejects.toMatchObject({
      code: 'steer_rejected',
      params: { why: 'run_over' },
      next: expect.stringContaining('Queue'),
    })
    expect((await h.state(id)).steers.byId.get('s')).toMatchObject({ state: 'rejected' })
  })
})

describe('interrupt', () => {
  it('P-611 AU-53 reaches a tool’s child process, which is gone when the run ends', async () => {
    let pid = 0
    const h = await harness({
      agents: [
        scripted(async function* (_input, { signal }) {
          yield { type: 'tool.started', partId: 'pt', toolCallId: 'c', name: 'sleep' }
          const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
          pid = child.pid!
          signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
          await once(child, 'exit')
          yield { type: 'tool.failed', toolCallId: 'c', error: { code: 'killed', message: 'stopped' } }
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, state => state.tools.byId.size !== 0 && pid !== 0)
    expect(await h.runtime.interruptRun(OWNER, id, runId)).toEqual({ runIds: [runId] })
    const acknowledged = await h.state(id)
    expect(['cancelling', 'interrupted']).toContain(acknowledged.runs.byId.get(runId)!.status)
    const state = await h.until(id, ended)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })

  it('L2 an agent that ignores the signal is cut off at the hard limit and its later output refused', async () => {
    let context: AgentContext | undefined
    const refusals: unknown[] = []
    const h = await harness({
      limits: { interruptMs: 50 },
      agents: [
        scripted(async function* (_input, given) {
          context = given
          yield say('before')
          await sleep(250)
          try {
            yield say('too late')
            yield say('much too late')
          } finally {
            await given.ask({ kind: 'question', title: 'late?' }).catch(error => refusals.push(error))
          }
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, state => answer(state, runId) !== '')
    await h.runtime.interruptSession(OWNER, id, {})
    const cut = await h.until(id, ended)
    expect(cut.runs.byId.get(runId)).toMatchObject({
      outcome: 'interrupted',
      reason: expect.objectContaining({ code: 'agent_did_not_stop' }),
    })
    await vi.waitFor(() => expect(refusals).toHaveLength(1), 2_000)
    expect(answer(await h.state(id), runId)).toBe('before')
    expect(context!.signal.aborted).toBe(true)
    // The first lease was 1, the hard limit took 2: whatever still holds the first can no longer append.
    const late = { type: 'run.status', runId, status: 'streaming', seq: cut.seq + 1, sessionId: id, at: 1 } as const
    await expect(h.storage.append({ sessionId: id, epoch: 1, events: [late] })).rejects.toThrow(StaleLease)
  })

  it('P-612 AU-53 a queued turn can be interrupted, which removes it; a task by its id', async () => {
    const h = await harness({ agents: [waits] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'x' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't1', text: 'y' })
    await h.runtime.interruptSession(OWNER, id, { turnId: 't1' })
    expect((await h.runtime.getQueue(OWNER, id)).turns).toEqual([])
    const { taskId } = await h.runtime.createSession(OWNER, {
      parent: { sessionId: id, turnId: 'task', input: { text: 'in the background' } },
    })
    const state = await h.until(id, now => now.tasks.byId.get(taskId!)?.status === 'streaming')
    const child = state.tasks.byId.get(taskId!)!.childSessionId!
    await h.runtime.interruptSession(OWNER, id, { taskId: taskId! })
    await h.until(child, ended)
    await h.until(id, now => now.tasks.byId.get(taskId!)?.status === 'interrupted')
  })
})

describe('an action', () => {
  const asks = (request: Parameters<AgentContext['ask']>[0]) =>
    scripted(async function* (_input, context) {
      const { outcome, value, text } = await context.ask(request)
      yield say(`${outcome}: ${JSON.stringify(value)}${text === undefined ? '' : ` ${text}`}`)
    })

  it.each([
    ['approval', 'deny', 'denied'],
    ['choice', 'answer', 'answered'],
    ['question', 'answer', 'answered'],
    ['plan', 'answer', 'answered'],
    ['plan', 'deny', 'denied'],
  ] as const)(
    'P-8609 words to a request of kind %s that %s it reach the agent and the log',
    async (kind, decision, outcome) => {
      const request = { kind, title: 'Go?', options: [{ value: 'a', label: 'A' }], plan: [{ id: '1', title: 'One' }] }
      const h = await harness({ agents: [asks(request)] })
      const id = await h.session()
      const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
      const asked = await h.until(id, ({ session }) => session.needsInput === 1)
      const [actionId] = [...asked.actions.byId.keys()] as [string]
      await h.runtime.respondToAction(OWNER, id, actionId, { decision, text: 'later' })
      const state = await h.until(id, ended)
      expect(answer(state, runId)).toBe(`${outcome}: null later`)
      expect(state.actions.byId.get(actionId)).toMatchObject({ outcome, text: 'later', response: null })
    },
  )

  it('P-8650 is asked with changes of files of any size, and says what was left out', async () => {
    const text = 'words that fill an event\n'.repeat(10_000)
    const changes = [
      { path: 'small.ts', before: 'a\n', after: 'b\n' },
      { path: 'large.md', before: text, after: text.toUpperCase() },
    ]
    const h = await harness({ agents: [asks({ kind: 'approval', title: 'Go?', detail: 'x'.repeat(40_000), changes })] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    const [{ actionId, request }] = [...asked.actions.byId.values()] as [Action]
    expect(request.changes?.[0]).toEqual(changes[0])
    expect(request.changes?.[1]?.cut?.after).toBeGreaterThan(9_000)
    expect([...asked.diagnostics.byId.values()].map(({ code }) => code)).toContain('output_clipped')
    await h.runtime.respondToAction(OWNER, id, actionId, { decision: 'approve' })
    const state = await h.until(id, ended)
    expect(state.runs.byId.get(runId)?.outcome).toBe('completed')
  })

  it.each([
    ['approval', 'approve'],
    ['approval', 'approve-for-scope'],
    ['approval', 'answer'],
    ['plan', 'approve'],
    ['form', 'answer'],
  ] as const)(
    'P-8609 words never allow something: a request of kind %s refuses to %s with them',
    async (kind, decision) => {
      const scope = { key: 'files', label: 'files' }
      const h = await harness({ agents: [asks({ kind, title: 'Go?', scope })] })
      const id = await h.session()
      await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
      const asked = await h.until(id, ({ session }) => session.needsInput === 1)
      const [actionId] = [...asked.actions.byId.keys()] as [string]
      await expect(h.runtime.respondToAction(OWNER, id, actionId, { decision, text: 'yes do it' })).rejects.toEqual(
        refused('response_invalid'),
      )
    },
  )

  it.each<[Partial<ActionRequest> & Pick<ActionRequest, 'kind'>, Command<'respondToAction'>, next: string]>([
    [{ kind: 'approval' }, { decision: 'answer', value: 'yes' }, 'approve, deny'],
    [{ kind: 'approval' }, { decision: 'answer' }, 'approve, deny'],
    [{ kind: 'approval' }, { decision: 'approve-for-scope' }, 'approve, deny'],
    [{ kind: 'approval' }, { decision: 'approve', value: 'and more' }, 'without a value'],
    [{ kind: 'approval' }, { decision: 'deny', text: ' \n' }, 'Write something'],
    [{ kind: 'plan', plan: [{ id: '1', title: 'One' }] }, { decision: 'answer', value: 'yes' }, 'Approve it'],
    [{ kind: 'correction', args: 'a' }, { decision: 'answer' }, 'as value'],
    [{ kind: 'question' }, { decision: 'approve', value: 'yes' }, 'answer, deny'],
    [{ kind: 'question' }, { decision: 'answer', text: '   ' }, 'Write something'],
    [{ kind: 'choice', options: [{ value: 'a', label: 'A' }] }, { decision: 'approve', value: 'a' }, 'answer, deny'],
    [{ kind: 'form' }, { decision: 'approve', value: {} }, 'answer, deny'],
  ])('P-8609 P-614 %j refuses %j and says what to send instead', async (request, command, next) => {
    const h = await harness({ agents: [asks({ title: 'Go?', ...request })] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    const [actionId] = [...asked.actions.byId.keys()] as [string]
    await expect(h.runtime.respondToAction(OWNER, id, actionId, command)).rejects.toMatchObject({
      code: 'response_invalid',
      next: expect.stringContaining(next),
    })
    expect((await h.state(id)).session.needsInput).toBe(1)
  })

  it('P-614 a question with a form or with several options takes what its view sends', async () => {
    const schema = { type: 'object', properties: { seats: { type: 'integer' } } }
    const options = [{ value: 'a', label: 'A' }]
    for (const [more, value] of [
      [{ schema }, { seats: 2 }],
      [{ options, multiple: true }, ['a']],
    ] as const) {
      const h = await harness({ agents: [asks({ kind: 'question', title: 'Which?', ...more })] })
      const id = await h.session()
      const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
      const asked = await h.until(id, ({ session }) => session.needsInput === 1)
      const [actionId] = [...asked.actions.byId.keys()] as [string]
      await h.runtime.respondToAction(OWNER, id, actionId, { decision: 'answer', value: value as Json })
      expect(answer(await h.until(id, ended), runId)).toBe(`answered: ${JSON.stringify(value)}`)
    }
  })

  it('L6 AU-15 AU-54 is resolved when action.resolved says so, and a repeated response gets the first outcome', async () => {
    const h = await harness({ agents: [asks({ kind: 'approval', title: 'Delete it?', args: { path: '/' } })] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    const [actionId] = [...asked.actions.byId.keys()] as [string]
    expect(
      await h.runtime.respondToAction(OWNER, id, actionId, { decision: 'approve', value: { path: '/x' } }),
    ).toMatchObject({
      outcome: 'approved',
      first: true,
    })
    expect(await h.runtime.respondToAction(OWNER, id, actionId, { decision: 'deny' })).toMatchObject({
      outcome: 'approved',
      first: false,
    })
    expect(answer(await h.until(id, ended), runId)).toBe('approved: {"path":"/x"}')
  })

  it('A14 an action that expired was denied, and a response after that is refused', async () => {
    const h = await harness({ agents: [asks({ kind: 'approval', title: 'Quick?', expiresAt: Date.now() + 60 })] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(answer(state, runId)).toBe('expired: null')
    const [actionId] = [...state.actions.byId.keys()] as [string]
    await expect(h.runtime.respondToAction(OWNER, id, actionId, { decision: 'approve' })).rejects.toEqual(
      refused('action_expired'),
    )
    await expect(h.runtime.respondToAction(person('eve'), id, actionId, { decision: 'approve' })).rejects.toEqual(
      refused('session_not_found'),
    )
  })

  it('P-613 a permission for a scope is a fact, responds to later actions, and can be revoked', async () => {
    const scope = { key: 'files', label: 'files in /tmp' }
    const h = await harness({ agents: [asks({ kind: 'approval', title: 'Write?', scope })] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'go' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    await h.runtime.respondToAction(OWNER, id, [...asked.actions.byId.keys()][0]!, { decision: 'approve-for-scope' })
    await h.until(id, ended)
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'again' })
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect([...state.actions.byId.values()].at(-1)).toMatchObject({
      outcome: 'approved',
      by: { kind: 'policy', name: expect.any(String) },
    })
    const [permissionId] = [...state.permissions.byId.keys()] as [string]
    await h.runtime.revokePermission(OWNER, id, permissionId)
    await h.runtime.submitTurn(OWNER, id, { turnId: 't3', text: 'once more' })
    await h.until(id, ({ session }) => session.needsInput === 1)
  })

  it('P-614 AU-54 a response that the request does not allow is refused and can be corrected', async () => {
    const schema = { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] }
    const h = await harness({ agents: [asks({ kind: 'form', title: 'Book', schema })] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, ({ session }) => session.needsInput === 1)
    const [actionId] = [...asked.actions.byId.keys()] as [string]
    const respond = (value: { seats: number }) =>
      h.runtime.respondToAction(OWNER, id, actionId, { decision: 'answer', value })
    await expect(respond({ seats: 0 })).rejects.toMatchObject({
      code: 'response_invalid',
      message: expect.stringContaining('seats'),
    })
    await respond({ seats: 2 })
    expect(answer(await h.until(id, ended), runId)).toBe('answered: {"seats":2}')
  })
})

describe('agents that misbehave', () => {
  it.each<[string, string, (context: AgentContext) => AsyncIterable<AgentOutput>]>([
    [
      'an illegal sequence',
      'agent_broke_rule',
      async function* () {
        yield say('fine')
        yield { type: 'tool.result', toolCallId: 'never', preview: 'x' }
        yield say('not reached')
      },
    ],
    [
      'an exception',
      'agent_error',
      // biome-ignore lint/correctness/useYield: it fails before it can
      async function* () {
        throw new Error('boom')
      },
    ],
  ])('P-615 %s fails the run with its code; the session stays usable', async (_name, code, run) => {
    const broken = scripted((input, context) => (input.text === 'break' ? run(context) : echo.run(input, context)))
    const h = await harness({ agents: [broken] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'break' })
    const failed = await h.until(id, ended)
    expect(failed.runs.byId.get(runId)).toMatchObject({ outcome: 'failed', error: { code } })
    const next = await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'still there?' })
    expect(answer(await h.until(id, now => now.counts.runs === 2 && ended(now)), next.runId)).toBe(
      'You said: still there?',
    )
  })

  it('P-616 a flood is merged and bounded, and nothing of it is lost', async () => {
    const h = await harness({
      agents: [
        scripted(async function* () {
          for (let i = 0; i < 20_000; i++) yield say(`${i} `)
          yield say('x'.repeat(200_000))
        }),
      ],
    })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'flood' })
    const state = await h.until(id, ended)
    const expected = Array.from({ length: 20_000 }, (_, i) => `${i} `).join('') + 'x'.repeat(200_000)
    expect(answer(state, runId)).toBe(expected)
    expect(state.seq).toBeLessThan(2_000)
  })
})

describe('retry and subagents', () => {
  it('P-617 a failed run is retried as a new attempt that keeps the old one', async () => {
    const flaky = scripted(async function* (_input, { attempt }) {
      yield say(`attempt ${attempt}`)
      if (attempt === 1) throw new Error('first time unlucky')
    })
    const h = await harness({ agents: [flaky] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, ended)
    expect(await h.runtime.retryRun(OWNER, id, runId, { newRunId: 'second' })).toEqual({ runId: 'second' })
    expect(await h.runtime.retryRun(OWNER, id, runId, { newRunId: 'second' })).toEqual({ runId: 'second' })
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(state.runs.byId.get('second')).toMatchObject({ outcome: 'completed', attempt: 2, retryOf: runId })
    expect(answer(state, runId)).toBe('attempt 1')
    expect([...state.messages.byId.values()].filter(({ role }) => role === 'user')).toHaveLength(1)
    await expect(h.runtime.retryRun(OWNER, id, 'second', { newRunId: 'third' })).rejects.toEqual(
      refused('run_completed'),
    )
  })

  it('L5 what a subagent says stands apart from the answer text', async () => {
    const parent = scripted(async function* (_input, { spawn: spawnAgent }) {
      const { text } = await spawnAgent('child', 'look around')
      yield say(`It found: ${text}`)
    })
    const child = scripted(async function* () {
      yield say('a key')
    }, 'child')
    const h = await harness({ agents: [parent, child] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(answer(state, runId)).toBe('It found: a key')
    expect([...state.subagents.byId.values()]).toMatchObject([{ state: 'completed', summary: 'a key' }])
  })
})

describe('L12 after a crash nothing that was accepted is lost', () => {
  it('L12 the run is interrupted with its parts, the queue is kept and held, and the retry succeeds', async () => {
    const h = await harness({ agents: [waits] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'x' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't1', text: 'later' })
    await h.until(id, state => answer(state, runId) === 'working')
    // Another process takes the session over, as after a crash: this one may not write any more.
    const after = await harness({ folder: h.folder, storage: h.storage, agents: [echo] })
    const state = await after.state(id)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
    expect(answer(state, runId)).toBe('working')
    expect(state.queue).toMatchObject({ held: true, turns: [{ turnId: 't1' }] })
    await after.runtime.retryRun(OWNER, id, runId, { newRunId: 'again' })
    const retried = await after.until(id, now => now.runs.byId.get('again')?.outcome === 'completed')
    expect(answer(retried, 'again')).toBe('You said: x')
  })

  it('L12 a clean stop keeps and holds the queue as well', async () => {
    const h = await harness({ agents: [waits] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't0', text: 'x' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't1', text: 'later' })
    await h.until(id, state => answer(state, runId) === 'working')
    const again = await h.restart({ agents: [echo] })
    open.splice(open.indexOf(h), 1, again)
    const state = await again.state(id)
    expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted', reason: { code: 'server_stopped' } })
    expect(state.queue).toMatchObject({ held: true, turns: [{ turnId: 't1' }] })
    expect(state.counts.runs).toBe(1)
  })

  it('L11 an idle session opens from its checkpoint as from its whole log', async () => {
    const h = await harness({ agents: [echo] })
    const id = await h.session()
    for (let i = 0; i < 12; i++) {
      await h.runtime.submitTurn(OWNER, id, { turnId: `t${i}`, text: `turn ${i}` })
      await h.until(id, state => state.counts.runs === i + 1 && ended(state))
    }
    const live = [await h.runtime.getSession(OWNER, id, 6), await h.runtime.listMessages(OWNER, id, 19, 5)]
    const again = await h.restart()
    open.push(again)
    const cold = [await again.runtime.getSession(OWNER, id, 6), await again.runtime.listMessages(OWNER, id, 19, 5)]
    expect(JSON.parse(JSON.stringify(cold), dropAsOf)).toEqual(JSON.parse(JSON.stringify(live), dropAsOf))
  })
})

const dropAsOf = (key: string, value: unknown): unknown => (key === 'asOf' ? 0 : value)
