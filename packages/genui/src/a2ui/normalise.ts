import { isObject, type Json, type JsonObject, MAX_ID } from '@vitrine/protocol'
import { isTexts } from '../json.ts'
import type { A2uiComponent } from './component.ts'
import { type ComponentTraits, type Ref, refsOf } from './traits.ts'

export type Form = 'nested' | 'public'

/** What can be wrong with a component before its properties are looked at. */
export type Unreadable =
  | 'too_deep'
  | 'no_object'
  | 'no_type'
  | 'no_id'
  | 'long_id'
  | 'broken_id'
  | 'long_type'
  | 'forbidden_key'

/** A component as it was given: names resolved, inline children replaced by their ids. */
export interface Given {
  readonly type: string
  readonly form: Form
  readonly id: string
  /** The component itself where it is flat: then `id` and `component` are among them. */
  props: JsonObject
  readonly path: string
  readonly raw: JsonObject
  readonly traits: ComponentTraits
}

export interface NormaliseContext {
  traits(type: string): ComponentTraits
  maxDepth: number
  /** Where in the envelope a property came from. Previews do not tell. */
  whereOf?(given: Given, name: string): string
  /** The error to be thrown for a component that cannot be read. Previews leave it out and say nothing. */
  unreadable(why: Unreadable, path: string): Error
  /** Looks at the properties before they are taken. Previews have none: half a component is shown as far as it goes. */
  check?(given: Given): void
  /** Complete components that were normalised before, with their ids. */
  known?: WeakMap<object, string>
  add(id: string, component: A2uiComponent, given: Given): void
}

/** The form is told by shape: the public one names its type `component`, the nested one `type`. */
export const formOf = (raw: JsonObject): Form | undefined =>
  isName(raw.component) ? 'public' : isName(raw.type) ? 'nested' : undefined

const isName = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

const isStructure = (key: string): boolean => key === 'id' || key === 'type' || key === 'component' || key === 'props'

/** Turns a component of either form, with everything inside it, into flat ones. Returns its id. */
export function normalise(
  raw: Json | undefined,
  path: string,
  ctx: NormaliseContext,
  fallbackId?: string,
  depth = 1,
): string {
  if (depth > ctx.maxDepth) throw ctx.unreadable('too_deep', path)
  const done = isObject(raw) ? ctx.known?.get(raw) : undefined
  if (done !== undefined) return done
  if (!isObject(raw)) throw ctx.unreadable('no_object', path)
  const form = formOf(raw)
  if (!form) throw ctx.unreadable('no_type', `${path}/type`)
  const rawType = (form === 'public' ? raw.component : raw.type) as string
  const id = componentId(raw, path, form, fallbackId, ctx)
  const traits = ctx.traits(rawType)
  const given: Given = { type: rawType, form, id, props: {}, path, raw, traits }
  if (isFlat(given)) given.props = raw
  else {
    take(given, raw, ctx)
    if (isObject(raw.props)) take(given, raw.props, ctx)
    // A public component may have a property that is called `type`.
    if (form === 'public' && raw.type !== undefined) given.props.type = raw.type
    for (const ref of refsOf(traits)) {
      const value = given.props[ref.key]
      if (typeof value === 'object') given.props[ref.key] = inlined(given, ref, value, ctx, depth)
    }
  }
  ctx.check?.(given)

  // `type`, `emits` and `markdown` are ours to say; a property that is called `type` gets out of the way.
  const props = traits.as ? traits.as.props(given.props) : given.props
  const component: A2uiComponent = { type: traits.as?.type ?? rawType }
  let ownType: Json | undefined
  for (const key of Object.keys(props)) {
    if (props === raw && isStructure(key)) continue
    if (key === 'type') ownType = props[key]
    else if (key !== 'emits' && key !== 'markdown') component[key] = props[key]!
  }
  if (ownType !== undefined) component.$type = ownType
  if (form === 'public' && traits.markdown) component.markdown = true
  // In the nested form every control answers; in the public one only what declares an action.
  if (form === 'nested' && traits.input !== undefined) component.emits = true
  ctx.add(id, component, given)
  ctx.known?.set(raw, id)
  return id
}

/** Most public components are as flat as they will be: nothing in them has another name, place or meaning. */
function isFlat({ raw, form, traits }: Given): boolean {
  if (form !== 'public' || raw.type !== undefined || raw.props !== undefined || traits.as) return false
  const { aliases } = traits
  for (const key of Object.keys(raw)) if (key === '__proto__' || (aliases && Object.hasOwn(aliases, key))) return false
  for (const { key } of refsOf(traits)) {
    const value = raw[key]
    if (typeof value === 'object' && !(Array.isArray(value) && isTexts(value))) return false
  }
  return true
}

function take({ props, traits, path, raw }: Given, from: JsonObject, ctx: NormaliseContext): void {
  for (const key of Object.keys(from)) {
    if (from === raw && isStructure(key)) continue
    if (key === '__proto__') throw ctx.unreadable('forbidden_key', `${path}/${key}`)
    const name = traits.aliases && Object.hasOwn(traits.aliases, key) ? traits.aliases[key]! : key
    if (name === key || !Object.hasOwn(props, name)) props[name] = from[key]!
  }
}

/** What a property that names components holds, with the ids of those that stand in it themselves. */
function inlined(given: Given, { key, inner }: Ref, value: Json, ctx: NormaliseContext, depth: number): Json {
  const one = (item: Json, at: () => string, name: string): Json =>
    isObject(item) && formOf(item) ? normalise(item, at(), ctx, `${given.id}.${name}`, depth + 1) : item
  const where = () => ctx.whereOf?.(given, key) ?? ''
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

/** What is wrong with an id. Ids go into events, and those of surfaces into addresses. */
export const idProblem = (id: string): Unreadable | undefined =>
  id === '__proto__' ? 'forbidden_key' : id.length > MAX_ID ? 'long_id' : id.isWellFormed() ? undefined : 'broken_id'

function componentId(
  raw: JsonObject,
  path: string,
  form: Form,
  fallbackId: string | undefined,
  ctx: NormaliseContext,
): string {
  const given = raw.id === undefined && form === 'nested' ? fallbackId : raw.id
  const isId = typeof given === 'string' && given !== ''
  const wrong = isId ? idProblem(given) : 'no_id'
  if (wrong || !isId) throw ctx.unreadable(wrong ?? 'no_id', `${path}/id`)
  return given
}
