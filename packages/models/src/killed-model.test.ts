import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  type Action,
  answerText,
  apply,
  createState,
  latestRun,
  type SessionEvent,
  type SessionState,
  verify,
} from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openaiChat as wire } from './wire/openai-chat.fixture.ts'
import { type Provider, type Reply, type SaidCall, startProvider } from './wire/provider.fixture.ts'

const SESSION = 'killed'
let folder: string
let provider: Provider
let child: ChildProcess
let call: (method: string, path: string, body?: unknown) => Promise<Response>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-model-'))
  provider = await startProvider()
  await start()
  await call('POST', '/sessions', { sessionId: SESSION })
}, 60_000)

afterEach(async () => {
  await kill()
  await provider.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const file = join(import.meta.dirname, 'killed-model.fixture.ts')
  const args = ['--conditions=vitrine-source', file, join(folder, 'data'), provider.url, join(folder, 'journal')]
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const url = new URL(line)
  const headers = {
    authorization: `Bearer ${url.searchParams.get('token')}`,
    'content-type': 'application/json',
    accept: 'application/json',
  }
  call = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(new URL(`/api${path}`, url), { method, headers, ...sent })
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
    return response
  }
}

async function kill(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Kills the process as nobody can prevent it, and starts another one on the same folder. */
async function restart(): Promise<void> {
  await kill()
  await start()
}

async function log(): Promise<{ events: SessionEvent[]; state: SessionState }> {
  const events: SessionEvent[] = []
  for (let next: number | null = 0; next !== null; ) {
    const response = await call('GET', `/sessions/${SESSION}/events?limit=1000&after=${next}`)
    const page = (await response.json()) as { events: SessionEvent[]; next: number | null }
    events.push(...page.events)
    next = page.next
  }
  const state = createState(SESSION)
  for (const event of events) {
    expect(verify(state, event), `${event.seq} ${event.type}`).toBeUndefined()
    apply(state, event)
  }
  return { events, state }
}

async function until(what: (state: SessionState) => boolean): Promise<SessionState> {
  let state = (await log()).state
  await vi.waitFor(
    async () => {
      state = (await log()).state
      expect(what(state)).toBe(true)
    },
    { timeout: 30_000, interval: 50 },
  )
  return state
}

const send = (text: string) => call('POST', `/sessions/${SESSION}/turns`, { turnId: `turn-${text}`, text })
const says = (...text: string[]): Reply => wire.says({ text })
const calls = (...names: string[]): Reply =>
  wire.says({ calls: names.map((name): SaidCall => ({ id: `call_${name}`, name, args: {} })) })
/** The provider answers with this and then says nothing more. */
const hangs = (reply: Reply): Reply => ({ ...reply, open: true })
const journal = async (): Promise<string[]> =>
  (await readFile(join(folder, 'journal'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
const pending = (state: SessionState): Action[] =>
  [...state.actions.byId.values()].filter(action => action.state === 'pending')
const types = async (type: string): Promise<number> => (await log()).events.filter(event => event.type === type).length
/** Waits until so many steps are complete in the log. */
const stepsDone = (count: number) =>
  vi.waitFor(async () => expect(await types('step.finished')).toBe(count), { timeout: 30_000, interval: 50 })
const ended = ({ session, runs }: SessionState): boolean => session.activeRunId === null && runs.byId.size > 0
const shown = (state: SessionState): string => {
  const message = [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')
  return message ? answerText(state, message) : ''
}
const respond = (action: Action, body: object) =>
  call('POST', `/sessions/${SESSION}/actions/${action.actionId}/response`, body)
const told = (): string[] =>
  provider.requests
    .at(-1)!
    .body.messages.filter(({ role }: { role: string }) => role === 'tool')
    .map(({ content }: { content: string }) => content)

describe('a server that is killed', { timeout: 120_000 }, () => {
  it('MO-50 while a model streams goes on with the same messages, and what was streamed is taken back', async () => {
    provider.answers.push(hangs(wire.saysBeginning({ text: ['Half ', 'an answer'] })), says('The whole answer.'))
    await send('one')
    await until(state => shown(state).includes('answer'))
    await restart()
    const state = await until(ended)
    expect(latestRun(state)).toMatchObject({ outcome: 'completed', resumes: 0 })
    expect(shown(state)).toBe('The whole answer.')
    expect([...state.parts.byId.values()].map(part => part.state)).toContain('retracted')
    expect(await types('run.resumed')).toBe(1)
    expect(provider.requests).toHaveLength(2)
    expect(provider.requests[1]!.body).toEqual(provider.requests[0]!.body)
  })

  it('MO-50 while a model announces calls takes them back, and none of them runs', async () => {
    const announced = wire.saysBeginning({ text: ['I look.'], calls: [{ id: 'call_fast', name: 'fast', args: {} }] })
    provider.answers.push(hangs(announced), says('Done.'))
    await send('one')
    await until(({ tools }) => tools.byId.size === 1)
    await restart()
    const state = await until(ended)
    expect([latestRun(state)!.outcome, shown(state), await journal()]).toEqual(['completed', 'Done.', []])
    expect([...state.tools.byId.values()].map(tool => tool.error?.code)).toEqual(['withdrawn'])
    expect(provider.requests[1]!.body).toEqual(provider.requests[0]!.body)
  })

  it('MO-51 between two steps goes on after the last complete one, whose calls do not run again', async () => {
    provider.answers.push(calls('fast'), { pieces: [], open: true }, says('Done.'))
    await send('one')
    await stepsDone(1)
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 30_000 })
    await restart()
    const state = await until(ended)
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Done.'])
    expect(await journal()).toHaveLength(1)
    expect(provider.requests).toHaveLength(3)
    expect(provider.requests[2]!.body).toEqual(provider.requests[1]!.body)
  })

  it('MO-52 in a tool that is repeatable runs it again under the same key, without asking anybody', async () => {
    provider.answers.push(calls('look'), says('Done.'))
    await send('one')
    await vi.waitFor(async () => expect(await journal()).toHaveLength(1), { timeout: 30_000 })
    await restart()
    const state = await until(ended)
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Done.'])
    const [first, second] = await journal()
    expect(second).toBe(first)
    expect(state.actions.byId.size).toBe(0)
    expect(provider.requests).toHaveLength(2)
    expect(told()).toEqual(['look is done'])
  })

  it.each([
    ['again', { value: 'again' }, 2, 'completed', 'pay is done'],
    ['unknown', { value: 'unknown' }, 1, 'completed', 'nobody knows whether it had an effect'],
    ['in words', { text: 'It is paid.' }, 1, 'completed', 'The person said: It is paid.'],
    ['stop', { value: 'stop' }, 1, 'interrupted', undefined],
  ])(
    'MO-53 in a tool that is not repeatable asks a person what to do: %s',
    async (_, answer, runs, outcome, result) => {
      provider.answers.push(calls('pay'), says('Done.'))
      await send('one')
      await vi.waitFor(async () => expect(await journal()).toHaveLength(1), { timeout: 30_000 })
      await restart()
      const asked = pending(await until(state => pending(state).length === 1))
      expect(asked[0]!.request).toMatchObject({ kind: 'choice', title: 'Did pay run?' })
      // Nothing is asked twice by one more restart.
      await restart()
      expect(pending(await until(state => pending(state).length === 1))[0]!.actionId).toBe(asked[0]!.actionId)
      await respond(asked[0]!, { decision: 'answer', ...answer })
      const state = await until(ended)
      expect(latestRun(state)!.outcome).toBe(outcome)
      expect(await journal()).toHaveLength(runs)
      if (result !== undefined) expect(told()[0]).toContain(result)
      expect(provider.requests).toHaveLength(outcome === 'completed' ? 2 : 1)
    },
  )

  it('MO-54 while an approval waits keeps the request open over any number of restarts, and the answer goes on', async () => {
    provider.answers.push(calls('write', 'fast'), says('Done.'))
    await send('one')
    const [asked] = pending(await until(({ tools, actions }) => actions.byId.size === 1 && ends(tools) === 1))
    for (let times = 0; times < 4; times++) {
      await restart()
      expect(pending(await until(state => pending(state).length === 1))[0]!.actionId).toBe(asked!.actionId)
    }
    expect(await types('run.resumed')).toBe(0)
    await respond(asked!, { decision: 'approve' })
    const state = await until(ended)
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Done.'])
    expect((await journal()).map(line => line.split(' ')[0]).sort()).toEqual(['fast', 'write'])
    expect(told()).toEqual(['write is done', 'fast is done'])
    expect([state.actions.byId.size, provider.requests.length]).toEqual([1, 2])
  })

  it('MO-54 while a question of the ask tool waits takes the answer after the restart', async () => {
    const question = { id: 'q', name: 'ask', args: { question: 'Which colour?' } }
    provider.answers.push(wire.says({ calls: [question] }), says('Blue it is.'))
    await send('one')
    const [asked] = pending(await until(state => pending(state).length === 1))
    await restart()
    await respond(asked!, { decision: 'answer', value: 'blue' })
    const state = await until(ended)
    expect([latestRun(state)!.outcome, state.actions.byId.size]).toEqual(['completed', 1])
    expect(told()[0]).toContain('"blue"')
  })

  it('MO-54 a refusal and an interrupt after the restart count', async () => {
    provider.answers.push(calls('write'), calls('write'))
    await send('one')
    await until(state => pending(state).length === 1)
    await restart()
    const [asked] = pending(await until(state => pending(state).length === 1))
    await respond(asked!, { decision: 'deny', text: 'Not now.' })
    const [next] = pending(await until(state => pending(state).length === 1))
    expect(told()[0]).toContain('Not now.')
    await restart()
    await call('POST', `/sessions/${SESSION}/interrupt`, {})
    const state = await until(ended)
    expect(latestRun(state)!.outcome).toBe('interrupted')
    expect(state.actions.byId.get(next!.actionId)).toMatchObject({ state: 'resolved', outcome: 'cancelled' })
    await restart()
    expect(ended((await log()).state)).toBe(true)
    expect(await journal()).toEqual([])
  })

  it('MO-55 three times in one step interrupts the run after the second resume, and the queue waits', async () => {
    for (let times = 0; times < 3; times++) provider.answers.push(hangs(wire.saysBeginning({ text: [`Try ${times}`] })))
    await send('one')
    await call('POST', `/sessions/${SESSION}/queue`, { turnId: 'queued', text: 'two' })
    for (let times = 0; times < 3; times++) {
      await until(state => shown(state) === `Try ${times}`)
      await restart()
    }
    const state = await until(ended)
    expect([...state.runs.byId.values()].map(run => run.outcome)).toEqual(['interrupted'])
    expect(state.queue).toMatchObject({ held: true, turns: [{ turnId: 'queued' }] })
    expect([await types('run.resumed'), provider.requests.length, shown(state)]).toEqual([2, 3, 'Try 2'])
  })

  it('MO-55 a run that gets on may be resumed more often, and the queue goes on after it', async () => {
    for (let times = 0; times < 3; times++) provider.answers.push(calls('fast'), { pieces: [], open: true })
    provider.answers.push(says('Done.'), says('Second.'))
    await send('one')
    await call('POST', `/sessions/${SESSION}/queue`, { turnId: 'queued', text: 'two' })
    for (let times = 1; times <= 3; times++) {
      await stepsDone(times)
      await vi.waitFor(() => expect(provider.requests).toHaveLength(2 * times), { timeout: 30_000 })
      await restart()
    }
    const state = await until(({ runs, session }) => runs.byId.size === 2 && session.activeRunId === null)
    expect([...state.runs.byId.values()].map(run => run.outcome)).toEqual(['completed', 'completed'])
    expect(await types('run.resumed')).toBe(3)
    expect((await journal()).length).toBe(3)
    expect(new Set(await journal()).size).toBe(3)
  })

  it('MO-56 a steer that nobody had taken reaches the model after the restart', async () => {
    provider.answers.push(calls('look'), says('Done.'))
    await send('one')
    await vi.waitFor(async () => expect(await journal()).toHaveLength(1), { timeout: 30_000 })
    const { runId } = latestRun((await log()).state)!
    await call('POST', `/sessions/${SESSION}/runs/${runId}/steer`, { steerId: 's', text: 'Be brief.' })
    await restart()
    const state = await until(ended)
    expect(state.steers.byId.get('s')!.state).toBe('consumed')
    expect(provider.requests[1]!.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Be brief.' })
  })

  it('MO-56 a run that somebody was stopping does not go on', async () => {
    provider.answers.push(hangs(wire.saysBeginning({ text: ['Half'] })))
    await send('one')
    await until(state => shown(state) === 'Half')
    const { runId } = latestRun((await log()).state)!
    await call('POST', `/sessions/${SESSION}/runs/${runId}/interrupt`, {})
    await restart()
    expect(latestRun(await until(ended))!.outcome).toBe('interrupted')
    expect(provider.requests).toHaveLength(1)
  })
})

const ends = (tools: SessionState['tools']): number =>
  [...tools.byId.values()].filter(tool => tool.endedAt !== null).length
