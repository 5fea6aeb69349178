import { type CatalogInfo, own } from '@vitrine/protocol'
import { missing } from './catalog.ts'
import type { CatalogFunction } from './expression.ts'
import { basicFunctions } from './functions.ts'
import type { SurfaceModelOptions } from './surface-model.ts'

/** The catalog that a page was told of, as models of its surfaces take it, with the code that the page has for its functions. */
export function surfaceCatalog(
  { components, functions }: CatalogInfo,
  code: Readonly<Record<string, CatalogFunction['run']>>,
): NonNullable<SurfaceModelOptions['catalog']> {
  const all = Object.entries(functions).map(([name, { returnType, effect }]) => {
    const run = own(code, name) ?? own(basicFunctions, name)?.run ?? missing(name)
    return [name, { returnType, run, ...(effect && { effect }) }] as const
  })
  return {
    functions: new Map(all),
    has: type => Object.hasOwn(components, type),
    traits: type => own(components, type) ?? {},
  }
}
