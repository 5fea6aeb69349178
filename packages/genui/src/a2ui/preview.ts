import { formatPointer, isObject, type Json, type JsonObject, own, type SurfaceOp } from '@vitrine/protocol'
import { DEFAULT_UI_LIMITS } from '../limits.ts'
import type { A2uiComponent } from './component.ts'
import { wrapped } from './envelope-lists.ts'
import { type EnvelopeSource, EnvelopeStream, type EnvelopeStreamOutput } from './envelope-stream.ts'
import { formOf, normalise } from './normalise.ts'
import { toPath } from './pointer.ts'
import { rootIdOf } from './root-id.ts'
import { basicTraits, COMMON_REFS, type ComponentTraits } from './traits.ts'

/** What a preview may know beside the basic types. */
export interface SurfacePreviewOptions {
  /** Where the envelopes come from; without it, from the arguments of the tool. */
  source?: EnvelopeSource
  /** The catalog that a surface names. Without it, and where it has none, the basic types are known. */
  catalogOf?(catalogId: string | undefined): PreviewCatalog | undefined
  /** Texts that may be shown before they are complete. */
  growing?: readonly string[]
}

/** A `Catalog` fits. One that does not tell what is required has components drawn before they are complete. */
export interface PreviewCatalog {
  traits(type: string): ComponentTraits
  required?(type: string): readonly string[]
}

const GROWING = ['text', 'label', 'title', 'description', 'placeholder', 'caption']

const basic: PreviewCatalog = { traits: type => own(basicTraits, type) ?? {} }

class NotDrawable extends Error {}

type Shown = { created?: boolean; theme?: boolean; done?: boolean }

/**
 * What can already be drawn while the arguments of the tool still stream. Operations are provisional: the applied surface
 * replaces them, a failure withdraws them. A call of `take` costs what is new and what is open, not what was shown before.
 */
export class SurfacePreview {
  readonly source: EnvelopeSource
  readonly #catalogOf: NonNullable<SurfacePreviewOptions['catalogOf']>
  /** By surface. */
  readonly #catalogs = new Map<string, PreviewCatalog>()
  readonly #growing: ReadonlySet<string>
  readonly #known = new WeakMap<object, string>()
  readonly #shown = new WeakMap<object, Shown>()
  /** How many members of a data container have been handed out. */
  readonly #sent = new WeakMap<object, number>()
  readonly #position = new WeakMap<object, number>()
  #ops = new Map<string, SurfaceOp[]>()
  #open: ReadonlySet<object> = new Set()

  constructor(options: SurfacePreviewOptions = {}) {
    this.source = options.source ?? new EnvelopeStream()
    this.#catalogOf = options.catalogOf ?? (() => basic)
    this.#growing = new Set([...GROWING, ...(options.growing ?? [])])
  }

  push(chunk: string): EnvelopeStreamOutput {
    const output = this.source.push(chunk)
    // A complete envelope leaves the tree when its line does: take it now.
    for (const envelope of output.envelopes) if (isObject(envelope)) this.#envelope(envelope)
    return output
  }

  /** The provisional operations that came since the last call, by surface. */
  take(): Map<string, SurfaceOp[]> {
    this.#open = new Set(this.source.json.open.map(frame => frame.container))
    const { roots } = this.source
    for (const root of roots) {
      const list = isObject(root) ? wrapped(root) : root
      if (!Array.isArray(list)) {
        if (isObject(root)) this.#envelope(root)
        continue
      }
      const from = this.#position.get(list) ?? 0
      for (let i = from; i < list.length; i++) if (isObject(list[i])) this.#envelope(list[i] as JsonObject)
      this.#position.set(list, Math.max(0, list.length - 1))
    }
    if (roots.length > 1) roots.splice(0, roots.length - 1)
    const ops = this.#ops
    this.#ops = new Map()
    this.#open = new Set()
    return ops
  }

