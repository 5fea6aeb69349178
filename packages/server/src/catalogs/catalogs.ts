import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BASIC_CATALOG_IDS, type Catalog, catalogInfo, findCatalog } from '@vitrine/genui/a2ui'
import type { CatalogInfo } from '@vitrine/protocol'

/** What the agents of a server draw with, beside the basic catalog. */
export interface CatalogOptions {
  /** Components and functions beside those of the basic catalog, which is always there and is the first. */
  catalogs?: readonly Catalog[]
  /**
   * The file of the module by which the workbench draws a catalog, by one of the catalog's ids. Its default export gets
   * what it needs and gives `components` and `functions`. Its code has all rights of the page: give only files of your
   * own.
   */
  catalogPages?: Readonly<Record<string, string | URL>>
}

/** What the routes know of the catalogs. */
export interface Catalogs {
  list(): Promise<CatalogInfo[]>
  /** The module with this name, in the version that `list` has told; undefined when there is none. */
  page(file: string): Promise<Buffer<ArrayBuffer> | undefined>
}

/** As long as the engine takes them. */
const LONGEST_ID = 2_000

/** Why a server cannot have these catalogs, and which option has to be another one. */
export function catalogsProblem({
  catalogs = [],
  catalogPages = {},
}: CatalogOptions): { option: keyof CatalogOptions; message: string } | undefined {
  const taken = new Set<string>(BASIC_CATALOG_IDS)
  for (const { ids, components, functions } of catalogs) {
    const [first] = ids
    if (first === undefined || ids.some(id => id === '' || id.length > LONGEST_ID)) {
      const message = 'A catalog has no id. Give it one, such as https://example.com/energy.'
      return { option: 'catalogs', message }
    }
    for (const id of ids) {
      if (taken.has(id)) return { option: 'catalogs', message: `Two catalogs have the id ${id}. Give one another id.` }
      taken.add(id)
    }
    if (components.size + functions.size === 0) {
      return { option: 'catalogs', message: `The catalog ${first} has no components and no functions.` }
    }
  }
  const stray = Object.keys(catalogPages).find(id => !catalogs.some(({ ids }) => ids.includes(id)))
  if (stray === undefined) return undefined
  return { option: 'catalogPages', message: `There is no catalog ${stray} for its page module.` }
}

/** The catalogs as pages get them. Modules are read for each answer, so that a page has the newest after a reload. */
export function createCatalogs({ catalogs = [], catalogPages = {} }: CatalogOptions, basePath: string): Catalogs {
  const files = new Map(Object.entries(catalogPages).map(([id, file]) => [findCatalog(catalogs, id), file]))
  return {
    list: () =>
      Promise.all(
        catalogs.map(async catalog => {
          const file = files.get(catalog)
          // One that is gone has an address all the same: the page is told there that it is missing.
          const name = file && nameOf(await readFile(file).catch(() => Buffer.from('')))
          return catalogInfo(catalog, name ? `${basePath}/api/catalogs/pages/${name}` : null)
        }),
      ),
    async page(name) {
      for (const file of files.values()) {
        const bytes = await readFile(file).catch(() => undefined)
        if (bytes && nameOf(bytes) === name) return bytes
      }
      return undefined
    },
  }
}

/** The name has the content in it, so that a browser never runs an old one. */
const nameOf = (bytes: Buffer): string => `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.js`
