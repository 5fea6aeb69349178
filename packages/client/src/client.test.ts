import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient } from './client.ts'
import { listDeletedSessions, searchSessions } from './lists.ts'
import { FAST, Loopback, longRun, manyTools, plain, shortTurn, until } from './loopback.test.fixture.ts'
import { serveTabs } from './shared/serve-tabs.ts'
import { createStream } from './stream.ts'
import { TIMING } from './timing.ts'
import type { SessionHandle, VitrineClient } from './types.ts'

vi.setConfig({ testTimeout: 20_000 })

let server: Loopback
let clients: VitrineClient[]

beforeEach(async () => {
  server = await new Loopback().listen()
  clients = []
})

afterEach(async () => {
  for (const client of clients) client.close()
  vi.unstubAllGlobals()
  await server.stop()
})

function start(options: ClientOptions = {}): VitrineClient {
  const client = createClient({ baseUrl: server.url(), timing: FAST, ...options })
  clients.push(client)
  return client
}

const phase = (handle: SessionHandle) => handle.phase.get().phase
const ready = (handle: SessionHandle) => until(() => phase(handle) === 'ready')
const streaming = () => [...server.subscribers].flatMap(({ cursors }) => [...cursors.keys()])

describe('P-111 subscriptions', () => {
  it('tell the subscribers of the entities that changed and nobody else, once for many events', async () => {
    server.create('s')
    const handle = start().open('s')
    await ready(handle)
    const told: string[] = []
    for (const key of ['part:answer-r-0/text', 'messages', 'queue', 'run:run-r']) {
      handle.subscribe(key, () => told.push(key))
    }
    const before = handle.version('part:answer-r-0/text')
    server.append('s', longRun(1_000).slice(0, 50))
    await until(() => handle.state.seq === 50 && told.length > 0)
    await new Promise(resolve => setTimeout(resolve, 40))
    expect(told.filter(key => key === 'part:answer-r-0/text')).toHaveLength(1)
    expect(told).not.toContain('queue')
    expect(new Set(told)).toEqual(new Set(['part:answer-r-0/text', 'messages', 'run:run-r']))
    expect(handle.version('part:answer-r-0/text')).toBe(before + 1)
    expect(handle.version('queue')).toBe(before)
  })

  it('end when the caller unsubscribes, also while the others are being told', async () => {
    server.create('s')
    const handle = start().open('s')
    await ready(handle)
    let told = 0
    const stop = handle.subscribe('queue', () => told++)
    const twice = () => told++
    const first = handle.subscribe('queue', twice)
    handle.subscribe('queue', twice)
    first()
    stop()
    const turn = { turnId: 't', input: { text: 'x' }, preview: 'x', createdAt: 1 }
    server.append('s', [{ type: 'queue.changed', change: 'added', turnId: 't', turn }])
    await until(() => told > 0)
    await new Promise(resolve => setTimeout(resolve, 30))
    expect(told).toBe(1)
  })

  it('follow the frames of a visible tab and a timer in a hidden one', async () => {
    server.create('s')
    const frames = new Map<number, () => void>()
    let asked = 0
    const page = Object.assign(new EventTarget(), { hidden: false })
    vi.stubGlobal('document', page)
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.set(++asked, frame) && asked)
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
    const handle = start().open('s')
    await ready(handle)
    let told = 0
    handle.subscribe('session', () => told++)
    server.append('s', shortTurn('a'))
    await until(() => handle.state.seq === 4 && frames.size > 0)
    expect(told).toBe(0)
    for (const draw of [...frames.values()]) draw()
    expect(told).toBe(1)
    page.hidden = true
    server.append('s', shortTurn('b'))
    await until(() => told === 2)
    expect(frames.size).toBe(0)
    // Hidden after the frame was asked for: the frame never comes, the timer does.
    page.hidden = false
    server.append('s', shortTurn('c'))
    await until(() => frames.size > 0)
    page.hidden = true
    await until(() => told === 3)
  })

  it('P-119 hand every event on, in order, after it was applied', async () => {
    server.create('s')
    const handle = start().open('s')
    await ready(handle)
    const seen: [number, number][] = []
    const stop = handle.onEvent(event => seen.push([event.seq, handle.state.seq]))
    server.append('s', longRun(100))
    await until(() => handle.state.seq === 100)
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => [i + 1, i + 1]))
    stop()
    server.append('s', shortTurn('x'))
    await until(() => handle.state.seq === 104)
    expect(seen).toHaveLength(100)
  })
})

