import { describe, expect, it } from 'vitest'
import { RowHeights } from './row-heights.ts'

const rows = (...keys: string[]) => keys.map(key => ({ key }))

describe('heights of rows', () => {
  it('P-8803 what was measured counts, the rest is guessed, and both stay with their rows when others come before', () => {
    const heights = new RowHeights(() => 10)
    heights.setRows(rows('a', 'b', 'c'))
    expect(heights.total).toBe(30)
    expect(heights.measure('b', 50)).toBe(true)
    expect(heights.measure('b', 50)).toBe(false)
    expect([heights.top(0), heights.top(1), heights.top(2), heights.total]).toEqual([0, 10, 60, 70])
    heights.setRows(rows('older', 'a', 'b', 'c'))
    expect(heights.top(heights.indexOf('c'))).toBe(70)
    expect(heights.indexOf('gone')).toBe(-1)
  })

  it('P-8803 the row at a height is found, also beyond the ends', () => {
    const heights = new RowHeights(() => 10)
    heights.setRows(rows('a', 'b', 'c'))
    expect([-5, 0, 9, 10, 29, 99].map(height => heights.at(height))).toEqual([0, 0, 0, 1, 2, 2])
  })
})
