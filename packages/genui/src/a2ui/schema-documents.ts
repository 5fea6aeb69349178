import { isObject, type Json, type JsonObject } from '@vitrine/protocol'

/** The public schema documents, for agents that are taught with them instead of with a prompt section. */
export interface SchemaDocuments {
  serverToClient?: JsonObject
  commonTypes?: JsonObject
  catalog: JsonObject
}

/** Only what an agent may use: the allowed components and messages, and the definitions these reach. */
export function pruneDocuments(
  documents: SchemaDocuments,
  allowed: { components?: readonly string[]; messages?: readonly string[] },
): SchemaDocuments {
  const result: SchemaDocuments = { ...documents }
  if (allowed.components && isObject(documents.catalog.components)) {
    const names = new Set(allowed.components)
    const { $defs } = documents.catalog
    result.catalog = { ...documents.catalog, components: pick(documents.catalog.components, names) }
    if (isObject($defs) && isObject($defs.anyComponent) && Array.isArray($defs.anyComponent.oneOf)) {
      const oneOf = $defs.anyComponent.oneOf.filter(item => names.has(refName(item) ?? ''))
      result.catalog.$defs = { ...$defs, anyComponent: { ...$defs.anyComponent, oneOf } }
    }
  }
  if (allowed.messages && documents.serverToClient) {
    const names = new Set(allowed.messages)
    const { oneOf, $defs, ...rest } = documents.serverToClient
    const kept = (Array.isArray(oneOf) ? oneOf : []).filter(item => names.has(refName(item) ?? ''))
    const reached = reach(kept, isObject($defs) ? $defs : {}, '#')
    result.serverToClient = { ...rest, oneOf: kept, $defs: pick(isObject($defs) ? $defs : {}, reached) }
  }
  const definitions = documents.commonTypes?.$defs
  if (documents.commonTypes && isObject(definitions)) {
    const outside = [result.catalog, result.serverToClient ?? {}]
    result.commonTypes = {
      ...documents.commonTypes,
      $defs: pick(definitions, reach(outside, definitions, 'common_types.json#')),
    }
  }
  return result
}

/** The documents as text for a model. */
export function renderDocuments({ serverToClient, commonTypes, catalog }: SchemaDocuments): string {
  const parts = ['---BEGIN A2UI JSON SCHEMA---']
  if (serverToClient) parts.push(`### Server To Client Schema:\n${JSON.stringify(serverToClient)}`)
  if (isObject(commonTypes?.$defs) && Object.keys(commonTypes.$defs).length > 0)
    parts.push(`### Common Types Schema:\n${JSON.stringify(commonTypes)}`)
  parts.push(`### Catalog Schema:\n${JSON.stringify(catalog)}`, '---END A2UI JSON SCHEMA---')
  return parts.join('\n\n')
}

const pick = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => names.has(key)))

const refName = (value: Json): string | undefined =>
  isObject(value) && typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined

/** Definitions that are named from outside with `prefix`, and from there on by local references. */
function reach(from: Json, definitions: JsonObject, prefix: string): Set<string> {
  const found = new Set<string>()
  const visit = (value: Json, start: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, start)
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) {
        const name =
          key === '$ref' && typeof item === 'string' && item.includes(`${start}/$defs/`) ? refName(value) : undefined
        if (name !== undefined && !found.has(name) && definitions[name] !== undefined) {
          found.add(name)
          visit(definitions[name], '#')
        } else visit(item, start)
      }
  }
  visit(from, prefix)
  return found
}
