import { beforeEach, describe, expect, it } from 'vitest'
import { handsOn, openDoor } from '../door.fixture.ts'
import { createCalculator } from './calculator.ts'

let hands: Awaited<ReturnType<typeof handsOn>>
beforeEach(async () => {
  hands = await handsOn(createCalculator())
})
const result = async (expression: string) => (await hands.run('calculate', { expression })).text

describe('the calculator', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1/3 + 1/3 + 1/3', '1'],
    ['2 ^ 100', '1267650600228229401496703205376'],
    ['2 ** -2', '0.25'],
    ['-2 ^ 2', '-4'],
    ['(-2) ^ 2', '4'],
    ['2 ^ 3 ^ 2', '512'],
    ['10 - 4 - 3', '3'],
    ['10 / 4 / 5', '0.5'],
    ['20% * 50', '10'],
    ['10 % 3', '1'],
    ['-1 % 12', '11'],
    ['100 + 5%', '100.05'],
    ['5!', '120'],
    ['12.5e3 × 2 ÷ 5', '5000'],
    ['1_000_000 + .5', '1000000.5'],
    ['sqrt(9/4)', '1.5'],
    ['8^(1/3)', '2'],
    ['cbrt(-27)', '-3'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1249.90 * 1.19, 2)', '1487.38'],
    ['floor(-0.5) + ceil(-0.5)', '-1'],
    ['max(1, 2.5, 2) - min(3, -1)', '3.5'],
    ['mean(1, 2, 4) * 3', '7'],
    ['median(5, 1, 3, 2)', '2.5'],
    ['gcd(12, 18) + lcm(4, 6)', '18'],
    ['1/3', '0.333333333333333333333333333333… (exactly 1/3)'],
    ['sqrt(2)', 'about 1.4142135623731'],
    ['sin(pi / 2)', 'about 1'],
    ['ln(e)', 'about 1'],
    ['log(8, 2)', 'about 3'],
    ['factorial(0)', '1'],
    ['-0.001', '-0.001'],
    ['((((1))))', '1'],
  ])('TK-15 %s is %s', async (expression, expected) => {
    expect(await result(expression)).toBe(expected)
  })

  it.each([
    ['1 / 0', 'divides by zero'],
    ['0 ^ -1', 'divides by zero'],
    ['5 % 0', 'divides by zero'],
    ['2 ^ 1000000000', 'too large'],
    ['9^9^9^9', 'too large'],
    ['1e99999', 'too large'],
    ['(10^5000) * (10^5000) * (10^5000)', 'too large'],
    ['exp(10000)', 'too large'],
    ['2001!', 'from 0 to 2000'],
    ['2000!!', 'from 0 to 2000'],
    ['1.5!', 'whole numbers'],
    ['sqrt(-1)', 'no real square root'],
    ['ln(-1)', 'no real number'],
    ['1,000 * 2', 'without commas'],
    ['2 3', 'an operator'],
    ['(1 + 2', 'not closed'],
    ['1 +', 'ends too early'],
    ['   ', 'empty'],
    ['process.exit(1)', 'is not understood'],
    ['constructor', 'constructor is not known'],
    ['__proto__', 'is not understood'],
    ['toString(1)', 'is not known'],
    ['sqrt 4', 'sqrt is a function'],
    ['round(1, 2, 3)', 'takes 1 to 2 numbers, and got 3'],
    ['('.repeat(1_000) + ')'.repeat(1_000), 'nested deeper'],
    [`${'2^'.repeat(200)}1`, 'nested deeper'],
    ['1+'.repeat(2_000), 'longer than'],
    ['1; 2', '";" is not understood, at character 2'],
  ])('TK-16 %s fails with words', async (expression, words) => {
    await expect(result(expression)).rejects.toThrow(words)
  })

  it('TK-15 runs in a session without a word of a person, and the exact result is data', async () => {
    const door = await openDoor([createCalculator()])
    try {
      expect((await door.call('calculate', { expression: '0.1 + 0.2' })).result?.preview).toBe('0.3')
      const event = (await door.events()).find(({ type }) => type === 'tool.result')
      expect(event).toMatchObject({ structured: { result: '0.3', exact: true } })
    } finally {
      await door.close()
    }
  })
})
