import { MAX_ID } from '@vitrine/protocol'
import { type Component, isObject, isTexts, type Json, type JsonObject } from './ops.ts'
import { type Ref, refsOf, type Traits } from './traits.ts'

export type Dialect = 'nested' | 'public'

/** A refusal: a stable code, where in the envelope, and what to do about it. */
export class Refusal extends Error {
  readonly code: string
  readonly path: string
  constructor(code: string, path: string, message: string) {
    super(message)
    this.code = code
    this.path = path
  }
}

export type Warning = { code: string; path: string; message: string }

/** A component as it was given: names resolved, inline children replaced by their ids. */
export interface Given {
  readonly type: string
  readonly dialect: Dialect
  readonly id: string
  /** The component itself where it is flat: then `id` and `component` are among them. */
  props: JsonObject
  readonly path: string
  readonly raw: JsonObject
  readonly traits: Traits
}

/** Where in the envelope a property came from. */
export function whereOf({ raw, path, traits }: Given, name: string): string {
  const called = (object: JsonObject) => Object.keys(object).find(key => key === name || traits.aliases?.[key] === name)
  const inside = isObject(raw.props) ? called(raw.props) : undefined
  return inside === undefined ? `${path}/${called(raw) ?? name}` : `${path}/props/${inside}`
}

export interface NormaliseContext {
  traits(type: string): Traits
  maxDepth: number
  /** Looks at the properties before they are taken. Previews have none: half a component is shown as far as it goes. */
  check?(given: Given): void
  /** Complete components that were normalised before, with their ids. */
  known?: WeakMap<object, string>
  add(id: string, component: Component): void
}

/** The dialect is told by shape: the public one names its type `component`, the nested one `type`. */
export const dialectOf = (raw: JsonObject): Dialect | undefined =>
  typeof raw.component === 'string' ? 'public' : typeof raw.type === 'string' ? 'nested' : undefined

const isStructure = (key: string): boolean => key === 'id' || key === 'type' || key === 'component' || key === 'props'

/** Turns a component of either dialect, with everything inside it, into flat ones. Returns its id. */
export function normalise(
  raw: Json | undefined,
  path: string,
  ctx: NormaliseContext,
  fallbackId?: string,
  depth = 1,
): string {
  if (depth > ctx.maxDepth)
    throw new Refusal(
      'too_deep',
      path,
      `Global recursion limit exceeded: logical depth is more than ${ctx.maxDepth}. Flatten the tree.`,
    )
  const done = isObject(raw) ? ctx.known?.get(raw) : undefined
  if (done !== undefined) return done
  if (!isObject(raw)) throw new Refusal('VALIDATION_FAILED', path, 'A component is an object with an id and a type.')
  const dialect = dialectOf(raw)
  if (!dialect)
    throw new Refusal(
      'VALIDATION_FAILED',
      `${path}/type`,
      "A component needs 'type' (nested form) or 'component' (public form) with the name of its type.",
    )
  const rawType = (dialect === 'public' ? raw.component : raw.type) as string
  const id = componentId(raw, path, dialect, fallbackId)
  const traits = ctx.traits(rawType)
  const given: Given = { type: rawType, dialect, id, props: {}, path, raw, traits }
  if (isFlat(given)) given.props = raw
  else {
    take(given, raw)
    if (isObject(raw.props)) take(given, raw.props)
    // A public component may have a property that is called `type`.
    if (dialect === 'public' && raw.type !== undefined) given.props.type = raw.type
    for (const ref of refsOf(traits)) {
      const value = given.props[ref.key]
      if (typeof value === 'object') given.props[ref.key] = inlined(given, ref, value, ctx, depth)
    }
  }
  ctx.check?.(given)

  // `type`, `emits` and `markdown` are ours to say; a property that is called `type` gets out of the way.
  const props = traits.as ? traits.as.props(given.props) : given.props
  const component: Component = { type: traits.as?.type ?? rawType }
  let ownType: Json | undefined
  for (const key of Object.keys(props)) {
    if (props === raw && isStructure(key)) continue
    if (key === 'type') ownType = props[key]
    else if (key !== 'emits' && key !== 'markdown') component[key] = props[key]!
  }
  if (ownType !== undefined) component.$type = ownType
  if (dialect === 'public' && rawType === 'Text') component.markdown = true
  // In the nested form every control answers; in the public one only what declares an action.
  if (dialect === 'nested' && traits.input !== undefined) component.emits = true
  ctx.add(id, component)
  ctx.known?.set(raw, id)
  return id
}

/** Most public components are as flat as they will be: nothing in them has another name, place or meaning. */
function isFlat({ raw, dialect, traits }: Given): boolean {
  if (dialect !== 'public' || raw.type !== undefined || raw.props !== undefined || traits.as) return false
  const { aliases } = traits
  for (const key of Object.keys(raw)) if (key === '__proto__' || (aliases && Object.hasOwn(aliases, key))) return false
  for (const { key } of refsOf(traits)) {
    const value = raw[key]
    if (typeof value === 'object' && !(Array.isArray(value) && isTexts(value))) return false
  }
  return true
}

function take({ props, traits, path, raw }: Given, from: JsonObject): void {
  for (const key of Object.keys(from)) {
    if (from === raw && isStructure(key)) continue
    if (key === '__proto__') throw new Refusal('forbidden_key', `${path}/${key}`, "The key '__proto__' is not allowed.")
    const name = traits.aliases && Object.hasOwn(traits.aliases, key) ? traits.aliases[key]! : key
    if (name === key || !Object.hasOwn(props, name)) props[name] = from[key]!
  }
}

/** What a property that names components holds, with the ids of those that stand in it themselves. */
function inlined(given: Given, { key, inner }: Ref, value: Json, ctx: NormaliseContext, depth: number): Json {
  const one = (item: Json, at: () => string, name: string): Json =>
    isObject(item) && dialectOf(item) ? normalise(item, at(), ctx, `${given.id}.${name}`, depth + 1) : item
  const where = () => whereOf(given, key)
  if (!Array.isArray(value)) return one(value, where, key)
  if (!inner) {
    if (isTexts(value)) return value
    return value.map((item, i) => one(item, () => `${where()}/${i}`, String(i)))
  }
  return value.map((item, i) =>
    isObject(item) && item[inner] !== undefined
      ? { ...item, [inner]: one(item[inner], () => `${where()}/${i}/${inner}`, `${key}.${i}`) }
      : item,
  )
}

/** Ids go into events, and those of surfaces into addresses. */
export function checkId(id: string, path: string): string {
  if (id.length > MAX_ID)
    throw new Refusal('id_too_long', path, `The id is longer than ${MAX_ID} characters. Choose a shorter one.`)
  if (!id.isWellFormed())
    throw new Refusal('VALIDATION_FAILED', path, 'The id holds half of a character. Choose an id of whole characters.')
  return id
}

function componentId(raw: JsonObject, path: string, dialect: Dialect, fallbackId: string | undefined): string {
  if (typeof raw.id === 'string' && raw.id !== '') {
    if (raw.id === '__proto__') throw new Refusal('forbidden_key', `${path}/id`, "The id '__proto__' is not allowed.")
    return checkId(raw.id, `${path}/id`)
  }
  if (raw.id === undefined && dialect === 'nested' && fallbackId !== undefined) return checkId(fallbackId, `${path}/id`)
  throw new Refusal(
    'VALIDATION_FAILED',
    `${path}/id`,
    "'id' is a required property: a text that is unique on the surface.",
  )
}
