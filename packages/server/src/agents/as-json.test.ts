import { describe, expect, it } from 'vitest'
import { asJson, NotJson } from './as-json.ts'

describe('P-628 a value of an agent is taken as JSON.stringify would write it', () => {
  class Money {
    readonly amount = 5
    #secret = 1
    toJSON(): unknown {
      return `${this.amount + this.#secret - 1} EUR`
    }
  }
  const values: [string, unknown][] = [
    ['undefined in an object', { a: undefined, b: 1 }],
    ['undefined in a list', [undefined, 1]],
    ['a hole in a list', new Array(2)],
    ['functions and symbols', { f: () => 1, s: Symbol('s'), [Symbol('k')]: 1, l: [() => 1, Symbol('x')] }],
    ['NaN and Infinity', { a: Number.NaN, b: [Number.POSITIVE_INFINITY] }],
    ['a date', { at: new Date(0) }],
    ['a date that is none', { at: new Date(Number.NaN) }],
    ['toJSON', { price: new Money() }],
    ['a map and a set', { m: new Map([['a', 1]]), s: new Set([1]) }],
    ['boxes', [Object(1), Object('x'), Object(true)]],
    ['bytes', { b: new Uint8Array([1, 2]) }],
    ['an error', { e: new Error('x') }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['the same object twice', [[1], [1]].map((_, __, all) => all[0])],
    ['undefined itself', undefined],
  ]
  it.each(values)('P-628 %s', (_name, value) => {
    const text = JSON.stringify(value) as string | undefined
    expect(asJson(value).value).toEqual(text === undefined ? undefined : JSON.parse(text))
  })

  it('P-628 a bigint becomes text, NUL and lone surrogates are replaced, and a delta may end in half a character', () => {
    expect(asJson({ n: 12n }).value).toEqual({ n: '12' })
    expect(asJson({ 'a\0': 'b\0\ud800', inner: { delta: '\udc00' } }).value).toEqual({
      'a\ufffd': 'b\ufffd\ufffd',
      inner: { delta: '\ufffd' },
    })
    expect(asJson({ type: 'text.delta', delta: 'x\ud83d' }).value).toEqual({ type: 'text.delta', delta: 'x\ud83d' })
  })

  it('P-628 a value that cannot be written as JSON is refused with the reason', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = { cyclic }
    const deep = Array.from({ length: 1_000 }).reduce<unknown>(inner => [inner], 1)
    const throws = {
      get x(): never {
        throw new Error('no')
      },
    }
    const cases: [unknown, string][] = [
      [cyclic, 'contains itself'],
      [deep, 'deeper than'],
      [throws, 'throws'],
      ['x'.repeat(17 * 1024 * 1024), 'larger than'],
      [{ list: { length: 1 }, huge: new Array(1_000_000) }, 'more than'],
    ]
    for (const [value, why] of cases) {
      expect(() => asJson(value)).toThrow(NotJson)
      expect(() => asJson(value)).toThrow(why)
    }
  })
})
