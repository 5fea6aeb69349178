import {
  formatPointer,
  isObject,
  type Json,
  type JsonObject,
  MAX_ID,
  own,
  parsePointer,
  readPath,
} from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { decimal } from '../formats.ts'
import { clip, deepEqual, isTexts, repeatedAt, showJson } from '../json.ts'
import { judgePattern } from '../pattern/judge.ts'
import { judgeUrl, type UrlUse } from '../url.ts'
import type { Catalog } from './catalog.ts'
import { COMMON_PROPERTIES, checkSchema, type SchemaContext, types } from './check-schema.ts'
import { aboutTemplate } from './expression.ts'
import { helperSchemas } from './helper-schemas.ts'
import { type Given, idProblem } from './normalise.ts'
import { toPath } from './pointer.ts'
import { EnvelopeRefusal, unreadable } from './refusal.ts'
import { type ItemRule, refsOf } from './traits.ts'

/**
 * Where in the envelope a property stands: the place that counts first. Its name counts before its other names, and for its
 * name `props` counts before the component itself.
 */
function placesOf({ raw, path, traits: { aliases } }: Given, name: string): string[] {
  const places: string[] = []
  const inside = isObject(raw.props) ? raw.props : {}
  if (Object.hasOwn(inside, name)) places.push(path + formatPointer(['props', name]))
  if (Object.hasOwn(raw, name)) places.push(path + formatPointer([name]))
  if (!aliases) return places
  for (const key of Object.keys(raw)) if (own(aliases, key) === name) places.push(path + formatPointer([key]))
  for (const key of Object.keys(inside))
    if (own(aliases, key) === name) places.push(path + formatPointer(['props', key]))
  return places
}

/** Where in the envelope a property came from. */
export const whereOf = (given: Given, name: string): string =>
  placesOf(given, name)[0] ?? given.path + formatPointer(isObject(given.raw.props) ? ['props', name] : [name])

/** Tells of properties that were given twice, with different values: one of them counts for nothing. */
function tellTwice(given: Given, diagnostics: UiDiagnostic[]): void {
  for (const name of Object.keys(given.props)) {
    const [taken, ...others] = placesOf(given, name)
    for (const place of others) {
      const at = (pointer: string) => readPath(given.raw, parsePointer(pointer.slice(given.path.length)) ?? [])
      if (deepEqual(at(place), at(taken!))) continue
      const message = named(given, `'${name}' is given twice, and what stands here is not used`)
      diagnostics.push(problem('given_twice', message, place))
    }
  }
}

/**
 * Refuses what the schema of the component's type does not allow, and tells what will not be used. The nested form is read
 * leniently, the public one strictly.
 */
export function checkComponent(given: Given, catalog: Catalog, diagnostics: UiDiagnostic[]): void {
  const spec = catalog.components.get(given.type)
  const { raw } = given
  if (raw.props !== undefined && raw.props !== null && !isObject(raw.props))
    diagnostics.push(
      problem('wrong_type', named(given, "'props' is not an object, and nothing of it is used"), `${given.path}/props`),
    )
  if (!spec) {
    const wrong = idProblem(given.type)
    if (wrong)
      throw unreadable(
        wrong === 'forbidden_key' ? wrong : 'long_type',
        `${given.path}/${given.form === 'public' ? 'component' : 'type'}`,
      )
    const known = [...catalog.components.keys()].join(', ')
    const message = `'${given.type}' is not in the catalog and shows as a diagnostic; known are ${known}.`
    diagnostics.push(problem('unknown_type', message, given.path))
  } else if (given.form === 'nested') readLeniently(given, spec.schema, catalog, diagnostics)
  else {
    const component = given.props === given.raw ? given.raw : flat(given)
    const found = checkSchema(spec.schema, component, contextOf(catalog, component, false))
    if (found) throw refused(given, found)
  }
  checkReferences(given, diagnostics)
  const { props, traits } = given
  if (props !== raw) tellTwice(given, diagnostics)
  const doubt = spec?.doubts?.(props)
  if (doubt) diagnostics.push(problem(doubt.code, named(given, doubt.reason), whereOf(given, doubt.property)))
  for (const key of Object.keys(traits.items ?? {})) tellUnusable(given, key, traits.items![key]!, diagnostics)
  let reader: ValueReader | undefined
  for (const key of Object.keys(props)) {
    const value = props[key]!
    const use = traits.urls && own(traits.urls, key)
    if (use === undefined && key !== 'validationRegexp' && isPlain(value)) continue
    reader ??= new ValueReader(given, catalog, diagnostics)
    const at = () => whereOf(given, key)
    if (use !== undefined) reader.address(value, use, at)
    if (key === 'validationRegexp') reader.pattern(value, at)
    else if (key !== 'action' || !isObject(value)) reader.read(value, at, traits.records?.includes(key))
    else {
      props.action = wholeAction(value)
      reader.action(value, at)
    }
  }
}

