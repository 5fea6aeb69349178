import { describe, expect, it } from 'vitest'
import { toInput } from './date-time.ts'
import { sortRows } from './sort-rows.ts'

describe('A2-141 values of tables and dates', () => {
  it('A2-30 rows sort by number or as the locale does, empty cells last', () => {
    const rows = [{ n: 'item 10' }, { n: 'item 9' }, { n: '' }, { n: 'Äpfel' }]
    const by = (descending: boolean) => sortRows(rows, { key: 'n', descending }, 'en').map(row => row.n)
    expect(by(false)).toEqual(['Äpfel', 'item 9', 'item 10', ''])
    expect(by(true)).toEqual(['item 10', 'item 9', 'Äpfel', ''])
    const numbers = [{ n: 9 }, { n: null }, { n: -1 }, { n: 100 }]
    expect(sortRows(numbers, { key: 'n', descending: true }, 'en').map(row => row.n)).toEqual([100, 9, -1, null])
    expect(sortRows(rows, null, 'en')).toBe(rows)
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
