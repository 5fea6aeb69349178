import { locatePointer, readJsonText, type TextPosition, type UiDiagnostic } from '@vitrine/genui'
import { basicCatalog, type EnvelopeResult, SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { pagePatternWorker } from '@vitrine/react/a2ui'
import { drawingOf, type ShownCatalog } from './gallery-hosts.ts'

export type Parsed =
  | {
      ok: true
      envelopes: Json
      /** Where a path of a result (`/envelopes/0/…`) stands in the text. */
      placeOf: (path: string) => TextPosition | null
      /** Where a component was written last. */
      placeOfComponent: (id: string) => TextPosition | null
    }
  | { ok: false; message: string; place: TextPosition }

/** JSON, or an envelope on each line. */
export function parse(text: string): Parsed {
  const whole = readJsonText(text)
  if (whole.ok) return parsedWhole(text, whole.value as Json)
  const lines = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ at, line, read: readJsonText(line) }]))
  // What is wrong with the whole text says more, unless its first line is an envelope already.
  if (!lines[0]?.read.ok) return { ok: false, message: whole.message, place: whole.position }
  for (const { at, read } of lines)
    if (!read.ok)
      return { ok: false, message: read.message, place: { ...read.position, line: at + read.position.line } }
  const values = lines.map(({ read }) => (read.ok ? (read.value as Json) : null))
  const placeOf = (path: string) => {
    const [, at, rest] = ENVELOPE.exec(path) ?? []
    const line = at === undefined ? undefined : lines[Number(at)]
    if (!line) return null
    const place = locatePointer(line.line, rest!)
    return { ...place, line: line.at + place.line }
  }
  return { ok: true, envelopes: values, placeOf, placeOfComponent: id => placed(values, '/envelopes', id, placeOf) }
}

/** A path of a result: which envelope, and where in it. */
const ENVELOPE = /^\/envelopes\/(\d+)(.*)$/s
/** How a list of envelopes may be wrapped. */
const WRAPPERS = ['envelopes', 'messages']

function parsedWhole(text: string, value: Json): Parsed & { ok: true } {
  const wrapper = isObject(value) ? WRAPPERS.find(key => Object.hasOwn(value, key)) : undefined
  const placeOf = (path: string) => {
    const [, at, rest] = ENVELOPE.exec(path) ?? []
    if (at === undefined) return null
    if (Array.isArray(value)) return locatePointer(text, `/${at}${rest}`)
    return locatePointer(text, wrapper ? `/${wrapper}/${at}${rest}` : rest!)
  }
  const envelopes = wrapper ? (value as JsonObject)[wrapper]! : Array.isArray(value) ? value : [value]
  return { ok: true, envelopes: value, placeOf, placeOfComponent: id => placed(envelopes, '/envelopes', id, placeOf) }
}

/** The place of the last object in `value` that has this id. */
function placed(value: Json, path: string, id: string, placeOf: (path: string) => TextPosition | null) {
  const found = lastWithId(value, path, id)
  return found === undefined ? null : placeOf(`${found}/id`)
}

function lastWithId(value: Json, path: string, id: string): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  for (const [key, inner] of Object.entries(value).reverse()) {
    const found = lastWithId(inner as Json, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, id)
    if (found !== undefined) return found
  }
  return isObject(value) && value.id === id ? path : undefined
}

export interface Finding {
  level: 'error' | 'warning' | 'ok'
  code: string
  path: string
  /** The component that it is about, where there is no path. */
  componentId?: string
  message: string
}

/** What the server does with envelopes, done in the page: the same engine, nothing is sent anywhere. */
export class GalleryEngine {
  surfaces: Surfaces
  readonly models = new Map<string, SurfaceModel>()
  readonly #diagnosed: (diagnostic: UiDiagnostic) => void
  readonly #locale: string
  /** What each model draws with: another catalog needs another model. */
  readonly #catalogs = new WeakMap<SurfaceModel, object | undefined>()
  readonly #hosts: readonly ShownCatalog[]
  #judged: { surfaces: Surfaces; there: ReadonlySet<string> }

  constructor(locale: string, hosts: readonly ShownCatalog[], diagnosed: (diagnostic: UiDiagnostic) => void) {
    this.#hosts = hosts
    this.surfaces = this.#newSurfaces()
    this.#judged = { surfaces: this.surfaces, there: new Set() }
    this.#locale = locale
    this.#diagnosed = diagnosed
  }

  #newSurfaces(): Surfaces {
    return new Surfaces({ catalogs: [basicCatalog, ...this.#hosts.map(({ catalog }) => catalog)] })
  }

  /** What the engine says about these envelopes. What is in sight stays until `show`. */
  judge(envelopes: Json): { results: Finding[]; drawsNothing: boolean } {
    const surfaces = this.#newSurfaces()
    const { results } = surfaces.apply(envelopes)
    const there = new Set(results.flatMap(result => (result.ok ? [result.surfaceId] : [])))
    this.#judged = { surfaces, there }
    const refused = results.some(({ ok }) => !ok)
    return {
      results: [
        ...results.flatMap((result, index) => findings(result, index)),
        ...[...there].flatMap(surfaceId =>
          surfaces.inspect(surfaceId).map(
            ({ code, message, componentId }): Finding => ({
              level: 'warning',
              code,
              path: componentId ?? surfaceId,
              ...(componentId !== undefined && { componentId }),
              message,
            }),
          ),
        ),
      ],
      drawsNothing: refused && ![...there].some(surfaceId => surfaces.snapshot(surfaceId)),
    }
  }

  /** Starts again with what was judged last. Surfaces that are still there keep their model, and so their focus. */
  show(): void {
    const { surfaces, there } = this.#judged
    this.surfaces = surfaces
    for (const [surfaceId, model] of this.models) {
      if (this.surfaces.snapshot(surfaceId)) continue
      model.dispose()
      this.models.delete(surfaceId)
    }
    for (const surfaceId of there) {
      const ops = this.surfaces.snapshot(surfaceId)
      if (!ops) continue
      const catalog = drawingOf(this.#hosts, ops.find(op => op.op === 'create')?.catalogId).catalog
      let model = this.models.get(surfaceId)
      if (!model || this.#catalogs.get(model) !== catalog) {
        model?.dispose()
        model = new SurfaceModel({
          surfaceId,
          locale: this.#locale,
          catalog,
          patternWorker: pagePatternWorker(),
          onDiagnostic: this.#diagnosed,
        })
        this.models.set(surfaceId, model)
        this.#catalogs.set(model, catalog)
      }
      model.clearLocal()
      model.apply(structuredClone(ops))
    }
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
