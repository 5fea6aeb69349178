import { type Diagnostic, type EnvelopeResult, type Json, SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import { pageRegexWorker } from '@vitrine/react/a2ui'

export interface Place {
  line: number
  column: number
}

export type Parsed = { ok: true; envelopes: Json } | { ok: false; message: string; place: Place | null }

/** JSON, or one envelope a line. */
export function parse(text: string): Parsed {
  try {
    return { ok: true, envelopes: JSON.parse(text) as Json }
  } catch (error) {
    const lines = text.split('\n').filter(line => line.trim() !== '')
    try {
      if (lines.length > 1) return { ok: true, envelopes: lines.map(line => JSON.parse(line) as Json) }
    } catch {
      // Neither: the first error says more.
    }
    return { ok: false, message: (error as Error).message, place: placeOf((error as Error).message, text) }
  }
}

/** Where the browser's parser stopped, as it says in its message. */
function placeOf(message: string, text: string): Place | null {
  const said = /line (\d+) column (\d+)/.exec(message)
  if (said) return { line: Number(said[1]), column: Number(said[2]) }
  const position = /position (\d+)/.exec(message)
  const offset = position ? Number(position[1]) : /end of|unterminated/i.test(message) ? text.length : null
  if (offset === null) return null
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
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
  readonly #diagnosed: (diagnostic: Diagnostic) => void
  readonly #locale: string

  constructor(locale: string, diagnosed: (diagnostic: Diagnostic) => void) {
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
          regexWorker: pageRegexWorker(),
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
  return (result.warnings ?? []).map(({ code, path, message }) => ({
    level: 'warning',
    code,
    path: at + path,
    message,
  }))
}
