import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { fieldsOf, readField, readForm } from './schema-fields.ts'
import { SchemaForm } from './schema-form.tsx'

const schema = {
  type: 'object',
  required: ['name', 'guests'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 10 },
    email: { type: 'string', format: 'email', description: 'For the answer' },
    guests: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
    price: { type: 'number', exclusiveMinimum: 0 },
    seat: { type: 'string', enum: ['inside', 'terrace'] },
    extras: { type: 'array', items: { enum: ['train', 'food'] } },
    size: {
      oneOf: [
        { const: 1, title: 'Small' },
        { const: 2, title: 'Large' },
      ],
    },
    veg: { type: 'boolean', default: true },
    more: { type: 'object' },
  },
} as const

const fields = fieldsOf(schema as never)
const named = (name: string) => fields.find(field => field.name === name)!
const error = (name: string, input: string) => readField(named(name), input).error?.key ?? null

describe('forms from JSON Schema', () => {
  it('P-210 each kind of property has its control, label, help and default', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['email', 'text'],
      ['guests', 'integer'],
      ['price', 'number'],
      ['seat', 'one-of'],
      ['extras', 'some-of'],
      ['size', 'one-of'],
      ['veg', 'boolean'],
      ['more', 'json'],
    ])
    expect(named('name')).toMatchObject({ label: 'Your name', required: true })
    expect(named('email')).toMatchObject({ help: 'For the answer', required: false, format: 'email' })
    expect(named('guests').initial).toBe('2')
    expect(named('veg').initial).toBe(true)
    expect(named('size').options).toEqual([
      { value: 1, label: 'Small' },
      { value: 2, label: 'Large' },
    ])
  })

  it('P-211 required, bounds, lengths, whole numbers and formats are checked', () => {
    expect(error('name', ' ')).toBe('form.required')
    expect(error('name', 'a')).toBe('form.minLength')
    expect(error('name', 'a'.repeat(11))).toBe('form.maxLength')
    expect(error('name', '👩👩')).toBeNull()
    expect(error('email', 'nobody')).toBe('form.format')
    expect(error('email', '')).toBeNull()
    expect(error('guests', '1.5')).toBe('form.integer')
    expect(error('guests', 'two')).toBe('form.number')
    expect(error('guests', '0')).toBe('form.min')
    expect(error('guests', '13')).toBe('form.max')
    expect(error('price', '0')).toBe('form.above')
    expect(error('more', '{')).toBe('form.json')
  })

  it('P-212 the answer has the schema’s types, and no optional value that was left empty', () => {
    const inputs = { name: 'Ada', seat: '1', extras: [1], size: '0', more: '{"a":[1]}' }
    expect(readForm(fields, inputs)).toEqual({
      value: { name: 'Ada', guests: 2, seat: 'terrace', extras: ['food'], size: 1, veg: true, more: { a: [1] } },
      errors: new Map(),
    })
  })

  it('P-212 errors come by field and what is given fills the form', () => {
    expect(readForm(fields, {}).errors).toEqual(new Map([['name', { key: 'form.required' }]]))
    const given = fieldsOf(schema as never, { name: 'Grace', seat: 'inside', extras: ['train'] })
    expect(given.map(field => field.initial).slice(0, 6)).toEqual(['Grace', '', '2', '', '0', [0]])
  })

  it('P-212 a bare value needs no object around it', () => {
    const [field] = fieldsOf({ type: 'integer', minimum: 3 })
    expect(readForm([field!], { '': '4' })).toEqual({ value: 4, errors: new Map() })
  })

  it('P-213 a property called __proto__ is an ordinary one', () => {
    const hostile = fieldsOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'))
    const { value } = readForm(hostile, JSON.parse('{"__proto__":"x"}'))
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('P-286 a field or a format may be called like what the language has under that name', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
      const properties = `{${JSON.stringify(name)}:{"type":"string","format":${JSON.stringify(name)}}}`
      const hostile = fieldsOf(JSON.parse(`{"properties":${properties},"required":[${JSON.stringify(name)}]}`))
      const { errors } = readForm(hostile, {})
      expect([...errors]).toEqual([[name, { key: 'form.required' }]])
      const typed = JSON.parse(`{${JSON.stringify(name)}:"x"}`)
      expect(Object.entries(readForm(hostile, typed).value as object)).toEqual([[name, 'x']])
      const form = { fields: hostile, disabled: false, onChange: () => {} }
      expect(renderToStaticMarkup(createElement(SchemaForm, { ...form, inputs: {}, errors: new Map() }))).toContain(
        'autoComplete="off" class="v-input" type="text" value=""',
      )
      expect(renderToStaticMarkup(createElement(SchemaForm, { ...form, inputs: {}, errors }))).toContain(
        'v-field-error',
      )
    }
  })
})

describe('L10 fields of a request that hide what is typed', () => {
  const hiding = fieldsOf({
    type: 'object',
    properties: {
      name: { type: 'string' },
      pin: { type: 'string', format: 'password' },
      key: { type: 'string', writeOnly: true },
      account: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } },
      other: { $ref: '#/$defs/other' },
    },
  })

  it('L10 a field that only takes its value has the control of a password', () => {
    const html = renderToStaticMarkup(
      createElement(SchemaForm, { fields: hiding, inputs: {}, errors: new Map(), disabled: false, onChange: () => {} }),
    )
    expect(html.match(/type="password"/g)).toHaveLength(2)
  })

  it('L10 what is hidden, also inside a value or behind a reference, is kept nowhere in the browser', () => {
    expect(hiding.filter(({ hidden }) => !hidden).map(({ name }) => name)).toEqual(['name'])
  })
})
