import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Catalog, catalogFromJson } from '@vitrine/genui/a2ui'
import { isObject, type JsonObject } from '@vitrine/protocol'
import { type CatalogOptions, StartRefused } from '@vitrine/server'

/** A file that has a catalog, and the module by which the workbench draws it. */
export interface CatalogFile {
  readonly file: string
  readonly module?: string
}

/** Reads the catalogs of these files, each with the module that draws it. */
export async function loadCatalogs(files: readonly CatalogFile[]): Promise<Required<CatalogOptions>> {
  const catalogs: Catalog[] = []
  const catalogModules: Record<string, string> = {}
  for (const { file, module } of files) {
    const catalog = catalogOf(file, await contentOf(file))
    const [id] = catalog?.ids ?? []
    if (!catalog || !id) throw refused(file, 'has no catalog: it needs a catalogId and components.')
    catalogs.push(catalog)
    if (module !== undefined) catalogModules[id] = resolve(module)
  }
  return { catalogs, catalogModules }
}

/** The document of a JSON file, or the default export of a module. */
async function contentOf(file: string): Promise<unknown> {
  const path = resolve(file)
  try {
    if (extname(path) === '.json') return JSON.parse(await readFile(path, 'utf8'))
    return (await import(pathToFileURL(path).href)).default
  } catch (error) {
    throw refused(file, `could not be read: ${messageOf(error)}.`)
  }
}

/** A module may have another copy of our package than the command, so that a catalog is known by its fields. */
function catalogOf(file: string, content: unknown): Catalog | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { ids, components } = content as Partial<Catalog>
  if (Array.isArray(ids) && components instanceof Map) return content as Catalog
  const { catalogId, components: types } = content as JsonObject
  if (typeof catalogId !== 'string' || !isObject(types)) return undefined
  try {
    return catalogFromJson(content as JsonObject)
  } catch (error) {
    throw refused(file, `cannot be used: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const refused = (file: string, why: string): StartRefused => new StartRefused('catalogs', `${file} ${why}`)
