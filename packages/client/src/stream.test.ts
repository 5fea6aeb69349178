import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Feed } from './feed.ts'
import { FAST, Loopback, longRun, shortTurn, until } from './loopback.test.fixture.ts'
import { createStream } from './stream.ts'
import { TIMING } from './timing.ts'
import type { ConnectionState } from './types.ts'

vi.setConfig({ testTimeout: 20_000 })

let server: Loopback
let feed: Feed
let states: ConnectionState[]

beforeEach(async () => {
  server = await new Loopback().listen()
})

afterEach(async () => {
  feed.close()
  await server.stop()
})

function connect(timing = {}): Feed {
  feed = createStream({ baseUrl: server.url(), fetch, timing: { ...TIMING, ...FAST, ...timing } })
  states = [feed.connection.get().state]
  feed.connection.subscribe(() => states.push(feed.connection.get().state))
  return feed
}

const state = () => feed.connection.get().state

function follow(sessionId: string, after = 0) {
  const seen = { seqs: [] as number[], gone: '', holes: 0, live: false, stop: () => {} }
  const log = server.logs.get(sessionId)?.id ?? 'none'
  seen.stop = feed.follow(
    sessionId,
    { seq: after, log },
    {
      events: (events: SessionEvent[]) => seen.seqs.push(...events.map(event => event.seq)),
      gone: problem => {
        seen.gone = problem.code
      },
      hole: () => seen.holes++,
      live: live => {
        seen.live = live
      },
    },
  )
  return seen
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i)

describe('P-101 the connection walks through its states', () => {
  it('connecting, catching up, live, closed', async () => {
    server.create('s')
    connect()
    await until(() => state() === 'live')
    feed.close()
    expect(states).toEqual(['connecting', 'catching-up', 'live', 'closed'])
    feed.reconnect()
    feed.wake()
    expect(state()).toBe('closed')
    await until(() => server.subscribers.size === 0)
  })

  it('is offline with the time of the next attempt and the reason while nobody listens', async () => {
    const { port } = server
    await server.stop()
    connect({ base: 200, cap: 200 })
    await until(() => state() === 'offline')
    expect(feed.connection.get().problem?.code).toBe('offline')
    expect(feed.connection.get().retryAt).toBeGreaterThan(Date.now() - 50)
    await server.listen(port)
    await until(() => state() === 'live')
    expect(feed.connection.get()).toEqual({ state: 'live', retryAt: null, problem: null })
  })

  it('does not take any page that answers for a stream', async () => {
    feed = createStream({
      baseUrl: 'http://unused',
      fetch: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      timing: { ...TIMING, ...FAST },
    })
    await until(() => state() === 'offline')
    expect(feed.connection.get().problem?.code).toBe('bad_answer')
  })
})

describe('P-102 a request that fails before it is sent', () => {
  it('is tried again like one that got no answer', async () => {
    let asked = 0
    feed = createStream({
      baseUrl: server.url(),
      fetch: (input, init) => {
        asked++
        if (asked === 1) throw new TypeError('not now')
        return fetch(input, init)
      },
      timing: { ...TIMING, ...FAST },
    })
    await until(() => state() === 'live')
    expect(asked).toBe(2)
  })
})

describe('P-103 a silent connection', () => {
  it('is stale, is replaced at once and loses nothing', async () => {
    server.heartbeatMs = 20
    server.create('s')
    connect({ answer: 60 })
    const seen = follow('s')
    await until(() => state() === 'live')
    server.append('s', longRun(100).slice(0, 10))
    await until(() => seen.seqs.length === 10)
    // The network swallows everything, as it does after a sleep: no end, no bytes.
    server.mute = true
    server.append('s', longRun(100).slice(10, 20))
    await until(() => state() === 'stale')
    server.mute = false
    await until(() => state() !== 'stale')
    await until(() => state() === 'live')
    expect(seen.seqs).toEqual(upTo(20))
    expect(states).toContain('stale')
  })

  it('is kept as long as heartbeats come', async () => {
    server.heartbeatMs = 100
    connect()
    await until(() => state() === 'live')
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(states).toEqual(['connecting', 'catching-up', 'live'])
  })

  it('that never said hello counts as failed', async () => {
    server.mute = true
    connect({ answer: 30, base: 1_000, cap: 1_000 })
    await until(() => state() === 'offline')
    expect(states).toEqual(['connecting', 'offline'])
  })
})

