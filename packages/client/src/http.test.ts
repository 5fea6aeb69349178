import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionCommands } from './commands.ts'
import { createSend, type Send } from './http.ts'
import { FAST, Loopback } from './loopback.test.fixture.ts'
import { TIMING } from './timing.ts'

vi.setConfig({ testTimeout: 20_000 })

const timing = { ...TIMING, ...FAST }
let server: Loopback
let send: Send

beforeEach(async () => {
  server = await new Loopback().listen()
  send = createSend(server.url(), fetch, timing)
})

afterEach(() => server.stop())

describe('P-114 a write whose answer was lost', () => {
  it('is repeated with the same id, happens once and gets the first answer', async () => {
    server.create('s')
    server.loseAnswers = 3
    const outcome = await sessionCommands(send, 's').submitTurn({ text: 'hello' })
    const bodies = server.requests.map(({ body }) => body as { turnId: string })
    expect(bodies).toHaveLength(4)
    expect(new Set(bodies.map(({ turnId }) => turnId)).size).toBe(1)
    expect(outcome).toMatchObject({ ok: true, value: { turnId: bodies[0]!.turnId } })
    expect(server.logs.get('s')!.events).toHaveLength(1)
  })

  it('is repeated for each kind of write without doing it twice', async () => {
    server.create('s')
    const commands = sessionCommands(send, 's')
    server.loseAnswers = 1
    expect(await commands.queueTurn({ text: 'later' }, 'turn-1')).toMatchObject({
      ok: true,
      value: { turnId: 'turn-1' },
    })
    expect(server.logs.get('s')!.state.queue.turns).toHaveLength(1)
    // The second try finds it removed already: that is what was asked for.
    server.loseAnswers = 1
    expect(await commands.removeQueuedTurn('turn-1')).toEqual({ ok: true, value: null })
    expect(server.logs.get('s')!.state.queue.turns).toEqual([])
    server.loseAnswers = 1
    expect(await commands.startTask('in the background')).toMatchObject({ ok: true, value: { taskId: 'task-1' } })
    expect(server.logs.size).toBe(2)
    // A person who sends the same draft again means the same task.
    server.requests.length = 0
    await commands.startTask('once', 'draft-1')
    await commands.startTask('once', 'draft-1')
    const [first, again] = server.requests.map(({ body }) => body)
    expect(first).toMatchObject({ parent: { turnId: 'draft-1' } })
    expect(again).toEqual(first)
    expect(server.logs.size).toBe(3)
  })

  it('acts once when an action of an interface is sent again with its key', async () => {
    server.create('s')
    const commands = sessionCommands(send, 's')
    const action = { toolCallId: 'call', action: { type: 'tool', toolId: 'orders.cancel' } } as const
    server.loseAnswers = 100
    expect(await commands.sendUiAction(action, 'press-1')).toMatchObject({ ok: false })
    server.loseAnswers = 0
    const again = await commands.sendUiAction(action, 'press-1')
    expect(again).toEqual({ ok: true, value: { state: 'started', turnId: 'press-1' } })
    expect([...server.logs.get('s')!.state.turns.byId.keys()]).toEqual(['press-1'])
    const other = await commands.sendUiAction(action)
    expect(other.ok && other.value.turnId).toMatch(/^[\w-]{32,36}$/)
    expect(server.logs.get('s')!.state.turns.byId.size).toBe(2)
    await commands.sendSurfaceInteraction('f', { componentId: 'c', eventType: 'click' }, 'press-2')
    expect(server.requests.at(-1)!.body).toMatchObject({ key: 'press-2' })
  })

  it('is repeated when something in between had no answer, and when the answer takes too long', async () => {
    server.create('s')
    const answers = [502, 503, 429]
    server.refuse = () => answers.pop()
    expect(await sessionCommands(send, 's').submitTurn({ text: 'x' })).toMatchObject({ ok: true })
    expect(server.requests).toHaveLength(4)

    server.requests.length = 0
    let slow = true
    server.delay = () => {
      if (!slow) return undefined
      slow = false
      return new Promise(resolve => setTimeout(resolve, 300))
    }
    const impatient = createSend(server.url(), fetch, { ...timing, answer: 100 })
    expect(await impatient('PUT', '/sessions/s/read', { body: { seq: 1 } })).toEqual({ ok: true, value: null })
    expect(server.requests).toHaveLength(2)
  })

  it('gives every write that does not name what it acts on an id of its own', async () => {
    server.create('s')
    const commands = sessionCommands(send, 's')
    await commands.interruptSession()
    await commands.interruptRun('r/1')
    await commands.interruptSession({ taskId: 't' })
    await commands.retryRun('r')
    await commands.respondToAction('a', { decision: 'approve' })
    await commands.sendSurfaceInteraction('f', { componentId: 'c', eventType: 'click' })
    await commands.sendUiAction({ toolCallId: 'c', action: { type: 'tool', toolId: 't' } })
    await commands.steerRun('r', { text: 'left' })
    const sent = server.requests.map(({ path, body, key }) => [path, body as Record<string, string>, key] as const)
    expect(sent.map(([path]) => path)).toEqual([
      '/sessions/s/interrupt',
      '/sessions/s/runs/r/1/interrupt',
      '/sessions/s/interrupt',
      '/sessions/s/runs/r/retry',
      '/sessions/s/actions/a/response',
      '/sessions/s/surfaces/f/actions',
      '/sessions/s/ui-actions',
      '/sessions/s/runs/r/steer',
    ])
    const named = [sent[1]!, sent[4]!]
    expect(named.map(([, body, key]) => [body, key])).toEqual([
      [undefined, undefined],
      [{ decision: 'approve' }, undefined],
    ])
    const others = sent.filter(one => !named.includes(one))
    const keys = others.map(([, body, key]) => key ?? body.key ?? body.newRunId ?? body.steerId)
    expect(keys.every(key => /^[\w-]{32,36}$/.test(String(key)))).toBe(true)
    expect(new Set(keys).size).toBe(keys.length)
    expect(sent[2]![1].taskId).toBe('t')
  })
})

