import { BroadcastChannel } from 'node:worker_threads'
import { answerText, type SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ended, type Harness, harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import type { Agent } from './agent.ts'
import hostile from './hostile-agent.fixture.ts'
import { type AgentFile, type AgentFileOptions, openAgentFile } from './worker/agent-file.ts'

const MODULE = new URL('./hostile-agent.fixture.ts', import.meta.url)
const healthy = scripted(async function* () {
  for (let i = 0; i < 20; i++) {
    yield { type: 'text.delta', partId: 'p', delta: `${i} ` }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}, 'healthy')

const open: Harness[] = []
const files: AgentFile[] = []
const reports: [string, unknown][] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
  await Promise.all(files.splice(0).map(one => one.close()))
  reports.length = 0
})

async function inThread(options: AgentFileOptions = {}): Promise<Agent> {
  const file = await openAgentFile(MODULE, { silentMs: 2_000, restartMs: 20, ...options })
  files.push(file)
  return file.agents[0]!
}
const inProcess = async (): Promise<Agent> => hostile

async function serve(agent: Agent, options: Partial<Parameters<typeof harness>[0]> = {}) {
  const h = await harness({ agents: [agent, healthy], report: (...report) => reports.push(report), ...options })
  open.push(h)
  let turns = 0
  const start = async (text: string, sessionId?: string) => {
    const id = sessionId ?? (await h.session())
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: `t${++turns}`, text })
    return { id, runId }
  }
  const finish = async ({ id, runId }: { id: string; runId: string }) => {
    const state = await h.until(id, now => now.runs.byId.get(runId)?.outcome != null)
    return { state, run: state.runs.byId.get(runId)!, text: said(state, runId) }
  }
  return { h, start, finish, turn: async (text: string, id?: string) => finish(await start(text, id)) }
}
const said = (state: SessionState, runId: string): string => {
  const message = state.messages.byId.get(`${runId}/m`)
  return message ? answerText(state, message) : ''
}
const NUMBERS = Array.from({ length: 20 }, (_, i) => `${i} `).join('')