describe('P-121 a wake-up', () => {
  it('tries at once while offline', async () => {
    const { port } = server
    await server.stop()
    connect({ base: 1e9, cap: 1e9 })
    await until(() => state() === 'offline')
    await server.listen(port)
    feed.wake()
    await until(() => state() === 'live')
  })

  it('leaves a connection alone that was heard lately, and replaces one that was not', async () => {
    server.heartbeatMs = 400
    connect()
    await until(() => state() === 'live')
    feed.wake()
    expect(state()).toBe('live')
    server.mute = true
    await new Promise(resolve => setTimeout(resolve, 560))
    feed.wake()
    expect(state()).toBe('stale')
    server.mute = false
    feed.wake()
    await until(() => state() === 'live')
  })
})

describe('P-104 a cut', () => {
  for (const reason of ['slow', 'stopping'] as const) {
    it(`(${reason}) is resumed at once, without ever being offline`, async () => {
      server.create('s')
      // A back-off would take minutes.
      connect({ base: 1e9, cap: 1e9 })
      const seen = follow('s')
      server.append('s', longRun(100).slice(0, 10))
      await until(() => seen.seqs.length === 10)
      server.cut(reason)
      server.append('s', longRun(100).slice(10, 20))
      await until(() => seen.seqs.length === 20)
      await until(() => state() === 'live')
      expect(seen.seqs).toEqual(upTo(20))
      expect(states).not.toContain('offline')
    })
  }

  it('P-102 backs off from a server that cuts before it has sent anything', async () => {
    connect({ base: 40, cap: 40 })
    await until(() => state() === 'live')
    server.cut('slow')
    expect(server.streams.get('one')).toBe(1)
    await until(() => states.includes('offline'))
    await until(() => state() === 'live')
  })
})

describe('P-105 a refusal', () => {
  for (const status of [401, 403]) {
    it(`by ${status} is told, is not tried again by itself, and ends when a person comes back or asks`, async () => {
      server.refuse = path => (path === '/stream' ? status : undefined)
      connect()
      await until(() => state() === 'refused')
      expect(feed.connection.get().problem).toMatchObject({
        status,
        detail: expect.stringContaining('said by the server'),
      })
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(server.requests).toHaveLength(1)
      server.refuse = () => undefined
      if (status === 401) feed.wake()
      else feed.reconnect()
      await until(() => state() === 'live')
      expect(states).toEqual(['connecting', 'refused', 'connecting', 'catching-up', 'live'])
    })
  }

  it('of a later connection closes the one that is open', async () => {
    server.create('s')
    connect()
    await until(() => state() === 'live')
    server.refuse = () => 401
    follow('s')
    await until(() => state() === 'refused')
    await until(() => server.subscribers.size === 0)
  })

  it('P-102 other errors are tried again', async () => {
    server.refuse = () => 503
    connect()
    await until(() => server.requests.length >= 3)
    expect(feed.connection.get().problem?.code).toBe('refused_503')
    server.refuse = () => undefined
    await until(() => state() === 'live')
  })
})

describe('P-107 following another session', () => {
  it('keeps the old connection until the new one has caught up, and nobody notices', async () => {
    server.create('a')
    server.create('b')
    server.append('b', longRun(500))
    connect()
    const a = follow('a')
    await until(() => state() === 'live' && server.subscribers.size === 1)
    states.length = 0
    let letThrough = () => {}
    server.delay = path =>
      path === '/stream'
        ? new Promise(resolve => {
            letThrough = resolve
          })
        : undefined
    const b = follow('b')
    await until(() => server.requests.at(-1)?.path === '/stream' && server.requests.length > 2)
    server.append('a', longRun(10))
    await until(() => a.seqs.length === 10)
    expect(b.seqs).toEqual([])
    letThrough()
    await until(() => b.seqs.length === 500)
    await until(() => server.subscribers.size === 1)
    expect([...server.subscribers][0]!.cursors.size).toBe(2)
    expect(a.seqs).toEqual(upTo(10))
    expect(b.seqs).toEqual(upTo(500))
    expect(states).toEqual([])
  })

  it('makes one new connection for changes made together, and leaves sessions that nobody follows', async () => {
    for (const id of ['a', 'b', 'c']) server.create(id)
    connect()
    await until(() => state() === 'live')
    const a = follow('a')
    follow('b')
    await until(() => server.streams.get('one') === 2 && server.subscribers.size === 1)
    a.stop()
    follow('c')
    await until(() => server.streams.get('one') === 3 && server.subscribers.size === 1)
    expect([...[...server.subscribers][0]!.cursors.keys()].sort()).toEqual(['b', 'c'])
    a.stop()
  })

  it('stops asking for a session some time after nobody follows it', async () => {
    server.create('a')
    connect()
    const a = follow('a')
    await until(() => [...server.subscribers].some(({ cursors }) => cursors.has('a')))
    a.stop()
    await until(() => server.subscribers.size === 1 && [...server.subscribers][0]!.cursors.size === 0)
    expect(state()).toBe('live')
  })

  it('loses nothing when either connection breaks while the new one catches up', async () => {
    server.create('a')
    server.create('b')
    server.append('b', longRun(300))
    // The new connection breaks twice on its way, and then everything drops.
    server.breaks.set('one', new Set([5, 200]))
    connect()
    const a = follow('a')
    await until(() => state() === 'live')
    const b = follow('b')
    server.append('a', longRun(4))
    await until(() => server.broken === 2)
    server.dropAll()
    await until(() => a.seqs.length === 4 && b.seqs.length === 300 && state() === 'live')
    expect(a.seqs).toEqual(upTo(4))
    expect(b.seqs).toEqual(upTo(300))
  })
})

