import { MAX_ID } from '@vitrine/protocol'
import { type Component, isObject, type Json, type JsonObject } from './ops.ts'
import { refsOf, type Traits } from './traits.ts'

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
export type Given = {
  type: string
  dialect: Dialect
  id: string
  props: JsonObject
  path: string
  /** Where in the envelope each property came from. */
  where(key: string): string
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

const STRUCTURE = new Set(['id', 'type', 'component', 'props'])

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
  const given: JsonObject = {}
  const take = (from: JsonObject, skip?: ReadonlySet<string>) => {
    for (const key of Object.keys(from)) {
      if (skip?.has(key)) continue
      if (key === '__proto__')
        throw new Refusal('forbidden_key', `${path}/${key}`, "The key '__proto__' is not allowed.")
      const name = traits.aliases?.[key] ?? key
      if (name === key || !Object.hasOwn(given, name)) given[name] = from[key]!
    }
  }
  take(raw, STRUCTURE)
  if (isObject(raw.props)) take(raw.props)
  // A public component may have a property that is called `type`.
  if (dialect === 'public' && raw.type !== undefined) given.type = raw.type
  const where = (name: string): string => {
    const from = isObject(raw.props) ? raw.props : undefined
    const called = (object: JsonObject) =>
      Object.keys(object).find(key => key === name || traits.aliases?.[key] === name)
    const inside = from && called(from)
    return inside === undefined ? `${path}/${called(raw) ?? name}` : `${path}/props/${inside}`
  }

  const inline = (value: Json, at: () => string, name: string): Json =>
    isObject(value) && dialectOf(value) ? normalise(value, at(), ctx, `${id}.${name}`, depth + 1) : value
  for (const { key, inner } of refsOf(traits)) {
    const value = given[key]
    if (value === undefined || typeof value === 'string') continue
    if (!Array.isArray(value)) given[key] = inline(value, () => where(key), key)
    else if (!inner) {
      if (value.some(item => typeof item !== 'string'))
        given[key] = value.map((item, i) => inline(item, () => `${where(key)}/${i}`, String(i)))
    } else
      given[key] = value.map((item, i) =>
        isObject(item) && item[inner] !== undefined
          ? { ...item, [inner]: inline(item[inner], () => `${where(key)}/${i}/${inner}`, `${key}.${i}`) }
          : item,
      )
  }
  ctx.check?.({ type: rawType, dialect, id, props: given, path, where })

  let type = rawType
  let props: JsonObject = given
  if (traits.as) {
    type = traits.as.type
    props = traits.as.props(given)
  }
  // These three are ours to say; a property that is called `type` gets out of the way.
  const { type: ownType, emits: _, markdown: __, ...rest } = props
  const component: Component = { type, ...rest }
  if (ownType !== undefined) component.$type = ownType
  if (dialect === 'public' && rawType === 'Text') component.markdown = true
  // In the nested form every control answers; in the public one only what declares an action.
  if (dialect === 'nested' && traits.input !== undefined) component.emits = true
  ctx.add(id, component)
  ctx.known?.set(raw, id)
  return id
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
