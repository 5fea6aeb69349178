import {
  applySurfaceOps,
  DataTree,
  formatPointer,
  jsonBytes,
  MAX_OP_VALUE,
  MAX_POINTER,
  type Path,
  PathError,
  parsePointer,
  type SurfaceContent,
  splitOp,
  surfaceOps,
} from '@vitrine/protocol'
import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { checkComponent } from './check-component.ts'
import { checkGraph } from './graph.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { measure } from './measure.ts'
import { checkId, type NormaliseContext, normalise, Refusal, type Warning } from './normalise.ts'
import { type Component, type Diagnostic, isObject, type Json, type JsonObject, type SurfaceOp } from './ops.ts'
import { toPath } from './path.ts'
import { locate } from './places.ts'
import { validate } from './schema.ts'
import { toJson } from './to-json.ts'
import { refsOf } from './traits.ts'

export type EnvelopeResult =
  | { ok: true; surfaceId: string; ops: SurfaceOp[]; warnings?: Warning[] }
  | { ok: false; surfaceId?: string; code: string; path: string; error: string }

export type ApplyResult = { applied: number; failed: number; results: EnvelopeResult[] }

export interface SurfacesOptions {
  /** The first one is taken when a surface names a catalog that is not here. */
  catalogs?: readonly Catalog[]
  limits?: Partial<Limits>
}

export const VERSIONS: readonly string[] = ['v0.9', 'v0.9.1']
const KINDS = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'] as const
type Kind = (typeof KINDS)[number]

/** A theme is part of one operation, with nothing to split. */
const MAX_THEME = 16 * 1024
const MAX_CATALOG_ID = 2_000

/** The surface itself, and what the checks have to know about it. */
class Surface implements SurfaceContent {
  state: 'live' | 'removed' = 'removed'
  root = 'root'
  catalogId: string | null = null
  theme: JsonObject = {}
  sendDataModel = false
  readonly components = new Map<string, JsonObject>()
  readonly data = new DataTree()

  readonly catalog: Catalog
  readonly facts = new Map<string, Facts>()
  readonly parents = new Map<string, Set<string>>()
  dataSize = 2
  size = 2

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  refs(id: string): readonly string[] {
    return this.facts.get(id)?.refs ?? NONE
  }

  /** Remembers size and references of a component, or forgets them. */
  note(id: string, facts: Facts | undefined): void {
    const old = this.facts.get(id)
    for (const ref of old?.refs ?? NONE) {
      const parents = this.parents.get(ref)
      parents?.delete(id)
      if (parents?.size === 0) this.parents.delete(ref)
    }
    if (facts) this.facts.set(id, facts)
    else this.facts.delete(id)
    for (const ref of facts?.refs ?? NONE) {
      const parents = this.parents.get(ref)
      if (parents) parents.add(id)
      else this.parents.set(ref, new Set<string>().add(id))
    }
    this.size += (facts?.size ?? 0) - (old?.size ?? 0)
  }
}

type Facts = { size: number; refs: readonly string[] }

const NONE: readonly never[] = []

/** How to take back what an envelope did before it failed. */
type Undo = (() => void)[]

/** The surfaces of one session, as facts. Envelopes go in, operations come out; a refused envelope leaves no trace. */
export class Surfaces {
  readonly limits: Limits
  readonly #catalogs: readonly Catalog[]
  readonly #surfaces = new Map<string, Surface>()

  constructor(options: SurfacesOptions = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#catalogs = options.catalogs ?? [basicCatalog]
  }