/** Most values are scalars, ids and bindings that can be followed: there is nothing to say about them. */
function isPlain(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return isTexts(value)
  const { path } = value
  return typeof path === 'string' && Object.keys(value).length === 1 && toPath(path) !== undefined
}

const flat = ({ id, type, props }: Given): JsonObject => ({ id, component: type, ...props })

const contextOf = (catalog: Catalog, component: Json | undefined, lenient: boolean, exact = false): SchemaContext => ({
  root: catalog.definitions,
  functions: catalog.functions,
  lenient,
  exact,
  component,
})

const named = ({ type, id }: Given, message: string): string => `${type} '${id}': ${message}.`

function placeOf(given: Given, found: UiDiagnostic): string {
  const [key, ...rest] = parsePointer(found.path) ?? []
  return key === undefined ? given.path : whereOf(given, key) + formatPointer(rest)
}

const refused = (given: Given, found: UiDiagnostic): EnvelopeRefusal =>
  new EnvelopeRefusal('validation_failed', placeOf(given, found), named(given, found.message))

/** Takes numbers and switches that came as text, and tells what nobody will use. What was told is not looked at again. */
function readLeniently(given: Given, schema: JsonObject, catalog: Catalog, diagnostics: UiDiagnostic[]): void {
  // Many producers write null for what they leave out.
  for (const key of Object.keys(given.props)) if (given.props[key] === null) delete given.props[key]
  let rest = flat(given)
  const look = (value: JsonObject, exact: boolean) => checkSchema(schema, value, contextOf(catalog, value, true, exact))
  for (let found = look(rest, true); found; found = look(rest, true)) {
    const hard = look(rest, false)
    const { path, code, message } = hard ?? found
    const [key, ...deeper] = parsePointer(path) ?? []
    const better = key === undefined || deeper.length > 0 ? undefined : scalarOf(rest[key])
    if (better !== undefined && look({ ...rest, [key!]: better }, true)?.path !== path) {
      const taken = named(given, `${showJson(rest[key!])} was read as ${showJson(better)}`)
      diagnostics.push({ level: 'repair', code: 'coerced', path: whereOf(given, key!), message: taken })
      given.props[key!] = better
      rest = { ...rest, [key!]: better }
      continue
    }
    if (hard || key === undefined) throw refused(given, hard ?? found)
    diagnostics.push(problem(code, named(given, message), placeOf(given, found)))
    const { [key]: _, ...others } = rest
    rest = others
  }
  const { input } = given.traits
  for (const key of catalog.required(given.type))
    if (key !== input && !MAY_COME_LATER.has(key) && given.props[key] === undefined)
      diagnostics.push(
        problem('missing', named(given, `'${key}' is missing, and nothing is shown of it`), whereOf(given, key)),
      )
  const ways = waysToShow(schema)
  if (ways.length > 0 && !ways.some(keys => keys.every(key => given.props[key] !== undefined))) {
    const message = named(
      given,
      `it needs ${ways.map(keys => `'${keys.join("' and '")}'`).join(' or ')} to show something`,
    )
    diagnostics.push(problem('missing', message, whereOf(given, ways.at(-1)![0]!)))
  }
}

/** The properties of which a component needs the one or the other to be seen. What it does is no part of that. */
function waysToShow({ anyOf }: JsonObject): string[][] {
  const ways: string[][] = []
  for (const way of Array.isArray(anyOf) ? anyOf : []) {
    if (!isObject(way) || !Array.isArray(way.required)) return []
    ways.push((way.required as string[]).filter(key => key !== 'action'))
  }
  return ways.some(keys => keys.length === 0 || keys.some(key => MAY_COME_LATER.has(key))) ? [] : ways
}

/** A container is filled by later envelopes too. */
const MAY_COME_LATER: ReadonlySet<string> = new Set([...COMMON_PROPERTIES, 'children'])

