import type { VitrineClient } from '@vitrine/client'
import type { SurfaceModelOptions } from '@vitrine/genui/a2ui'
import { BASIC_CATALOG_IDS } from '@vitrine/genui/a2ui'
import type { A2uiSurfaceProps } from './a2ui/surface.tsx'
import type { A2uiCatalogViews } from './a2ui/view.ts'

/** What the surfaces of one catalog are drawn with. Those of the basic catalog need nothing of it. */
export interface DrawnCatalog extends Pick<A2uiSurfaceProps, 'renderers' | 'fallbacks'> {
  /** Traits and functions, as a model takes them. */
  readonly catalog?: SurfaceModelOptions['catalog']
}

/** Finds what a surface that names a catalog is drawn with: at once when it is known. The promise is the same until then. */
export type DrawnCatalogOf = (catalogId: string | null | undefined) => DrawnCatalog | Promise<DrawnCatalog>

export const BASIC: DrawnCatalog = {}

/** Where a page finds how catalogs beside the basic one are drawn: on its server, and what it brings itself. */
export interface CatalogSource {
  readonly client: VitrineClient
  readonly views: A2uiCatalogViews
}

/** What could not be loaded is asked for again by the next surface that is drawn after this time. */
const AGAIN_MS = 5_000

/** Catalogs beside the basic one are loaded when a surface names them, and so is the code that does it. */
export function createDrawnCatalogs(source: CatalogSource): DrawnCatalogOf {
  const known = new Map<string, DrawnCatalog | Promise<DrawnCatalog>>()
  async function load(catalogId: string): Promise<DrawnCatalog> {
    const { found, again } = await (await import('./a2ui/catalog-modules.tsx')).loadCatalog(source, catalogId)
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
