import type { CatalogFunction, NodeSnapshot, SurfaceModel } from '@vitrine/genui/a2ui'
import { type ComponentType, createContext, type ReactNode, use, useCallback, useSyncExternalStore } from 'react'
import { useStateIn } from '../../hooks.ts'
import type { ControlState, SurfaceInteractions } from './interactions.ts'
import type { moduleTools } from './module-tools.tsx'
import type { NodeFeed } from './node-feed.ts'

/** What a component of a surface is drawn from. */
export interface A2uiRendererProps {
  node: NodeSnapshot
}
/** How one type of component is drawn. */
export type A2uiRenderer = ComponentType<A2uiRendererProps>
/** How the components of a catalog are drawn, by the names of their types. */
export type A2uiRenderers = Readonly<Record<string, A2uiRenderer>>

/** How a catalog is drawn: its components, beside those of the basic catalog, and the code of its functions. */
export interface A2uiCatalogView {
  readonly components?: A2uiRenderers
  readonly functions?: Readonly<Record<string, CatalogFunction['run']>>
}
/** How the catalogs of a server are drawn, by one of their ids. */
export type A2uiCatalogViews = Readonly<Record<string, A2uiCatalogView>>
/** What the module of a catalog gets. */
export type A2uiModuleTools = typeof moduleTools
/** The default export of the module by which the workbench draws a catalog. */
export type A2uiCatalogModule = (tools: A2uiModuleTools) => A2uiCatalogView | Promise<A2uiCatalogView>

/** What the components of one drawn surface share. */
export interface A2uiView {
  readonly model: SurfaceModel
  readonly feed: NodeFeed
  readonly interactions: SurfaceInteractions
  readonly renderers: A2uiRenderers
  /** What a catalog beside the basic one tells: why a type of it is not drawn, and what went wrong in a component. */
  readonly fallbacks?: { undrawn(type: string): ReactNode; notes(node: NodeSnapshot): ReactNode } | undefined
  /** The same tree, without interaction. */
  readonly readOnly: boolean
  /** View state (chosen tab, sort order) that outlives a component that scrolled out of sight. */
  readonly kept: Map<string, unknown>
}

export const ViewContext = createContext<A2uiView | null>(null)
/** Whether the run that draws may still send what is missing. */
export const StreamingContext = createContext(false)

/** What the surface around a component gives to it. */
export function useA2uiView(): A2uiView {
  const view = use(ViewContext)
  if (!view) throw new Error('A2UI components are drawn inside a surface')
  return view
}

export function useNode(view: A2uiView, nodeId: string): NodeSnapshot | undefined {
  const { feed, model } = view
  const subscribe = useCallback((listener: () => void) => feed.subscribe(nodeId, listener), [feed, nodeId])
  const get = () => model.getNode(nodeId)
  return useSyncExternalStore(subscribe, get, get)
}

/** What a control shows beside its value, read again when it changes. */
export function useControlState(nodeId: string): ControlState {
  const { interactions } = useA2uiView()
  const subscribe = useCallback(
    (listener: () => void) => interactions.subscribe(nodeId, listener),
    [interactions, nodeId],
  )
  const get = () => interactions.get(nodeId)
  return useSyncExternalStore(subscribe, get, get)
}

/** View state of a component (its chosen tab, its sort order) that outlives it. */
export const useA2uiViewState = <T>(nodeId: string, initial: T): [T, (value: T) => void] =>
  useStateIn(useA2uiView().kept, nodeId, initial)
