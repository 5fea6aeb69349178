import { apply, createState, type ListFrame, type SessionEvent, type SessionState } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FAST, Loopback, longRun, plain, shortTurn, until } from '../loopback.test.fixture.ts'
import { createStream } from '../stream.ts'
import { TIMING } from '../timing.ts'
import { serveTabs } from './serve-tabs.ts'
import { createTabFeed, type TabFeed } from './tab-feed.ts'

vi.setConfig({ testTimeout: 20_000 })

let server: Loopback
let worker: ReturnType<typeof serveTabs>
let deaths: Map<string, () => void>
let opened: number
let feeds: TabFeed[]

beforeEach(async () => {
  server = await new Loopback().listen()
  deaths = new Map()
  opened = 0
  feeds = []
  worker = serveTabs({
    open: () => {
      opened++
      return createStream({ baseUrl: server.url(), fetch, timing: { ...TIMING, ...FAST } })
    },
    released: lock => new Promise<void>(resolve => deaths.set(lock, resolve)),
  })
})

afterEach(async () => {
  for (const feed of feeds) feed.close()
  await until(() => server.subscribers.size === 0)
  await server.stop()
})

/** A tab: its end of a real channel, and the fold of what comes through it. */
function join(): { feed: TabFeed; lists: ListFrame[] } {
  const { port1, port2 } = new MessageChannel()
  worker.connect(port1)
  const feed = createTabFeed(port2)
  const lists: ListFrame[] = []
  feed.onList(frame => lists.push(frame))
  feeds.push(feed)
  return { feed, lists }
}