describe('P-123 the client does not say live when it is not', () => {
  for (const status of [429, 503]) {
    it(`a second stream that is answered with ${status} is said, and the first session stays live`, async () => {
      server.create('a')
      server.create('b')
      connect({ base: 20, cap: 20 })
      const a = follow('a')
      await until(() => state() === 'live' && a.live)
      server.refuse = path => (path === '/stream' ? status : undefined)
      const b = follow('b')
      await until(() => state() === 'catching-up')
      expect(feed.connection.get()).toMatchObject({
        retryAt: expect.any(Number),
        problem: { code: `refused_${status}` },
      })
      server.append('a', longRun(10))
      await until(() => a.seqs.length === 10)
      expect([a.live, b.live, state()]).toEqual([true, false, 'catching-up'])
      server.refuse = () => undefined
      await until(() => state() === 'live')
      expect([a.live, b.live]).toEqual([true, true])
      expect(feed.connection.get().problem).toBeNull()
    })
  }

  it('is live again when nobody follows the session any more for which the server had no stream', async () => {
    server.create('a')
    server.create('b')
    connect({ base: 20, cap: 20 })
    const a = follow('a')
    await until(() => a.live && state() === 'live')
    server.refuse = path => (path === '/stream' ? 429 : undefined)
    const b = follow('b')
    await until(() => state() === 'catching-up')
    b.stop()
    await until(() => state() === 'live')
  })

  it('is live again when the follower has left whose cursor needed the refused stream', async () => {
    server.create('a')
    server.append('a', longRun(20))
    connect({ base: 20, cap: 20 })
    const ahead = follow('a', 20)
    await until(() => ahead.live && state() === 'live')
    server.refuse = path => (path === '/stream' ? 429 : undefined)
    const early = follow('a', 5)
    await until(() => state() === 'catching-up')
    early.stop()
    await until(() => state() === 'live')
    expect(ahead.live).toBe(true)
  })

  it('a session that the server calls behind is not live, and the connection catches up', async () => {
    server.create('a')
    server.create('b')
    connect()
    const [a, b] = [follow('a'), follow('b')]
    await until(() => state() === 'live' && a.live && b.live)
    server.say('behind', { sessionId: 'a' })
    await until(() => state() === 'catching-up')
    expect([a.live, b.live]).toEqual([false, true])
    server.say('caught-up', { sessionId: 'a', seq: 0 })
    await until(() => state() === 'live')
    expect([a.live, b.live]).toEqual([true, true])
  })

  it('no session is live while the connection is gone or silent', async () => {
    server.create('a')
    connect({ base: 300, cap: 300 })
    const a = follow('a')
    await until(() => a.live)
    server.dropAll()
    await until(() => !a.live)
    expect(state()).toBe('offline')
    await until(() => a.live && state() === 'live')
  })
})

describe('P-125 another log under the same id', () => {
  it('is not continued: the follower is told to load again, and one who has the new log goes on', async () => {
    server.create('s')
    server.append('s', longRun(20))
    connect()
    const old = follow('s', 10)
    await until(() => old.live)
    server.dropAll()
    server.create('s')
    server.append('s', longRun(30))
    await until(() => old.holes === 1)
    expect(old.seqs).toEqual(upTo(20, 11))
    const fresh = follow('s')
    await until(() => fresh.live)
    expect(fresh.seqs).toEqual(upTo(30))
  })

  it('followers of both are told apart', async () => {
    server.create('s')
    server.append('s', longRun(20))
    connect()
    const old = follow('s', 20)
    await until(() => old.live)
    server.create('s')
    const fresh = follow('s')
    await until(() => fresh.live)
    expect(old.holes).toBe(1)
    server.append('s', longRun(30))
    await until(() => fresh.seqs.length === 30)
    expect(old.seqs).toEqual([])
  })
})

describe('L3 followers of one session with cursors of their own', () => {
  it('each get every event after their cursor once', async () => {
    server.create('s')
    server.append('s', longRun(300))
    connect()
    const early = follow('s', 100)
    await until(() => early.seqs.length === 200)
    const late = follow('s', 40)
    const ahead = follow('s', 250)
    server.append('s', shortTurn('x'))
    await until(() => late.seqs.length === 264 && ahead.seqs.length === 54)
    await until(() => early.seqs.length === 204)
    expect(early.seqs).toEqual(upTo(304, 101))
    expect(late.seqs).toEqual(upTo(304, 41))
    expect(ahead.seqs).toEqual(upTo(304, 251))
  })
})

