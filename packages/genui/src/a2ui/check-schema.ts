import {
  formatPointer,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  readPath,
  referencePath,
} from '@vitrine/protocol'
import { below, problem, type UiDiagnostic } from '../diagnostic.ts'
import { isDate, isDateTime, isTime, isUri } from '../formats.ts'
import { clip, deepEqual, showJson } from '../json.ts'
import { type CatalogFunction, HELPERS } from './expression.ts'
import { toPath } from './pointer.ts'

export interface SchemaContext {
  /** The document that local references point into. */
  root: JsonObject
  functions: ReadonlyMap<string, CatalogFunction>
  /** The nested form: nothing is required, other properties are tolerated, scalars stand in for each other. */
  lenient: boolean
  /** Of what `lenient` tolerates, the first thing that nobody can use: an unknown property, half a record, no number. */
  exact?: boolean
  /** The component as a whole: the properties that every component has are allowed in it by every schema. */
  component?: Json | undefined
}

/** The properties that every component has, whatever its schema says. */
export const COMMON_PROPERTIES: ReadonlySet<string> = new Set(['id', 'component', 'accessibility', 'weight'])

const issue = (path: string, message: string): UiDiagnostic => problem('validation_failed', message, path)

const at = (key: string | number): string => formatPointer([String(key)])

/** Paths grow on the way back from what is wrong; what is right costs none. */
const inside = (key: string | number, found: UiDiagnostic | undefined): UiDiagnostic | undefined =>
  below(at(key), found)

type Reference = { name: string; local: boolean; path: Path | undefined }
const references = new Map<string, Reference>()

function parseReference(reference: string): Reference {
  let parsed = references.get(reference)
  if (!parsed) {
    const path = referencePath(reference.slice(Math.max(reference.indexOf('#'), 0)))
    parsed = {
      name: path?.at(-1) ?? '',
      local: reference.startsWith('#') || reference.includes('catalog.json#'),
      path,
    }
    references.set(reference, parsed)
  }
  return parsed
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
  call: ref('FunctionCall'),
  oneOf: (...values: string[]): JsonObject => bindable({ type: 'string', enum: values }),
}