/** The number or the switch that a text says. */
function scalarOf(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  return word === 'true' || word === 'false' ? word === 'true' : decimal(value)
}

/** An event may be written without the name of its kind. */
function wholeAction(action: JsonObject): JsonObject {
  const { name, context } = action
  const isEvent = typeof name === 'string' && Object.keys(action).every(key => key === 'name' || key === 'context')
  return isEvent ? { event: context === undefined ? { name } : { name, context } } : action
}

/** Refuses references to components that nobody can send, and tells of a component that is named twice. */
function checkReferences(given: Given, diagnostics: UiDiagnostic[]): void {
  const seen = new Set<string>()
  const check = (id: Json | undefined, key: string, ...rest: (string | number)[]): void => {
    if (typeof id !== 'string') return
    const wrong = id === '' ? 'no_id' : idProblem(id)
    if (!wrong && seen.size < seen.add(id).size) return
    const place = whereOf(given, key) + formatPointer(rest.map(String))
    if (wrong) throw unreadable(wrong, place)
    diagnostics.push(problem('given_twice', named(given, `it has '${id}' twice: give the second its own id`), place))
  }
  for (const { key, inner } of refsOf(given.traits)) {
    const value = given.props[key]
    if (value === undefined) continue
    if (typeof value === 'string') check(value, key)
    else if (Array.isArray(value))
      for (let i = 0; i < value.length; i++) {
        const item = value[i]
        if (typeof item === 'string') check(item, key, i)
        else if (inner !== undefined && isObject(item)) check(item[inner], key, i, inner)
      }
    else if (isObject(value)) check(value.componentId, key, 'componentId')
  }
}

/** Tells the first item of a list that nobody will see, and the first that is there twice. One shows what is wrong with the others. */
function tellUnusable(given: Given, key: string, usable: ItemRule, diagnostics: UiDiagnostic[]): void {
  const list = given.props[key]
  if (!Array.isArray(list)) return
  const index = list.findIndex(item => !usable.fits(item))
  if (index >= 0) {
    const message = named(given, `${showJson(list[index])} is not shown, it has to be ${usable.form}`)
    diagnostics.push(problem('wrong_type', message, `${whereOf(given, key)}/${index}`))
  }
  const { member } = usable
  if (member === undefined) return
  const twice = repeatedAt(list.map(item => (isObject(item) ? item[member] : item)))
  if (twice === undefined) return
  const message = named(given, `'${key}' has the ${member} ${showJson(list[twice])} twice`)
  diagnostics.push(problem('given_twice', message, `${whereOf(given, key)}/${twice}`))
}

type Where = () => string

/** Reads values as the expressions do, and tells what these could not follow or run. */
class ValueReader {
  readonly #given: Given
  readonly #catalog: Catalog
  readonly #diagnostics: UiDiagnostic[]
  /** No pointer leads into a template: what is wrong with a part of it is told at the template. */
  readonly #template: Where | undefined
  /** The places of which something was told. What is wrong with a value is wrong with the values around it too. */
  readonly #told: Set<string>

  constructor(given: Given, catalog: Catalog, diagnostics: UiDiagnostic[], template?: Where, told = new Set<string>()) {
    this.#given = given
    this.#catalog = catalog
    this.#diagnostics = diagnostics
    this.#template = template
    this.#told = told
  }

