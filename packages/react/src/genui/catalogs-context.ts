import type { SurfaceModelOptions } from '@vitrine/genui/a2ui'
import { createContext } from 'react'
import type { A2uiSurfaceProps } from './a2ui/surface.tsx'

/** What the surfaces of one catalog are drawn with. Those of the basic catalog need nothing of it. */
export interface PageCatalog extends Pick<A2uiSurfaceProps, 'renderers' | 'host'> {
  /** Traits and functions, as a model takes them. */
  readonly catalog?: SurfaceModelOptions['catalog']
}

/** Finds what a surface that names a catalog is drawn with: at once when it is known. The promise is the same until then. */
export type FindCatalog = (catalogId: string | null | undefined) => PageCatalog | Promise<PageCatalog>

export const BASIC: PageCatalog = {}

/** Without a provider there is the basic catalog alone. */
export const CatalogsContext = createContext<FindCatalog>(() => BASIC)
