// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
// biome-ignore-all lint/suspicious/noThenProperty: the name that the document gives it
import { type Json, readPath } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { BudgetError, compileValue, evaluate, type FunctionContext } from './expression.ts'
import { basicFunctions } from './functions.ts'

function context(data: Json, more: Partial<FunctionContext> = {}): FunctionContext {
  return {
    read: path => readPath(data, path),
    base: [],
    vars: undefined,
    functions: new Map(Object.entries(basicFunctions)),
    locale: 'en-US',
    timeZone: 'UTC',
    maxString: 1000,
    steps: 10_000,
    pending: false,
    regex: (pattern, value) => new RegExp(pattern).test(value),
    diagnose: () => {},
    ...more,
  }
}
const run = (value: Json, data: Json = {}, more: Partial<FunctionContext> = {}) =>
  evaluate(compileValue(value), context(data, more))
const format = (text: string, data: Json = {}) => run({ formatString: text }, data)
const call = (name: string, args: { [key: string]: Json }, data: Json = {}, more: Partial<FunctionContext> = {}) =>
  run({ call: name, args }, data, more)

describe('bindings', () => {
  const data = { user: { name: 'Ada' }, items: [{ title: 'one' }], count: 2, amountUsd: 42.37 }

  it('A2-35 path reads by JSON pointer', () => {
    expect(run({ path: '/user/name' }, data)).toBe('Ada')
    expect(run({ path: '/user/none/deeper' }, data)).toBeUndefined()
    expect(run({ path: 'title' }, data, { base: ['items', '0'] })).toBe('one')
    expect(run({ path: '' }, data, { base: ['count'] })).toBe(2)
  })
  it('A2-36 $ref is the same', () => expect(run({ $ref: '/items/0/title' }, data)).toBe('one'))
  it('A2-37 literal goes through untouched', () => {
    expect(run({ literal: 42 })).toBe(42)
    expect(run({ literal: { path: '/user/name' } }, data)).toEqual({ path: '/user/name' })
  })
  it('A2-38 formatString interpolates; unknown tokens are empty', () => {
    expect(format('Hi ${/user/name}, you have ${/count} items.', data)).toBe('Hi Ada, you have 2 items.')
    expect(format('Total: $${/amountUsd}', data)).toBe('Total: $42.37')
    expect(format('[${/none}][${what ever}][${alert(1)}][${}]', data)).toBe('[][][][]')
    expect(format('literal \\${/count} and ${/count}', data)).toBe('literal ${/count} and 2')
  })
  it('A2-39 evaluates no arbitrary expressions', () => {
    for (const text of [
      '${1+1}',
      '${constructor}',
      '${/user/constructor/name}',
      '${process.exit()}',
      '${eval(value: "1")}',
    ])
      expect(format(text, data)).toBe('')
    expect(run({ path: '/__proto__/polluted' }, data)).toBeUndefined()
  })
  it('A2-118 formatString of the public catalog nests calls', () => {
    const text =
      "Today is ${formatDate(value: ${/now}, format: 'EEEE, MMMM d')}, ${pluralize(value: /n, one: \"one\", other: 'many')}"
    expect(call('formatString', { value: text }, { now: '2025-12-15T12:00:00Z', n: 2 })).toBe(
      'Today is Monday, December 15, many',
    )
    expect(call('formatString', { value: { path: '/text' } }, { text: 'x ${/n}', n: 3 })).toBe('x 3')
  })
})

