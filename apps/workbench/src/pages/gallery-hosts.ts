import { basicCatalog, type Catalog, catalogOfInfo } from '@vitrine/genui/a2ui'
import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { HostCatalog } from '@vitrine/react/a2ui'
import { written } from './gallery-form.ts'

/** What the gallery shows of a catalog of the server: how it checks, how it is drawn, and a text for each part of it. */
export interface ShownCatalog {
  readonly catalog: Catalog
  readonly drawing: HostCatalog['drawing']
  readonly entries: readonly { readonly id: string; readonly title: string; readonly text: string }[]
}

export const shownCatalog = ({ info, drawing }: HostCatalog): ShownCatalog => {
  const catalog = catalogOfInfo(info)
  const [catalogId = ''] = info.ids
  const entry = (title: string, surfaceId: string, type: string, props: JsonObject) => {
    const createSurface = { surfaceId, catalogId, root: { id: 'root', type, props } }
    return { id: `${catalogId}#${title}`, title, text: written([{ version: 'v0.9', createSurface }]) }
  }
  // What is as in the basic catalog is shown there.
  const components = Object.entries(info.components).flatMap(([type, { schema }]) =>
    schema ? [entry(type, `host-${type}`, type, exampleOf(schema))] : [],
  )
  const functions = Object.entries(info.functions).flatMap(([name, { parameters }]) => {
    if ((!parameters && basicCatalog.functions.has(name)) || !catalog.has('Text')) return []
    return [entry(`${name}()`, `host-${name}`, 'Text', { text: { call: name, args: exampleOf(parameters ?? {}) } })]
  })
  return { catalog, drawing, entries: [...components, ...functions] }
}

/** What the surfaces of a catalog are drawn with; those of the basic one need nothing. */
export const drawingOf = (
  hosts: readonly ShownCatalog[],
  catalogId: string | null | undefined,
): HostCatalog['drawing'] => hosts.find(({ catalog }) => catalog.ids.includes(catalogId ?? ''))?.drawing ?? {}

/** The example of a schema, or values for what it requires. */
function exampleOf(schema: JsonObject): JsonObject {
  const [given] = Array.isArray(schema.examples) ? schema.examples : []
  const props: JsonObject = isObject(given) ? { ...given } : {}
  if (!isObject(given)) fill(schema, props)
  delete props.id
  delete props.component
  return props
}

function fill(schema: JsonObject, props: JsonObject): void {
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const key of Array.isArray(schema.required) ? schema.required : []) {
    const value = typeof key === 'string' && Object.hasOwn(properties, key) ? valueFor(key, properties[key]) : undefined
    if (value !== undefined) props[String(key)] = value
  }
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) if (isObject(part)) fill(part, props)
}

const VALUES: Readonly<Record<string, (name: string) => Json>> = {
  DynamicString: name => name,
  string: name => name,
  DynamicNumber: () => 1,
  number: () => 1,
  integer: () => 1,
  DynamicBoolean: () => true,
  boolean: () => true,
  DynamicStringList: name => [`${name} 1`, `${name} 2`],
}

function valueFor(name: string, schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return undefined
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const kind = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : schema.type
  return typeof kind === 'string' && Object.hasOwn(VALUES, kind) ? VALUES[kind]!(name) : undefined
}