  read(value: Json | undefined, at: Where, records = false): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = value[i]!
        if (typeof item !== 'object') continue
        if (records && isObject(item)) this.#record(item, () => `${at()}/${i}`)
        else this.read(item, () => `${at()}/${i}`)
      }
      return
    }
    if (typeof value.call === 'string') {
      this.#call(value, at)
      return
    }
    const keys = Object.keys(value)
    const [only] = keys
    if (keys.length === 2 && typeof value.componentId === 'string') this.#pointer(value.path, () => `${at()}/path`)
    if (keys.length !== 1 || only === undefined) this.#record(value, at)
    else if (only === 'path' || only === '$ref') this.#pointer(value[only], () => `${at()}/${only}`)
    else if (Object.hasOwn(helperSchemas, only)) this.#helper(only, value[only]!, () => `${at()}/${only}`)
    else if (only !== 'literal') this.#record(value, at)
  }

  #helper(name: string, value: Json, at: Where): void {
    if (name === 'formatString') this.#text(value, at)
    else if (name === 'map' && isObject(value)) {
      const { from, template, ...others } = value
      if (typeof from === 'string') this.#pointer(from, () => `${at()}/from`)
      else this.read(from, () => `${at()}/from`)
      this.#text(template, () => `${at()}/template`)
      this.#record(others, at)
      // The others take values under their own names, or one value, or a list of them.
    } else if (isObject(value) && (name === 'if' || name === 'join')) this.#record(value, at)
    else this.read(value, at)
    this.#check(name, helperSchemas[name], value, true, at)
  }

  /** Tells the first thing that a helper or a function cannot take. */
  #check(name: string, schema: Json | undefined, value: Json, lenient: boolean, at: Where): void {
    const found = checkSchema(schema, value, contextOf(this.#catalog, undefined, lenient, lenient))
    if (found) this.#tell(found.code, `${name}: ${found.message}`, () => at() + found.path)
  }

  /** What a person's click leads to. The names in a context and among arguments mean nothing. */
  action(value: JsonObject, at: Where): void {
    const { functionCall } = value
    if (isObject(functionCall) && typeof functionCall.call === 'string') {
      const args = isObject(functionCall.args) ? functionCall.args : {}
      if (functionCall.call === 'openUrl') this.address(args.url, 'link', () => `${at()}/functionCall/args/url`)
      this.#record(args, () => `${at()}/functionCall/args`)
      return
    }
    const event = isObject(value.event) ? value.event : value
    const inside = event === value ? at : () => `${at()}/event`
    const { name } = event
    if (typeof name === 'string' && name.length > MAX_ID)
      throw new EnvelopeRefusal(
        'id_too_long',
        `${inside()}/name`,
        `The name of the event is longer than ${MAX_ID} characters. Choose a shorter one.`,
      )
    if (isObject(event.context)) this.#record(event.context, () => `${inside()}/context`)
  }

  address(value: Json | undefined, use: UrlUse, at: Where): void {
    if (value === undefined || value === null || value === '' || isObject(value)) return
    const verdict = judgeUrl(value, use)
    if (!verdict.ok) this.#tell(verdict.code, verdict.message, at)
  }

  pattern(value: Json | undefined, at: Where): void {
    const verdict = typeof value === 'string' ? judgePattern(value) : undefined
    if (verdict?.kind === 'invalid') this.#tell('invalid_pattern', verdict.reason, at)
  }

  #record(value: JsonObject, at: Where): void {
    for (const key of Object.keys(value)) {
      const item = value[key]
      if (typeof item === 'object') this.read(item, () => at() + formatPointer([key]))
    }
  }

  #call(value: JsonObject, at: Where): void {
    const call = value.call as string
    const args = isObject(value.args) ? value.args : {}
    if (call === 'regex') this.pattern(args.pattern, () => `${at()}/args/pattern`)
    const { value: text, ...others } = args
    if (call === 'formatString') this.#text(text, () => `${at()}/args/value`)
    this.#record(call === 'formatString' ? others : args, () => `${at()}/args`)
    const spec = this.#catalog.functions.get(call)
    if (spec && !spec.effect) this.#check(call, types.call, value, false, at)
    else
      this.#tell(
        'unknown_function',
        `'${clip(call, 80)}' is not a function that can be used in a value`,
        () => `${at()}/call`,
      )
  }

  /** A text with tokens in it. A call in a token is the same call outside of the text. */
  #text(value: Json | undefined, at: Where): void {
    if (typeof value !== 'string') {
      this.read(value, at)
      return
    }
    const { problem: wrong, parts = [] } = aboutTemplate(value)
    if (wrong !== undefined) this.#tell('invalid_template', wrong, at)
    const place = this.#template ?? at
    const reader = new ValueReader(this.#given, this.#catalog, this.#diagnostics, place, this.#told)
    for (const part of parts) reader.read(part, place)
  }

  #pointer(value: Json | undefined, at: Where): void {
    if (typeof value !== 'string' || toPath(value)) return
    throw new EnvelopeRefusal('invalid_path', at(), `Invalid path syntax: ${showJson(value)} is not a JSON pointer.`)
  }

  #tell(code: UiCode, message: string, at: Where): void {
    const place = (this.#template ?? at)()
    if (this.#told.has(place)) return
    this.#told.add(place)
    this.#diagnostics.push(problem(code, named(this.#given, message), place))
  }
}
