// The A2UI renderer on its own: a surface model from `@vitrine/genui/a2ui` goes in, React elements come out.

export { basicRenderers } from './catalog.ts'
export { type HostCatalog, useHostCatalogs } from './host-catalogs.ts'
export {
  type ControlState,
  type RefusedInteraction,
  type SendInteraction,
  type SendOutcome,
  SurfaceInteractions,
} from './interactions.ts'
export { A2uiChild, A2uiNode, A2uiNodes } from './node.tsx'
export { NodeFeed } from './node-feed.ts'
export { OpQueue } from './op-queue.ts'
export { pagePatternWorker } from './pattern-worker.ts'
export { A2uiSurface, type A2uiSurfaceProps } from './surface.tsx'
export {
  type A2uiCatalogModule,
  type A2uiCatalogView,
  type A2uiCatalogViews,
  type A2uiModuleTools,
  type A2uiRenderer,
  type A2uiRendererProps,
  type A2uiRenderers,
  type A2uiView,
  useA2uiView,
  useA2uiViewState,
  useControlState,
} from './view.ts'