/** A value of the schema, or a binding or function that gives one. */
export const bindable = (schema: JsonObject): JsonObject => ({
  anyOf: [schema, { type: 'object', $ref: `common_types.json#/$defs/DynamicString` }],
})

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
      {
        type: 'object',
        properties: { name: { type: 'string' }, context: { type: 'object' } },
        required: ['name'],
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

type Check = (value: Json | undefined, ctx: SchemaContext) => UiDiagnostic | undefined

const allowed: Check = () => undefined
const forbidden: Check = () => issue('', 'is not allowed here')

/** The first thing that is wrong with a value by a JSON Schema of a catalog. */
export const checkSchema = (
  schema: Json | undefined,
  value: Json | undefined,
  ctx: SchemaContext,
): UiDiagnostic | undefined => checkOf(schema)(value, ctx)

/** A schema belongs to one catalog and does not change: it is read once, however often it is asked. */
const checks = new WeakMap<JsonObject, Check>()

function checkOf(schema: Json | undefined): Check {
  if (!isObject(schema)) return schema === false ? forbidden : allowed
  let check = checks.get(schema)
  if (!check) {
    const parts = [referenceCheck, ...scalarChecks, listCheck, objectCheck, ...combinedChecks]
    check = allOf(parts.map(part => part(schema)).filter(found => found !== undefined))
    checks.set(schema, check)
  }
  return check
}

/** The first complaint of several checks. */
function allOf(parts: readonly Check[]): Check {
  if (parts.length < 2) return parts[0] ?? allowed
  return (value, ctx) => {
    for (let i = 0; i < parts.length; i++) {
      const found = parts[i]!(value, ctx)
      if (found) return found
    }
    return undefined
  }
}

function referenceCheck({ $ref }: JsonObject): Check | undefined {
  if (typeof $ref !== 'string') return undefined
  const { name, local, path } = parseReference($ref)
  const common = commonCheck(name)
  if (!local || !path) return common
  return (value, ctx) => {
    const target = readPath(ctx.root, path)
    return target === undefined ? common(value, ctx) : checkSchema(target, value, ctx)
  }
}

function commonCheck(name: string): Check {
  if (name === 'FunctionCall') return (value, ctx) => validateCall(value, 'any', ctx)
  if (Object.hasOwn(DYNAMIC, name)) return (value, ctx) => validateDynamic(name, value, ctx)
  return checkOf(Object.hasOwn(COMMON, name) ? COMMON[name] : undefined)
}

/** Why nothing is found where a reference of a document leads; undefined when something is. */
export function unresolvedReference(reference: Json, document: JsonObject): string | undefined {
  if (typeof reference !== 'string') return `${showJson(reference)} is not a reference`
  const { name, local, path } = parseReference(reference)
  const shared = ['FunctionCall', ...Object.keys(DYNAMIC), ...Object.keys(COMMON)]
  if (shared.includes(name) || (local && path && readPath(document, path) !== undefined)) return undefined
  return local
    ? `${showJson(reference)} leads nowhere in this document`
    : `${showJson(reference)} is not a shared type; these are ${shared.join(', ')}`
}

function typeOf(value: Json | undefined): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** The keywords about the value itself, in the order in which they complain. */
const scalarChecks: readonly ((schema: JsonObject) => Check | undefined)[] = [
  ({ const: only }) =>
    only === undefined
      ? undefined
      : value =>
          deepEqual(only, value) ? undefined : issue('', `${showJson(value)} was expected to be ${showJson(only)}`),
  ({ enum: choices }) =>
    !Array.isArray(choices)
      ? undefined
      : value =>
          choices.some(choice => deepEqual(choice, value))
            ? undefined
            : issue('', `${showJson(value)} is not one of ${choices.map(showJson).join(', ')}`),
  ({ type }) => {
    if (type === undefined) return undefined
    const names = Array.isArray(type) ? type : [type]
    const only = names.length === 1 ? names[0] : undefined
    return value => {
      const actual = typeOf(value)
      if (actual === only || names.includes(actual)) return undefined
      if (Number.isInteger(value) && names.includes('integer')) return undefined
      return issue('', `${showJson(value)} is not of type '${names.join("' or '")}'`)
    }
  },
  ({ minimum }) =>
    typeof minimum !== 'number'
      ? undefined
      : value =>
          typeof value === 'number' && value < minimum ? issue('', `${value} is less than ${minimum}`) : undefined,
  ({ maximum }) =>
    typeof maximum !== 'number'
      ? undefined
      : value =>
          typeof value === 'number' && value > maximum ? issue('', `${value} is more than ${maximum}`) : undefined,
  ({ minLength }) =>
    typeof minLength !== 'number'
      ? undefined
      : value =>
          typeof value === 'string' && value.length < minLength
            ? issue('', minLength === 1 ? 'must not be empty' : `is shorter than ${minLength}`)
            : undefined,
  ({ maxLength }) =>
    typeof maxLength !== 'number'
      ? undefined
      : value =>
          typeof value === 'string' && value.length > maxLength ? issue('', `is longer than ${maxLength}`) : undefined,
  ({ pattern }) => {
    if (typeof pattern !== 'string') return undefined
    // Patterns in a schema are the host's own, not the agent's. One that is not legal fails where it is used.
    let regex: RegExp | undefined
    return value => {
      if (typeof value !== 'string') return undefined
      regex ??= new RegExp(pattern)
      return regex.test(value) ? undefined : issue('', `${showJson(value)} does not match ${pattern}`)
    }
  },
  ({ format }) => {
    const fits = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    return (
      fits &&
      (value =>
        typeof value === 'string' && !fits(value)
          ? issue('', `${showJson(value)} is not a valid ${format}`)
          : undefined)
    )
  },
]

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: isUri,
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
}

function listCheck({ items, minItems, maxItems }: JsonObject): Check | undefined {
  if (items === undefined && minItems === undefined && maxItems === undefined) return undefined
  const least = typeof minItems === 'number' ? minItems : 0
  const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY
  const check = checkOf(items)
  return (value, ctx) => {
    if (!Array.isArray(value)) return undefined
    if (value.length < least) return issue('', `has ${value.length} items and needs at least ${least}`)
    if (value.length > most) return issue('', `has ${value.length} items and takes at most ${most}`)
    for (let i = 0; i < value.length; i++) {
      const found = check(value[i], ctx)
      if (found) return inside(i, found)
    }
    return undefined
  }
}

