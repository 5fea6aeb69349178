import { isObject, type JsonObject } from '@vitrine/protocol'
import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import type { SurfaceModel } from './surface-model.ts'

/** Which catalogs a client tells an agent of. */
export interface ClientCapabilitiesOptions {
  /** The catalogs that it draws; the basic one unless it says otherwise. */
  catalogs?: readonly Catalog[]
  /** Catalogs that are sent whole. Only for agents that say `acceptsInlineCatalogs`. */
  inline?: readonly Catalog[]
}

/** What a client can draw, for the field `a2uiClientCapabilities` of the public protocol. */
export function clientCapabilities({ catalogs = [basicCatalog], inline }: ClientCapabilitiesOptions = {}): JsonObject {
  const supportedCatalogIds = [...new Set(catalogs.flatMap(catalog => catalog.ids))]
  return { 'v0.9': { supportedCatalogIds, ...(inline?.length && { inlineCatalogs: inline.map(inlineCatalog) }) } }
}

function inlineCatalog(catalog: Catalog): JsonObject {
  const components = [...catalog.components].map(([type, { schema, description }]) => [
    type,
    description === undefined ? schema : { description, ...schema },
  ])
  const { properties } = catalog.theme
  return {
    catalogId: catalog.ids[0] ?? '',
    components: Object.fromEntries(components),
    functions: [...catalog.functions].map(([name, { description, parameters = {}, returnType }]) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
      returnType,
    })),
    theme: isObject(properties) ? properties : {},
  }
}

/**
 * The data of the surfaces that ask for them (`sendDataModel`), with what the person typed, for the field
 * `a2uiClientDataModel` of the public protocol. Data that are no object have no place there.
 */
export function clientDataModel(models: Iterable<SurfaceModel>): JsonObject {
  const surfaces: [string, JsonObject][] = []
  for (const model of models) {
    const { root, sendDataModel } = model.getSurface()
    const data = model.dataModel()
    if (root !== undefined && sendDataModel && isObject(data)) surfaces.push([model.surfaceId, data])
  }
  return { version: 'v0.9', surfaces: Object.fromEntries(surfaces) }
}
