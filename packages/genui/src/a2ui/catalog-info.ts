import type { CatalogInfo, JsonObject } from '@vitrine/protocol'
import { basicCatalog } from './basic-catalog.ts'
import { Catalog, type CatalogComponent, missing } from './catalog.ts'
import type { CatalogFunction } from './expression.ts'
import type { ComponentTraits } from './traits.ts'

/**
 * What a page has to know of a catalog to run its surfaces, and to show what is in it. Code stays behind: `module` is where
 * the page gets its own. What is the same in the basic catalog is not told.
 */
export function catalogInfo(catalog: Catalog, module: string | null): CatalogInfo {
  const components = catalog.types.map(type => {
    // The server has put the type that another one stands for in its place, has told what cannot be shown and what is Markdown.
    const { as: _, items: __, markdown: ___, ...traits } = catalog.traits(type)
    const { schema, description } = catalog.components.get(type) ?? {}
    const isBasic = schema === undefined || schema === basicCatalog.components.get(type)?.schema
    return [type, isBasic ? traits : { ...traits, schema, ...(description !== undefined && { description }) }] as const
  })
  const functions = [...catalog.functions].map(([name, { returnType, effect = false, parameters, description }]) => {
    const isBasic = parameters !== undefined && parameters === basicCatalog.functions.get(name)?.parameters
    const about = { ...(parameters && { parameters }), ...(description !== undefined && { description }) }
    return [name, { returnType, effect, ...(isBasic ? {} : about) }] as const
  })
  const { $defs } = catalog.definitions
  return structuredClone({
    ids: [...catalog.ids],
    module,
    components: Object.fromEntries(components),
    functions: Object.fromEntries(functions),
    ...($defs !== undefined && { definitions: { $defs } }),
  } as object) as CatalogInfo
}

/** The catalog that a page was told of, to check envelopes with. It has no code. */
export function catalogOfInfo({ ids, components, functions, definitions = {} }: CatalogInfo): Catalog {
  const types: Record<string, CatalogComponent> = {}
  const schemas: JsonObject = {}
  for (const [type, { schema, description, ...traits }] of Object.entries(components)) {
    const basic = basicCatalog.components.get(type)
    if (schema) {
      schemas[type] = schema
      types[type] = { schema, traits: traits as ComponentTraits, ...(description !== undefined && { description }) }
    } else if (basic) types[type] = basic
  }
  const calls: Record<string, CatalogFunction> = {}
  for (const [name, { effect, ...told }] of Object.entries(functions)) {
    // Without a schema it is the basic one, or nothing more is known of it.
    const known = told.parameters ? undefined : basicCatalog.functions.get(name)
    calls[name] = { run: missing(name), ...known, ...told, ...(effect && { effect }) }
  }
  return new Catalog(ids, { components: types, functions: calls, definitions: { ...definitions, components: schemas } })
}