describe('helpers', () => {
  it('A2-40 if', () => {
    const value = { if: { cond: { path: '/on' }, then: 'yes', else: 'no' } }
    expect([run(value, { on: true }), run(value, { on: '' }), run(value)]).toEqual(['yes', 'no', 'no'])
  })
  it('A2-41 not', () => expect([run({ not: { path: '/x' } }), run({ not: 1 })]).toEqual([true, false]))
  it('A2-42 eq and neq are deep', () => {
    expect(run({ eq: [{ path: '/a' }, { literal: { x: [1] } }] }, { a: { x: [1] } })).toBe(true)
    expect(run({ neq: [{ path: '/a' }, 1] }, { a: 2 })).toBe(true)
    expect(run({ eq: [{ path: '/none' }, null] })).toBe(true)
  })
  it('A2-43 and and or stop early', () => {
    let reads = 0
    const read = () => {
      reads++
      return true
    }
    expect(run({ and: [false, { path: '/a' }] }, {}, { read })).toBe(false)
    expect(run({ or: [true, { path: '/a' }] }, {}, { read })).toBe(true)
    expect(reads).toBe(0)
    expect(run({ and: [1, { path: '/a' }] }, {}, { read })).toBe(true)
  })
  it('A2-44 concat joins as text', () =>
    expect(run({ concat: ['a', 1, null, true, { path: '/x' }] }, { x: 'z' })).toBe('a1truez'))
  it('A2-45 length of list, text and object; A2-103 as a call it is the validator', () => {
    expect([
      run({ length: { path: '/l' } }, { l: [1, 2] }),
      run({ length: 'abc' }),
      run({ length: { literal: { a: 1 } } }),
    ]).toEqual([2, 3, 1])
    expect(call('length', { value: 'abc', min: 2, max: 3 })).toBe(true)
    expect(call('length', { value: { path: '/l' }, min: 2 }, { l: ['a'] })).toBe(false)
  })
  it('A2-46 join', () => {
    expect(run({ join: { items: { path: '/l' }, separator: ' / ' } }, { l: ['a', 2] })).toBe('a / 2')
    expect(run({ join: { items: { path: '/none' }, separator: ',' } })).toBe('')
  })
  it('A2-47 map reads the current item', () => {
    const value = {
      map: { from: { path: '/people' }, as: 'p', template: { formatString: '${/p_index}: ${/p/name} of ${/team}' } },
    }
    expect(run(value, { people: [{ name: 'Ada' }, { name: 'Bob' }], team: 'X' })).toEqual([
      '0: Ada of X',
      '1: Bob of X',
    ])
    expect(run({ map: { from: '/people', as: 'p', template: '${/p}' } }, { people: [1] })).toEqual(['1'])
    expect(run({ map: { from: { path: '/none' }, as: 'p', template: 'x' } })).toEqual([])
  })
  it('A2-110 the item hides the data model, an inner map hides the outer one, and both end with the map', () => {
    const inner = { map: { from: { path: '/x/list' }, as: 'x', template: { path: '/x' } } }
    const value = {
      map: {
        from: { path: '/rows' },
        as: 'x',
        template: { concat: [{ path: '/x/name' }, { join: { items: inner, separator: '+' } }, { path: '/x/name' }] },
      },
    }
    const data = { x: { name: 'model' }, rows: [{ name: 'r', list: [1, 2] }] }
    expect(run({ concat: [{ join: { items: value, separator: '' } }, { path: '/x/name' }] }, data)).toBe('r1+2rmodel')
  })
  it('A2-48 coalesce takes the first that is there and not empty', () => {
    expect(run({ coalesce: [{ path: '/a' }, '', null, [], 0, 'x'] })).toBe(0)
    expect(run({ coalesce: [null, ''] })).toBeUndefined()
  })
  it('A2-49 the example of the document', () => {
    const text = {
      if: { cond: { path: '/online' }, then: { concat: ['Online since ', { path: '/since' }] }, else: 'Offline' },
    }
    expect(run(text, { online: true, since: '9:00' })).toBe('Online since 9:00')
    expect(run(text, { online: false })).toBe('Offline')
  })
})

