export {
  actionMessage,
  declaredName,
  isClientMessage,
  offers,
  publicAction,
  publicError,
  type SurfaceAction,
  type SurfaceActionResult,
  type SurfaceEventType,
} from './actions.ts'
export { basicCatalog, basicParts } from './basic-catalog.ts'
export { Catalog, type CatalogComponent, type CatalogParts, catalogOrFirst } from './catalog.ts'
export { catalogFromJson, catalogProblems } from './catalog-document.ts'
export { BASIC_CATALOG_ID, BASIC_CATALOG_IDS } from './catalog-ids.ts'
export { catalogInfo, catalogOfInfo } from './catalog-info.ts'
export { type ClientCapabilitiesOptions, clientCapabilities, clientDataModel } from './client-metadata.ts'
export type { A2uiComponent } from './component.ts'
export { editedField } from './edit-key.ts'
export { type EnvelopeSource, EnvelopeStream, type EnvelopeStreamOutput } from './envelope-stream.ts'
export { type ApplyResult, type EnvelopeResult, toEnvelopes } from './envelopes.ts'
export { type CatalogFunction, type FunctionContext, valueText } from './expression.ts'
export { SurfacePreview, type SurfacePreviewOptions } from './preview.ts'
export { a2uiPrompt } from './prompt.ts'
export { pruneDocuments, renderDocuments, type SchemaDocuments } from './schema-documents.ts'
export type { NodeSnapshot, SurfaceSnapshot } from './snapshot.ts'
export { surfaceCatalog } from './surface-catalog.ts'
export { SurfaceModel, type SurfaceModelOptions } from './surface-model.ts'
export { contextPointer, SurfacePast, valuePointer } from './surface-past.ts'
export { surfaceWords } from './surface-words.ts'
export { Surfaces, type SurfacesOptions } from './surfaces.ts'
export { parseEnvelopes, TextEnvelopeStream, type TextEnvelopeStreamOptions } from './text-envelope-stream.ts'
export { type A2uiToolResult, a2uiTool, a2uiToolResult, type ToldDiagnostic, type ToldEnvelope } from './tool.ts'
export type { ComponentTraits } from './traits.ts'
