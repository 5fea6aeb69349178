import { describe, expect, it } from 'vitest'
import { compileHints, inspectHints } from '../hints/index.ts'
import {
  fieldError,
  fieldsOf,
  initialValue,
  inspectSchema,
  readSchema,
  type UiFieldNode,
  validateSchema,
} from './index.ts'

const field = (rest: object): UiFieldNode => ({ type: 'field', name: 'f', label: 'F', ...rest })
const documentOf = (...children: object[]) => ({ root: { type: 'stack', children } })
const told = (found: readonly { level: string; code: string; path: string }[]) =>
  found.map(({ level, code, path }) => [level, code, path])

/** What the authors of the same field learn, in a document and in hints. */
function bothTold(rest: Record<string, unknown>) {
  const { name: key = 'f', input, ...others } = rest
  const hints = { title: 'T', fields: [{ key, label: 'F', ...(input !== undefined && { type: input }), ...others }] }
  const document = documentOf(field(rest))
  return {
    document,
    hints,
    schema: told(inspectSchema(document)),
    hint: told(inspectHints(hints)).map(([level, code, path]) => [level, code, path!.replace('/key', '/name')]),
  }
}

describe('steps', () => {
  it.each<[Partial<UiFieldNode>, number, boolean]>([
    [{ input: 'integer', step: 5 }, 5_000_000_001, false],
    [{ input: 'integer', step: 5 }, 5_000_000_000, true],
    [{ input: 'integer', step: 2 }, 9_007_199_254_740_991, false],
    [{ input: 'integer', step: 3, min: -9_007_199_254_740_991 }, 9_007_199_254_740_990, false],
    [{ input: 'number', step: 0.01 }, 12_345_678.905, false],
    [{ input: 'number', step: 0.01 }, 12_345_678.9, true],
    [{ input: 'number', step: 0.01 }, 12_345_678.91, true],
    [{ input: 'number', step: 0.1 }, 0.1 + 0.2, true],
    [{ input: 'number', step: 0.1, min: 0.3 }, 1e6 + 0.1, true],
    [{ input: 'number', step: 1 }, 5e-10, false],
    [{ input: 'number', step: 1e-9 }, 5e-10, false],
    [{ input: 'number', step: 2 }, 10_001, false],
  ])('US-280 %j with %j is on a step: %j', (rest, value, fits) => {
    expect(fieldError(field(rest), value) === undefined).toBe(fits)
  })

  it('US-280 a slider with many steps stands at the one that its author gave', () => {
    const given = field({ input: 'slider', min: 0, max: 1e15, step: 5, value: 5_000_000_000_005 })
    const [slider] = fieldsOf(readSchema(documentOf(given)).schema!.root)
    expect(initialValue(slider!)).toBe(5_000_000_000_005)
  })
})

describe('forms that can never be sent', () => {
  it.each(['select', 'radio', 'multiselect'])(
    'US-281 UH-250 a required %s without any option is an error, and drawn as a text that can be filled in',
    input => {
      const { document, hints, schema, hint } = bothTold({ input, required: true, options: [] })
      expect(schema).toEqual([['error', 'options_missing', '/root/children/0/options']])
      expect(hint).toEqual([['error', 'options_missing', '/fields/0/options']])
      expect(validateSchema(document)).toHaveLength(1)
      for (const root of [readSchema(document).schema!.root, readSchema(compileHints(hints).schema).schema!.root])
        expect(fieldError(fieldsOf(root)[0]!, 'typed')).toBeUndefined()
      expect(bothTold({ input, options: [] })).toMatchObject({ schema: [], hint: [] })
    },
  )

  it.each([
    ['__proto__', 'forbidden_key'],
    ['', 'missing'],
    ['a\0b', 'not_well_formed'],
    ['n'.repeat(201), 'id_too_long'],
  ])('US-281 UH-250 a field with the name %j is an error, because nothing can be sent under it', (name, code) => {
    const { schema, hint, hints } = bothTold({ name })
    expect(schema).toEqual([['error', code, '/root/children/0/name']])
    expect(hint).toEqual([['error', code, '/fields/0/name']])
    expect(validateSchema(compileHints(hints).schema)).toEqual([])
  })
})

