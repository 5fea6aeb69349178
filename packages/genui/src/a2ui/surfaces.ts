import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { checkComponent } from './check-component.ts'
import { DataTree, PathError } from './data-tree.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { measure } from './measure.ts'
import { type Given, normalise, Refusal, type Warning } from './normalise.ts'
import { type Component, type Diagnostic, isObject, type Json, type JsonObject, type SurfaceOp } from './ops.ts'
import { formatPointer, parsePointer } from './pointer.ts'
import { validate } from './schema.ts'
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

type Stored = { component: Component; size: number; refs: readonly string[] }

class Surface {
  catalog: Catalog
  catalogId: string | undefined
  theme: JsonObject = {}
  sendDataModel = false
  root = 'root'
  readonly components = new Map<string, Stored>()
  readonly parents = new Map<string, Set<string>>()
  readonly data = new DataTree()
  dataSize = 2
  size = 2
  constructor(catalog: Catalog) {
    this.catalog = catalog
  }
}

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
    if (!surface) return undefined
    surface.data.share()
    return [
      createOp(surface),
      ...[...surface.components].map(([id, { component }]) => ({ op: 'upsert' as const, id, component })),
      { op: 'set', path: '', value: surface.data.root },
    ]
  }

  apply(input: unknown): ApplyResult {
    const results = toEnvelopes(input).map(envelope => this.#applyOne(envelope))
    const applied = results.filter(result => result.ok).length
    return { applied, failed: results.length - applied, results }
  }

  /** Rebuilds the state from logged operations. They were checked when they were made. */
  fold(surfaceId: string, ops: readonly SurfaceOp[]): void {
    for (const op of ops) {
      try {
        this.#fold(surfaceId, op)
      } catch (error) {
        // Limits that were lowered since must not keep a session from opening.
        if (!(error instanceof Refusal || error instanceof PathError)) throw error
      }
    }
  }

  #fold(surfaceId: string, op: SurfaceOp): void {
    const surface = this.#surfaces.get(surfaceId)
    if (op.op === 'create') this.#surfaces.set(surfaceId, this.#fresh(op))
    else if (op.op === 'remove') this.#surfaces.delete(surfaceId)
    else if (!surface) return
    else if (op.op === 'upsert') this.#put(surface, op.id, op.component, [])
    else if (op.op === 'delete') this.#drop(surface, op.id, [])
    else this.#write(surface, op.path, op.value)
  }

  /** A person's edits become facts: pointers are written, and the value of a field bound to nothing goes to the field. */
  accept(surfaceId: string, edits: JsonObject): EnvelopeResult {
    return this.#attempt(surfaceId, undo => {
      const surface = this.#known(surfaceId, '/surfaceId')
      const ops: SurfaceOp[] = []
      const { dataSize, size, data } = surface
      const { root } = data
      data.share()
      undo.push(
        () => Object.assign(surface, { dataSize, size }),
        () => Object.assign(data, { root }),
      )
      for (const [key, value] of Object.entries(edits)) {
        if (key.startsWith('/')) ops.push(this.#write(surface, key, value))
        else if (key.startsWith('#')) {
          const id = key.slice(1)
          const stored = surface.components.get(id)
          const input = stored && surface.catalog.traits(stored.component.type).input
          if (!stored || !input) continue
          const component = { ...stored.component, [input]: value }
          this.#put(surface, id, component, undo)
          ops.push({ op: 'upsert', id, component })
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
      queue.push(...(surface.components.get(id)?.refs ?? []))
    }
    for (const [id, { refs }] of surface.components) {
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
    if (!isObject(envelope)) return refused('invalid_envelope', '', 'An envelope is an object.')
    const { version } = envelope
    if (!VERSIONS.includes(version as string))
      return refused(
        'version_mismatch',
        '/version',
        version === undefined
          ? `Validation failed: 'version' is a required property, set it to "v0.9".`
          : `Version ${JSON.stringify(version)} is not supported: set it to "v0.9" or "v0.9.1".`,
      )
    const kinds = KINDS.filter(kind => envelope[kind] !== undefined)
    const kind = kinds[0]
    if (!kind || kinds.length > 1)
      return refused(
        'invalid_envelope',
        '',
        `Validation failed: an envelope carries exactly one of ${KINDS.join(', ')}; this one has ${kinds.length ? kinds.join(' and ') : 'none'}. Send one envelope for each.`,
      )
    const body = envelope[kind]
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
      if (error instanceof Refusal) return { ...refused(error.code, error.path, error.message), surfaceId }
      if (error instanceof PathError) return { ...refused('invalid_path', '', `${error.message}.`), surfaceId }
      throw error
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
        return [this.#write(surface, path, body.value, `/${kind}`)]
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
    const live = this.ids.length ? `live surfaces: ${this.ids.join(', ')}` : 'no surface is live'
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
    surface.catalogId = op.catalogId
    surface.theme = op.theme ?? {}
    surface.root = op.root
    surface.sendDataModel = op.sendDataModel ?? false
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
    const old = this.#surfaces.get(surfaceId)
    if (!old && this.#surfaces.size >= this.limits.surfaces)
      throw new Refusal(
        'too_many_surfaces',
        `${at}/surfaceId`,
        `${this.limits.surfaces} surfaces are live. Delete one first.`,
      )
    const rootId = isObject(root)
      ? typeof root.id === 'string' && root.id
        ? root.id
        : 'root'
      : typeof root === 'string'
        ? root
        : 'root'
    const op: Extract<SurfaceOp, { op: 'create' }> = { op: 'create', root: rootId }
    if (typeof catalogId === 'string') op.catalogId = catalogId
    if (sendDataModel === true) op.sendDataModel = true
    const surface = this.#fresh(op)
    if (op.catalogId !== undefined && !surface.catalog.ids.includes(op.catalogId))
      warnings.push({
        code: 'unknown_catalog',
        path: `${at}/catalogId`,
        message: `Catalog '${op.catalogId}' is not known here; '${surface.catalog.ids[0]}' is used.`,
      })
    if (theme !== undefined) {
      const context = { root: surface.catalog.definitions, functions: surface.catalog.functions, lenient: false }
      const found = isObject(theme)
        ? validate(surface.catalog.theme, theme, context)
        : { path: '', message: 'is not an object' }
      if (found)
        throw new Refusal('VALIDATION_FAILED', `${at}/theme${found.path}`, `theme${found.path}: ${found.message}.`)
      surface.size += measure(theme, `${at}/theme`, this.limits)
      surface.theme = op.theme = theme as JsonObject
    }
    if (dataModel !== undefined && !isObject(dataModel))
      throw new Refusal('VALIDATION_FAILED', `${at}/dataModel`, `'dataModel' is an object.`)
    this.#surfaces.set(surfaceId, surface)
    undo.push(() => (old ? this.#surfaces.set(surfaceId, old) : this.#surfaces.delete(surfaceId)))
    const ops: SurfaceOp[] = [op]
    if (isObject(root)) this.#upsert(surface, [root], `${at}/root`, ops, undo, warnings, rootId)
    if (Array.isArray(components)) this.#upsert(surface, components, `${at}/components`, ops, undo, warnings)
    if (dataModel !== undefined) ops.push(this.#write(surface, '', dataModel, `${at}/dataModel`))
    return ops
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
  ): Set<string> {
    const added = new Map<string, Component>()
    const context = {
      traits: (type: string) => surface.catalog.traits(type),
      maxDepth: this.limits.depth,
      check: (given: Given) => checkComponent(given, surface.catalog, warning => void warnings.push(warning)),
      add: (id: string, component: Component) => {
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
    const roots = raw.map((item, i) => normalise(item, rootId === undefined ? `${path}/${i}` : path, context, rootId))
    if (new Set(roots).size !== roots.length)
      throw new Refusal('duplicate_id', path, `Duplicate component ID: two components of this list have the same id.`)
    for (const [id, component] of [...added].reverse()) {
      this.#put(surface, id, component, undo)
      ops.push({ op: 'upsert', id, component })
    }
    if (surface.components.size > this.limits.components)
      throw new Refusal(
        'too_many_components',
        path,
        `A surface holds at most ${this.limits.components} components. Use a template over a list.`,
      )
    if (surface.size > this.limits.state) throw this.#tooLarge(path)
    this.#checkGraph(surface, added.keys(), path)
    return new Set(added.keys())
  }

  #put(surface: Surface, id: string, component: Component, undo: Undo): void {
    const old = surface.components.get(id)
    const refs = references(component, surface.catalog)
    const size = measure(component, '/updateComponents', this.limits) + id.length
    const before = surface.size
    surface.components.set(id, { component, size, refs })
    surface.size += size - (old?.size ?? 0)
    this.#link(surface, id, old?.refs ?? [], refs)
    undo.push(() => {
      surface.size = before
      this.#link(surface, id, refs, old?.refs ?? [])
      if (old) surface.components.set(id, old)
      else surface.components.delete(id)
    })
  }

  #drop(surface: Surface, id: string, undo: Undo): void {
    const old = surface.components.get(id)
    if (!old) return
    surface.components.delete(id)
    surface.size -= old.size
    this.#link(surface, id, old.refs, [])
    undo.push(() => {
      surface.components.set(id, old)
      surface.size += old.size
      this.#link(surface, id, [], old.refs)
    })
  }

  #link(surface: Surface, id: string, before: readonly string[], after: readonly string[]): void {
    for (const ref of before) {
      const parents = surface.parents.get(ref)
      parents?.delete(id)
      if (parents?.size === 0) surface.parents.delete(ref)
    }
    for (const ref of after) {
      const parents = surface.parents.get(ref)
      if (parents) parents.add(id)
      else surface.parents.set(ref, new Set([id]))
    }
  }

  /** Cycles and depth, looked at from what changed: downwards through its children, upwards through its parents. */
  #checkGraph(surface: Surface, changed: Iterable<string>, path: string): void {
    const below = new Map<string, number>()
    const above = new Map<string, number>()
    const height = (id: string): number => {
      const known = below.get(id)
      if (known === -1)
        throw new Refusal(
          'circular_reference',
          path,
          `Circular reference detected: '${id}' contains itself. A component appears once on its own path.`,
        )
      if (known !== undefined) return known
      below.set(id, -1)
      let result = 1
      for (const ref of surface.components.get(id)?.refs ?? []) {
        if (ref === id)
          throw new Refusal('circular_reference', path, `Self-reference detected: '${id}' is its own child.`)
        result = Math.max(result, 1 + height(ref))
      }
      below.set(id, result)
      return result
    }
    const depth = (id: string): number => {
      const known = above.get(id)
      if (known !== undefined) return known
      let result = 1
      for (const parent of surface.parents.get(id) ?? []) result = Math.max(result, 1 + depth(parent))
      above.set(id, result)
      return result
    }
    for (const id of changed)
      if (height(id) + depth(id) - 1 > this.limits.depth)
        throw new Refusal(
          'too_deep',
          path,
          `Global recursion limit exceeded: logical depth at '${id}' is more than ${this.limits.depth}. Flatten the tree.`,
        )
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
        const stored = surface.components.get(parent)
        if (!stored || gone.has(parent)) continue
        const component = withoutReference(stored.component, id, surface.catalog)
        this.#put(surface, parent, component, undo)
        ops.push({ op: 'upsert', id: parent, component })
      }
      this.#prune(surface, id, ops, undo)
    }
  }

  #prune(surface: Surface, id: string, ops: SurfaceOp[], undo: Undo): void {
    const refs = surface.components.get(id)?.refs
    if (!refs) return
    this.#drop(surface, id, undo)
    ops.push({ op: 'delete', id })
    for (const ref of refs) if (!surface.parents.has(ref) && ref !== surface.root) this.#prune(surface, ref, ops, undo)
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
    const old = surface.components.get(id)
    if (!old) throw new Refusal('unknown_component', `${path}/id`, `There is no component '${id}' on this surface.`)
    // The place in the tree keeps its name, whatever the new component calls itself.
    const fresh = this.#upsert(surface, [{ ...raw, id }], `${path}/component`, ops, undo, warnings, id)
    for (const ref of old.refs) if (!fresh.has(ref) && !surface.parents.has(ref)) this.#prune(surface, ref, ops, undo)
  }

  // ---- data

  /** Everything that can be refused is looked at before the write. */
  #write(surface: Surface, pointer: string, value: Json | undefined, at = ''): SurfaceOp {
    const path = parsePointer(pointer)
    if (!path)
      throw new Refusal(
        'invalid_path',
        `${at}/path`,
        `Invalid path syntax: ${JSON.stringify(pointer)} is not a JSON pointer such as "/user/name".`,
      )
    const { data } = surface
    const old = data.get(path)
    let change = value === undefined ? 0 : measure(value, `${at}/value`, this.limits, path.length)
    // Keys are counted generously when they come and not when they go: the sum is never too small.
    if (old !== undefined) change -= measure(old, '', this.limits, path.length)
    else change += pointer.length + 8 * path.length
    if (surface.size + change > this.limits.state) {
      surface.size += measure(data.root, '', this.limits) - surface.dataSize
      surface.dataSize = measure(data.root, '', this.limits)
      if (surface.size + change > this.limits.state) throw this.#tooLarge(`${at}/value`)
    }
    data.set(path, value)
    surface.dataSize += change
    surface.size += change
    const canonical = path.length === 0 || !pointer.startsWith('/') ? formatPointer(path) : pointer
    const op: SurfaceOp = { op: 'set', path: canonical }
    if (value !== undefined) op.value = value
    return op
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
  if (typeof input === 'string') {
    try {
      return toEnvelopes(JSON.parse(input))
    } catch {
      return [input]
    }
  }
  if (Array.isArray(input)) return input
  if (isObject(input) && input.envelopes !== undefined) return toEnvelopes(input.envelopes)
  return [input]
}

export const applyEnvelopes = (surfaces: Surfaces, envelopes: unknown): ApplyResult => surfaces.apply(envelopes)

const refused = (code: string, path: string, error: string): EnvelopeResult & { ok: false } => ({
  ok: false,
  code,
  path,
  error,
})

function createOp(surface: Surface): SurfaceOp {
  const op: Extract<SurfaceOp, { op: 'create' }> = { op: 'create', root: surface.root, theme: surface.theme }
  if (surface.catalogId !== undefined) op.catalogId = surface.catalogId
  if (surface.sendDataModel) op.sendDataModel = true
  return op
}

/** The components that a component names. */
function references(component: Component, catalog: Catalog): string[] {
  const found: string[] = []
  const take = (value: Json | undefined) => {
    if (typeof value === 'string') found.push(value)
    else if (isObject(value) && typeof value.componentId === 'string') found.push(value.componentId)
  }
  for (const { key, inner } of refsOf(catalog.traits(component.type))) {
    const value = component[key]
    if (!Array.isArray(value)) take(value)
    else for (const item of value) take(inner ? (isObject(item) ? item[inner] : undefined) : item)
  }
  return found
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
