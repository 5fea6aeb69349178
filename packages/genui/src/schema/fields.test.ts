import { describe, expect, it } from 'vitest'
import { fieldError, fieldsOf, formErrors, initialValue, readSchema, submits, type UiFieldNode } from './index.ts'

const field = (rest: Partial<UiFieldNode>): UiFieldNode => ({ type: 'field', name: 'f', label: 'F', ...rest })
const options = [
  { value: 'a', label: 'A' },
  { value: 2, label: 'Two' },
]

describe('fields', () => {
  const cases: [Partial<UiFieldNode>, unknown, string | undefined][] = [
    [{ required: true }, '', 'This field is required'],
    [{ required: true }, undefined, 'This field is required'],
    [{}, '', undefined],
    [{ minLength: 3 }, 'ab', 'At least 3 characters'],
    [{ minLength: 2 }, '👩👩', undefined],
    [{ maxLength: 3 }, 'abcd', 'At most 3 characters'],
    [{ input: 'email' }, 'a@b.example', undefined],
    [{ input: 'email' }, 'a@@b', 'An e-mail address, please'],
    [{ input: 'url' }, 'javascript:x', 'A web address, please'],
    [{ input: 'number', min: 1, max: 5 }, 0.5, 'At least 1'],
    [{ input: 'number', min: 1, max: 5 }, '6', 'At most 5'],
    [{ input: 'number' }, 'six', 'This value is not valid'],
    [{ input: 'integer' }, 1.5, 'A whole number, please'],
    [{ input: 'slider', min: 0, max: 10 }, 5, undefined],
    [{ input: 'select', options }, 'b', 'This value is not valid'],
    [{ input: 'select', options }, 2, undefined],
    [{ input: 'radio', options }, 'a', undefined],
    [{ input: 'multiselect', options }, ['a', 2], undefined],
    [{ input: 'multiselect', options, required: true }, [], 'This field is required'],
    [{ input: 'checkbox', required: true }, false, 'This field is required'],
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

describe('values that an author gives', () => {
  it.each<UiFieldNode['input'] & string>(['select', 'radio'])(
    'US-221 a choice of false in a required %s is a choice',
    input => {
      const choices = [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ]
      expect(fieldError(field({ input, required: true, options: choices }), false)).toBeUndefined()
      expect(fieldError(field({ input: 'checkbox', required: true }), false)).toBe('This field is required')
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
