import type { VitrineClient } from '@vitrine/client'
import { BASIC_CATALOG_IDS } from '@vitrine/genui/a2ui'
import type { A2uiCatalogViews } from './a2ui/view.ts'
import { BASIC, type FindCatalog, type PageCatalog } from './catalogs-context.ts'

/** Where a page finds how catalogs beside the basic one are drawn: on its server, and what it brings itself. */
export interface CatalogSource {
  readonly client: VitrineClient
  readonly views: A2uiCatalogViews
}

/** What could not be loaded is asked for again by the next surface that is drawn after this time. */
const AGAIN_MS = 5_000

/** Catalogs beside the basic one are loaded when a surface names them, and so is the code that does it. */
export function findCatalogs(source: CatalogSource): FindCatalog {
  const known = new Map<string, PageCatalog | Promise<PageCatalog>>()
  async function load(catalogId: string): Promise<PageCatalog> {
    const { found, again } = await (await import('./a2ui/page-catalogs.tsx')).loadCatalog(source, catalogId)
    known.set(catalogId, found)
    if (again) setTimeout(() => known.delete(catalogId), AGAIN_MS)
    return found
  }
  return catalogId => {
    if (!catalogId || BASIC_CATALOG_IDS.includes(catalogId)) return BASIC
    const found = known.get(catalogId) ?? load(catalogId)
    if (found instanceof Promise) known.set(catalogId, found)
    return found
  }
}
