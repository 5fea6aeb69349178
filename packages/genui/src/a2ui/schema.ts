import { type FunctionSpec, HELPERS } from './expression.ts'
import { deepEqual, isObject, type Json, type JsonObject } from './ops.ts'
import { toPath } from './path.ts'

/** The first thing that is wrong, and where (a JSON pointer below the validated value). */
export type Issue = { path: string; message: string }

export interface SchemaContext {
  /** The document that local references point into. */
  root: JsonObject
  functions: ReadonlyMap<string, FunctionSpec>
  /** The nested dialect: nothing is required, other properties are tolerated, scalars stand in for text. */
  lenient: boolean
}

const issue = (path: string, message: string): Issue => ({ path, message })

/** Paths grow on the way back from what is wrong; what is right costs none. */
const below = (key: string | number, found: Issue | undefined): Issue | undefined =>
  found && { path: `/${key}${found.path}`, message: found.message }

type Reference = { name: string; local: boolean; steps: readonly string[] }
const references = new Map<string, Reference>()

function parseReference(reference: string): Reference {
  let parsed = references.get(reference)
  if (!parsed) {
    const steps = reference
      .slice(reference.indexOf('#') + 1)
      .split('/')
      .slice(1)
    parsed = {
      name: steps.at(-1) ?? '',
      local: reference.startsWith('#') || reference.includes('catalog.json#'),
      steps,
    }
    references.set(reference, parsed)
  }
  return parsed
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

const ref = (name: string): JsonObject => ({ $ref: `common_types.json#/$defs/${name}` })

export const types = {
  string: ref('DynamicString'),
  number: ref('DynamicNumber'),
  boolean: ref('DynamicBoolean'),
  strings: ref('DynamicStringList'),
  value: ref('DynamicValue'),
  list: ref('DynamicList'),
  id: ref('ComponentId'),
  children: ref('ChildList'),
  action: ref('Action'),
  oneOf: (...values: string[]): JsonObject => ({ type: 'string', enum: values }),
}

/** The shared definitions of the public protocol. The `Dynamic…` types and calls are checked in code, below. */
const COMMON: Record<string, JsonObject> = {
  ComponentId: { type: 'string', minLength: 1 },
  DataBinding: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  ChildList: {
    anyOf: [
      { type: 'array', items: ref('ComponentId') },
      {
        type: 'object',
        properties: { componentId: ref('ComponentId'), path: { type: 'string' } },
        required: ['componentId', 'path'],
        additionalProperties: false,
      },
    ],
  },
  AccessibilityAttributes: {
    type: 'object',
    properties: { label: types.string, description: types.string },
  },
  ComponentCommon: {
    type: 'object',
    properties: { id: ref('ComponentId'), accessibility: ref('AccessibilityAttributes') },
    required: ['id'],
  },
  CheckRule: {
    type: 'object',
    properties: { condition: types.boolean, message: { type: 'string' } },
    required: ['condition', 'message'],
    additionalProperties: false,
  },
  Checkable: { type: 'object', properties: { checks: { type: 'array', items: ref('CheckRule') } } },
  Action: {
    anyOf: [
      {
        type: 'object',
        properties: {
          event: {
            type: 'object',
            properties: { name: { type: 'string' }, context: { type: 'object' } },
            required: ['name'],
            additionalProperties: false,
          },
        },
        required: ['event'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { functionCall: ref('FunctionCall') },
        required: ['functionCall'],
        additionalProperties: false,
      },
    ],
  },
}

const DYNAMIC: Record<string, string> = {
  DynamicString: 'string',
  DynamicNumber: 'number',
  DynamicBoolean: 'boolean',
  DynamicStringList: 'array',
  DynamicList: 'array',
  DynamicValue: 'any',
}

export function validate(schema: Json | undefined, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  if (!isObject(schema)) return schema === false ? issue('', 'is not allowed here') : undefined
  if (typeof schema.$ref === 'string') {
    const { name, local, steps } = parseReference(schema.$ref)
    const target = local ? resolveLocal(steps, ctx) : undefined
    const found = target === undefined ? validateCommon(name, value, ctx) : validate(target, value, ctx)
    if (found) return found
  }
  const { scalar, shape, combined } = aspectsOf(schema)
  return (
    (scalar ? validateScalar(schema, value) : undefined) ??
    (shape ? (validateList(schema, value, ctx) ?? validateObject(schema, value, ctx)) : undefined) ??
    (combined ? validateCombined(schema, value, ctx) : undefined)
  )
}

/** What a schema speaks of. Most speak of one thing, and they are asked a thousand times. */
interface Aspects {
  scalar: boolean
  shape: boolean
  combined: boolean
}

const aspects = new WeakMap<JsonObject, Aspects>()
const SHAPE = ['items', 'minItems', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties']
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'not', 'if']
const SILENT = ['$ref', 'description', 'title', 'default', '$comment', 'examples']

function aspectsOf(schema: JsonObject): Aspects {
  let found = aspects.get(schema)
  if (!found) {
    const keys = Object.keys(schema)
    const shape = keys.some(key => SHAPE.includes(key))
    const combined = keys.some(key => COMBINED.includes(key))
    const scalar = keys.some(key => ![...SHAPE, ...COMBINED, ...SILENT].includes(key))
    found = { scalar, shape, combined }
    aspects.set(schema, found)
  }
  return found
}

function resolveLocal(steps: readonly string[], ctx: { root: JsonObject }): Json | undefined {
  let target: Json | undefined = ctx.root
  for (const key of steps) target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
  return target
}

function validateCommon(name: string, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  if (name === 'FunctionCall') return validateCall(value, 'any', ctx)
  return DYNAMIC[name] ? validateDynamic(name, value, ctx) : validate(COMMON[name], value, ctx)
}

function typeOf(value: Json | undefined): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function validateScalar(schema: JsonObject, value: Json | undefined): Issue | undefined {
  const { type, minimum, maximum, pattern, format, minLength, maxLength } = schema
  if (schema.const !== undefined && !deepEqual(schema.const, value))
    return issue('', `${show(value)} was expected to be ${show(schema.const)}`)
  if (Array.isArray(schema.enum) && !schema.enum.some(item => deepEqual(item, value)))
    return issue('', `${show(value)} is not one of ${schema.enum.map(show).join(', ')}`)
  if (type !== undefined) {
    const allowed = Array.isArray(type) ? type : [type]
    const actual = typeOf(value)
    const fits = allowed.some(name => name === actual || (name === 'integer' && Number.isInteger(value)))
    if (!fits) return issue('', `${show(value)} is not of type '${allowed.join("' or '")}'`)
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return issue('', `${value} is less than ${minimum}`)
    if (typeof maximum === 'number' && value > maximum) return issue('', `${value} is more than ${maximum}`)
  }
  if (typeof value !== 'string') return undefined
  if (typeof minLength === 'number' && value.length < minLength) return issue('', 'must not be empty')
  if (typeof maxLength === 'number' && value.length > maxLength) return issue('', `is longer than ${maxLength}`)
  // Patterns in a schema are the host's own, not the agent's.
  if (typeof pattern === 'string' && !new RegExp(pattern).test(value))
    return issue('', `${show(value)} does not match ${pattern}`)
  if (typeof format === 'string' && FORMATS[format] && !FORMATS[format](value))
    return issue('', `${show(value)} is not a valid ${format}`)
  return undefined
}

const FORMATS: Record<string, (text: string) => boolean> = {
  uri: text => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  time: text => /^\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(text),
  'date-time': text => /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && !Number.isNaN(Date.parse(text)),
}

function validateList(schema: JsonObject, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  if (!Array.isArray(value)) return undefined
  if (typeof schema.minItems === 'number' && value.length < schema.minItems)
    return issue('', `has ${value.length} items and needs at least ${schema.minItems}`)
  if (schema.items === undefined) return undefined
  for (let i = 0; i < value.length; i++) {
    const found = validate(schema.items, value[i], ctx)
    if (found) return below(i, found)
  }
  return undefined
}

function validateObject(schema: JsonObject, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  if (!isObject(value)) return undefined
  const { properties, required, additionalProperties: extra } = schema
  const known = isObject(properties) ? properties : {}
  if (Array.isArray(required) && !ctx.lenient)
    for (const key of required)
      if (!Object.hasOwn(value, key as string)) return issue(`/${key}`, `'${key}' is a required property`)
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (Object.hasOwn(known, key)) {
      const found = validate(known[key], item, ctx)
      if (found) return below(key, found)
    } else if (isObject(extra)) {
      const found = validate(extra, item, ctx)
      if (found) return below(key, found)
    } else if (extra === false && !ctx.lenient) return unknownProperty(key, Object.keys(known))
  }
  if (schema.unevaluatedProperties !== false || ctx.lenient) return undefined
  let evaluated = evaluatedBy.get(schema)
  if (!evaluated) {
    evaluated = propertyNames(schema, ctx, new Set())
    evaluatedBy.set(schema, evaluated)
  }
  for (const key of Object.keys(value)) if (!evaluated.has(key)) return unknownProperty(key, [...evaluated])
  return undefined
}

/** A schema belongs to one catalog: what it speaks about does not change. */
const evaluatedBy = new WeakMap<JsonObject, Set<string>>()

const unknownProperty = (key: string, known: string[]): Issue =>
  issue(`/${key}`, `'${key}' is not a known property; known are ${known.join(', ')}`)

/** The properties that a schema speaks about, through its parts. */
export function propertyNames(schema: Json | undefined, ctx: { root: JsonObject }, names: Set<string>): Set<string> {
  if (!isObject(schema)) return names
  if (isObject(schema.properties)) for (const key of Object.keys(schema.properties)) names.add(key)
  if (typeof schema.$ref === 'string') {
    const { name, local, steps } = parseReference(schema.$ref)
    propertyNames(local ? resolveLocal(steps, ctx) : COMMON[name], ctx, names)
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const part of Array.isArray(schema[key]) ? schema[key] : []) propertyNames(part, ctx, names)
  return names
}

function validateCombined(schema: JsonObject, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = validate(part, value, ctx)
    if (found) return found
  }
  for (const key of ['anyOf', 'oneOf']) {
    const parts = schema[key]
    if (!Array.isArray(parts)) continue
    const issues = parts.map(part => validate(part, value, ctx))
    const fitting = issues.filter(found => !found).length
    // The deepest complaint is about the alternative that was meant.
    if (fitting === 0) return issues.reduce((a, b) => (b!.path.length > a!.path.length ? b : a), issues[0])
    if (key === 'oneOf' && fitting > 1) return issue('', 'fits more than one of the allowed forms')
  }
  if (schema.not !== undefined && !validate(schema.not, value, ctx)) return issue('', 'has a form that is not allowed')
  if (schema.if === undefined) return undefined
  return validate(validate(schema.if, value, ctx) ? schema.else : schema.then, value, ctx)
}