describe('A2-118 functions of the public catalog', () => {
  it('A2-118 required', () => {
    for (const [value, result] of [
      ['x', true],
      [0, true],
      ['', false],
      [null, false],
      [[], false],
    ] as [Json, boolean][])
      expect(call('required', { value: { literal: value } })).toBe(result)
    expect(call('required', { value: { path: '/none' } })).toBe(false)
  })
  it('A2-118 regex, numeric, email', () => {
    expect(call('regex', { value: '12345', pattern: '^[0-9]{5}$' })).toBe(true)
    expect([
      call('numeric', { value: '7', min: 5, max: 9 }),
      call('numeric', { value: 'x', min: 1 }),
      call('numeric', { value: 10, max: 9 }),
    ]).toEqual([true, false, false])
    for (const [value, result] of [
      ['a@b.co', true],
      ['a.b+c@d-e.org', true],
      ['a@b', false],
      ['@b.co', false],
      ['a b@c.de', false],
      ['a@b..co', false],
    ] as const)
      expect(call('email', { value })).toBe(result)
  })
  it('A2-118 formatNumber and formatCurrency follow the locale', () => {
    expect(call('formatNumber', { value: 1234.5, decimals: 2 })).toBe('1,234.50')
    expect(call('formatNumber', { value: 1234.5, decimals: 1, grouping: false })).toBe('1234.5')
    expect(call('formatNumber', { value: 1234.5 }, {}, { locale: 'de-DE' })).toBe('1.234,5')
    expect(call('formatCurrency', { value: 9.5, currency: 'USD' })).toBe('$9.50')
    expect(call('formatCurrency', { value: 9.5, currency: 'EUR' }, {}, { locale: 'de-DE' })).toBe('9,50\u00a0€')
    expect(call('formatCurrency', { value: 9.5, currency: 'not a code' })).toBe('9.5 not a code')
    expect(call('formatNumber', { value: 'none' })).toBe('')
  })
  it('A2-118 formatDate knows the tokens of the catalog', () => {
    const at = '2026-01-16T14:03:09Z'
    for (const [pattern, result] of [
      ['MMM dd, yyyy', 'Jan 16, 2026'],
      ['HH:mm', '14:03'],
      ['h:mm a', '2:03 PM'],
      ['EEEE, d MMMM', 'Friday, 16 January'],
      ['E yy M/d hh:mm:ss', 'Fri 26 1/16 02:03:09'],
      ["EEEE, MMMM d, yyyy 'at' h:mm a", 'Friday, January 16, 2026 at 2:03 PM'],
      ['E MMM d, YYYY h:mm a', 'Fri Jan 16, 2026 2:03 PM'],
      ["''yy", "'26"],
    ] as const)
      expect(call('formatDate', { value: at, format: pattern })).toBe(result)
    expect(call('formatDate', { value: at, format: 'EEEE, d. MMMM' }, {}, { locale: 'de-DE' })).toBe(
      'Freitag, 16. Januar',
    )
    expect(call('formatDate', { value: at, format: 'HH' }, {}, { timeZone: 'Asia/Tokyo' })).toBe('23')
    expect(call('formatDate', { value: '2023-01-01', format: 'd MMM' }, {}, { timeZone: 'America/New_York' })).toBe(
      '1 Jan',
    )
    expect(call('formatDate', { value: 'no date', format: 'yyyy' })).toBe('')
  })
  it('A2-118 pluralize by the rules of the locale', () => {
    const args = (value: number) => ({ value, one: 'one', few: 'few', many: 'many', other: 'other' })
    expect([1, 2].map(n => call('pluralize', args(n)))).toEqual(['one', 'other'])
    expect([1, 2, 5].map(n => call('pluralize', args(n), {}, { locale: 'pl' }))).toEqual(['one', 'few', 'many'])
    expect(call('pluralize', { value: 0, zero: 'none', other: 'some' })).toBe('none')
  })
  it('A2-118 and, or, not', () => {
    expect(call('and', { values: [true, { call: 'not', args: { value: false } }] })).toBe(true)
    expect(call('or', { values: [false, { path: '/x' }] })).toBe(false)
  })
  it('A2-118 openUrl does nothing while rendering, and an unknown function is empty', () => {
    const seen: string[] = []
    const diagnose = (code: string) => void seen.push(code)
    expect(call('openUrl', { url: 'https://example.com' }, {}, { diagnose })).toBeUndefined()
    expect(call('nothing', {}, {}, { diagnose })).toBeUndefined()
    expect(seen).toEqual(['unknown_function', 'unknown_function'])
  })
})

describe('A2-123 bombs', () => {
  it('A2-123 C05 nested maps stop at the step limit', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => i)
    const map = (template: Json): Json => ({ map: { from: { path: '/rows' }, as: 'x', template } })
    expect(() => run(map(map(map('x'))), { rows })).toThrow(BudgetError)
  })
  it('A2-123 C05 text that doubles is cut', () => {
    let value: Json = 'xxxxxxxxxx'
    for (let i = 0; i < 12; i++) value = { concat: [value, value] }
    expect(String(run(value, {}, { steps: 10_000_000 })).length).toBe(1000)
  })
  it('A2-123 C05 comparing and printing large values costs steps', () => {
    const big = Array.from({ length: 5000 }, (_, i) => i)
    const many = Array.from({ length: 10 }, () => ({ eq: [{ path: '/big' }, { path: '/same' }] }))
    expect(() => run({ and: many }, { big, same: [...big] })).toThrow(BudgetError)
  })
  it('A2-123 a row of a table is never a call', () => {
    expect(evaluate(compileValue([{ length: 5 }, { name: { path: '/n' } }], true), context({ n: 'x' }))).toEqual([
      { length: 5 },
      { name: 'x' },
    ])
  })
})
