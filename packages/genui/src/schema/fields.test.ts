import { describe, expect, it } from 'vitest'
import { compileHints, inspectHints, validateHints } from '../hints/index.ts'
import {
  fieldError,
  fieldsOf,
  formErrors,
  initialValue,
  inspectSchema,
  readSchema,
  submits,
  type UiFieldNode,
  validateSchema,
} from './index.ts'

const field = (rest: Partial<UiFieldNode>): UiFieldNode => ({ type: 'field', name: 'f', label: 'F', ...rest })
const options = [
  { value: 'a', label: 'A' },
  { value: 2, label: 'Two' },
]

describe('fields', () => {
  const cases: [Partial<UiFieldNode>, unknown, string | undefined][] = [
    [{ required: true }, '', 'Required'],
    [{ required: true }, undefined, 'Required'],
    [{}, '', undefined],
    [{ minLength: 3 }, 'ab', 'At least 3 characters'],
    [{ minLength: 2 }, '👩👩', undefined],
    [{ maxLength: 3 }, 'abcd', 'At most 3 characters'],
    [{ input: 'email' }, 'a@b.example', undefined],
    [{ input: 'email' }, 'a@@b', 'Enter an e-mail address'],
    [{ input: 'url' }, 'javascript:x', 'Enter a web address'],
    [{ input: 'number', min: 1, max: 5 }, 0.5, 'At least 1'],
    [{ input: 'number', min: 1, max: 5 }, '6', 'At most 5'],
    [{ input: 'number' }, 'six', 'This value is not valid'],
    [{ input: 'integer' }, 1.5, 'Enter a whole number'],
    [{ input: 'slider', min: 0, max: 10 }, 5, undefined],
    [{ input: 'select', options }, 'b', 'This value is not valid'],
    [{ input: 'select', options }, 2, undefined],
    [{ input: 'radio', options }, 'a', undefined],
    [{ input: 'multiselect', options }, ['a', 2], undefined],
    [{ input: 'multiselect', options, required: true }, [], 'Required'],
    [{ input: 'checkbox', required: true }, false, 'Required'],
    [{ input: 'checkbox' }, true, undefined],
    [{ input: 'date', min: '2026-01-01' }, '2025-12-31', 'At least 2026-01-01'],
    [{ input: 'date' }, 'tomorrow', 'This value is not valid'],
    [{ input: 'time' }, '14:00', undefined],
    [{ input: 'datetime' }, '2026-03-15T14:00', undefined],
    [{ pattern: '[A-Z]{2}\\d+' }, 'AB12', undefined],
    [{ pattern: '[A-Z]{2}\\d+' }, 'xAB12', 'This value is not valid'],
    [{ input: 'text' }, { not: 'text' }, 'This value is not valid'],
  ]
  for (const [rest, value, expected] of cases)
    it(`US-47 ${JSON.stringify(rest)} with ${JSON.stringify(value)}`, () =>
      expect(fieldError(field(rest), value)).toBe(expected))

  it('US-47 a form reports by field name, in the locale', () => {
    const fields = [
      field({ name: 'a', required: true }),
      field({ name: 'b' }),
      field({ name: 'constructor', required: true }),
    ]
    expect(formErrors(fields, { b: 'x' }, 'zh-CN')).toEqual({ a: '此项为必填项', constructor: '此项为必填项' })
  })

  it('US-47 the fields of a tree are found in order, without hidden ones', () => {
    const { schema } = readSchema({
      root: {
        type: 'stack',
        children: [
          field({ name: 'a' }),
          { type: 'grid', columns: 2, children: [field({ name: 'b' })] },
          { type: 'stack', visible: false, children: [field({ name: 'c' })] },
        ],
      },
    })
    expect(fieldsOf(schema!.root).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('US-35 US-47 a payload action submits, others when they say so', () => {
    expect(submits({ action: { type: 'payload', payload: {} } })).toBe(true)
    expect(submits({ action: { type: 'tool', toolId: 't' } })).toBe(false)
    expect(submits({ action: { type: 'tool', toolId: 't' }, submit: true })).toBe(true)
  })
})

describe('bounds and steps', () => {
  const cases: [Partial<UiFieldNode>, unknown, string | undefined][] = [
    [{ input: 'datetime', min: '2026-03-15T14:00+02:00' }, '2026-03-15T12:30Z', undefined],
    [{ input: 'datetime', min: '2026-03-15T14:00+02:00' }, '2026-03-15T13:59+02:00', 'At least 2026-03-15T14:00+02:00'],
    [{ input: 'datetime', max: '2026-03-15T12:00Z' }, '2026-03-15T13:30+02:00', undefined],
    [{ input: 'datetime', max: '2026-03-15T12:00Z' }, '2026-03-15T11:30-02:00', 'At most 2026-03-15T12:00Z'],
    [{ input: 'datetime', max: '2026-03-15T12:00Z' }, '2026-03-15T11:30', undefined],
    [{ input: 'datetime', max: '2026-03-15T12:00Z' }, '2026-03-15T12:30', 'At most 2026-03-15T12:00Z'],
    [{ input: 'datetime', min: '2026-03-15T14:00' }, '2026-03-15T14:00:00', undefined],
    [{ input: 'datetime', min: '2026-03-15' }, '2026-03-14T23:59', 'At least 2026-03-15'],
    [{ input: 'datetime', min: '2026-03-15T14:00Z' }, '2026-03-15t14:00:00.000z', undefined],
    [{ input: 'time', min: '14:00+02:00' }, '12:30Z', undefined],
    [{ input: 'time', min: '09:00' }, '08:59:59', 'At least 09:00'],
    [{ input: 'number', step: 5 }, 10, undefined],
    [{ input: 'number', step: 5 }, 12, 'In steps of 5, counted from 0'],
    [{ input: 'number', min: 1, step: 5 }, '11', undefined],
    [{ input: 'number', min: 1, step: 5 }, 10, 'In steps of 5, counted from 1'],
    [{ input: 'number', step: 0.1 }, 0.3, undefined],
    [{ input: 'number', step: 0.1 }, 1e6 + 0.1, undefined],
    [{ input: 'number', step: 0.1 }, 0.35, 'In steps of 0.1, counted from 0'],
    [{ input: 'integer', step: 2 }, 3, 'In steps of 2, counted from 0'],
    [{ input: 'slider', min: -1, max: 1, step: 0.5 }, 0.5, undefined],
    [{ input: 'number', min: '10' }, 9, 'At least 10'],
  ]
  it.each(cases)('US-252 %j with %j', (rest, value, expected) => {
    expect(fieldError(field(rest), value)).toBe(expected)
  })

  it.each([
    [{ min: 0, max: 10, step: 4, value: 5 }, 4],
    [{ min: 0, max: 10, step: 4, value: 11 }, 8],
    [{ min: 0.1, max: 1, step: 0.1, value: 0.34 }, 0.3],
    [{ min: 3, value: 1 }, 3],
  ])('US-252 a slider %j stands at a value that can be sent', (rest, expected) => {
    const { schema } = readSchema({ root: { type: 'stack', children: [field({ input: 'slider', ...rest })] } })
    const [slider] = fieldsOf(schema!.root)
    expect(initialValue(slider!)).toBe(expected)
    expect(fieldError(slider!, initialValue(slider!))).toBeUndefined()
  })

  const wrong: [Partial<UiFieldNode>, string, string][] = [
    [{ input: 'number', min: 5, max: 1 }, 'crossed_bounds', 'min'],
    [{ input: 'number', min: '5', max: 1 }, 'crossed_bounds', 'min'],
    [{ minLength: 5, maxLength: 1 }, 'crossed_bounds', 'minLength'],
    [{ input: 'date', min: '2026-03-15', max: '2026-03-14' }, 'crossed_bounds', 'min'],
    [{ input: 'datetime', min: '2026-03-15T14:00Z', max: '2026-03-15T15:00+02:00' }, 'crossed_bounds', 'min'],
    [{ input: 'number', min: 'a lot' }, 'unusable_rule', 'min'],
    [{ input: 'number', max: '2026-03-15' }, 'unusable_rule', 'max'],
    [{ input: 'date', min: 5 }, 'unusable_rule', 'min'],
    [{ input: 'date', max: 'tomorrow' }, 'unusable_rule', 'max'],
    [{ input: 'time', max: '2026-03-15' }, 'unusable_rule', 'max'],
    [{ min: 3 }, 'unusable_rule', 'min'],
    [{ input: 'email', step: 1 }, 'unusable_rule', 'step'],
    [{ input: 'number', maxLength: 3 }, 'unusable_rule', 'maxLength'],
    [{ input: 'checkbox', pattern: 'a' }, 'unusable_rule', 'pattern'],
    [{ input: 'select', options, max: 1 }, 'unusable_rule', 'max'],
  ]
  it.each(wrong)('US-253 UH-240 the author of %j learns of %s, in a document and in hints', (rest, code, rule) => {
    const document = { root: { type: 'stack', children: [field(rest)] } }
    const path = `/root/children/0/${rule}`
    expect(validateSchema(document)).toMatchObject([{ level: 'error', code, path }])
    expect(inspectSchema(document)).toMatchObject([{ level: 'error', code, path }])
    const { input, type: _, name: key, ...rules } = field(rest)
    const hints = { fields: [{ key, ...(input && { type: input }), ...rules }] }
    expect(inspectHints(hints)).toMatchObject([{ level: 'error', code, path: `/fields/0/${rule}` }])
    // What is drawn can be filled in.
    for (const drawn of [readSchema(document).schema!, compileHints(hints).schema]) {
      expect(validateSchema(drawn)).toEqual([])
      expect(JSON.stringify(drawn.root)).not.toContain(`"${rule}":`)
    }
    expect(JSON.stringify(compileHints(hints).schema.meta)).toContain(`/fields/0/${rule}`)
  })

  it('US-253 several wrong rules of one field are all left out', () => {
    const rest = { input: 'number', min: 5, max: 1, minLength: 2, pattern: 'x' } as const
    const [drawn] = readSchema({ root: { type: 'stack', children: [field(rest)] } }).schema!.root.children
    for (const rule of ['min', 'max', 'minLength', 'pattern']) expect(drawn).not.toHaveProperty(rule)
  })
})

describe('names of fields', () => {
  const children = [
    field({ name: 'a' }),
    { type: 'grid', columns: 1, children: [field({ name: 'a', label: 'Again' })] },
  ]
  const path = '/root/children/1/children/0'

  it('US-254 two fields of a document with one name are told to the author, and the second is a mark', () => {
    const document = { root: { type: 'stack', children } }
    expect(validateSchema(document)).toMatchObject([{ code: 'duplicate_field', path: `${path}/name` }])
    expect(inspectSchema(document)).toMatchObject([{ level: 'error', code: 'duplicate_field', path: `${path}/name` }])
    const { schema } = readSchema(document)
    expect(fieldsOf(schema!.root).map(({ label }) => label)).toEqual(['F'])
    expect(JSON.stringify(schema)).toContain('another field has the name')
  })

  it('US-254 a field that nobody can see shares its name with no other', () => {
    const hidden = { type: 'stack', visible: false, children: [field({ name: 'a' })] }
    const document = { root: { type: 'stack', children: [hidden, field({ name: 'a' }), hidden] } }
    expect(validateSchema(document)).toEqual([])
    expect(fieldsOf(readSchema(document).schema!.root)).toHaveLength(1)
  })

  it('UH-241 two fields of hints with one key are told to the author, also in different sections', () => {
    const hints = {
      fields: [{ key: 'a' }, { key: 'b' }],
      sections: [{ title: 'More', fields: [{ key: 'a', label: 'Again' }] }],
    }
    const at = '/sections/0/fields/0'
    expect(validateHints(hints)).toMatchObject([{ code: 'duplicate_field', path: `${at}/key` }])
    expect(inspectHints(hints)).toMatchObject([{ level: 'error', code: 'duplicate_field', path: `${at}/key` }])
    const { schema } = compileHints(hints)
    expect(validateSchema(schema)).toEqual([])
    expect(schema.meta).toEqual({ unknown: { [at]: { key: 'a', label: 'Again' } } })
  })
})

describe('values that an author gives', () => {
  it.each<UiFieldNode['input'] & string>(['select', 'radio'])(
    'US-221 a choice of false in a required %s is a choice',
    input => {
      const choices = [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ]
      expect(fieldError(field({ input, required: true, options: choices }), false)).toBeUndefined()
      expect(fieldError(field({ input: 'checkbox', required: true }), false)).toBe('Required')
    },
  )

  it.each<[Partial<UiFieldNode>, unknown]>([
    [{ value: 90210 }, '90210'],
    [{ value: true }, 'true'],
    [{ input: 'multiline', value: 0 }, '0'],
    [{ input: 'number', value: '5' }, 5],
    [{ input: 'slider', value: '5' }, 5],
    [{ input: 'checkbox', value: 'true' }, true],
    [{ input: 'number', value: 'five' }, 'five'],
    [{ input: 'select', options, value: 2 }, 2],
  ])('US-221 the value of %j is in the form of its input', (rest, expected) => {
    const { schema } = readSchema({ root: { type: 'stack', children: [field(rest)] } })
    const [first] = fieldsOf(schema!.root)
    const value = initialValue(first!)
    expect(value).toBe(expected)
    if (value !== 'five') expect(fieldError(first!, value)).toBeUndefined()
  })
})
