export { basicRenderers } from './catalog.ts'
export { type Interaction, Interactions, type Refused, type Send, type SendResult } from './interactions.ts'
export { Child, Diagnostic, Node, Nodes } from './node.tsx'
export { NodeFeed } from './node-feed.ts'
export { OpQueue } from './op-queue.ts'
export { pageRegexWorker } from './regex-worker.ts'
export { A2uiSurface, type SurfaceProps } from './surface.tsx'
export { accents, contrast } from './theme.ts'
export {
  type Renderer,
  type RendererProps,
  type Renderers,
  useInteraction,
  useView,
  useViewState,
  type View,
} from './view.ts'
