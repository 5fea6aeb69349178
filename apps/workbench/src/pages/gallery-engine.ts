import { readJsonText, type TextPosition, type UiDiagnostic } from '@vitrine/genui'
import { type EnvelopeResult, SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import type { Json } from '@vitrine/protocol'
import { pagePatternWorker } from '@vitrine/react/a2ui'

export type Parsed = { ok: true; envelopes: Json } | { ok: false; message: string; place: TextPosition }

/** JSON, or an envelope on each line. */
export function parse(text: string): Parsed {
  const whole = readJsonText(text)
  if (whole.ok) return { ok: true, envelopes: whole.value as Json }
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const values = lines.length > 1 ? lines.map(readJsonText) : []
  if (values.length > 0 && values.every(line => line.ok))
    return { ok: true, envelopes: values.map(line => line.value as Json) }
  // Neither: what is wrong with the whole text says more.
  return { ok: false, message: whole.message, place: whole.position }
}

export interface Finding {
  level: 'error' | 'warning' | 'ok'
  code: string
  path: string
  message: string
}

/** What the server does with envelopes, done in the page: the same engine, nothing is sent anywhere. */
export class GalleryEngine {
  surfaces = new Surfaces()
  readonly models = new Map<string, SurfaceModel>()
  readonly #diagnosed: (diagnostic: UiDiagnostic) => void
  readonly #locale: string

  constructor(locale: string, diagnosed: (diagnostic: UiDiagnostic) => void) {
    this.#locale = locale
    this.#diagnosed = diagnosed
  }

  /** Starts again with these envelopes. Surfaces that are still there keep their model, and so their focus. */
  apply(envelopes: Json): Finding[] {
    this.surfaces = new Surfaces()
    const { results } = this.surfaces.apply(envelopes)
    const there = new Set(results.flatMap(result => (result.ok ? [result.surfaceId] : [])))
    for (const [surfaceId, model] of this.models) {
      if (this.surfaces.snapshot(surfaceId)) continue
      model.dispose()
      this.models.delete(surfaceId)
    }
    for (const surfaceId of there) {
      const ops = this.surfaces.snapshot(surfaceId)
      if (!ops) continue
      let model = this.models.get(surfaceId)
      if (!model) {
        model = new SurfaceModel({
          surfaceId,
          locale: this.#locale,
          patternWorker: pagePatternWorker(),
          onDiagnostic: this.#diagnosed,
        })
        this.models.set(surfaceId, model)
      }
      model.clearLocal()
      model.apply(structuredClone(ops))
    }
    return [
      ...results.flatMap((result, index) => findings(result, index)),
      ...[...there].flatMap(surfaceId =>
        this.surfaces.inspect(surfaceId).map(
          ({ code, message, componentId }): Finding => ({
            level: 'warning',
            code,
            path: componentId ?? surfaceId,
            message,
          }),
        ),
      ),
    ]
  }

  dispose(): void {
    for (const model of this.models.values()) model.dispose()
    this.models.clear()
  }
}

function findings(result: EnvelopeResult, index: number): Finding[] {
  const at = `/envelopes/${index}`
  if (!result.ok) return [{ level: 'error', code: result.code, path: at + result.path, message: result.error }]
  return (result.diagnostics ?? []).map(({ code, path, message }) => ({
    level: 'warning',
    code,
    path: at + path,
    message,
  }))
}
