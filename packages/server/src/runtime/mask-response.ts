import {
  type ActionOutcome,
  isHiddenSchema,
  isObject,
  type Json,
  type JsonObject,
  MASK,
  own,
  readPath,
  referencePath,
} from '@vitrine/protocol'

/** Schemas behind references and alternatives that are looked at for one value; a schema may refer to itself. */
const MOST_SCHEMAS = 1_000

/**
 * A response as facts carry it: what its JSON Schema marks as secret (`format: password`, `writeOnly`) is masked, wherever
 * the schema says so. The agent that asked gets the response itself; the log, and everybody who reads it, does not.
 */
export function maskResponse(schema: Json | undefined, value: Json): Json {
  return masked([schema], value)

  function masked(given: readonly (Json | undefined)[], part: Json): Json {
    if (part === null) return part
    const all = spread(given)
    if (all.some(isHiddenSchema)) return MASK
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
    const path = referencePath(reference)
    return (path && readPath(schema, path)) ?? A_SECRET
  }
}

/**
 * What a person answers in words instead of a value, as facts carry it. Words have no structure that says where a secret
 * stands in them: they are masked as a whole when the schema hides any part of the value.
 */
export function maskWords(schema: Json | undefined, outcome: ActionOutcome, text: string): string {
  const hides = hidesAny(schema) || maskResponse(schema, text) === MASK
  return outcome === 'answered' && hides ? MASK : text
}

/** Whether a schema hides any part of a value. */
export function hidesAny(schema: Json | undefined): boolean {
  const rest = [schema]
  while (rest.length > 0) {
    const part = rest.pop()
    if (typeof part !== 'object' || part === null) continue
    if (isObject(part) && isHiddenSchema(part)) return true
    for (const member of Object.values(part)) rest.push(member)
  }
  return false
}

/** The schema of a password: what cannot be looked at to its end counts as one. */
const A_SECRET: JsonObject = { format: 'password' }

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
