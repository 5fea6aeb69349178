import type { SurfaceModel } from '@vitrine/genui/a2ui'
import { type CSSProperties, useCallback, useMemo, useSyncExternalStore } from 'react'
import { visibleText } from '../../visible.tsx'
import { basicRenderers } from './catalog.ts'
import { type SendInteraction, SurfaceInteractions } from './interactions.ts'
import { A2uiChild } from './node.tsx'
import { NodeFeed } from './node-feed.ts'
import { themeStyle } from './theme.ts'
import { type A2uiRenderers, type A2uiView, StreamingContext, ViewContext } from './view.ts'

/** What `A2uiSurface` takes. */
export interface A2uiSurfaceProps {
  model: SurfaceModel
  /** Where the person's actions go; without it they go nowhere. */
  send?: SendInteraction
  /** Pass feed and interactions here when they must live longer than this component. */
  shared?: Pick<A2uiView, 'feed' | 'interactions' | 'kept'>
  /** Components beside those of the basic catalog. */
  renderers?: A2uiRenderers | undefined
  /** What is told of components of a catalog beside the basic one. */
  fallbacks?: A2uiView['fallbacks']
  readOnly?: boolean
  /** More of the surface may come: what is missing is not a mistake yet. */
  streaming?: boolean
  label?: string
}

/** Draws a surface model: the A2UI renderer on its own. */
export function A2uiSurface(props: A2uiSurfaceProps) {
  const { model, send, shared, renderers, fallbacks, readOnly = false, streaming = false, label } = props
  const own = useMemo(() => {
    if (shared) return shared
    const feed = new NodeFeed(model)
    return { feed, interactions: new SurfaceInteractions(model, feed, send), kept: new Map<string, unknown>() }
  }, [model, send, shared])
  const view = useMemo<A2uiView>(
    () => ({ model, readOnly, renderers: { ...basicRenderers, ...renderers }, fallbacks, ...own }),
    [model, readOnly, renderers, fallbacks, own],
  )
  const surface = useSyncExternalStore(
    useCallback((listener: () => void) => model.subscribeSurface(listener), [model]),
    () => model.getSurface(),
    () => model.getSurface(),
  )
  const style = useMemo(() => themeStyle(surface.theme), [surface.theme])
  if (surface.root === undefined) return null
  return (
    <section
      className={style ? 'v-a2 v-a2-themed' : 'v-a2'}
      style={style as CSSProperties | undefined}
      data-surface={surface.surfaceId}
      data-readonly={readOnly || undefined}
      aria-label={label === undefined ? undefined : visibleText(label)}
    >
      <StreamingContext value={streaming}>
        <ViewContext value={view}>
          <A2uiChild id={surface.root} />
        </ViewContext>
      </StreamingContext>
    </section>
  )
}
