import {
  formatPointer,
  type Interaction,
  isObject,
  type Json,
  type JsonObject,
  own,
  parsePointer,
  readPath,
  type TurnInput,
} from '@vitrine/protocol'
import type { HiddenPlaces } from './hidden-places.ts'

/** What facts have in the place of something that a person typed hidden (L10). */
export const MASK = '••••••'

const isSecret = ({ format, writeOnly }: JsonObject): boolean => format === 'password' || writeOnly === true

/** Schemas behind references and alternatives that are looked at for one value; a schema may refer to itself. */
const MOST_SCHEMAS = 1_000

/**
 * A response as facts carry it: what its JSON Schema marks as secret (`format: password`, `writeOnly`) is masked, wherever
 * the schema says so. The agent that asked gets the response itself; the log, and everybody who reads it, does not.
 */
export function withoutSecrets(schema: Json | undefined, value: Json): Json {
  return masked([schema], value)

  function masked(given: readonly (Json | undefined)[], part: Json): Json {
    if (part === null) return part
    const all = spread(given)
    if (all.some(isSecret)) return MASK
    if (Array.isArray(part))
      return part.map((item, index) =>
        masked(
          all.flatMap(one => itemsOf(one, index)),
          item,
        ),
      )
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, item]) => [
        name,
        masked(
          all.flatMap(one => membersOf(one, name)),
          item,
        ),
      ]),
    )
  }

  /** The schemas that may speak about one value: those given, and what they refer to or combine. */
  function spread(given: readonly (Json | undefined)[]): JsonObject[] {
    const all = new Set<JsonObject>()
    const rest = [...given]
    while (rest.length > 0) {
      if (all.size > MOST_SCHEMAS) return [A_SECRET]
      const one = rest.pop()
      if (!isObject(one) || all.has(one)) continue
      all.add(one)
      for (const name of ['anyOf', 'oneOf', 'allOf']) rest.push(...listOf(one[name]))
      rest.push(one.if, one.then, one.else, ...Object.values(objectOf(one.dependentSchemas)))
      for (const name of ['$ref', '$dynamicRef']) if (typeof one[name] === 'string') rest.push(referred(one[name]))
    }
    return [...all]
  }

  /** What a reference leads to. One that is not a pointer into this schema may lead to a password. */
  function referred(reference: string): Json {
    const path = /^#(?:\/|$)/.test(reference) ? parsePointer(decoded(reference.slice(1))) : undefined
    return (path && readPath(schema, path)) ?? A_SECRET
  }
}

/** The schema of a password: what cannot be looked at to its end counts as one. */
const A_SECRET: JsonObject = { format: 'password' }

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

const itemsOf = ({ items, prefixItems, contains, unevaluatedItems }: JsonObject, index: number) => [
  // Before 2020-12 a list of schemas stood in `items`.
  ...(Array.isArray(items) ? [items[index]] : [items]),
  listOf(prefixItems)[index],
  contains,
  unevaluatedItems,
]

/** All patterns count: masking a value too much costs nothing but a look at it. */
const membersOf = (schema: JsonObject, name: string) => [
  own(objectOf(schema.properties), name),
  ...Object.values(objectOf(schema.patternProperties)),
  schema.additionalProperties,
  schema.unevaluatedProperties,
]

/** What a person did, as facts carry it, and as the agent gets it. */
export interface Hidden<T extends Interaction = Interaction> {
  interaction: T
  edits: JsonObject
}

type Used<K extends Interaction['kind']> = Extract<Interaction, { kind: K }>

/**
 * An interaction with a surface as facts carry it. `fields` and `paths` say where the surface has ever hidden what people
 * type. What they typed may stand anywhere in what was sent, so it is found by what it is.
 */
export function withoutTyped(
  interaction: Used<'a2ui'>,
  edits: JsonObject,
  { fields, paths }: HiddenPlaces,
): Hidden<Used<'a2ui'>> {
  if (fields.size === 0) return { interaction, edits }
  const { payload, context, componentId } = interaction
  const said = objectOf(payload)
  const values = objectOf(said.values)
  const bound = [...paths]
  const hides = (key: string): boolean =>
    key.startsWith('#') ? fields.has(key.slice(1)) : bound.some(path => isBoundTo(key, path))
  const secrets = new Set<string>()
  const note = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(note)
    else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) secrets.add(String(value))
  }
  const noteIn = (value: Json | undefined, pointer: string): void => {
    if (hides(pointer)) note(value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) noteIn(item, pointer + formatPointer([name]))
  }
  for (const id of fields) note(own(values, id))
  if (bound.length > 0) noteIn(said.dataModel, '')
  if (fields.has(componentId)) note(said.value)
  for (const change of listOf(said.changes)) {
    if (isObject(change) && fields.has(String(change.componentId))) note(change.value)
  }
  for (const [key, value] of Object.entries(edits)) if (hides(key)) note(value)
  secrets.delete(MASK)
  if (secrets.size === 0) return { interaction, edits }
  const hide = (value: Json): Json => without(value, secrets)
  return {
    interaction: {
      ...interaction,
      ...(payload !== undefined && { payload: hide(payload) }),
      ...(context !== undefined && { context: hide(context) as JsonObject }),
      hidden: [...fields],
    },
    edits: Object.fromEntries(Object.entries(edits).map(([key, value]) => [key, hides(key) ? MASK : hide(value)])),
  }
}

/** A path that begins with no slash is that of an item of a list: each item has a pointer that ends with it. */
const isBoundTo = (pointer: string, path: string): boolean =>
  path.startsWith('/') ? pointer === path : pointer.endsWith(`/${path}`)

/** A short secret may be part of any word: only a longer one is looked for inside of texts. */
const FOUND_INSIDE = 3

function without(value: Json, secrets: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map(item => without(item, secrets))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, without(item, secrets)]))
  if (typeof value === 'number') return secrets.has(String(value)) ? MASK : value
  if (typeof value !== 'string') return value
  if (secrets.has(value)) return MASK
  let text = value
  for (const secret of secrets) if (secret.length >= FOUND_INSIDE) text = text.replaceAll(secret, MASK)
  return text
}

/** A button of a card as facts carry it: the values of the fields that hide what is typed are masked. */
export function withoutValues(interaction: Used<'ui_schema'>, fields: readonly string[]): Hidden<Used<'ui_schema'>> {
  const values = objectOf(interaction.values)
  const hidden = fields.filter(name => Object.hasOwn(values, name) && values[name] !== '' && values[name] !== null)
  if (hidden.length === 0) return { interaction, edits: {} }
  const shown = { ...values, ...Object.fromEntries(hidden.map(name => [name, MASK])) }
  return { interaction: { ...interaction, values: shown, hidden }, edits: {} }
}

/** Whether an agent would get masks in the place of what a person typed hidden. */
export const isMasked = ({ interaction }: TurnInput): boolean =>
  interaction?.hidden !== undefined && JSON.stringify(interaction).includes(MASK)

/** Interactions of one session that are kept for their agent. Those used longest ago leave first. */
const MOST_KEPT = 100

/**
 * What people typed hidden, for the runs that it is for: in the memory of this process and nowhere else. When the process
 * ends it is gone, and the run that needed it says so.
 */
export class KeptSecrets {
  readonly #kept = new Map<string, Interaction>()

  keep(key: string, interaction: Interaction): void {
    this.#kept.set(key, interaction)
    for (const [oldest] of this.#kept) if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest)
  }

  forget(key: string): void {
    this.#kept.delete(key)
  }

  /** What the person did with what they typed, if it is still there. */
  get(key: string): Interaction | undefined {
    return this.#kept.get(key)
  }
}
