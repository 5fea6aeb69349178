import { createHash } from 'node:crypto'
import { BASIC_CATALOG_IDS, type Catalog, catalogInfo, catalogOrFirst } from '@vitrine/genui/a2ui'
import { type CatalogInfo, MAX_CATALOG_ID } from '@vitrine/protocol'
import { moduleProblem, readModule } from './module-file.ts'

/** What the agents of a server draw with, beside the basic catalog. */
export interface CatalogOptions {
  /** Components and functions beside those of the basic catalog, which is always there and is the first. */
  catalogs?: readonly Catalog[]
  /**
   * The file of the module by which the workbench draws a catalog, by one of the catalog's ids. Its default export gets
   * what it needs and gives `components` and `functions`. TypeScript loses its types on the way to the page. Its code has
   * all rights of the page: give only files of your own.
   */
  catalogModules?: Readonly<Record<string, string | URL>>
}

/** What the routes know of the catalogs. */
export interface Catalogs {
  list(): Promise<CatalogInfo[]>
  /** The module with this name, in the version that `list` has told; undefined when there is none. */
  module(file: string): Promise<Buffer<ArrayBuffer> | undefined>
}

/** Why a server cannot have these catalogs, and which option has to be another one. */
export function catalogsProblem({
  catalogs = [],
  catalogModules = {},
}: CatalogOptions): { option: keyof CatalogOptions; message: string } | undefined {
  const taken = new Set<string>(BASIC_CATALOG_IDS)
  for (const { ids, components, functions } of catalogs) {
    const [first] = ids
    if (first === undefined || ids.includes('')) {
      const message = 'A catalog has no id. Give it one, such as https://example.com/energy.'
      return { option: 'catalogs', message }
    }
    const long = ids.find(id => id.length > MAX_CATALOG_ID)
    if (long !== undefined) {
      const message = `The id of a catalog is longer than ${MAX_CATALOG_ID} characters. Give it a shorter one: ${long.slice(0, 80)}…`
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
  const stray = Object.keys(catalogModules).find(id => !catalogs.some(({ ids }) => ids.includes(id)))
  if (stray === undefined) return undefined
  return { option: 'catalogModules', message: `There is no catalog ${stray} for the module that draws it.` }
}

/** The catalogs as pages get them. Modules are read for each answer, so that a page has the newest after a reload. */
export function createCatalogs({ catalogs = [], catalogModules = {} }: CatalogOptions, basePath: string): Catalogs {
  const files = new Map(Object.entries(catalogModules).map(([id, file]) => [catalogOrFirst(catalogs, id), file]))
  return {
    list: () =>
      Promise.all(
        catalogs.map(async catalog => {
          const file = files.get(catalog)
          // One that is gone has an address all the same: the page is told there that it is missing.
          const name = file && nameOf(await readModule(file).catch(() => Buffer.from('')))
          return catalogInfo(catalog, name ? `${basePath}/api/catalogs/modules/${name}` : null)
        }),
      ),
    async module(name) {
      for (const file of files.values()) {
        const bytes = await readModule(file).catch(() => undefined)
        if (bytes && nameOf(bytes) === name) return bytes
      }
      return undefined
    },
  }
}

/** Tells of each module that no page could use. A file that is corrected needs no new start. */
export async function tellModules(
  { catalogModules = {} }: CatalogOptions,
  log: (line: string, error: unknown) => void,
): Promise<void> {
  for (const [id, file] of Object.entries(catalogModules)) {
    const why = await moduleProblem(file).catch(error => `It could not be looked at: ${error}`)
    if (why !== undefined) log(`The module ${file} cannot draw the catalog ${id}.`, why)
  }
}

/** The name has the content in it, so that a browser never runs an old one. */
const nameOf = (bytes: Buffer): string => `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.js`