/** Small and seeded, so that a failure can be run again. */
function random(seed: number): (below: number) => number {
  let a = seed
  return below => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

describe('L3 L8 any order of following, leaving, drops and cuts', () => {
  for (let seed = 1; seed <= 12; seed++) {
    it(`gives every follower each event after its cursor once (seed ${seed})`, async () => {
      const pick = random(seed)
      const ids = ['a', 'b', 'c']
      for (const id of ids) server.create(id)
      server.breaks.set('one', new Set(Array.from({ length: 20 }, () => 1 + pick(400))))
      connect()
      const all: { id: string; after: number; seen: ReturnType<typeof follow>; stopped: boolean }[] = []
      // L8: whenever the connection becomes live, every session that is followed is.
      const early: string[] = []
      feed.connection.subscribe(() => {
        if (states.at(-1) !== 'live' || states.at(-2) === 'live') return
        for (const { id, seen, stopped } of all) if (!stopped && !seen.live) early.push(id)
      })
      const drafts = Object.fromEntries(ids.map(id => [id, longRun(5_000, id)]))
      for (let step = 0; step < 120; step++) {
        const id = ids[pick(3)]!
        const { events } = server.logs.get(id)!
        const action = pick(10)
        if (action < 5) server.append(id, drafts[id]!.splice(0, 1 + pick(20)))
        else if (action < 7) {
          const after = pick(events.length + 1)
          all.push({ id, after, seen: follow(id, after), stopped: false })
        } else if (action === 7) {
          const one = all[pick(all.length || 1)]
          if (one) {
            one.stopped = true
            one.seen.stop()
          }
        } else if (action === 8) server.dropAll()
        else server.cut('slow')
        if (pick(3) > 0) await new Promise(resolve => setTimeout(resolve, pick(4)))
      }
      const length = (id: string) => server.logs.get(id)!.events.length
      await until(() => all.every(({ id, after, seen, stopped }) => stopped || seen.seqs.length >= length(id) - after))
      for (const { after, seen, id, stopped } of all) {
        const last = stopped ? (seen.seqs.at(-1) ?? after) : length(id)
        expect(seen.seqs).toEqual(upTo(last, after + 1))
        expect([seen.holes, seen.gone]).toEqual([0, ''])
      }
      expect(early).toEqual([])
    })
  }
})

describe('P-113 a gap', () => {
  it('is asked for again from the cursor', async () => {
    server.create('s')
    server.maxFrame = 1
    connect()
    const seen = follow('s')
    await until(() => state() === 'live')
    let lost = false
    server.skip = (_, seq) => {
      if (seq !== 5 || lost) return false
      lost = true
      return true
    }
    server.append('s', longRun(20))
    await until(() => seen.seqs.length === 20)
    expect(seen.seqs).toEqual(upTo(20))
    expect(seen.holes).toBe(0)
  })

  it('that stays is reported, once', async () => {
    server.create('s')
    server.maxFrame = 1
    server.skip = (_, seq) => seq === 5
    connect()
    const seen = follow('s')
    server.append('s', longRun(20))
    await until(() => seen.holes === 1)
    expect(seen.seqs).toEqual(upTo(4))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(seen.holes).toBe(1)
  })
})

describe('P-117 a session that is not there', () => {
  it('is told to its followers; the rest goes on', async () => {
    server.create('here')
    connect()
    const here = follow('here')
    const nowhere = follow('nowhere')
    await until(() => nowhere.gone === 'session_not_found')
    await until(() => state() === 'live')
    server.append('here', shortTurn('x'))
    await until(() => here.seqs.length === 4)
  })
})

describe('P-119 a listener that throws', () => {
  it('disturbs neither the stream nor its neighbours', async () => {
    const thrown: unknown[] = []
    const keep = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', error => thrown.push(error))
    try {
      server.create('s')
      connect()
      feed.follow(
        's',
        { seq: 0, log: server.logs.get('s')!.id },
        {
          events: () => {
            throw new Error('mine')
          },
          gone: () => {},
          hole: () => {},
          live: () => {},
        },
      )
      const neighbour = follow('s')
      server.append('s', shortTurn('x'))
      await until(() => neighbour.seqs.length === 4)
      await until(() => thrown.length > 0)
      expect(thrown[0]).toMatchObject({ message: 'mine' })
      expect(state()).not.toBe('offline')
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of keep) process.on('uncaughtException', listener)
    }
  })
})
