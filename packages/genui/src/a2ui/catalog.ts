import { isObject, type Json, type JsonObject, own } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import type { SurfaceEventType } from './actions.ts'
import type { CatalogFunction } from './expression.ts'
import { basicTraits, COMMON_REFS, type ComponentTraits } from './traits.ts'

/** A property that does not do what its author means, with the reason in words for the agent. */
export interface Doubt {
  property: string
  code: UiCode
  reason: string
}

/** A type of component: what it looks like as data. Renderers bring the drawing. */
export interface CatalogComponent {
  /** JSON Schema of the flat component: its properties beside `id` and `component`. */
  schema: JsonObject
  description?: string
  /** What a person can do with it. Without it, anything. */
  events?: readonly SurfaceEventType[]
  /** Whether a person can give it this value. Without it, any. */
  takes?(component: JsonObject, value: Json): boolean
  /** What nobody will see as it was meant, although each property fits the schema: the property, and why. */
  doubts?(props: JsonObject): Doubt | undefined
  /** Without them, a type that has the name of a basic one has the traits of that one. */
  traits?: ComponentTraits
}

/** What a catalog is made of; several parts make one catalog. */
export interface CatalogParts {
  components?: Readonly<Record<string, CatalogComponent>>
  functions?: Readonly<Record<string, CatalogFunction>>
  theme?: JsonObject
  /** The document that `#/…` references of the schemas point into. */
  definitions?: JsonObject
}

/** Components and functions as data. Hosts register their own beside the basic ones; renderers bring the drawing. */
export class Catalog {
  readonly ids: readonly string[]
  readonly components = new Map<string, CatalogComponent>()
  readonly functions = new Map<string, CatalogFunction>()
  theme: JsonObject = {}
  definitions: JsonObject = {}
  /** Types that the catalog has not and types of it stand for (a Heading is a Text), with their traits. */
  readonly #targets = new Map<string, ComponentTraits>()

  constructor(ids: string | readonly string[], ...parts: CatalogParts[]) {
    this.ids = typeof ids === 'string' ? [ids] : ids
    for (const part of parts) this.register(part)
  }

  register(parts: CatalogParts): this {
    for (const [type, spec] of Object.entries(parts.components ?? {})) {
      // What draws a basic type relies on its traits: addresses are checked, and hidden fields stay hidden.
      const given = spec.traits ?? own(basicTraits, type)
      if (given?.as) this.#targets.set(given.as.type, own(basicTraits, given.as.type) ?? {})
      this.components.set(type, { ...spec, traits: given?.refs ? given : { ...schemaTraits(spec.schema), ...given } })
    }
    for (const [name, spec] of Object.entries(parts.functions ?? {})) this.functions.set(name, spec)
    if (parts.theme) this.theme = parts.theme
    if (parts.definitions) this.definitions = parts.definitions
    return this
  }

  /** Every type that its surfaces can have. What has another type is shown as unknown, and nothing of it is used. */
  get types(): readonly string[] {
    return [...new Set([...this.components.keys(), ...this.#targets.keys()])]
  }

  has(type: string): boolean {
    return this.components.has(type) || this.#targets.has(type)
  }

  traits(type: string): ComponentTraits {
    return this.components.get(type)?.traits ?? this.#targets.get(type) ?? {}
  }

  /** Properties that a component of the public form cannot be drawn without. */
  required(type: string): readonly string[] {
    const required = this.components.get(type)?.schema.required
    return Array.isArray(required) ? (required as string[]) : []
  }
}

/** The catalog that a surface names, or the first one when nobody has it. */
export const catalogOrFirst = <T extends { readonly ids: readonly string[] }>(
  catalogs: readonly T[],
  catalogId: string | null | undefined,
): T => catalogs.find(({ ids }) => ids.includes(catalogId ?? '')) ?? catalogs[0]!

/** References to other components, read from a schema that uses the shared types. */
function schemaTraits(schema: JsonObject): ComponentTraits {
  const refs = new Set<string>()
  const visit = (part: unknown, prefix: string): void => {
    if (!isObject(part)) return
    for (const [key, property] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      if (!isObject(property)) continue
      const target = typeof property.$ref === 'string' ? property.$ref : ''
      if (/#\/\$defs\/(ComponentId|ChildList)$/.test(target) && key !== 'id') refs.add(prefix + key)
      if (prefix === '' && property.type === 'array') visit(property.items, `${key}.`)
    }
    for (const inner of Array.isArray(part.allOf) ? part.allOf : []) visit(inner, prefix)
  }
  visit(schema, '')
  return refs.size === 0 ? {} : { refs: [...new Set([...COMMON_REFS, ...refs])] }
}

/** The code of a function that has none here: what calls it is empty, with this as the reason. */
export const missing = (name: string) => (): never => {
  throw new Error(`The function '${name}' has no code here.`)
}