describe('P-112 opening A, B and A again', () => {
  it('drops the late answer meant for the first opening', async () => {
    server.create('a')
    server.create('b')
    server.append('a', shortTurn('old'))
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let first = true
    server.delay = path => {
      if (path !== '/sessions/a' || !first) return undefined
      first = false
      return held
    }
    const client = start()
    const early = client.open('a')
    await until(() => server.requests.some(({ path }) => path === '/sessions/a'))
    early.close()
    const b = client.open('b')
    const again = client.open('a')
    await ready(b)
    await ready(again)
    server.append('a', shortTurn('new'))
    await until(() => again.state.seq === 8)
    release()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(phase(early)).toBe('loading')
    expect(early.state.seq).toBe(0)
    expect(again.state.seq).toBe(8)
    expect(plain(again.state)).toEqual(plain(server.logs.get('a')!.state))
  })

  it('shares one store between holders and closes it with the last one', async () => {
    server.create('a')
    const client = start()
    const one = client.open('a')
    const two = client.open('a')
    await ready(one)
    expect(two.state).toBe(one.state)
    expect(server.requests.filter(({ path }) => path === '/sessions/a')).toHaveLength(1)
    await until(() => streaming().includes('a'))
    one.close()
    one.close()
    server.append('a', shortTurn('x'))
    await until(() => two.state.seq === 4)
    two.close()
    await until(() => !streaming().includes('a'))
  })
})

describe('P-113 a hole in the log', () => {
  it('is healed by a new snapshot, and everybody is told', async () => {
    server.create('s')
    server.maxFrame = 1
    const handle = start().open('s')
    await ready(handle)
    let told = 0
    handle.subscribe('plan', () => told++)
    const before = handle.version('plan')
    server.skip = (_, seq) => seq === 5
    server.append('s', longRun(30))
    await until(() => handle.state.seq === 30)
    expect(phase(handle)).toBe('ready')
    expect(told).toBeGreaterThan(0)
    expect(handle.version('plan')).toBeGreaterThan(before)
    expect(plain(handle.state)).toEqual(plain(server.logs.get('s')!.state))
    server.append('s', shortTurn('x'))
    await until(() => handle.state.seq === 34)
  })
})

describe('P-125 a session that was made again under the same id', () => {
  it('is loaded again, and nothing of the other log stays', async () => {
    server.create('s')
    server.append('s', longRun(30, 'first'))
    const handle = start().open('s')
    await until(() => handle.live.get())
    server.dropAll()
    server.create('s')
    server.append('s', longRun(50, 'second'))
    await until(() => !handle.live.get())
    await until(() => handle.state.seq === 50 && handle.live.get())
    expect(phase(handle)).toBe('ready')
    expect(plain(handle.state)).toEqual(plain(server.logs.get('s')!.state))
    expect(handle.state.runs.byId.has('run-first')).toBe(false)
  })
})

describe('P-123 a session', () => {
  it('does not depend on other sessions for being live', async () => {
    server.create('a')
    server.create('b')
    const client = start()
    const [a, b] = [client.open('a'), client.open('b')]
    await until(() => a.live.get() && b.live.get())
    server.say('behind', { sessionId: 'a' })
    await until(() => !a.live.get())
    expect([b.live.get(), client.connection.get().state]).toEqual([true, 'catching-up'])
    a.close()
    await until(() => client.connection.get().state === 'live')
    expect(a.live.get()).toBe(false)
  })
})

