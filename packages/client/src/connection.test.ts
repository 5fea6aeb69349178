import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Effect, type Machine, type Signal, START, TABLE, transition } from './connection.ts'
import type { ConnectionState } from './types.ts'

const states: ConnectionState[] = ['connecting', 'stale', 'catching-up', 'live', 'offline', 'refused', 'closed']

/**
 * Written out apart from the code: for each signal where it leads and what is to be done, in the order of the states
 * above, when the attempt had brought something. A signal that is ignored has a dot.
 */
const expected: Record<Signal, string> = {
  hello: 'catching-up | catching-up | . | . | . | . | .',
  'caught-up': '. | . | live | . | . | . | .',
  behind: '. | . | . | catching-up | . | . | .',
  lost: 'offline drop retry | offline drop retry | offline drop retry | offline drop retry | . | . | .',
  cut: 'offline drop retry | offline drop retry | connecting open | connecting open | . | . | .',
  silent: 'offline drop retry | offline drop retry | stale open | stale open | . | . | .',
  refused: 'refused drop | refused drop | refused drop | refused drop | . | . | .',
  'successor-caught-up': 'catching-up promote | catching-up promote | catching-up promote | live promote | . | . | .',
  'successor-lost': 'connecting retry | stale retry | catching-up retry | catching-up retry | . | . | .',
  changed: 'connecting replace | stale replace | catching-up replace | live replace | . | . | .',
  wake: '. | . | . | . | connecting open | connecting open | .',
  reconnect: 'connecting open | stale open | connecting open | connecting open | connecting open | connecting open | .',
  close: 'closed drop | closed drop | closed drop | closed drop | closed drop | closed drop | .',
}
const signals = Object.keys(expected) as Signal[]

const said = (state: ConnectionState, signal: Signal, moved: boolean) => {
  const next = transition({ state, tries: 0 }, signal, moved)
  return next ? [next.state, ...next.effects].join(' ') : '.'
}

describe('P-101 the table of the connection', () => {
  for (const signal of signals) {
    it(`says in every state what ${signal} leads to`, () => {
      expect(states.map(state => said(state, signal, true)).join(' | ')).toBe(expected[signal])
    })
  }

  it('has no other state', () => {
    expect(Object.keys(TABLE).sort()).toEqual([...states].sort())
  })

  it('treats a cut before the first event as a lost connection, and every other signal as usual', () => {
    for (const state of states) {
      for (const signal of signals) {
        expect(said(state, signal, false)).toBe(said(state, signal === 'cut' ? 'lost' : signal, true))
      }
    }
  })
})

describe('P-102 failures in a row', () => {
  const after = (state: ConnectionState, signal: Signal, moved = false) =>
    transition({ state, tries: 3 }, signal, moved)?.tries

  it('failures in a row are counted each time the client has to wait', () => {
    expect([after('connecting', 'lost'), after('live', 'successor-lost'), after('offline', 'wake')]).toEqual([4, 4, 3])
  })

  it('failures are forgotten when an attempt brought events, when the client is up to date, and when a person asks', () => {
    expect(after('live', 'lost', true)).toBe(1)
    expect(after('catching-up', 'caught-up')).toBe(0)
    expect(after('live', 'successor-caught-up')).toBe(0)
    expect(after('offline', 'reconnect')).toBe(0)
  })
})

/** What the effects leave behind when the stream carries them out. */
interface World {
  current: boolean
  successor: boolean
  waiting: boolean
}

function carriedOut(world: World, effect: Effect): World {
  if (effect === 'open') return { current: true, successor: false, waiting: false }
  if (effect === 'drop') return { current: false, successor: false, waiting: false }
  if (effect === 'replace') return { ...world, successor: true, waiting: false }
  if (effect === 'promote') return { ...world, current: world.successor, successor: false }
  return { ...world, waiting: true }
}

describe('P-101 L8 any order of signals', () => {
  const signal = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...signals.filter(name => name !== 'close')) },
    { weight: 1, arbitrary: fc.constant<Signal>('close') },
  )
  const history = fc.array(fc.record({ signal, moved: fc.boolean() }), { maxLength: 100 })

  /** Walks through the signals that can happen, and shows each step. */
  function walk(given: { signal: Signal; moved: boolean }[], seen: (step: Step) => void) {
    let machine: Machine = START
    let world: World = { current: false, successor: false, waiting: true }
    for (const { signal, moved } of given) {
      // Only a successor that there is can be caught up or lost, and one that was lost is gone.
      if (signal.startsWith('successor') && !world.successor) continue
      if (signal === 'successor-lost') world = { ...world, successor: false }
      if (signal === 'wake') world = { ...world, waiting: false }
      const before = machine.state
      const next = transition(machine, signal, moved)
      if (next) {
        machine = next
        world = next.effects.reduce(carriedOut, world)
      }
      seen({ before, signal, machine, world })
    }
  }
  interface Step {
    before: ConnectionState
    signal: Signal
    machine: Machine
    world: World
  }

  it('leads to a state of the table that fits the open attempts, and never to an offline client that tries no more', () => {
    fc.assert(
      fc.property(history, given =>
        walk(given, ({ machine: { state, tries }, world }) => {
          expect(states).toContain(state)
          expect(world.current).toBe(['connecting', 'stale', 'catching-up', 'live'].includes(state))
          if (!world.current) expect(world.successor).toBe(false)
          if (state === 'offline') expect(world.waiting).toBe(true)
          if (state === 'refused' || state === 'closed') expect(world.waiting).toBe(false)
          expect(tries).toBeGreaterThanOrEqual(0)
        }),
      ),
    )
  })

  it('reaches live only when everything that is followed has come, and never leaves closed', () => {
    fc.assert(
      fc.property(history, given =>
        walk(given, ({ before, signal, machine: { state } }) => {
          if (before === 'closed') expect(state).toBe('closed')
          if (state === 'live' && before !== 'live') expect(signal).toBe('caught-up')
        }),
      ),
    )
  })
})
