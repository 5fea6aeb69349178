import type { SessionHandle } from '@vitrine/client'
import { SurfaceModel, SurfacePreview } from '@vitrine/genui/a2ui'
import { useEffect, useState } from 'react'
import { useEntity } from '../../hooks.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { A2uiSurface } from './surface.tsx'

/** Surfaces drawn from arguments that still stream. */
class ProvisionalSurfaces {
  readonly models = new Map<string, SurfaceModel>()
  readonly #preview = new SurfacePreview()
  readonly #locale: string
  #read = 0

  constructor(locale: string) {
    this.#locale = locale
  }

  /** Takes what is new; a text that was replaced rather than continued starts again. */
  update(args: { length: number; from(start: number): string }): boolean {
    if (args.length < this.#read) return false
    if (args.length === this.#read) return true
    this.#preview.push(args.from(this.#read))
    this.#read = args.length
    for (const [surfaceId, ops] of this.#preview.take()) {
      let model = this.models.get(surfaceId)
      if (!model) {
        if (!ops.some(op => op.op === 'create')) continue
        model = new SurfaceModel({ surfaceId, locale: this.#locale })
        this.models.set(surfaceId, model)
      }
      model.apply(ops)
    }
    return true
  }
}

/**
 * What an `a2ui` call that is still being written will draw. Marked as provisional; it gives way to the applied surface.
 * A call that changes a surface which is already there has no preview: that one is in sight.
 */
export function Provisional({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const { t, locale } = useI18n()
  const [models, setModels] = useState<readonly SurfaceModel[]>([])
  // Applied surfaces take over one by one.
  const applied = useEntity(handle, 'surfaces', ({ surfaces }) => surfaces.byId)
  useEffect(() => {
    let provisional = new ProvisionalSurfaces(locale)
    const read = () => {
      const args = handle.state.tools.byId.get(toolCallId)?.args
      if (!args) return
      if (!provisional.update(args)) {
        provisional = new ProvisionalSurfaces(locale)
        provisional.update(args)
      }
      const next = [...provisional.models.values()]
      setModels(before =>
        next.length === before.length && next.every((model, i) => model === before[i]) ? before : next,
      )
    }
    read()
    return handle.subscribe(`tool:${toolCallId}`, read)
  }, [handle, toolCallId, locale])
  return models
    .filter(({ surfaceId }) => applied.get(surfaceId)?.state !== 'live')
    .map(model => (
      <div key={model.surfaceId} className="v-a2-part v-a2-provisional" aria-busy>
        <p className="v-a2-mark">{t('a2ui.preview')}</p>
        <A2uiSurface model={model} readOnly streaming label={t('a2ui.preview')} />
      </div>
    ))
}
