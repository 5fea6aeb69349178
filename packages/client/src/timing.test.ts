import { describe, expect, it } from 'vitest'
import { backoff, TIMING } from './timing.ts'

describe('P-102 back-off', () => {
  it('doubles the longest wait up to the cap, and waits a random part of it', () => {
    expect([0, 1, 2, 5, 6, 7, 1000].map(tries => backoff(tries, TIMING, () => 1))).toEqual([
      500, 1000, 2000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect(backoff(3, TIMING, () => 0)).toBe(0)
    const drawn = Array.from({ length: 2000 }, () => backoff(2, TIMING))
    expect(Math.min(...drawn)).toBeLessThan(200)
    expect(Math.max(...drawn)).toBeGreaterThan(1800)
  })
})