function fold(feed: TabFeed, state: SessionState) {
  const seen = { seqs: [] as number[], duplicates: 0, gone: '', holes: 0, live: false, stop: () => {} }
  const log = server.logs.get(state.sessionId)?.id ?? 'none'
  seen.stop = feed.follow(
    state.sessionId,
    { seq: state.seq, log },
    {
      events(events) {
        for (const event of events) {
          seen.seqs.push(event.seq)
          if (apply(state, event) !== 'applied') seen.duplicates++
        }
      },
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

const folded = (sessionId: string, upTo = Number.POSITIVE_INFINITY): SessionState => {
  const state = createState(sessionId)
  const events: SessionEvent[] = JSON.parse(JSON.stringify(server.logs.get(sessionId)!.events))
  for (const event of events) if (event.seq <= upTo) apply(state, event)
  return state
}

describe('P-108 the shared connection', () => {
  it('serves ten tabs with one stream, also over drops, and each folds the same', async () => {
    server.create('s')
    server.breaks.set('one', new Set([3, 400, 401, 999, 1500]))
    const tabs = Array.from({ length: 10 }, () => {
      const state = createState('s')
      return { state, seen: fold(join().feed, state) }
    })
    const drafts = longRun(2_000)
    for (let at = 0; at < drafts.length; at += 50) {
      server.append('s', drafts.slice(at, at + 50))
      await new Promise(resolve => setImmediate(resolve))
    }
    await until(() => tabs.every(({ state }) => state.seq === 2_000))
    expect(opened).toBe(1)
    await until(() => server.subscribers.size === 1)
    const whole = plain(folded('s'))
    for (const { state, seen } of tabs) {
      expect(seen.duplicates).toBe(0)
      expect(plain(state)).toEqual(whole)
    }
  })

  it('serves a tab that joins late from its lower cursor while the others get nothing twice', async () => {
    server.create('s')
    server.append('s', longRun(500))
    const early = folded('s', 480)
    const first = fold(join().feed, early)
    await until(() => early.seq === 500)
    const late = folded('s', 10)
    const second = fold(join().feed, late)
    const ahead = folded('s', 495)
    const third = fold(join().feed, ahead)
    server.append('s', shortTurn('x'))
    await until(() => [early, late, ahead].every(({ seq }) => seq === 504))
    expect([first, second, third].map(({ duplicates }) => duplicates)).toEqual([0, 0, 0])
    expect(first.seqs).toHaveLength(24)
    expect(second.seqs).toHaveLength(494)
    for (const state of [early, late, ahead]) expect(plain(state)).toEqual(plain(folded('s')))
  })

  it('tells a tab that joins late the state of the connection and the list as they are', async () => {
    server.create('a')
    const one = join()
    await until(() => one.feed.connection.get().state === 'live' && one.lists.some(frame => frame.ends))
    server.create('b')
    await until(() => one.lists.some(frame => !frame.begins && frame.sessions[0]?.sessionId === 'b'))
    const two = join()
    await until(() => two.feed.connection.get().state === 'live' && two.lists.some(frame => frame.ends))
    expect(two.lists[0]!.begins).toBe(true)
    expect(two.lists[0]!.sessions.map(({ sessionId }) => sessionId).sort()).toEqual(['a', 'b'])
    expect(opened).toBe(1)
  })

  it('tells every tab when the connection changes, and tries at once when one of them asks', async () => {
    const tabs = [join().feed, join().feed]
    await until(() => tabs.every(feed => feed.connection.get().state === 'live'))
    server.refuse = () => 401
    tabs[0]!.reconnect()
    await until(() => tabs.every(feed => feed.connection.get().state === 'refused'))
    server.refuse = () => undefined
    tabs[1]!.wake()
    await until(() => tabs.every(feed => feed.connection.get().state === 'live'))
  })

  it('P-123 tells each tab which of its sessions are live', async () => {
    server.create('a')
    server.create('b')
    const [one, two] = [join().feed, join().feed]
    const [a, b] = [fold(one, createState('a')), fold(two, createState('b'))]
    await until(() => a.live && b.live)
    server.say('behind', { sessionId: 'a' })
    await until(() => !a.live)
    expect(b.live).toBe(true)
    server.dropAll()
    await until(() => !b.live)
    await until(() => a.live && b.live)
  })

  it('hands on that a session is gone, and that the server cannot continue', async () => {
    const { feed } = join()
    const nowhere = fold(feed, createState('nowhere'))
    await until(() => nowhere.gone === 'session_not_found')
    server.create('s')
    server.maxFrame = 1
    server.skip = (_, seq) => seq === 3
    server.append('s', longRun(10))
    const broken = fold(feed, createState('s'))
    await until(() => broken.holes === 1)
    expect(broken.seqs).toEqual([1, 2])
  })

  it('P-112 drops frames that were under way when their subscription was given up', async () => {
    const { port1: workerSide, port2 } = new MessageChannel()
    const feed = createTabFeed(port2)
    const first = fold(feed, createState('s'))
    const event = { seq: 1, sessionId: 's', at: 1, ...longRun(3)[0] }
    workerSide.postMessage({ kind: 'events', sub: 1, value: [{ ...event, seq: 7 }] })
    workerSide.postMessage({ kind: 'gone', sub: 1, value: { code: 'late' } })
    first.stop()
    const second = fold(feed, createState('s'))
    workerSide.postMessage({ kind: 'events', sub: 2, value: [event] })
    await until(() => second.seqs.length > 0)
    expect([first.seqs, first.gone, second.seqs, second.gone]).toEqual([[], '', [1], ''])
    feed.close()
    workerSide.close()
  })

  it('P-112 starts a subscription anew from its own cursor', async () => {
    server.create('s')
    const { feed } = join()
    const first = fold(feed, createState('s'))
    server.append('s', longRun(100))
    await until(() => first.seqs.length > 0)
    first.stop()
    const before = first.seqs.length
    const again = createState('s')
    const second = fold(feed, again)
    await until(() => again.seq === 100)
    expect(first.seqs).toHaveLength(before)
    expect(second.duplicates).toBe(0)
  })
})

describe('P-109 a tab that is gone', () => {
  it('is noticed because its lock becomes free; nobody follows its sessions any more, and the last tab closes the connection', async () => {
    server.create('a')
    server.create('b')
    const one = join().feed
    const two = join().feed
    one.alive('lock-1')
    two.alive('lock-2')
    fold(one, createState('a'))
    fold(two, createState('b'))
    await until(() => deaths.size === 2)
    await until(() => server.subscribers.size === 1 && [...server.subscribers][0]!.cursors.size === 2)
    deaths.get('lock-1')!()
    await until(() => server.subscribers.size === 1 && [...server.subscribers][0]!.cursors.size === 1)
    deaths.get('lock-2')!()
    await until(() => server.subscribers.size === 0)
  })

  it('that says goodbye is forgotten at once, and the next tab makes a new connection', async () => {
    const one = join().feed
    await until(() => one.connection.get().state === 'live')
    one.close()
    await until(() => server.subscribers.size === 0)
    const two = join().feed
    await until(() => two.connection.get().state === 'live')
    expect(opened).toBe(2)
  })
})