  #catalog(surfaceId: string): PreviewCatalog {
    return this.#catalogs.get(surfaceId) ?? basic
  }

  #emit(surfaceId: string, op: SurfaceOp): void {
    const list = this.#ops.get(surfaceId)
    if (list) list.push(op)
    else this.#ops.set(surfaceId, [op])
  }

  #envelope(envelope: JsonObject): void {
    let shown = this.#shown.get(envelope)
    if (!shown) {
      shown = {}
      this.#shown.set(envelope, shown)
    }
    if (shown.done) return
    const open = this.#open.has(envelope)
    const { createSurface, updateComponents, updateDataModel, deleteSurface } = envelope
    try {
      if (isObject(createSurface)) this.#create(createSurface, shown)
      else if (isObject(updateComponents)) this.#update(updateComponents)
      else if (isObject(updateDataModel)) this.#data(updateDataModel)
      else if (isObject(deleteSurface) && !open && typeof deleteSurface.surfaceId === 'string')
        this.#emit(deleteSurface.surfaceId, { op: 'remove' })
    } catch (error) {
      // What cannot be drawn yet, or ever, is the business of the server's answer.
      if (!(error instanceof NotDrawable)) throw error
    }
    if (!open) shown.done = true
  }

  #create(body: JsonObject, shown: Shown): void {
    const { surfaceId, catalogId, theme, root, components, dataModel } = body
    if (typeof surfaceId !== 'string') return
    const open = this.#open.has(body)
    if (open && isObject(root) && typeof root.id !== 'string' && this.#open.has(root)) return
    const themed = isObject(theme) && !this.#open.has(theme)
    if (!shown.created || (themed && !shown.theme)) {
      if (open && root === undefined && components === undefined && dataModel === undefined) return
      shown.created = true
      shown.theme = themed
      const id = typeof catalogId === 'string' ? catalogId : undefined
      this.#catalogs.set(surfaceId, this.#catalogOf(id) ?? basic)
      this.#emit(surfaceId, {
        op: 'create',
        root: rootIdOf(root),
        ...(id !== undefined ? { catalogId: id } : {}),
        ...(themed ? { theme } : {}),
      })
    }
    if (isObject(root)) this.#component(surfaceId, root, rootIdOf(root))
    if (Array.isArray(components)) this.#list(surfaceId, components)
    if (isObject(dataModel)) this.#value(surfaceId, [], dataModel)
  }

  #update(body: JsonObject): void {
    const { surfaceId, components, replace, delete: gone } = body
    if (typeof surfaceId !== 'string') return
    if (Array.isArray(components)) this.#list(surfaceId, components)
    if (this.#open.has(body)) return
    if (isObject(replace) && isObject(replace.component) && typeof replace.id === 'string')
      this.#component(surfaceId, { ...replace.component, id: replace.id }, replace.id)
    for (const id of Array.isArray(gone) ? gone : [])
      if (typeof id === 'string') this.#emit(surfaceId, { op: 'delete', id })
  }

  #list(surfaceId: string, components: Json[]): void {
    const from = this.#position.get(components) ?? 0
    for (let i = from; i < components.length; i++) {
      const raw = components[i]
      if (isObject(raw)) this.#component(surfaceId, raw, undefined)
    }
    // The last one may be open and come again.
    this.#position.set(components, Math.max(0, components.length - 1))
  }

  #component(surfaceId: string, raw: JsonObject, fallbackId: string | undefined): string | undefined {
    const known = this.#known.get(raw)
    if (known !== undefined) return known
    const open = this.#open.has(raw)
    const visible = open ? this.#partial(surfaceId, raw, fallbackId) : raw
    if (!visible) return undefined
    const context = {
      traits: (type: string) => this.#catalog(surfaceId).traits(type),
      maxDepth: DEFAULT_UI_LIMITS.depth,
      unreadable: () => new NotDrawable(),
      known: this.#known,
      add: (id: string, component: A2uiComponent) => this.#emit(surfaceId, { op: 'upsert', id, component }),
    }
    return normalise(visible, '', context, fallbackId)
  }

  /** A component that is still open, as far as it can be shown; undefined when what is missing would make it wrong. */
  #partial(surfaceId: string, raw: JsonObject, fallbackId: string | undefined): JsonObject | undefined {
    const form = formOf(raw)
    const id = typeof raw.id === 'string' ? raw.id : fallbackId
    if (!form || id === undefined) return undefined
    const type = (form === 'public' ? raw.component : raw.type) as string
    const refs = this.#catalog(surfaceId).traits(type).refs ?? COMMON_REFS
    const result = this.#closedProps(surfaceId, raw, id, refs)
    if (!result) return undefined
    const required = form === 'public' ? (this.#catalog(surfaceId).required?.(type) ?? []) : []
    if (required.some(key => key !== 'component' && result[key] === undefined)) return undefined
    return { ...result, id }
  }

  #closedProps(surfaceId: string, raw: JsonObject, id: string, refs: readonly string[]): JsonObject | undefined {
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(raw)) {
      if (key === '__proto__') return undefined
      if (typeof value !== 'object' || value === null || !this.#open.has(value)) {
        result[key] = value
      } else if (key === 'props' && isObject(value)) {
        const props = this.#closedProps(surfaceId, value, id, refs)
        if (!props) return undefined
        result.props = props
      } else if (Array.isArray(value) && refs.some(ref => ref === key || ref.startsWith(`${key}.`))) {
        result[key] = value.flatMap((item, i) => {
          if (!isObject(item) || !this.#open.has(item)) return [item]
          return this.#component(surfaceId, item, `${id}.${i}`) ?? []
        })
      } else if (isObject(value) && refs.includes(key) && formOf(value)) {
        const child = this.#component(surfaceId, value, `${id}.${key}`)
        if (child !== undefined) result[key] = child
      } else return undefined
    }
    const { open, openText } = this.source.json
    const innermost = open.at(-1)
    if (openText !== undefined && innermost?.container === raw) {
      if (!this.#growing.has(innermost.key)) return undefined
      result[innermost.key] = openText
    }
    return result
  }

  #data(body: JsonObject): void {
    const { surfaceId, path: pointer = '', value } = body
    if (typeof surfaceId !== 'string' || typeof pointer !== 'string') return
    const path = toPath(pointer)
    if (!path) return
    const open = this.#open.has(body)
    if (value === undefined) {
      if (!open) this.#emit(surfaceId, { op: 'set', path: formatPointer(path) })
    } else this.#value(surfaceId, path, value)
  }

  /** Hands out each member of an open container once, when it is complete. */
  #value(surfaceId: string, path: readonly string[], value: Json): void {
    const pointer = formatPointer(path)
    const before = typeof value === 'object' && value !== null ? this.#sent.get(value) : undefined
    if (typeof value !== 'object' || value === null || (before === undefined && !this.#open.has(value))) {
      this.#emit(surfaceId, { op: 'set', path: pointer, value })
      return
    }
    if (before === undefined) this.#emit(surfaceId, { op: 'set', path: pointer, value: Array.isArray(value) ? [] : {} })
    const entries = Object.entries(value)
    for (let i = before ?? 0; i < entries.length; i++) {
      const [key, item] = entries[i]!
      this.#value(surfaceId, [...path, key], item)
    }
    // An open last member comes again until it is complete.
    const last = entries.at(-1)?.[1]
    const again = typeof last === 'object' && last !== null && this.#open.has(last)
    this.#sent.set(value, again ? entries.length - 1 : entries.length)
  }
}