describe('P-117 a session that does not load', () => {
  it('says why, and loads when the server is back', async () => {
    server.create('s')
    server.append('s', shortTurn('x'))
    server.refuse = path => (path === '/sessions/s' ? 500 : undefined)
    const handle = start().open('s')
    await until(() => phase(handle) === 'failed')
    expect(handle.phase.get().problem?.code).toBe('refused_500')
    server.refuse = () => undefined
    await ready(handle)
    expect(handle.phase.get().problem).toBeNull()
    expect(handle.state.seq).toBe(4)
  })

  it('loads after a person has signed in again', async () => {
    server.create('s')
    server.refuse = () => 401
    const client = start()
    const handle = client.open('s')
    await until(() => phase(handle) === 'failed' && client.connection.get().state === 'refused')
    const asked = server.requests.length
    await new Promise(resolve => setTimeout(resolve, 80))
    expect(server.requests).toHaveLength(asked)
    server.refuse = () => undefined
    client.reconnect()
    await ready(handle)
  })

  it('is gone when it does not exist, and when it is deleted while it is open', async () => {
    server.create('s')
    server.append('s', shortTurn('x'))
    const client = start()
    const nowhere = client.open('nowhere')
    await until(() => phase(nowhere) === 'gone')
    const handle = client.open('s')
    await until(() => phase(handle) === 'ready' && streaming().includes('s'))
    await until(() => client.sessions.get().sessions.length === 1)
    expect(await client.deleteSession('s')).toMatchObject({ ok: true })
    await until(() => phase(handle) === 'gone' && client.sessions.get().sessions.length === 0)
    // What was read stays readable.
    expect(handle.state.messages.byId.size).toBe(2)
  })

  it('P-126 comes back to the list and to who has it open when it is restored, until it is erased', async () => {
    server.create('s')
    server.append('s', shortTurn('x'))
    const client = start()
    const handle = client.open('s')
    await until(() => phase(handle) === 'ready' && streaming().includes('s'))
    await client.deleteSession('s')
    await until(() => phase(handle) === 'gone')
    expect(await listDeletedSessions(client)).toMatchObject({ ok: true, value: [{ sessionId: 's', deleted: true }] })
    expect(await client.restoreSession('s')).toMatchObject({ ok: true, value: { session: { sessionId: 's' } } })
    await until(() => phase(handle) === 'ready' && client.sessions.get().sessions.length === 1)
    server.append('s', shortTurn('y'))
    await until(() => handle.state.messages.byId.size === 4)
    expect(await client.eraseSession('s')).toMatchObject({ ok: true })
    expect(await listDeletedSessions(client)).toEqual({ ok: true, value: [] })
    expect(await client.restoreSession('s')).toMatchObject({ ok: false, problem: { status: 404 } })
  })
})

