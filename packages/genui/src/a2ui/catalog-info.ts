import { type CatalogInfo, own } from '@vitrine/protocol'
import { type Catalog, missing } from './catalog.ts'
import type { CatalogFunction } from './expression.ts'
import { basicFunctions } from './functions.ts'
import type { SurfaceModelOptions } from './surface-model.ts'

/** What a page has to know of a catalog to run its surfaces. Code stays behind: `page` is where the page gets its own. */
export function catalogInfo(catalog: Catalog, page: string | null): CatalogInfo {
  const components = [...catalog.components.keys()].map(type => {
    // The server has put the type that another one stands for in its place, and has told what cannot be shown.
    const { as: _, items: __, ...traits } = catalog.traits(type)
    return [type, traits] as const
  })
  const functions = [...catalog.functions].map(
    ([name, { returnType, effect = false }]) => [name, { returnType, effect }] as const,
  )
  return structuredClone({
    ids: [...catalog.ids],
    page,
    components: Object.fromEntries(components),
    functions: Object.fromEntries(functions),
  }) as CatalogInfo
}

/** The catalog that a page was told of, as models of its surfaces take it, with the code that the page has for its functions. */
export function surfaceCatalog(
  { components, functions }: CatalogInfo,
  code: Readonly<Record<string, CatalogFunction['run']>>,
): NonNullable<SurfaceModelOptions['catalog']> {
  const all = Object.entries(functions).map(([name, { returnType, effect }]) => {
    const run = own(code, name) ?? own(basicFunctions, name)?.run ?? missing(name)
    return [name, { returnType, run, ...(effect && { effect }) }] as const
  })
  return { functions: new Map(all), traits: type => own(components, type) ?? {} }
}
