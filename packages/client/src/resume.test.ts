import { apply, createState, type SessionEvent, type SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { FAST, Loopback, longRun, plain, until } from './loopback.test.fixture.ts'
import type { SessionHandle, VitrineClient } from './types.ts'

const EVENTS = 10_000
const server = new Loopback()
const clients: VitrineClient[] = []

function client(name: string): VitrineClient {
  const made = createClient({ baseUrl: server.url(name), timing: FAST })
  clients.push(made)
  return made
}

afterEach(async () => {
  for (const made of clients.splice(0)) made.close()
  server.breaks.clear()
  server.broken = 0
  await server.stop()
})

/** Feeds the run in uneven pieces, giving the sockets time in between. */
async function feed(sessionId: string, drafts = longRun(EVENTS)): Promise<void> {
  for (let at = 0; at < drafts.length; ) {
    const size = 1 + Math.floor(Math.random() * 60)
    server.append(sessionId, drafts.slice(at, at + size))
    at += size
    await new Promise(resolve => setImmediate(resolve))
  }
}

const ready = (...handles: SessionHandle[]) =>
  until(() => handles.every(handle => handle.phase.get().phase === 'ready'))

function randomPoints(count: number, below: number): Set<number> {
  const points = new Set<number>()
  while (points.size < count) points.add(1 + Math.floor(Math.random() * below))
  return points
}

/** Every event exactly once and in order, besides the state that they fold to. */
function record(handle: SessionHandle): number[] {
  const seqs: number[] = []
  handle.onEvent(event => seqs.push(event.seq))
  return seqs
}

const fold = (events: SessionEvent[]): SessionState => {
  const state = createState(events[0]!.sessionId)
  for (const event of events) apply(state, event)
  return state
}

describe('L3 the folded state after a disturbed stream', { timeout: 60_000 }, () => {
  it('equals the undisturbed one when the connection drops at 200 random points of a 10,000-event run', async () => {
    await server.listen()
    server.create('s')
    server.breaks.set('disturbed', randomPoints(200, EVENTS))
    const calm = client('calm').open('s')
    const disturbed = client('disturbed').open('s')
    await ready(calm, disturbed)
    const seen = record(disturbed)
    await feed('s')
    await until(() => calm.state.seq === EVENTS && disturbed.state.seq === EVENTS, 50_000)

    expect(server.broken).toBe(200)
    expect(server.streams.get('calm')).toBeLessThanOrEqual(2)
    expect(seen).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1))
    expect(plain(disturbed.state)).toEqual(plain(calm.state))
    expect(plain(disturbed.state)).toEqual(plain(fold(server.logs.get('s')!.events)))
  })

  it('L11 equals it for a client that joins late, and for ten clients, each with drops of its own', async () => {
    await server.listen()
    server.create('s')
    const names = Array.from({ length: 10 }, (_, i) => `client-${i}`)
    for (const name of names) server.breaks.set(name, randomPoints(20, EVENTS))
    const early = names.slice(0, 5).map(name => client(name).open('s'))
    await ready(...early)
    const drafts = longRun(EVENTS)
    await feed('s', drafts.slice(0, 4_000))
    const late = names.slice(5).map(name => client(name).open('s'))
    const feeding = feed('s', drafts.slice(4_000))
    await ready(...late)
    await feeding
    const all = [...early, ...late]
    await until(() => all.every(handle => handle.state.seq === EVENTS), 50_000)

    const whole = fold(server.logs.get('s')!.events)
    for (const { state } of all) expect(plain(state)).toEqual(plain(whole, state.windowFrom))
  })

  it('goes on after the server was restarted in the middle of a run', async () => {
    await server.listen()
    server.create('s')
    const one = client('one')
    const handle = one.open('s')
    await ready(handle)
    const states: string[] = []
    one.connection.subscribe(() => states.push(one.connection.get().state))
    const seen = record(handle)
    const drafts = longRun(EVENTS)
    await feed('s', drafts.slice(0, 5_000))
    await server.restart(60)
    await feed('s', drafts.slice(5_000))
    await until(() => handle.state.seq === EVENTS)
    await until(() => one.connection.get().state === 'live')

    expect(states).toContain('offline')
    expect(one.connection.get()).toEqual({ state: 'live', retryAt: null, problem: null })
    expect(seen).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1))
    expect(plain(handle.state)).toEqual(plain(fold(server.logs.get('s')!.events)))
  })

  it('keeps interleaved sessions of one connection apart', async () => {
    await server.listen()
    const ids = ['a', 'b', 'c']
    for (const id of ids) server.create(id)
    server.breaks.set('one', randomPoints(60, 2_000))
    const one = client('one')
    const handles = ids.map(id => one.open(id))
    await ready(...handles)
    await Promise.all(ids.map(id => feed(id, longRun(2_000, id))))
    await until(() => handles.every(handle => handle.state.seq === 2_000), 30_000)
    for (const [i, id] of ids.entries()) {
      expect(plain(handles[i]!.state)).toEqual(plain(fold(server.logs.get(id)!.events)))
    }
  })
})