describe('P-120 older messages', () => {
  it('L11 AU-57 AU-61 AU-85 load page by page until there are none, while the stream goes on', async () => {
    server.create('s')
    for (let i = 0; i < 70; i++) server.append('s', shortTurn(`t${i}`))
    const handle = start().open('s')
    await ready(handle)
    expect(handle.state.messages.byId.size).toBe(50)
    let told = 0
    handle.subscribe('messages', () => told++)
    const [one, same] = await Promise.all([handle.loadOlder(), handle.loadOlder()])
    expect([one, same]).toEqual([
      { ok: true, value: true },
      { ok: true, value: true },
    ])
    expect(handle.state.messages.byId.size).toBe(100)
    server.append('s', shortTurn('during'))
    expect(await handle.loadOlder()).toEqual({ ok: true, value: true })
    expect(await handle.loadOlder()).toEqual({ ok: true, value: false })
    await until(() => handle.state.messages.byId.size === 142)
    await until(() => told > 0)
    const order = [...handle.state.messages.byId.values()].map(({ ordinal }) => ordinal)
    expect(order).toEqual(Array.from({ length: 142 }, (_, i) => i + 1))
  })

  it('P-693 earlier parts of a long message load page by page, while the stream goes on', async () => {
    server.create('s')
    server.partsBytes = 4_000
    server.append('s', manyTools('t', 100))
    const handle = start().open('s')
    await ready(handle)
    const message = () => handle.state.messages.byId.get('t/m')!
    expect(message().parts.length).toBeLessThan(50)
    const before = message().partsFrom
    const [one, same] = await Promise.all([handle.loadEarlierParts('t/m'), handle.loadEarlierParts('t/m')])
    expect([one, same]).toEqual([
      { ok: true, value: true },
      { ok: true, value: true },
    ])
    expect(message().partsFrom).toBeLessThan(before)
    server.append('s', shortTurn('during'))
    while (message().partsFrom > 0) expect((await handle.loadEarlierParts('t/m')).ok).toBe(true)
    expect(await handle.loadEarlierParts('t/m')).toEqual({ ok: true, value: false })
    expect(message().parts).toEqual(Array.from({ length: 100 }, (_, n) => `t/m/p${n}`))
    expect(handle.state.tools.byId.size).toBe(100)
  })
})

describe('P-116 the list of sessions', () => {
  it('is live, newest first, and pages on', async () => {
    for (let i = 0; i < 60; i++) {
      server.create(`s${i}`)
      server.append(`s${i}`, longRun(3 + i))
    }
    const client = start()
    expect(client.sessions.get().loaded).toBe(false)
    await until(() => client.sessions.get().loaded)
    expect(client.sessions.get()).toMatchObject({ more: true })
    expect(
      client.sessions
        .get()
        .sessions.slice(0, 2)
        .map(({ sessionId }) => sessionId),
    ).toEqual(['s59', 's58'])
    expect(await client.loadMoreSessions()).toEqual({ ok: true, value: true })
    expect(await client.loadMoreSessions()).toEqual({ ok: true, value: false })
    await until(() => client.sessions.get().sessions.length === 60 && !client.sessions.get().more)
    server.dropAll()
    await until(() => client.connection.get().state === 'live')
    const created = await client.createSession({ title: 'new' })
    expect(created.ok).toBe(true)
    await until(() => client.sessions.get().sessions.length === 61)
  })

  it('P-122 searches on the server, and leaves the list as it is', async () => {
    for (const name of ['a & b?', ...Array.from({ length: 60 }, (_, i) => `s${i}`)]) server.create(name)
    const client = start()
    await until(() => client.sessions.get().loaded)
    const before = client.sessions.get()
    expect(await searchSessions(client, 'a & b?')).toMatchObject({ ok: true, value: [{ sessionId: 'a & b?' }] })
    expect(await searchSessions(client, 'nowhere')).toEqual({ ok: true, value: [] })
    expect(client.sessions.get()).toBe(before)
    server.refuse = () => 500
    expect(await searchSessions(client, 's1')).toMatchObject({ ok: false, problem: { status: 500 } })
  })
})

describe('P-114 other calls', () => {
  it('read agents and blobs, and mark what was read', async () => {
    server.create('s')
    server.append('s', shortTurn('x'))
    const client = start()
    expect(await client.listAgents()).toMatchObject({ ok: true, value: [{ agentId: 'guide', scripted: true }] })
    const handle = client.open('s')
    await ready(handle)
    expect(await handle.getBlob('abc')).toEqual({ ok: true, value: 'bytes of abc' })
    expect(await handle.markSessionRead()).toEqual({ ok: true, value: null })
    expect(server.requests.at(-1)).toMatchObject({ method: 'PUT', path: '/sessions/s/read', body: { seq: 4 } })
  })

  it('P-115 answer with a problem when the server is away', async () => {
    const client = start()
    await until(() => client.connection.get().state === 'live')
    await server.stop()
    expect(await client.listAgents()).toMatchObject({ ok: false, problem: { code: 'offline' } })
    expect(await client.createSession({})).toMatchObject({ ok: false, problem: { code: 'offline' } })
    await until(() => client.connection.get().state === 'offline')
  })
})