function objectCheck(schema: JsonObject): Check | undefined {
  const { properties, required, additionalProperties: extra, unevaluatedProperties } = schema
  const known = new Map(Object.entries(isObject(properties) ? properties : {}).map(([key, s]) => [key, checkOf(s)]))
  const needed = Array.isArray(required) ? (required as string[]) : []
  const more = isObject(extra) ? checkOf(extra) : undefined
  const closed = unevaluatedProperties === false
  if (known.size === 0 && needed.length === 0 && !more && extra !== false && !closed) return undefined
  let evaluated: ReadonlyMap<string, Json> | undefined
  return (value, ctx) => {
    if (!isObject(value)) return undefined
    if (!ctx.lenient || (ctx.exact && value !== ctx.component))
      for (let i = 0; i < needed.length; i++)
        if (!Object.hasOwn(value, needed[i]!))
          return problem('missing', `'${needed[i]}' is a required property`, at(needed[i]!))
    for (const key of Object.keys(value)) {
      const check = known.get(key) ?? more
      if (check) {
        const found = check(value[key], ctx)
        if (found) return inside(key, found)
      } else if (extra === false && isUnknown(key, value, ctx)) return unknownProperty(key, [...known.keys()])
    }
    if (!closed || (ctx.lenient && !ctx.exact)) return undefined
    evaluated ??= propertiesOf(schema, ctx.root)
    for (const key of Object.keys(value))
      if (!evaluated.has(key) && isUnknown(key, value, ctx)) return unknownProperty(key, [...evaluated.keys()])
    return undefined
  }
}

function isUnknown(key: string, value: JsonObject, ctx: SchemaContext): boolean {
  // Many producers of the nested form write `children: []` for what has no children.
  if (ctx.lenient && (!ctx.exact || deepEqual(value[key], []))) return false
  return value !== ctx.component || !COMMON_PROPERTIES.has(key)
}

const unknownProperty = (key: string, known: string[]): UiDiagnostic =>
  problem('unknown_field', `'${clip(key, 80)}' is not a known property; known are ${known.join(', ')}`, at(key))

/** The properties that a schema speaks about, through its parts, each as the first part that names it has it. */
export function propertiesOf(
  schema: Json | undefined,
  root: JsonObject,
  found = new Map<string, Json>(),
): ReadonlyMap<string, Json> {
  if (!isObject(schema)) return found
  for (const [key, property] of Object.entries(isObject(schema.properties) ? schema.properties : {}))
    if (!found.has(key)) found.set(key, property)
  if (typeof schema.$ref === 'string') {
    const { name, local, path } = parseReference(schema.$ref)
    propertiesOf(local ? path && readPath(root, path) : COMMON[name], root, found)
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const part of Array.isArray(schema[key]) ? schema[key] : []) propertiesOf(part, root, found)
  return found
}

const combinedChecks: readonly ((schema: JsonObject) => Check | undefined)[] = [
  schema => (Array.isArray(schema.allOf) ? allOf(schema.allOf.map(checkOf)) : undefined),
  ({ anyOf }) => (Array.isArray(anyOf) ? alternatives(anyOf, Number.POSITIVE_INFINITY) : undefined),
  ({ oneOf }) => (Array.isArray(oneOf) ? alternatives(oneOf, 1) : undefined),
  ({ not }) => {
    if (not === undefined) return undefined
    const check = checkOf(not)
    return (value, ctx) => (check(value, ctx) ? undefined : issue('', 'has a form that is not allowed'))
  },
  schema => {
    if (schema.if === undefined) return undefined
    const [condition, holds, fails] = [checkOf(schema.if), checkOf(schema.then), checkOf(schema.else)]
    return (value, ctx) => (condition(value, ctx) ? fails : holds)(value, ctx)
  },
]

/** A value has to fit one of the schemas. With `most` 1 (oneOf) it may fit no second one; without a limit it is anyOf. */
function alternatives(schemas: readonly Json[], most: number): Check {
  const parts = schemas.map(checkOf)
  return (value, ctx) => {
    let fitting = 0
    let deepest: UiDiagnostic | undefined
    for (let i = 0; i < parts.length && (fitting === 0 || most === 1); i++) {
      const found = parts[i]!(value, ctx)
      if (!found) fitting++
      // The deepest complaint is about the alternative that was meant.
      else if (!deepest || depthOf(found) > depthOf(deepest)) deepest = found
    }
    if (fitting === 0) return deepest
    return fitting > most ? issue('', 'fits more than one of the allowed forms') : undefined
  }
}

