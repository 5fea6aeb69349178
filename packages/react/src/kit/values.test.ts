import { describe, expect, it } from 'vitest'
import { fromInput, toInput, zoneOf } from './date-time.ts'
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

  it('A2-256 what a person picks is written as the value was: in its zone, with its seconds, and with what the input does not show', () => {
    for (const value of [
      '2030-05-04T09:30:00Z',
      '2030-05-04T09:30:00+09:00',
      '2030-01-04T23:30-03:30',
      '2030-05-04T09:30:00+0200',
    ]) {
      const shown = toInput(value, 'datetime-local')
      expect(fromInput(shown, 'datetime-local', value)).toBe(value)
      const later = new Date(Date.parse(`${shown}:00Z`) + 86_400_000).toISOString().slice(0, 16)
      const picked = fromInput(later, 'datetime-local', value)
      expect(Date.parse(picked) - Date.parse(value)).toBe(86_400_000)
      expect(zoneOf(picked)).toBe(zoneOf(value))
      expect(fromInput(toInput(value, 'date'), 'date', value)).toBe(value)
      expect(fromInput(toInput(value, 'time'), 'time', value)).toBe(value)
    }
    expect(fromInput('2030-05-05', 'date', '2030-05-04')).toBe('2030-05-05')
    expect(fromInput('2030-05-05T10:00', 'datetime-local', '2030-05-04T09:30')).toBe('2030-05-05T10:00')
    expect(fromInput('2030-05-05T10:00', 'datetime-local', '2030-05-04T09:30:00')).toBe('2030-05-05T10:00:00')
    expect(fromInput('10:00', 'time', '09:30:00Z')).toBe('10:00:00Z')
    expect(fromInput('', 'date', '2030-05-04T09:30:00Z')).toBe('')
    expect(fromInput('2030-05-05', 'date', 'soon')).toBe('2030-05-05')
    expect([zoneOf('09:30Z'), zoneOf('2030-05-04'), zoneOf('2030-05-04T09:30:00+09:00')]).toEqual(['', '', '+09:00'])
  })
})
