import { describe, expect, it } from 'vitest'
import { toInput } from './date-time.ts'
import { type Order, sortRows } from './sort-rows.ts'

describe('A2-141 values of tables and dates', () => {
  it('A2-30 rows sort by number or as the locale does, empty cells last', () => {
    const sorted = <T>(rows: readonly T[], order: Order | null) =>
      sortRows(
        rows,
        order,
        row => row,
        value => String(value),
        'en',
      )
    const words = ['item 10', 'item 9', '', 'Äpfel']
    expect(sorted(words, { column: 0, descending: false })).toEqual(['Äpfel', 'item 9', 'item 10', ''])
    expect(sorted(words, { column: 0, descending: true })).toEqual(['item 10', 'item 9', 'Äpfel', ''])
    expect(sorted([9, null, -1, 100], { column: 0, descending: true })).toEqual([100, 9, -1, null])
    expect(sorted(words, null)).toBe(words)
  })

  it('ISO 8601 becomes what the browser\u2019s inputs hold, and nothing else does', () => {
    expect(toInput('2030-05-04', 'date')).toBe('2030-05-04')
    expect(toInput('2030-05-04T09:30:00', 'date')).toBe('2030-05-04')
    expect(toInput('2030-05-04T09:30:15.5', 'datetime-local')).toBe('2030-05-04T09:30')
    expect(toInput('2030-05-04', 'datetime-local')).toBe('2030-05-04T00:00')
    expect(toInput('09:30:00', 'time')).toBe('09:30')
    expect(toInput('tomorrow', 'date')).toBe('')
    expect(toInput('', 'time')).toBe('')
    const instant = new Date('2030-05-04T09:30:00Z')
    const two = (value: number) => String(value).padStart(2, '0')
    expect(toInput('2030-05-04T09:30:00Z', 'time')).toBe(`${two(instant.getHours())}:${two(instant.getMinutes())}`)
  })
})