describe.each([
  ['in process', inProcess],
  ['in a thread', inThread],
])('H11 an agent %s takes only its own run down', (_where, agent) => {
  it.each([
    ['rejection', 'agent_crashed', 'stray rejection'],
    ['timer', 'agent_crashed', 'thrown in a timer'],
    ['emitter', 'agent_crashed', 'nobody listens'],
    ['socket', 'agent_crashed', 'ECONNREFUSED'],
    ['exit', 'agent_exited', 'process.exit(3)'],
    ['exit at once', 'agent_exited', 'process.exit(3)'],
    ['not an error', 'agent_crashed', 'null'],
    ['stray unreadable', 'agent_crashed', 'cannot be told'],
    ['unreadable timer', 'agent_crashed', 'cannot be told'],
    ['throw unreadable', 'agent_error', 'without saying why'],
    ['unreadable fields', 'agent_error', 'without saying why'],
  ])('H11 %s', async (crime, code, reason) => {
    const { h, start, finish, turn } = await serve(await agent())
    const beside = await h.session({ agentId: 'healthy' })
    const other = await start('count', beside)
    const same = await start('slow')
    const bad = await start(crime)
    const { run, text } = await finish(bad)
    expect(run).toMatchObject({ outcome: 'failed', error: { code, message: expect.stringContaining(reason) } })
    expect(text).toBe('before')
    expect(reports).toEqual([[expect.stringContaining('"hostile" failed'), expect.any(Error)]])
    expect((await finish(other)).text).toBe(NUMBERS)
    // Another run of the same agent goes on, and the session of the failed run can still be used.
    expect((await finish(same)).run.outcome).toBe('completed')
    expect((await turn('hello', bad.id)).text).toBe('You said: hello')
  })

  it('H11 something that an agent left running may fail after the run without ending the server', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { turn } = await serve(await agent())
    const { run } = await turn('late')
    expect(run.outcome).toBe('completed')
    await vi.waitFor(() => expect(reports.length + warned.mock.calls.length).toBe(1), 2_000)
    expect((await turn('hello')).text).toBe('You said: hello')
    warned.mockRestore()
  })

  it('H11 a listener of the abort signal that throws fails nothing but its run', async () => {
    const { h, start, finish, turn } = await serve(await agent(), { limits: { interruptMs: 200 } })
    const bad = await start('abort listener')
    await h.until(bad.id, state => said(state, bad.runId) === 'before')
    await h.runtime.interruptSession(OWNER, bad.id, {})
    expect((await finish(bad)).run.outcome).not.toBe('completed')
    expect((await turn('hello')).text).toBe('You said: hello')
  })

  it('P-681 an envelope that is nested too deep gets its own refusal, and the others of the call are applied', async () => {
    const { state, text } = await (await serve(await agent())).turn('deep')
    const each = [2, 1, [true, false, true]]
    expect(JSON.parse(text)).toEqual([each, each])
    expect([...state.surfaces.byId.keys()]).toEqual(['a', 'b', 'c', 'd'])
  })

  it('P-628 P-629 P-630 odd outputs and failures lead to the same diagnostics and errors', async () => {
    const { turn } = await serve(await agent())
    const odd = await turn('odd')
    expect([odd.run.outcome, odd.text]).toEqual(['completed', 'fine'])
    expect([...odd.state.diagnostics.byId.values()].map(({ code }) => code)).toEqual([
      'output_unknown',
      'output_unreadable',
    ])
    const { run } = await turn('fail')
    expect(run.error).toEqual({ code: 'key_invalid', message: 'The key is wrong.', next: 'Set it.', retryable: false })
    expect((reports[0]![1] as Error).stack).toContain('hostile-agent.fixture')
  })

  it('P-631 every method of the context works', async () => {
    const { h, start, finish } = await serve(await agent())
    const at = await start('context')
    await h.runtime.steerRun(OWNER, at.id, at.runId, { steerId: 's', text: 'faster' })
    const asked = await h.until(at.id, state => state.session.needsInput === 1)
    const { actionId } = [...asked.actions.byId.values()][0]!
    await h.runtime.respondToAction(OWNER, at.id, actionId, { decision: 'answer', value: 'me' })
    const { run, text } = await finish(at)
    expect(run).toMatchObject({ outcome: 'completed' })
    const expected = ['faster', 'me', 'You said: hello', 20_000, 1, true, 0, { a: 1 }, 'agent_not_found', false, true]
    expect(JSON.parse(text)).toEqual(expected)
  })

  it('P-631 the signal fires with its reason, and what the agent says on its way out is kept', async () => {
    const { h, start, finish } = await serve(await agent())
    const at = await start('wait')
    await h.until(at.id, state => said(state, at.runId) === 'waiting')
    await h.runtime.interruptSession(OWNER, at.id, {})
    const { run, text } = await finish(at)
    expect([run.outcome, text]).toEqual(['interrupted', 'waiting AbortError'])
  })

  it('P-631 an agent that is faster than the log waits for it', { timeout: 60_000 }, async () => {
    let held = false
    const gate = Promise.withResolvers<void>()
    const { h, start } = await serve(await agent(), { limits: { interruptMs: 100 } })
    const append = h.storage.append
    h.storage.append = async given => {
      // Appends wait only while `held` is set: an append that arrives after a newer lease would be refused as stale.
      if (held) await gate.promise
      return append(given)
    }
    const at = await start('hello')
    await h.until(at.id, ended)
    const channel = new BroadcastChannel('vitrine-flood')
    let produced = 0
    channel.onmessage = event => {
      produced = (event as { data: number }).data
    }
    const flood = await start('flood', at.id)
    held = true
    await vi.waitFor(() => expect(produced).toBeGreaterThan(0), 15_000)
    await new Promise(resolve => setTimeout(resolve, 600))
    const now = produced
    await new Promise(resolve => setTimeout(resolve, 300))
    // The agent wants to yield 100 MB. It has yielded only as much as may be under way, and then it waits for the log.
    expect(produced).toBe(now)
    expect(produced).toBeLessThan(10_000)
    held = false
    gate.resolve()
    await h.runtime.interruptSession(OWNER, flood.id, {})
    // We read the status from the session list, because folding thousands
    // of events again and again would take longer than the run.
    const status = async () => (await h.runtime.listSessions(OWNER, { limit: 1 })).sessions[0]?.status
    await expect.poll(status, { timeout: 30_000 }).toBe('interrupted')
    channel.close()
  })
})