describe('what is legal and not what its author means', () => {
  const options = [
    { value: 'a', label: 'A' },
    { value: 2, label: 'Two' },
  ]
  it.each<[Record<string, unknown>, string]>([
    [{ input: 'number', min: 3, value: 1 }, 'out_of_range'],
    [{ input: 'slider', max: 10, value: 50 }, 'out_of_range'],
    [{ input: 'number', step: 5, value: 12 }, 'out_of_range'],
    [{ input: 'integer', value: 1.5 }, 'out_of_range'],
    [{ input: 'number', value: 'five' }, 'wrong_type'],
    [{ input: 'checkbox', value: 'maybe' }, 'validation_failed'],
    [{ value: ['a'] }, 'wrong_type'],
    [{ input: 'select', options, value: 'zz' }, 'wrong_choice'],
    [{ input: 'multiselect', options, value: ['a', 'zz'] }, 'wrong_choice'],
    [{ input: 'date', value: 'tomorrow' }, 'validation_failed'],
    [{ input: 'email', value: 'nobody' }, 'validation_failed'],
  ])('US-282 UH-251 the author of %j learns that the value does not fit: %s', (rest, code) => {
    const { document, schema, hint } = bothTold(rest)
    expect(schema).toEqual([['repair', code, '/root/children/0/value']])
    expect(hint).toEqual([['repair', code, '/fields/0/value']])
    expect(validateSchema(document)).toEqual([])
  })

  it.each<[Record<string, unknown>]>([
    [{ required: true }],
    [{ value: 90210 }],
    [{ input: 'number', min: 3, value: '5' }],
    [{ input: 'checkbox', value: 'true' }],
    [{ input: 'select', options, value: 2 }],
    [{ input: 'multiselect', required: true, options, value: [] }],
  ])('US-282 UH-251 nothing is said about %j', rest => {
    expect(bothTold(rest)).toMatchObject({ schema: [], hint: [] })
  })

  it('US-283 UH-252 two options with one value, and two columns that show the same cells, are told', () => {
    const twice = [...options, { value: 'a', label: 'Again' }]
    const { schema, hint } = bothTold({ input: 'radio', options: twice })
    expect(schema).toEqual([['repair', 'given_twice', '/root/children/0/options/2/value']])
    expect(hint).toEqual([['repair', 'given_twice', '/fields/0/options/2/value']])
    const columns = [{ key: 'k', label: 'One' }, 'b', 'k']
    expect(told(inspectHints({ table: { columns, rows: [{ k: 1, b: 2 }] } }))).toEqual([
      ['repair', 'given_twice', '/table/columns/2'],
    ])
    expect(told(inspectHints({ table: { columns: ['a', 'a'], rows: [[1, 2]] } }))).toEqual([])
  })

  const action = { type: 'tool', toolId: 't' }
  it.each<[string, object, object, string, string, string]>([
    [
      'an unknown icon',
      { type: 'icon', source: 'icon', value: 'zork' },
      { title: 'T', icon: { source: 'icon', value: 'zork' } },
      'wrong_choice',
      '/value',
      '/icon/value',
    ],
    [
      'an icon that is empty',
      { type: 'icon', source: 'emoji', value: '' },
      { title: 'T', icon: { source: 'emoji', value: '' } },
      'missing',
      '/value',
      '/icon/value',
    ],
    [
      'a button without words',
      { type: 'button', label: ' ', action },
      { actions: [{ label: ' ', action }] },
      'missing',
      '/label',
      '/actions/0/label',
    ],
    [
      'progress above its maximum',
      { type: 'progress', value: 5, max: 3 },
      { progress: { value: 5, max: 3 } },
      'out_of_range',
      '/value',
      '/progress/value',
    ],
    ['more than all of it', { type: 'progress', value: 101 }, { progress: 101 }, 'out_of_range', '/value', '/progress'],
  ])('US-284 UH-253 the author learns of %s', (_, node, hints, code, path, hintPath) => {
    expect(told(inspectSchema(documentOf(node)))).toEqual([['repair', code, `/root/children/0${path}`]])
    expect(told(inspectHints(hints))).toEqual([['repair', code, hintPath]])
  })

  it('US-284 UH-253 nothing is said about an icon that is drawn under a former name, or as an emoji', () => {
    for (const icon of [
      { source: 'icon', value: 'home' },
      { source: 'emoji', value: '🎉' },
    ]) {
      expect(told(inspectSchema(documentOf({ type: 'icon', ...icon })))).toEqual([])
      expect(told(inspectHints({ title: 'T', icon }))).toEqual([])
    }
  })
})
