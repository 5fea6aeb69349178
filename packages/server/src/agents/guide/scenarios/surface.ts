import type { Json, JsonObject } from '@vitrine/protocol'

const VERSION = 'v0.9'
export const CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

export const create = (createSurface: JsonObject): JsonObject => ({ version: VERSION, createSurface })
export const components = (surfaceId: string, list: JsonObject[]): JsonObject => ({
  version: VERSION,
  updateComponents: { surfaceId, components: list },
})
/** An envelope that sets the value at a pointer. An empty pointer sets the whole data model. */
export const data = (surfaceId: string, path: string, value: Json): JsonObject => ({
  version: VERSION,
  updateDataModel: { surfaceId, ...(path && { path }), value },
})

/** A component in the nested form of A2UI. */
export const node = (id: string, type: string, props: JsonObject = {}, children?: JsonObject[]): JsonObject => ({
  id,
  type,
  ...(Object.keys(props).length > 0 && { props }),
  ...(children && { children }),
})

export const when = (cond: Json, yes: Json, no: Json): JsonObject => ({
  // biome-ignore lint/suspicious/noThenProperty: the protocol's own word
  if: { cond, then: yes, else: no },
})
