import { describe, expect, it } from 'vitest'
import { backoff, type Signal, TIMING, TRANSITIONS, transition } from './connection.ts'
import type { ConnectionState } from './types.ts'

const signals: Signal[] = ['attempt', 'hello', 'caught-up', 'lagging', 'silent', 'lost', 'cut', 'refused', 'close']

/** Written out apart from the code: one row a state, one column a signal. */
const table: Record<ConnectionState, ConnectionState[]> = {
  connecting: [
    'connecting',
    'catching-up',
    'connecting',
    'connecting',
    'offline',
    'offline',
    'connecting',
    'refused',
    'closed',
  ],
  'catching-up': [
    'connecting',
    'catching-up',
    'live',
    'catching-up',
    'stale',
    'offline',
    'connecting',
    'refused',
    'closed',
  ],
  live: ['connecting', 'catching-up', 'live', 'catching-up', 'stale', 'offline', 'connecting', 'refused', 'closed'],
  stale: ['stale', 'catching-up', 'stale', 'stale', 'offline', 'offline', 'stale', 'refused', 'closed'],
  offline: ['connecting', 'offline', 'offline', 'offline', 'offline', 'offline', 'offline', 'offline', 'closed'],
  refused: ['connecting', 'refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'closed'],
  closed: ['closed', 'closed', 'closed', 'closed', 'closed', 'closed', 'closed', 'closed', 'closed'],
}

describe('P-101 connection states', () => {
  for (const [from, row] of Object.entries(table) as [ConnectionState, ConnectionState[]][]) {
    for (const [column, to] of row.entries()) {
      it(`${from} --${signals[column]}--> ${to}`, () => expect(transition(from, signals[column]!)).toBe(to))
    }
  }

  it('has no other state', () => {
    expect(Object.keys(TRANSITIONS).sort()).toEqual(Object.keys(table).sort())
  })
})

describe('P-102 back-off', () => {
  it('doubles the longest wait up to the cap and draws from all of it', () => {
    expect([0, 1, 2, 5, 6, 7, 1000].map(tries => backoff(tries, TIMING, () => 1))).toEqual([
      500, 1000, 2000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect(backoff(3, TIMING, () => 0)).toBe(0)
    const drawn = Array.from({ length: 2000 }, () => backoff(2, TIMING))
    expect(Math.min(...drawn)).toBeLessThan(200)
    expect(Math.max(...drawn)).toBeGreaterThan(1800)
  })
})