/** Stands where the browser has its SharedWorker: real channels to the real worker's end. */
function stubWorker(connect: (port: MessagePort) => void) {
  class Worker extends EventTarget {
    static made: Worker[] = []
    port: MessagePort
    constructor() {
      super()
      const { port1, port2 } = new MessageChannel()
      this.port = port2
      Worker.made.push(this)
      connect(port1)
    }
  }
  vi.stubGlobal('SharedWorker', Worker)
  const held = new Map<string, Promise<unknown>>()
  vi.stubGlobal('navigator', {
    locks: {
      request(name: string, use: () => unknown) {
        const turn = (held.get(name) ?? Promise.resolve()).then(use)
        held.set(name, turn)
        return turn
      },
    },
  })
  return { Worker, released: (lock: string) => held.get(lock) ?? Promise.resolve() }
}

describe('P-110 sharing a connection', () => {
  it('P-108 P-109 uses the worker where there is one, and leaves it when closed', async () => {
    server.create('s')
    let released: (lock: string) => Promise<unknown> = () => Promise.resolve()
    const worker = serveTabs({
      open: () => createStream({ baseUrl: server.url(), fetch, timing: { ...TIMING, ...FAST } }),
      released: lock => released(lock),
    })
    const stub = stubWorker(port => worker.connect(port))
    released = stub.released
    const handles = Array.from({ length: 10 }, () => start().open('s'))
    for (const handle of handles) await ready(handle)
    server.append('s', longRun(500))
    await until(() => handles.every(({ state }) => state.seq === 500))
    expect(stub.Worker.made).toHaveLength(10)
    await until(() => server.subscribers.size === 1)
    for (const client of clients) client.close()
    await until(() => server.subscribers.size === 0)
  })

  it('goes on alone from its cursor when the worker fails', async () => {
    server.create('s')
    server.append('s', shortTurn('x'))
    const { Worker } = stubWorker(() => {})
    const client = start()
    const handle = client.open('s')
    await ready(handle)
    expect(client.connection.get().state).toBe('connecting')
    Worker.made[0]!.dispatchEvent(new Event('error'))
    await until(() => client.connection.get().state === 'live')
    server.append('s', shortTurn('y'))
    await until(() => handle.state.seq === 8)
    client.close()
    expect(client.connection.get().state).toBe('closed')
  })

  it('connects by itself where the browser has no worker or no locks, and when the owner wants it', async () => {
    stubWorker(() => {
      throw new Error('blocked')
    })
    const blocked = start()
    await until(() => blocked.connection.get().state === 'live')
    vi.stubGlobal('navigator', {})
    const lockless = start()
    await until(() => lockless.connection.get().state === 'live')
    const own = start({ shared: false })
    await until(() => own.connection.get().state === 'live')
    expect(server.subscribers.size).toBe(3)
  })
})

describe('P-121 wake-ups of the page', () => {
  it('look at the connection when the page is online, shown or visible again', async () => {
    const page = Object.assign(new EventTarget(), { hidden: false })
    const view = new EventTarget()
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', view)
    const { port } = server
    for (const [target, type] of [
      [view, 'online'],
      [view, 'pageshow'],
      [page, 'visibilitychange'],
    ] as const) {
      await server.stop()
      const client = start({ timing: { ...FAST, base: 1e9, cap: 1e9 } })
      await until(() => client.connection.get().state === 'offline')
      server = await new Loopback().listen(port)
      page.hidden = true
      target.dispatchEvent(new Event(type))
      expect(client.connection.get().state).toBe('offline')
      page.hidden = false
      target.dispatchEvent(new Event(type))
      await until(() => client.connection.get().state === 'live')
      client.close()
    }
  })
})