describe('H11 a thread that hangs or crashes is ended and started again', () => {
  it('H11 an endless loop: its runs fail as stuck, with a reason that names the others; the next turn works', async () => {
    const { h, start, finish, turn } = await serve(await inThread({ silentMs: 300 }))
    const other = await start('count', await h.session({ agentId: 'healthy' }))
    const same = await start('wait')
    await h.until(same.id, state => said(state, same.runId) === 'waiting')
    const { run } = await turn('loop')
    const reason = expect.stringContaining('did not answer for 0.3 s')
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'agent_stuck', message: reason } })
    const beside = await finish(same)
    expect(beside.run).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent_stuck', message: expect.stringContaining('2 runs were in its thread') },
    })
    expect((await finish(other)).text).toBe(NUMBERS)
    expect((await turn('hello')).text).toBe('You said: hello')
  })

  it('H11 a loop that a person interrupts ends as well', async () => {
    const { h, start, finish, turn } = await serve(await inThread({ silentMs: 300 }), { limits: { interruptMs: 100 } })
    const at = await start('loop')
    await h.until(at.id, state => said(state, at.runId) === 'before')
    await h.runtime.interruptSession(OWNER, at.id, {})
    expect((await finish(at)).run.outcome).toBe('interrupted')
    expect((await turn('hello')).text).toBe('You said: hello')
  })

  it('H11 too much memory, and an error that belongs to no run, fail the runs of the thread', async () => {
    const { turn } = await serve(await inThread({ memoryMb: 64, silentMs: 10_000 }))
    const { run } = await turn('memory')
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'agent_crashed' } })
    expect(run.error?.message).toContain('64 MB')
    const crashed = (await turn('outside')).run
    expect(crashed).toMatchObject({ error: { code: 'agent_crashed' } })
    expect(crashed.error?.message).toContain('thrown outside of every run')
    expect((await turn('hello')).text).toBe('You said: hello')
  })

  it('H11 a message on its port that is not one of the runtime ends the thread, not the server', async () => {
    const { turn } = await serve(await inThread())
    for (const text of ['post nothing', 'post half']) {
      const { run } = await turn(text)
      expect(run).toMatchObject({ outcome: 'failed', error: { code: 'agent_crashed' } })
      expect((await turn('hello')).text).toBe('You said: hello')
    }
  })

  it('H11 a thread that dies again and again is started later each time', async () => {
    const { h, turn } = await serve(await inThread({ restartMs: 300 }))
    const id = await h.session()
    for (let i = 0; i < 4; i++) await turn('outside', id)
    const events = await h.events(id)
    const failed = events.filter(({ type }) => type === 'run.failed').map(({ at }) => at)
    // A run cannot fail before its thread is there again. What it said before that may be lost with the thread.
    const waits = [1, 2, 3].map(i => failed[i]! - failed[i - 1]!)
    // The waits of 300, 600 and 1200 ms begin when the thread dies, which is a little before its run has failed.
    for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThan(150 * 2 ** i)
    expect((await turn('hello')).text).toBe('You said: hello')
  })

  it('H11 a run that ignores its interrupt is ended with its thread, which no longer keeps anything busy', async () => {
    const { h, start, finish, turn } = await serve(await inThread({ stopMs: 300 }), { limits: { interruptMs: 50 } })
    const first = (await turn('life')).text
    const at = await start('deaf')
    await h.until(at.id, state => said(state, at.runId) === 'before')
    expect((await turn('life')).text).toBe(first)
    await h.runtime.interruptSession(OWNER, at.id, {})
    expect((await finish(at)).run.outcome).toBe('interrupted')
    await expect
      .poll(async () => (await turn('life')).text, { timeout: 5_000 })
      .toMatch(RegExp(`^(?!${first})[\\w-]{36}$`))
  })

  it('H11 a run whose thread hangs each time before the run begins is tried three times, then it fails', async () => {
    const source = `setImmediate(() => { for (;;); })
      export default { agentId: 'hangs', name: 'Hangs', description: '', async *run() {} }`
    const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
    const file = await openAgentFile(url, { silentMs: 200, restartMs: 10 })
    files.push(file)
    const { turn } = await serve(file.agents[0]!)
    const { run } = await turn('hello')
    expect(run).toMatchObject({ outcome: 'failed', error: { code: 'agent_stuck' } })
    expect(run.error?.message).toContain('stopped answering 3 times before this run began')
  })

  it('H11 a module that hangs while it is loaded is refused', async () => {
    const url = new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`)
    await expect(openAgentFile(url, { silentMs: 300 })).rejects.toThrow('did not answer')
  })
})