function validateDynamic(name: string, value: Json | undefined, ctx: SchemaContext): Issue | undefined {
  const wanted = DYNAMIC[name]!
  const actual = typeOf(value)
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (value.call !== undefined) return validateCall(value, wanted, ctx)
    for (const key of ['path', '$ref']) {
      if (keys.length !== 1 || typeof value[key] !== 'string') continue
      return toPath(value[key])
        ? undefined
        : issue(`/${key}`, `Invalid path syntax: ${show(value[key])} is not a JSON pointer`)
    }
    if (keys.length === 1 && (keys[0] === 'literal' || keys[0] === 'formatString' || HELPERS.includes(keys[0]!)))
      return undefined
    if (wanted === 'any') return undefined
    return issue('', `${show(value)} is not of type '${wanted}', a binding {path} or a function`)
  }
  if (wanted === 'any' || actual === wanted) {
    if (name !== 'DynamicStringList' || ctx.lenient) return undefined
    const index = (value as Json[]).findIndex(item => typeof item !== 'string')
    return index < 0 ? undefined : issue(`/${index}`, `${show((value as Json[])[index])} is not of type 'string'`)
  }
  if (ctx.lenient && actual !== 'array' && wanted !== 'array') return undefined
  return issue('', `${show(value)} is not of type '${wanted}', a binding {path} or a function`)
}

