import { describe, expect, it } from 'vitest'
import { decimal, isDate, isDateTime, isEmail, isTime, isUri } from './formats.ts'

describe('A2-118 US-47 forms of text', () => {
  it.each<[string, (text: string) => boolean, readonly string[], readonly string[]]>([
    ['e-mail', isEmail, ['a@b.co', 'a.b+c@d-e.org'], ['a@b', '@b.co', 'a b@c.de', 'a@b..co', 'a@@b.co', '']],
    ['date', isDate, ['2026-03-15', '2024-02-29'], ['2026-13-01', '15.3.2026', '2026-03-15T14:00', 'tomorrow']],
    [
      'date that there is',
      isDate,
      ['2000-02-29', '0004-02-29'],
      ['2026-02-30', '2025-02-29', '1900-02-29', '2026-04-31', '2026-01-00'],
    ],
    ['time that there is', isTime, ['00:00', '23:59:59'], ['24:00', '14:60', '14:00:61', '14:00+25:00']],
    ['day with a time', isDateTime, ['2026-03-15T24:00'], ['2026-02-30T10:00', '2026-03-15T25:00', '2026-03-15T24:01']],
    [
      'number',
      text => decimal(text) !== undefined,
      ['3', '-3.5', ' +3e2 ', '.5'],
      ['', '0x10', 'Infinity', '1e999', '1,5', '3 4'],
    ],
    ['time', isTime, ['14:00', '14:00:30', '14:00Z', '14:00:30.5+02:00'], ['2 pm', '14', '1400']],
    ['date and time', isDateTime, ['2026-03-15T14:00', '2026-03-15T14:00:00Z'], ['2026-03-15', '2026-15-15T14:00']],
    ['URI', isUri, ['https://a.b', 'mailto:a@b.co', 'urn:isbn:1'], ['a.b', '//a.b', 'https://a b']],
  ])('A2-118 US-47 %s', (_name, check, fine, wrong) => {
    for (const text of fine) expect(check(text), text).toBe(true)
    for (const text of wrong) expect(check(text), text).toBe(false)
  })

  it('C05 a long text is checked at once', () => {
    const long = `${'a'.repeat(200_000)}@${'a.'.repeat(100_000)}`
    for (const check of [isDate, isDateTime, isEmail, isTime, isUri]) expect(check(long)).toBe(false)
  })
})
