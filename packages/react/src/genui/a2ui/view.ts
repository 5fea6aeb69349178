import type { NodeSnapshot, SurfaceModel } from '@vitrine/genui/a2ui'
import { type ComponentType, createContext, use, useCallback, useState, useSyncExternalStore } from 'react'
import type { Interaction, Interactions } from './interactions.ts'
import type { NodeFeed } from './node-feed.ts'

export interface RendererProps {
  node: NodeSnapshot
}
export type Renderer = ComponentType<RendererProps>
export type Renderers = Readonly<Record<string, Renderer>>

/** What the components of one drawn surface share. */
export interface View {
  readonly model: SurfaceModel
  readonly feed: NodeFeed
  readonly interactions: Interactions
  readonly renderers: Renderers
  /** The same tree, without interaction. */
  readonly readOnly: boolean
  /** View state (chosen tab, sort order) that outlives a component that scrolled out of sight. */
  readonly kept: Map<string, unknown>
}

export const ViewContext = createContext<View | null>(null)
/** Whether the run that draws may still send what is missing. */
export const StreamingContext = createContext(false)

export function useView(): View {
  const view = use(ViewContext)
  if (!view) throw new Error('A2UI components are drawn inside a surface')
  return view
}

export function useNode(view: View, nodeId: string): NodeSnapshot | undefined {
  const { feed, model } = view
  const subscribe = useCallback((listener: () => void) => feed.subscribe(nodeId, listener), [feed, nodeId])
  const get = () => model.getNode(nodeId)
  return useSyncExternalStore(subscribe, get, get)
}

export function useInteraction(nodeId: string): Interaction {
  const { interactions } = useView()
  const subscribe = useCallback(
    (listener: () => void) => interactions.subscribe(nodeId, listener),
    [interactions, nodeId],
  )
  const get = () => interactions.get(nodeId)
  return useSyncExternalStore(subscribe, get, get)
}

export function useViewState<T>(nodeId: string, initial: T): [T, (value: T) => void] {
  const { kept } = useView()
  const [value, setValue] = useState<T>(() => (kept.has(nodeId) ? (kept.get(nodeId) as T) : initial))
  const set = useCallback(
    (next: T) => {
      kept.set(nodeId, next)
      setValue(next)
    },
    [kept, nodeId],
  )
  return [value, set]
}