function validateCall(value: Json | undefined, wanted: string, ctx: SchemaContext): Issue | undefined {
  if (!isObject(value)) return issue('', `${show(value)} is not a function call`)
  if (typeof value.call !== 'string') return issue('/call', `'call' is a required property`)
  const spec = ctx.functions.get(value.call)
  if (!spec)
    return issue('/call', `there is no function ${show(value.call)}; known are ${[...ctx.functions.keys()].join(', ')}`)
  const { returnType } = value
  if (returnType !== undefined && spec.returnType !== 'any' && returnType !== spec.returnType)
    return issue('/returnType', `${show(returnType)} is not what ${value.call} returns ('${spec.returnType}')`)
  if (returnType !== undefined && wanted !== 'any' && returnType !== wanted)
    return issue('/returnType', `a ${wanted} is needed here and ${value.call} returns ${show(returnType)}`)
  const extra = Object.keys(value).find(key => !['call', 'args', 'returnType'].includes(key))
  if (extra) return unknownProperty(extra, ['call', 'args', 'returnType'])
  if (value.args === undefined) {
    const needs = spec.parameters?.required
    return Array.isArray(needs) && needs.length ? issue('/args', `'args' is a required property`) : undefined
  }
  if (!isObject(value.args)) return issue('/args', `${show(value.args)} is not of type 'object'`)
  return below('args', validate(spec.parameters, value.args, ctx.lenient ? { ...ctx, lenient: false } : ctx))
}
