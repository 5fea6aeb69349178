import type { SessionHandle } from '@vitrine/client'
import { SurfaceModel, SurfacePreview } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'
import { useContext, useEffect, useState } from 'react'
import { CatalogsContext } from '../../context.tsx'
import { useEntity } from '../../hooks.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import type { DrawnCatalog, DrawnCatalogOf } from '../drawn-catalogs.ts'
import { SurfaceInteractions } from './interactions.ts'
import { NodeFeed } from './node-feed.ts'
import { A2uiSurface, type A2uiSurfaceProps } from './surface.tsx'

interface Previewed {
  readonly model: SurfaceModel
  readonly shared: NonNullable<A2uiSurfaceProps['shared']>
  readonly drawing: Omit<DrawnCatalog, 'catalog'>
}

/** Surfaces drawn from arguments that still stream. */
export class ProvisionalSurfaces {
  readonly surfaces = new Map<string, Previewed>()
  readonly #preview: SurfacePreview
  readonly #locale: string
  readonly #find: DrawnCatalogOf
  readonly #loaded: () => void
  #read = 0

  /** A surface whose catalog is not here yet is left out; `loaded` is called when the catalog has come, to begin anew. */
  constructor(locale: string, find: DrawnCatalogOf, loaded: () => void) {
    this.#locale = locale
    this.#find = find
    this.#loaded = loaded
    this.#preview = new SurfacePreview({
      catalogOf(catalogId) {
        const found = find(catalogId)
        return found instanceof Promise ? undefined : found.catalog
      },
    })
  }

  /** Takes what is new; a text that was replaced rather than continued starts again. */
  update(args: { length: number; from(start: number): string }): boolean {
    if (args.length < this.#read) return false
    if (args.length === this.#read) return true
    this.#preview.push(args.from(this.#read))
    this.#read = args.length
    for (const [surfaceId, ops] of this.#preview.take()) {
      const found = this.surfaces.get(surfaceId) ?? this.#begin(surfaceId, ops)
      found?.model.apply(ops)
      // The session tells of the arguments once a frame, and this is that frame.
      found?.shared.feed.flush()
    }
    return true
  }

  #begin(surfaceId: string, ops: readonly SurfaceOp[]): Previewed | undefined {
    const create = ops.find(op => op.op === 'create')
    if (!create) return undefined
    const found = this.#find(create.catalogId)
    if (found instanceof Promise) {
      found.then(this.#loaded)
      return undefined
    }
    const { catalog, ...drawing } = found
    const model = new SurfaceModel({ surfaceId, locale: this.#locale, catalog })
    const feed = new NodeFeed(model)
    const shared = { feed, interactions: new SurfaceInteractions(model, feed), kept: new Map() }
    const begun = { model, shared, drawing }
    this.surfaces.set(surfaceId, begun)
    return begun
  }
}

/**
 * What an `a2ui` call that is still being written will draw. Marked as provisional; it gives way to the applied surface.
 * A call that changes a surface which is already there has no preview: that one is in sight.
 */
export function Provisional({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const { t, locale } = useI18n()
  const find = useContext(CatalogsContext)
  const [shown, setShown] = useState<readonly Previewed[]>([])
  // Applied surfaces take over one by one.
  const applied = useEntity(handle, 'surfaces', ({ surfaces }) => surfaces.byId)
  useEffect(() => {
    let provisional: ProvisionalSurfaces
    const begin = () => {
      provisional = new ProvisionalSurfaces(locale, find, begin)
      read()
    }
    const read = () => {
      const args = handle.state.tools.byId.get(toolCallId)?.args
      if (!args) return
      if (!provisional.update(args)) {
        begin()
        return
      }
      const next = [...provisional.surfaces.values()]
      setShown(before => (next.length === before.length && next.every((one, i) => one === before[i]) ? before : next))
    }
    begin()
    return handle.subscribe(`tool:${toolCallId}`, read)
  }, [handle, toolCallId, locale, find])
  return shown
    .filter(({ model }) => applied.get(model.surfaceId)?.state !== 'live')
    .map(({ model, shared, drawing }) => (
      <div key={model.surfaceId} className="v-a2-part v-a2-provisional" aria-busy>
        <p className="v-a2-mark">{t('a2ui.preview')}</p>
        <A2uiSurface model={model} shared={shared} readOnly streaming label={t('a2ui.preview')} {...drawing} />
      </div>
    ))
}
