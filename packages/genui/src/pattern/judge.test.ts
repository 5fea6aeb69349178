import { afterAll, describe, expect, it } from 'vitest'
import { judgePattern } from './judge.ts'
import { nodePatternWorker } from './worker-node.ts'

describe('A2-108 which patterns run on the page', () => {
  it.each([
    '^\\d{10}$',
    '^\\+?[0-9]{10,15}$',
    '^[0-9]{5}$',
    '^[A-Z]',
    '^abc$',
    '[a-z]{3}',
    '^(?:a|b)*c$',
    '^[^,]*,[^,]*$',
    '^\\w+@\\w+$',
    '^.{8,64}$',
    '^a{3,}b$',
    '^(ab)+$',
    '^$',
  ])('A2-108 %s is linear', pattern => expect(judgePattern(pattern).kind).toBe('linear'))
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '(a*)*',
    '^a*a*$',
    '^(a|ab)(c|bcd)*$',
    'a*b',
    '^([a-z]+)*$',
    '(x+x+)+y',
    '^(?=a)b',
    '^(a)\\1$',
    '^.*.*$',
    '^\\bx',
    '^a|b*',
    '^(a?){30}a{30}$',
    '^x{1,5000}$',
    `^${'x'.repeat(600)}$`,
  ])('A2-108 %s goes to the worker', pattern => expect(judgePattern(pattern).kind).toBe('worker'))
  it.each(['(', '[', 'a**', '(?<n>a', '[b-a]'])('A2-108 %s is no pattern', pattern =>
    expect(judgePattern(pattern)).toMatchObject({ kind: 'invalid', reason: expect.any(String) }),
  )
  it.each([
    ['(a|b)*', 'linear'],
    ['[^@\\s]+@[^@\\s]+\\.[a-z]+', 'worker'],
    ['\\p{L}+', 'worker'],
    ['(a|ab)+', 'worker'],
    ['(?:\\ud83d\\ude00|\\u{1f600})*', 'worker'],
    ['(?:[^\u0000-\uffff])*[^\u0000-\uffff]*', 'worker'],
  ])('A2-108 US-59 %s, which has to be the whole text, is %s', (pattern, kind) =>
    expect(judgePattern(pattern, 'whole').kind).toBe(kind),
  )
  it('A2-108 C05 what is called linear is fast on a long text', () => {
    const long = 'a'.repeat(30_000)
    for (const pattern of ['^(?:a|b)*c$', '^[^,]*,[^,]*$', '^.{8,64}$', '^(ab)+$', '[a-z]{3}!']) {
      expect(judgePattern(pattern).kind).toBe('linear')
      const before = process.threadCpuUsage()
      new RegExp(pattern).test(long)
      expect(process.threadCpuUsage(before).user).toBeLessThan(100_000)
    }
  })
})

describe('A2-108 the worker', () => {
  // Longer than on a page, because a busy machine answers late.
  const worker = nodePatternWorker(1_000)
  afterAll(() => worker.close())

  it('A2-108 answers, and stops what takes too long without losing the others', async () => {
    const evil = worker.test('^(a+)+$', `${'a'.repeat(40)}!`)
    const good = worker.test('^(a|b)+x?$', 'abba')
    const bad = worker.test('(', 'x')
    expect(await Promise.all([evil, good, bad])).toEqual(['timeout', true, false])
  })
})