  get ids(): string[] {
    return [...this.#surfaces.keys()]
  }

  /** The operations that make this surface from nothing. */
  snapshot(surfaceId: string): SurfaceOp[] | undefined {
    const surface = this.#surfaces.get(surfaceId)
    return surface && surfaceOps(surface)
  }

  /** Each envelope applies or is refused on its own. Nothing is thrown, whatever the input is. */
  apply(input: unknown): ApplyResult {
    const results = toEnvelopes(input).map(envelope => this.#applyOne(envelope))
    let applied = 0
    for (const { ok } of results) if (ok) applied++
    return { applied, failed: results.length - applied, results }
  }

  /** Takes over what the log says. It was checked when it was made: limits that are lower today refuse nothing of it. */
  fold(surfaceId: string, ops: readonly SurfaceOp[]): void {
    const begin = ops.findLastIndex(({ op }) => op === 'create' || op === 'remove')
    const first = ops[begin]
    if (first?.op === 'remove') this.#surfaces.delete(surfaceId)
    if (first?.op === 'create') this.#surfaces.set(surfaceId, this.#fresh(first))
    const surface = this.#surfaces.get(surfaceId)
    if (!surface) return
    applySurfaceOps(surface, ops.slice(begin + 1))
    for (const id of [...surface.facts.keys()]) if (!surface.components.has(id)) surface.note(id, undefined)
    for (const [id, component] of surface.components)
      surface.note(id, {
        size: jsonBytes(component) + id.length,
        refs: references(component as Component, surface.catalog),
      })
    this.#sizeData(surface)
  }

  /** A person's edits become facts: pointers are written, and the value of a field bound to nothing goes to the field. */
  accept(surfaceId: string, edits: JsonObject): EnvelopeResult {
    return this.#attempt(surfaceId, undo => {
      const surface = this.#known(surfaceId, '/surfaceId')
      const ops: SurfaceOp[] = []
      const { data } = surface
      const { root } = data
      data.share()
      undo.push(() => {
        data.root = root
        this.#sizeData(surface)
      })
      for (const [key, given] of Object.entries(edits)) {
        const at = `/edits${formatPointer([key])}`
        const path = parsePointer(key)
        const value = toJson(given, this.limits.state, at) ?? null
        if (path) this.#write(surface, path, value, at, at, ops)
        else if (!key.startsWith('#')) throw new Refusal('invalid_path', at, `${show(key)} names no field.`)
        else {
          const component = surface.components.get(key.slice(1)) as Component | undefined
          const input = component && surface.catalog.traits(component.type).input
          // The agent has taken the field away: nobody sees its value any more.
          if (!component || !input) continue
          this.#put(surface, key.slice(1), { ...component, [input]: value }, at, ops, undo)
          if (surface.size > this.limits.state) throw this.#tooLarge(at)
        }
      }
      return ops
    })
  }

