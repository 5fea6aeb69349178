import { describe, expect, it } from 'vitest'
import { matchesPattern, patternProblem } from './in-place.ts'

describe('patterns of fields', () => {
  it('US-59 patterns without a bound are refused', () => {
    const refused = [
      '^(a+)+$',
      '(a*)*',
      '(a|aa)+',
      '(.*)*x',
      '(?=a)b',
      '(a)\\1',
      '(x+x+)+y',
      'a?'.repeat(40),
      '(a|ab)'.repeat(20),
      '[',
      '(',
      'a**',
      '('.repeat(40),
      'x'.repeat(600),
    ]
    for (const pattern of refused) expect(patternProblem(pattern), pattern).toBeDefined()
  })

  it('US-59 the usual patterns are fine', () => {
    const fine = [
      '^[A-Z]{2}\\d{4}$',
      '[^@\\s]+@[^@\\s]+\\.[a-z]+',
      '\\d{3}-\\d{4}',
      '(foo|bar)-\\d+',
      '[a-z0-9]+(-x)?',
      '\\p{L}+',
      '\\u{1F600}?',
      '\\d{1,3}\\.\\d{1,3}',
      '(a|b)'.repeat(20),
      '(?:[a-z]+,)*',
    ]
    for (const pattern of fine) expect(patternProblem(pattern), pattern).toBeUndefined()
    expect(matchesPattern('^[A-Z]{2}\\d{4}$', 'AB1234')).toBe(true)
    expect(matchesPattern('[^@\\s]+@[^@\\s]+\\.[a-z]+', 'a@b.example')).toBe(true)
  })

  it('US-59 C05 the worst text takes less than 50 ms', () => {
    for (const pattern of ['[^@\\s]+@[^@\\s]+\\.[a-z]+', 'a*a*a*b', '(a+)+', '.*.*x'])
      for (const length of [50, 200, 1000, 3000, 30_000]) {
        const before = process.threadCpuUsage()
        matchesPattern(pattern, 'a'.repeat(length))
        expect(process.threadCpuUsage(before).user, `${pattern} ${length}`).toBeLessThan(50_000)
      }
  })
})
