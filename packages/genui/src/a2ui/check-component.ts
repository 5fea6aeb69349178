import { formatPointer, isObject, type Json, type JsonObject, MAX_ID, own, parsePointer } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { decimal } from '../formats.ts'
import { clip, isTexts, showJson } from '../json.ts'
import { judgePattern } from '../pattern/judge.ts'
import { judgeUrl, type UrlUse } from '../url.ts'
import type { Catalog } from './catalog.ts'
import { COMMON_PROPERTIES, checkSchema, type SchemaContext } from './check-schema.ts'
import { aboutTemplate } from './expression.ts'
import { type Given, idProblem } from './normalise.ts'
import { toPath } from './pointer.ts'
import { EnvelopeRefusal, unreadable } from './refusal.ts'
import { type ItemRule, refsOf } from './traits.ts'

/** Where in the envelope a property came from. */
export function whereOf({ raw, path, traits }: Given, name: string): string {
  const called = (object: JsonObject) => Object.keys(object).find(key => key === name || traits.aliases?.[key] === name)
  const inside = isObject(raw.props) ? called(raw.props) : undefined
  if (inside !== undefined) return path + formatPointer(['props', inside])
  const own = called(raw)
  return path + formatPointer(own === undefined && isObject(raw.props) ? ['props', name] : [own ?? name])
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
  checkReferences(given)
  const { props, traits } = given
  for (const key of Object.keys(traits.items ?? {})) tellUnusable(given, key, traits.items![key]!, diagnostics)
  let reader: ValueReader | undefined
  for (const key of Object.keys(props)) {
    const value = props[key]!
    const use = traits.urls && own(traits.urls, key)
    if (use === undefined && key !== 'validationRegexp' && isPlain(value)) continue
    reader ??= new ValueReader(given, catalog.functions, diagnostics)
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

const contextOf = (catalog: Catalog, component: Json, lenient: boolean, exact = false): SchemaContext => ({
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

/** Refuses references to components that nobody can send. */
function checkReferences(given: Given): void {
  for (const { key, inner } of refsOf(given.traits)) {
    const value = given.props[key]
    if (value === undefined) continue
    if (typeof value === 'string') checkReference(value, given, [key])
    else if (Array.isArray(value))
      for (let i = 0; i < value.length; i++) {
        const item = value[i]
        if (typeof item === 'string' && (item === '' || idProblem(item))) checkReference(item, given, [key, i])
        else if (inner !== undefined && isObject(item)) checkReference(item[inner], given, [key, i, inner])
      }
    else if (isObject(value)) checkReference(value.componentId, given, [key, 'componentId'])
  }
}

function checkReference(id: Json | undefined, given: Given, [key, ...rest]: readonly (string | number)[]): void {
  const wrong = id === '' ? 'no_id' : typeof id === 'string' ? idProblem(id) : undefined
  if (wrong) throw unreadable(wrong, whereOf(given, String(key)) + formatPointer(rest.map(String)))
}

/** Tells the first item of a list that nobody will see. One is enough to see what is wrong with the others. */
function tellUnusable(given: Given, key: string, usable: ItemRule, diagnostics: UiDiagnostic[]): void {
  const list = given.props[key]
  if (!Array.isArray(list)) return
  const index = list.findIndex(item => !usable.fits(item))
  if (index < 0) return
  const message = named(given, `${showJson(list[index])} is not shown, it has to be ${usable.form}`)
  diagnostics.push(problem('wrong_type', message, `${whereOf(given, key)}/${index}`))
}

type Where = () => string

/** Reads values as the expressions do, and tells what these could not follow or run. */
class ValueReader {
  readonly #given: Given
  readonly #functions: Catalog['functions']
  readonly #diagnostics: UiDiagnostic[]

  constructor(given: Given, functions: Catalog['functions'], diagnostics: UiDiagnostic[]) {
    this.#given = given
    this.#functions = functions
    this.#diagnostics = diagnostics
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
    else if (only === 'formatString') this.#template(value.formatString, () => `${at()}/${only}`)
    else if (only === 'map' && isObject(value.map)) {
      const { from, template, ...others } = value.map
      if (typeof from === 'string') this.#pointer(from, () => `${at()}/map/from`)
      else this.read(from, () => `${at()}/map/from`)
      this.#template(template, () => `${at()}/map/template`)
      this.#record(others, () => `${at()}/map`)
    } else if (only !== 'literal') this.#record(value, at)
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

  #call({ call, args }: JsonObject, at: Where): void {
    this.#function(call as string, () => `${at()}/call`)
    if (!isObject(args)) return
    if (call === 'regex') this.pattern(args.pattern, () => `${at()}/args/pattern`)
    const { value, ...others } = args
    if (call === 'formatString') this.#template(value, () => `${at()}/args/value`)
    this.#record(call === 'formatString' ? others : args, () => `${at()}/args`)
  }

  #function(name: string, at: Where): void {
    const spec = this.#functions.get(name)
    if (!spec || spec.effect)
      this.#tell('unknown_function', `'${clip(name, 80)}' is not a function that can be used in a value`, at)
  }

  #template(value: Json | undefined, at: Where): void {
    if (typeof value !== 'string') {
      this.read(value, at)
      return
    }
    const { problem: wrong, calls } = aboutTemplate(value)
    if (wrong !== undefined) this.#tell('invalid_template', wrong, at)
    const unknown = calls?.find(name => !this.#functions.has(name) || this.#functions.get(name)?.effect)
    if (unknown !== undefined) this.#function(unknown, at)
  }

  #pointer(value: Json | undefined, at: Where): void {
    if (typeof value !== 'string' || toPath(value)) return
    throw new EnvelopeRefusal('invalid_path', at(), `Invalid path syntax: ${showJson(value)} is not a JSON pointer.`)
  }

  #tell(code: UiCode, message: string, at: Where): void {
    this.#diagnostics.push(problem(code, named(this.#given, message), at()))
  }
}
