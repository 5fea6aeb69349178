export {
  actionMessage,
  isClientMessage,
  publicAction,
  publicError,
  type SurfaceAction,
  type SurfaceActionResult,
  type SurfaceEventType,
} from './actions.ts'
export { basicCatalog, basicParts } from './basic-catalog.ts'
export { Catalog, type CatalogComponent, type CatalogParts, catalogFromJson, findCatalog } from './catalog.ts'
export { BASIC_CATALOG_ID, BASIC_CATALOG_IDS } from './catalog-ids.ts'
export { catalogInfo, surfaceCatalog } from './catalog-info.ts'
export { type ClientCapabilitiesOptions, clientCapabilities, clientDataModel } from './client-metadata.ts'
export type { A2uiComponent } from './component.ts'
export { type EnvelopeSource, EnvelopeStream, type EnvelopeStreamOutput } from './envelope-stream.ts'
export { type ApplyResult, type EnvelopeResult, toEnvelopes } from './envelopes.ts'
export { type CatalogFunction, type FunctionContext, valueText } from './expression.ts'
export { hiddenFields } from './hidden-fields.ts'
export { SurfacePreview, type SurfacePreviewOptions } from './preview.ts'
export { a2uiPrompt } from './prompt.ts'
export { pruneDocuments, renderDocuments, type SchemaDocuments } from './schema-documents.ts'
export type { NodeSnapshot, SurfaceSnapshot } from './snapshot.ts'
export { SurfaceModel, type SurfaceModelOptions } from './surface-model.ts'
export { Surfaces, type SurfacesOptions } from './surfaces.ts'
export { parseEnvelopes, TextEnvelopeStream, type TextEnvelopeStreamOptions } from './text-envelope-stream.ts'
export { a2uiTool, a2uiToolResult } from './tool.ts'
export type { ComponentTraits } from './traits.ts'