/** Of two complaints that are as deep, the one about a value is about what was meant, and not one about a name. */
const depthOf = ({ path, code }: UiDiagnostic): number =>
  path.split('/').length + (code === 'missing' || code === 'unknown_field' ? 0 : 0.5)

function validateDynamic(name: string, value: Json | undefined, ctx: SchemaContext): UiDiagnostic | undefined {
  const wanted = DYNAMIC[name]!
  const actual = typeOf(value)
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (value.call !== undefined) return validateCall(value, wanted, ctx)
    for (const key of ['path', '$ref']) {
      if (keys.length !== 1 || typeof value[key] !== 'string') continue
      return toPath(value[key])
        ? undefined
        : issue(`/${key}`, `Invalid path syntax: ${showJson(value[key])} is not a JSON pointer`)
    }
    if (keys.length === 1 && (keys[0] === 'literal' || keys[0] === 'formatString' || HELPERS.includes(keys[0]!)))
      return branchProblem(name, value, ctx)
    if (wanted === 'any') return undefined
    return issue('', `${showJson(value)} is not of type '${wanted}', a binding {path} or a function`)
  }
  if (wanted === 'any' || actual === wanted) {
    if (name !== 'DynamicStringList' || ctx.lenient) return undefined
    const index = (value as Json[]).findIndex(item => typeof item !== 'string')
    return index < 0 ? undefined : issue(`/${index}`, `${showJson((value as Json[])[index])} is not of type 'string'`)
  }
  if (ctx.lenient && actual !== 'array' && wanted !== 'array' && (!ctx.exact || wanted === 'string' || value === null))
    return undefined
  return problem('wrong_type', `${showJson(value)} is not of type '${wanted}', a binding {path} or a function`)
}

/** An object among what `if` and `coalesce` choose from has to be what their place wants: it may be a misspelt helper. */
function branchProblem(name: string, value: JsonObject, ctx: SchemaContext): UiDiagnostic | undefined {
  if (ctx.lenient && !ctx.exact) return undefined
  const branches = isObject(value.if)
    ? ['then', 'else'].map(key => ['if', key, (value.if as JsonObject)[key]] as const)
    : Array.isArray(value.coalesce)
      ? value.coalesce.map((item, i) => ['coalesce', String(i), item] as const)
      : []
  for (const [helper, key, branch] of branches) {
    const found = isObject(branch) ? validateDynamic(name, branch, { ...ctx, lenient: true, exact: true }) : undefined
    if (found) return inside(helper, inside(key, found))
  }
  return undefined
}

function validateCall(value: Json | undefined, wanted: string, ctx: SchemaContext): UiDiagnostic | undefined {
  if (!isObject(value)) return issue('', `${showJson(value)} is not a function call`)
  if (typeof value.call !== 'string') return issue('/call', `'call' is a required property`)
  const spec = ctx.functions.get(value.call)
  if (!spec)
    return issue(
      '/call',
      `there is no function ${showJson(value.call)}; known are ${[...ctx.functions.keys()].join(', ')}`,
    )
  const { returnType } = value
  if (returnType !== undefined && spec.returnType !== 'any' && returnType !== spec.returnType)
    return issue('/returnType', `${showJson(returnType)} is not what ${value.call} returns ('${spec.returnType}')`)
  if (returnType !== undefined && wanted !== 'any' && returnType !== wanted)
    return issue('/returnType', `a ${wanted} is needed here and ${value.call} returns ${showJson(returnType)}`)
  const extra = Object.keys(value).find(key => !['call', 'args', 'returnType'].includes(key))
  if (extra) return unknownProperty(extra, ['call', 'args', 'returnType'])
  if (value.args === undefined) {
    const needs = spec.parameters?.required
    return Array.isArray(needs) && needs.length ? issue('/args', `'args' is a required property`) : undefined
  }
  if (!isObject(value.args)) return issue('/args', `${showJson(value.args)} is not of type 'object'`)
  return inside('args', checkSchema(spec.parameters, value.args, ctx.lenient ? { ...ctx, lenient: false } : ctx))
}