  /** What is wrong with a surface that is otherwise complete: nothing here is refused, it shows as a diagnostic. */
  inspect(surfaceId: string): Diagnostic[] {
    const surface = this.#surfaces.get(surfaceId)
    if (!surface) return []
    const found: Diagnostic[] = []
    if (!surface.components.has(surface.root))
      found.push({ code: 'missing_root', message: `Missing root component: no component has the id '${surface.root}'` })
    const reached = new Set<string>()
    const queue = [surface.root]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      for (const ref of surface.refs(id)) queue.push(ref)
    }
    for (const [id, { refs }] of surface.facts) {
      for (const ref of refs)
        if (!surface.components.has(ref))
          found.push({
            code: 'missing_child',
            componentId: id,
            message: `Component '${id}' references non-existent component '${ref}'`,
          })
      if (!reached.has(id) && surface.components.has(surface.root))
        found.push({
          code: 'unreachable_component',
          componentId: id,
          message: `Component '${id}' is not reachable from '${surface.root}'`,
        })
    }
    return found
  }

  // ---- one envelope

  #applyOne(envelope: unknown): EnvelopeResult {
    try {
      return this.#read(envelope)
    } catch (error) {
      // An object of the agent that cannot be read: nothing was changed yet.
      return refusal(error)
    }
  }

  #read(envelope: unknown): EnvelopeResult {
    if (!isObject(envelope)) return refused('invalid_envelope', '', 'An envelope is an object.')
    const { version } = envelope
    if (!VERSIONS.includes(version as string))
      return refused(
        'version_mismatch',
        '/version',
        version === undefined
          ? `Validation failed: 'version' is a required property, set it to "v0.9".`
          : `Version ${show(version)} is not supported: set it to "v0.9" or "v0.9.1".`,
      )
    const kinds = KINDS.filter(kind => envelope[kind] !== undefined)
    const kind = kinds[0]
    if (!kind || kinds.length > 1)
      return refused(
        'invalid_envelope',
        '',
        `Validation failed: an envelope carries exactly one of ${KINDS.join(', ')}; this one has ${kinds.length ? kinds.join(' and ') : 'none'}. Send one envelope for each.`,
      )
    const given = envelope[kind]
    // The value of a data update is read where it is used: it is the one thing that comes often.
    const body = kind === 'updateDataModel' ? given : toJson(given, this.limits.state)
    if (!isObject(body)) return refused('VALIDATION_FAILED', `/${kind}`, `'${kind}' is an object.`)
    const { surfaceId } = body
    if (typeof surfaceId !== 'string' || surfaceId === '')
      return refused(
        'VALIDATION_FAILED',
        `/${kind}/surfaceId`,
        `Validation failed: 'surfaceId' is a required property, a text that names the surface.`,
      )
    return this.#attempt(surfaceId, (undo, warnings) => this.#dispatch(kind, surfaceId, body, undo, warnings))
  }

  #attempt(surfaceId: string, change: (undo: Undo, warnings: Warning[]) => SurfaceOp[]): EnvelopeResult {
    const undo: Undo = []
    const warnings: Warning[] = []
    try {
      const ops = change(undo, warnings)
      return { ok: true, surfaceId, ops, ...(warnings.length ? { warnings } : {}) }
    } catch (error) {
      for (const step of undo.reverse()) step()
      return { ...refusal(error), surfaceId }
    }
  }

  #dispatch(kind: Kind, surfaceId: string, body: JsonObject, undo: Undo, warnings: Warning[]): SurfaceOp[] {
    switch (kind) {
      case 'createSurface':
        return this.#create(surfaceId, body, undo, warnings)
      case 'updateComponents':
        return this.#update(surfaceId, body, undo, warnings)
      case 'updateDataModel': {
        const surface = this.#known(surfaceId, `/${kind}/surfaceId`)
        const { path = '' } = body
        if (typeof path !== 'string')
          throw new Refusal('VALIDATION_FAILED', `/${kind}/path`, `'path' is a JSON pointer such as "/user/name".`)
        const ops: SurfaceOp[] = []
        const value = toJson(body.value, this.limits.state)
        const at = '/updateDataModel/path'
        this.#write(surface, this.#path(path, at), value, at, '/updateDataModel/value', ops, path)
        return ops
      }
      case 'deleteSurface': {
        const surface = this.#known(surfaceId, `/${kind}/surfaceId`)
        this.#surfaces.delete(surfaceId)
        undo.push(() => this.#surfaces.set(surfaceId, surface))
        return [{ op: 'remove' }]
      }
    }
  }

  #known(surfaceId: string, path: string): Surface {
    const surface = this.#surfaces.get(surfaceId)
    if (surface) return surface
    const live = this.ids.length ? `live surfaces: ${clip(this.ids.join(', '), 500)}` : 'no surface is live'
    throw new Refusal(
      'unknown_surface',
      path,
      `There is no surface '${surfaceId}' (${live}). Send createSurface first.`,
    )
  }

  #fresh(op: Extract<SurfaceOp, { op: 'create' }>): Surface {
    const surface = new Surface(
      this.#catalogs.find(catalog => catalog.ids.includes(op.catalogId ?? '')) ?? this.#catalogs[0]!,
    )
    applySurfaceOps(surface, [op])
    surface.size += jsonBytes(surface.theme)
    return surface
  }

  #create(surfaceId: string, body: JsonObject, undo: Undo, warnings: Warning[]): SurfaceOp[] {
    const at = '/createSurface'
    const { catalogId, theme, root, dataModel, components, sendDataModel } = body
    if (catalogId === undefined ? root === undefined : typeof catalogId !== 'string')
      throw new Refusal(
        'VALIDATION_FAILED',
        `${at}/catalogId`,
        `Validation failed: 'catalogId' is a required property.`,
      )
    checkId(surfaceId, `${at}/surfaceId`)
    // In an address dots alone are a way up: nobody could send an action to such a surface.
    if (/^\.+$/.test(surfaceId))
      throw new Refusal('VALIDATION_FAILED', `${at}/surfaceId`, 'The id is of dots only. Choose one with a letter.')
    const old = this.#surfaces.get(surfaceId)
    if (!old && this.#surfaces.size >= this.limits.surfaces)
      throw new Refusal(
        'too_many_surfaces',
        `${at}/surfaceId`,
        `${this.limits.surfaces} surfaces are live. Delete one first.`,
      )
    if (typeof catalogId === 'string' && catalogId.length > MAX_CATALOG_ID)
      throw new Refusal(
        'id_too_long',
        `${at}/catalogId`,
        `The catalog id is longer than ${MAX_CATALOG_ID} characters. Send the id of a known catalog.`,
      )
    const rootName = isObject(root) ? root.id : root
    const rootId = typeof rootName === 'string' && rootName !== '' ? checkId(rootName, `${at}/root`) : 'root'
    const op: Extract<SurfaceOp, { op: 'create' }> =
      typeof catalogId === 'string' ? { op: 'create', root: rootId, catalogId } : { op: 'create', root: rootId }
    if (sendDataModel === true) op.sendDataModel = true
    if (isObject(theme)) op.theme = theme
    const surface = this.#fresh(op)
    if (op.catalogId !== undefined && !surface.catalog.ids.includes(op.catalogId))
      warnings.push({
        code: 'unknown_catalog',
        path: `${at}/catalogId`,
        message: `Catalog ${show(op.catalogId)} is not known here; '${surface.catalog.ids[0]}' is used.`,
      })
    if (theme !== undefined) this.#checkTheme(theme, surface.catalog, `${at}/theme`)
    if (dataModel !== undefined && !isObject(dataModel))
      throw new Refusal('VALIDATION_FAILED', `${at}/dataModel`, `'dataModel' is an object.`)
    this.#surfaces.set(surfaceId, surface)
    undo.push(() => (old ? this.#surfaces.set(surfaceId, old) : this.#surfaces.delete(surfaceId)))
    const ops: SurfaceOp[] = [op]
    if (isObject(root)) this.#upsert(surface, [root], `${at}/root`, ops, undo, warnings, rootId)
    if (Array.isArray(components)) this.#upsert(surface, components, `${at}/components`, ops, undo, warnings)
    if (dataModel !== undefined) this.#write(surface, [], dataModel, `${at}/dataModel`, `${at}/dataModel`, ops)
    return ops
  }

  #checkTheme(theme: Json, catalog: Catalog, at: string): void {
    const context = { root: catalog.definitions, functions: catalog.functions, lenient: false }
    const found = isObject(theme) ? validate(catalog.theme, theme, context) : { path: '', message: 'is not an object' }
    if (found) throw new Refusal('VALIDATION_FAILED', `${at}${found.path}`, `theme${found.path}: ${found.message}.`)
    if (measure(theme, at, this.limits) > MAX_THEME)
      throw new Refusal('theme_too_large', at, `The theme is larger than ${MAX_THEME} bytes. Send a smaller one.`)
  }

  #update(surfaceId: string, body: JsonObject, undo: Undo, warnings: Warning[]): SurfaceOp[] {
    const at = '/updateComponents'
    const surface = this.#known(surfaceId, `${at}/surfaceId`)
    const { components, replace, delete: gone } = body
    if (components === undefined && replace === undefined && gone === undefined)
      throw new Refusal(
        'VALIDATION_FAILED',
        `${at}/components`,
        `Validation failed: 'components' is a required property (or 'replace', or 'delete').`,
      )
    const ops: SurfaceOp[] = []
    if (gone !== undefined) {
      if (!Array.isArray(gone) || gone.some(id => typeof id !== 'string'))
        throw new Refusal('VALIDATION_FAILED', `${at}/delete`, `'delete' is a list of component ids.`)
      this.#delete(surface, gone as string[], `${at}/delete`, ops, undo)
    }
    if (replace !== undefined) {
      if (!isObject(replace) || typeof replace.id !== 'string' || !isObject(replace.component))
        throw new Refusal('VALIDATION_FAILED', `${at}/replace`, `'replace' is {id, component}.`)
      this.#replace(surface, replace.id, replace.component, `${at}/replace`, ops, undo, warnings)
    }
    if (components !== undefined) {
      if (!Array.isArray(components) || (components.length === 0 && replace === undefined && gone === undefined))
        throw new Refusal(
          'VALIDATION_FAILED',
          `${at}/components`,
          `Validation failed: 'components' is a list with at least one component.`,
        )
      this.#upsert(surface, components, `${at}/components`, ops, undo, warnings)
    }
    return ops
  }

  // ---- components

  #upsert(
    surface: Surface,
    raw: readonly Json[],
    path: string,
    ops: SurfaceOp[],
    undo: Undo,
    warnings: Warning[],
    rootId?: string,
  ): ReadonlyMap<string, Component> {
    const { catalog } = surface
    const added = new Map<string, Component>()
    const context: NormaliseContext = {
      traits: type => catalog.traits(type),
      maxDepth: this.limits.depth,
      check: given => checkComponent(given, catalog, warnings),
      add: (id, component) => {
        if (added.has(id))
          throw new Refusal(
            'duplicate_id',
            path,
            `Duplicate component ID: ${id}. Every component of a surface has its own id.`,
          )
        added.set(id, component)
      },
    }
    // Parents are told after their children; the log has the root first, so that it can be drawn at once.
    for (let i = 0; i < raw.length; i++)
      normalise(raw[i], rootId === undefined ? `${path}/${i}` : path, context, rootId)
    const ids = [...added.keys()]
    for (const id of ids.toReversed()) this.#put(surface, id, added.get(id)!, path, ops, undo)
    if (surface.components.size > this.limits.components)
      throw new Refusal(
        'too_many_components',
        path,
        `A surface holds at most ${this.limits.components} components. Use a template over a list.`,
      )
    if (surface.size > this.limits.state) throw this.#tooLarge(path)
    checkGraph(surface, ids, this.limits.depth, path)
    return added
  }

  #put(surface: Surface, id: string, component: Component, path: string, ops: SurfaceOp[], undo: Undo): void {
    const size = measure(component, path, this.limits)
    const old = surface.components.get(id)
    const facts = surface.facts.get(id)
    undo.push(() => {
      if (old) surface.components.set(id, old)
      else surface.components.delete(id)
      surface.note(id, facts)
    })
    this.#change(surface, { op: 'upsert', id, component }, size, path, ops)
    surface.note(id, { size: size + id.length, refs: references(component, surface.catalog) })
  }

  /** What goes to the log is what is applied here, in the parts in which the log takes it. */
  #change(surface: Surface, op: SurfaceOp, bytes: number, path: string, ops: SurfaceOp[]): void {
    const parts = bytes > MAX_OP_VALUE ? inParts(op, path) : [op]
    applySurfaceOps(surface, parts)
    for (const part of parts) ops.push(part)
  }

  /** Deletes components, what only they contained, and every mention of them in the components that stay. */
  #delete(surface: Surface, ids: readonly string[], path: string, ops: SurfaceOp[], undo: Undo): void {
    ids.forEach((id, i) => {
      if (!surface.components.has(id))
        throw new Refusal('unknown_component', `${path}/${i}`, `There is no component '${id}' on this surface.`)
      if (id === surface.root)
        throw new Refusal(
          'VALIDATION_FAILED',
          `${path}/${i}`,
          `'${id}' is the root. Replace it, or send deleteSurface.`,
        )
    })
    const gone = new Set(ids)
    for (const id of ids) {
      for (const parent of [...(surface.parents.get(id) ?? [])]) {
        const component = surface.components.get(parent)
        if (!component || gone.has(parent)) continue
        this.#put(surface, parent, withoutReference(component as Component, id, surface.catalog), path, ops, undo)
      }
      this.#prune(surface, id, ops, undo)
    }
  }

  #prune(surface: Surface, from: string, ops: SurfaceOp[], undo: Undo): void {
    const queue = [from]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const gone = id
      const component = surface.components.get(gone)
      const facts = surface.facts.get(gone)
      if (!component || !facts) continue
      undo.push(() => {
        surface.components.set(gone, component)
        surface.note(gone, facts)
      })
      this.#change(surface, { op: 'delete', id: gone }, 0, '', ops)
      surface.note(gone, undefined)
      for (const ref of facts.refs) if (!surface.parents.has(ref) && ref !== surface.root) queue.push(ref)
    }
  }

  #replace(
    surface: Surface,
    id: string,
    raw: JsonObject,
    path: string,
    ops: SurfaceOp[],
    undo: Undo,
    warnings: Warning[],
  ): void {
    const old = surface.facts.get(id)
    if (!old) throw new Refusal('unknown_component', `${path}/id`, `There is no component '${id}' on this surface.`)
    // The place in the tree keeps its name, whatever the new component calls itself.
    const fresh = this.#upsert(surface, [{ ...raw, id }], `${path}/component`, ops, undo, warnings, id)
    for (const ref of old.refs) if (!fresh.has(ref) && !surface.parents.has(ref)) this.#prune(surface, ref, ops, undo)
  }

  // ---- data

  #path(pointer: string, at: string): Path {
    const path = toPath(pointer)
    if (path) return path
    throw new Refusal(
      'invalid_path',
      at,
      `Invalid path syntax: ${show(pointer)} is not a JSON pointer such as "/user/name".`,
    )
  }

  /** Everything that can be refused is looked at before the write. `at` and `atValue` say where path and value came from, `text` is the path as it was written. */
  #write(
    surface: Surface,
    given: Path,
    value: Json | undefined,
    at: string,
    atValue: string,
    ops: SurfaceOp[],
    text?: string,
  ): void {
    if (given.length > this.limits.depth)
      throw new Refusal('too_deep', at, `The path is deeper than ${this.limits.depth} levels. Flatten the data.`)
    const { data } = surface
    const old = data.get(given)
    const size = value === undefined ? 0 : measure(value, atValue, this.limits, given.length)
    const isNew = value !== undefined && old === undefined
    const { path, filled } = isNew ? this.#locate(data, given, at) : { path: given, filled: 0 }
    const pointer =
      path === given && text !== undefined && text.length > 1 && text[0] === '/' ? text : formatPointer(path)
    if (pointer.length > MAX_POINTER)
      throw new Refusal('path_too_long', at, `The path is longer than ${MAX_POINTER} characters. Use shorter keys.`)
    // Keys are counted generously when they come and not when they go: the sum is never too small.
    let change = size + 5 * filled
    if (old !== undefined) change -= jsonBytes(old)
    else if (isNew) change += jsonBytes(pointer) + 8 * path.length
    if (surface.size + change > this.limits.state) {
      this.#sizeData(surface)
      if (surface.size + change > this.limits.state) throw this.#tooLarge(atValue)
    }
    const op: SurfaceOp = value === undefined ? { op: 'set', path: pointer } : { op: 'set', path: pointer, value }
    this.#change(surface, op, size, at, ops)
    surface.dataSize += change
    surface.size += change
  }

  #locate(data: DataTree, path: Path, at: string): { path: Path; filled: number } {
    try {
      return locate(data, path)
    } catch (error) {
      if (!(error instanceof PathError)) throw error
      throw new Refusal('invalid_path', at, `${error.message}. Write to a place that exists, or replace what is there.`)
    }
  }

  /** The data as they are now; between two of these the size is a sum of estimates. */
  #sizeData(surface: Surface): void {
    const size = jsonBytes(surface.data.root)
    surface.size += size - surface.dataSize
    surface.dataSize = size
  }

  #tooLarge(path: string): Refusal {
    return new Refusal(
      'state_too_large',
      path,
      `The resolved state of the surface is larger than ${this.limits.state} bytes. Send less data, or page it.`,
    )
  }
}