describe('L7 a write that is refused', () => {
  it('says why, as the server said it, and is not repeated', async () => {
    server.create('s')
    const commands = sessionCommands(send, 's')
    await commands.submitTurn({ text: 'one' })
    const outcome = await commands.submitTurn({ text: 'two' })
    expect(outcome).toMatchObject({ ok: false, problem: { status: 409, code: 'run_active' } })
    expect(server.requests).toHaveLength(2)
  })

  it('says so when the answer is not a problem document', async () => {
    const odd = createSend('http://unused', async () => new Response('<h1>no', { status: 404 }), timing)
    expect(await odd('GET', '/')).toMatchObject({ ok: false, problem: { status: 404, code: 'bad_answer' } })
    const wrong = createSend('http://unused', async () => new Response('<h1>yes', { status: 200 }), timing)
    expect(await wrong('GET', '/')).toMatchObject({ ok: false, problem: { code: 'bad_answer' } })
  })

  it('is not repeated when the server asks to wait longer than a person would', async () => {
    const init = { status: 429, headers: { 'retry-after': '60' } }
    const busy = createSend('http://unused', async () => Response.json({ code: 'busy' }, init), timing)
    expect(await busy('POST', '/', { body: {} })).toMatchObject({ ok: false, problem: { code: 'busy', status: 429 } })
  })
})

describe('P-115 a server that cannot be reached', () => {
  it('is a local problem with a next step after a bounded number of tries', async () => {
    await server.stop()
    const outcome = await sessionCommands(send, 's').submitTurn({ text: 'kept' })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'offline', status: 0, next: expect.any(String) } })
  })

  it('answers a caller that has gone away with a problem, never with an exception', async () => {
    const gone = new AbortController()
    server.delay = () => new Promise(() => {})
    const asking = send('GET', '/agents', { signal: gone.signal })
    setTimeout(() => gone.abort(), 20)
    expect(await asking).toMatchObject({ ok: false, problem: { code: 'closed' } })
    expect(await send('GET', '/agents', { signal: gone.signal })).toMatchObject({ ok: false })
  })
})
