import { isHiddenSchema, isObject, type Json, type JsonObject, own } from '@vitrine/protocol'
import type { MessageKey, Vars } from '../i18n/i18n.tsx'

export type FieldKind = 'text' | 'lines' | 'number' | 'integer' | 'boolean' | 'one-of' | 'some-of' | 'json'

export interface FormField {
  /** Property of the answer; empty when the schema describes a bare value. */
  name: string
  label: string
  help: string | null
  kind: FieldKind
  format: string | null
  /** It has something that is typed hidden: it is not kept in the browser. */
  hidden: boolean
  required: boolean
  options: readonly { value: Json; label: string }[]
  min: number | null
  max: number | null
  exclusiveMin: number | null
  exclusiveMax: number | null
  minLength: number | null
  maxLength: number | null
  initial: FieldInput
}

/** What a control holds: text, a tick, or the ticked options by position. */
export type FieldInput = string | boolean | readonly number[]
export type FieldError = { key: MessageKey; vars?: Vars }
export type Inputs = Readonly<Record<string, FieldInput>>
export type FieldErrors = ReadonlyMap<string, FieldError>

export const inputOf = (field: FormField, inputs: Inputs): FieldInput => own(inputs, field.name) ?? field.initial

const number = (value: Json | undefined) => (typeof value === 'number' ? value : null)
const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)

/**
 * The controls for an answer that a JSON Schema describes, filled with what is `given` or else the defaults.
 * A shape without a control of its own is edited as JSON.
 */
export function fieldsOf(schema: JsonObject, given?: Json): FormField[] {
  if (!isObject(schema.properties)) return [field('', schema, true, given)]
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, property]) => {
    const value = isObject(given) ? own(given, name) : undefined
    return field(name, isObject(property) ? property : {}, required.includes(name), value)
  })
}

function field(name: string, schema: JsonObject, required: boolean, given: Json | undefined): FormField {
  const items = isObject(schema.items) ? schema.items : {}
  const several = schema.type === 'array' ? optionsOf(items) : []
  const options = several.length ? several : optionsOf(schema)
  const kind = kindOf(schema, options.length > 0, several.length > 0)
  return {
    name,
    label: text(schema.title) ?? name,
    help: text(schema.description),
    kind,
    format: isHiddenSchema(schema) ? 'password' : text(schema.format),
    hidden: hides(schema),
    required,
    options,
    min: number(schema.minimum),
    max: number(schema.maximum),
    exclusiveMin: number(schema.exclusiveMinimum),
    exclusiveMax: number(schema.exclusiveMaximum),
    minLength: number(schema.minLength),
    maxLength: number(schema.maxLength),
    initial: initialOf(kind, given ?? schema.default, options),
  }
}

/** A reference may lead to a password, and is not followed here. */
function hides(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hides)
  if (!isObject(schema)) return false
  return isHiddenSchema(schema) || '$ref' in schema || Object.values(schema).some(hides)
}

function optionsOf(schema: JsonObject): FormField['options'] {
  if (Array.isArray(schema.enum)) return schema.enum.map(value => ({ value, label: labelOf(value) }))
  const choices = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : []
  const constants = choices.filter(item => isObject(item)).filter(choice => 'const' in choice)
  if (constants.length !== choices.length) return []
  return constants.map(choice => ({ value: choice.const!, label: text(choice.title) ?? labelOf(choice.const!) }))
}

const labelOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

function kindOf(schema: JsonObject, hasOptions: boolean, several: boolean): FieldKind {
  if (several) return 'some-of'
  if (hasOptions) return 'one-of'
  if (schema.type === 'string') {
    const long = schema.format === 'textarea' || (number(schema.maxLength) ?? 0) > 200
    return long ? 'lines' : 'text'
  }
  if (schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean') return schema.type
  return 'json'
}

function initialOf(kind: FieldKind, value: Json | undefined, options: FormField['options']): FieldInput {
  const position = (wanted: Json) => options.findIndex(option => labelOf(option.value) === labelOf(wanted))
  if (kind === 'boolean') return value === true
  if (kind === 'some-of') return Array.isArray(value) ? value.map(position).filter(at => at >= 0) : []
  if (value === undefined) return ''
  if (kind === 'one-of') return position(value) < 0 ? '' : String(position(value))
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Read = { value: Json | undefined; error: FieldError | null }
const good = (value: Json | undefined): Read => ({ value, error: null })
const bad = (key: MessageKey, vars?: Vars): Read => ({ value: undefined, error: vars ? { key, vars } : { key } })

/** The value a control holds, or what is wrong with it. An empty optional control has no value. */
export function readField(field: FormField, input: FieldInput): Read {
  if (typeof input === 'boolean') return good(input)
  if (typeof input !== 'string') {
    if (field.required && input.length === 0) return bad('form.required')
    return good(input.map(at => field.options[at]!.value))
  }
  if (input.trim() === '') return field.required ? bad('form.required') : good(undefined)
  switch (field.kind) {
    case 'one-of':
      return good(field.options[Number(input)]?.value)
    case 'number':
    case 'integer':
      return readNumber(field, input)
    case 'json':
      try {
        return good(JSON.parse(input) as Json)
      } catch {
        return bad('form.json')
      }
    default:
      return readText(field, input)
  }
}

function readNumber(field: FormField, input: string): Read {
  const value = Number(input.trim())
  if (!Number.isFinite(value)) return bad('form.number')
  if (field.kind === 'integer' && !Number.isInteger(value)) return bad('form.integer')
  if (field.min !== null && value < field.min) return bad('form.min', { min: field.min })
  if (field.max !== null && value > field.max) return bad('form.max', { max: field.max })
  if (field.exclusiveMin !== null && value <= field.exclusiveMin) return bad('form.above', { min: field.exclusiveMin })
  if (field.exclusiveMax !== null && value >= field.exclusiveMax) return bad('form.below', { max: field.exclusiveMax })
  return good(value)
}

const formats: Record<string, (value: string) => boolean> = {
  email: value => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: value => URL.canParse(value),
  url: value => URL.canParse(value),
  date: value => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  time: value => /^\d{2}:\d{2}(:\d{2})?/.test(value),
  'date-time': value => !Number.isNaN(Date.parse(value)),
}

function readText(field: FormField, input: string): Read {
  const length = [...input].length
  if (field.minLength !== null && length < field.minLength) return bad('form.minLength', { count: field.minLength })
  if (field.maxLength !== null && length > field.maxLength) return bad('form.maxLength', { count: field.maxLength })
  const fits = field.format ? own(formats, field.format) : undefined
  if (fits && !fits(input)) return bad('form.format', { format: field.format! })
  // A local date and time without a zone means the person's own.
  return good(field.format === 'date-time' && Date.parse(input) ? new Date(input).toISOString() : input)
}

/** The whole answer, or the errors by field name. */
export function readForm(fields: readonly FormField[], inputs: Inputs): { value: Json; errors: FieldErrors } {
  const errors = new Map<string, FieldError>()
  const value: JsonObject = {}
  let bare: Json = null
  for (const field of fields) {
    const read = readField(field, inputOf(field, inputs))
    if (read.error) errors.set(field.name, read.error)
    else if (field.name === '') bare = read.value ?? null
    // An own property also when the schema calls it __proto__.
    else if (read.value !== undefined) {
      Object.defineProperty(value, field.name, { value: read.value, enumerable: true, writable: true })
    }
  }
  return { value: fields.length === 1 && fields[0]!.name === '' ? bare : value, errors }
}