/** The envelopes of a tool call, in the forms that models produce: the object, the list, one envelope, or JSON text. */
export function toEnvelopes(input: unknown): unknown[] {
  let given = input
  // Each form may stand in another one, but nobody means more than a few of them.
  for (let round = 0; round < 8; round++) {
    if (Array.isArray(given)) return given
    if (typeof given === 'string') {
      try {
        given = JSON.parse(given)
      } catch {
        return [given]
      }
    } else if (isObject(given) && given.envelopes !== undefined) given = given.envelopes
    else break
  }
  return [given]
}

export const applyEnvelopes = (surfaces: Surfaces, envelopes: unknown): ApplyResult => surfaces.apply(envelopes)

function inParts(op: SurfaceOp, path: string): SurfaceOp[] {
  try {
    return splitOp(op)
  } catch (error) {
    if (error instanceof PathError) throw new Refusal('path_too_long', path, `${error.message}. Shorten the keys.`)
    throw error
  }
}

type Refused = EnvelopeResult & { ok: false }

const refused = (code: string, path: string, error: string): Refused => ({
  ok: false,
  code,
  path: clip(path, 500),
  error: clip(error, 2_000),
})

function refusal(error: unknown): Refused {
  if (error instanceof Refusal) return refused(error.code, error.path, error.message)
  // A catalog of the host that throws, a getter of the agent's object: this envelope fails and no other.
  const why = error instanceof Error ? error.message : String(error)
  return refused('not_applied', '', `The envelope could not be applied: ${why}. Send plain JSON.`)
}

/** What an agent sent may be of any length; an answer that repeats it is not. */
const clip = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()

const show = (value: unknown): string => clip(JSON.stringify(value), 100)

/** The components that a component names. */
function references(component: Component, catalog: Catalog): string[] {
  const found: string[] = []
  for (const { key, inner } of refsOf(catalog.traits(component.type))) {
    const value = component[key]
    if (value === undefined) continue
    if (!Array.isArray(value)) addReference(found, value)
    else for (const item of value) addReference(found, inner ? (isObject(item) ? item[inner] : undefined) : item)
  }
  return found
}

function addReference(found: string[], value: Json | undefined): void {
  if (typeof value === 'string') found.push(value)
  else if (isObject(value) && typeof value.componentId === 'string') found.push(value.componentId)
}

function withoutReference(component: Component, id: string, catalog: Catalog): Component {
  const result: Component = { ...component }
  for (const { key, inner } of refsOf(catalog.traits(component.type))) {
    const value = result[key]
    if (Array.isArray(value))
      result[key] = value.filter(item => item !== id && !(inner && isObject(item) && item[inner] === id))
    else if (value === id || (isObject(value) && value.componentId === id)) delete result[key]
  }
  return result
}
