import {
  ADDRESSABLE,
  applySurfaceOps,
  formatPointer,
  isObject,
  type Json,
  type JsonObject,
  jsonBytes,
  MAX_CATALOG_ID,
  parsePointer,
  type SurfaceOp,
  surfaceOps,
} from '@vitrine/protocol'
import type { UiDiagnostic } from '../diagnostic.ts'
import { clip, showJson } from '../json.ts'
import { type UiLimits, uiLimits } from '../limits.ts'
import { basicCatalog } from './basic-catalog.ts'
import { type Catalog, catalogOrFirst } from './catalog.ts'
import { checkSchema } from './check-schema.ts'
import { checkSize } from './check-size.ts'
import type { A2uiComponent } from './component.ts'
import { editedField } from './edit-key.ts'
import {
  type ApplyResult,
  type EnvelopeKind,
  type EnvelopeResult,
  envelopeBody,
  envelopeKind,
  inShort,
  refusedEnvelope,
  toEnvelopes,
  unreadMembers,
} from './envelopes.ts'
import { idProblem } from './normalise.ts'
import { EnvelopeRefusal, unreadable } from './refusal.ts'
import { rootIdOf } from './root-id.ts'
import {
  beginChange,
  checkState,
  deleteComponents,
  put,
  replaceComponent,
  type SurfaceChange,
  type Undo,
  upsert,
  write,
  writeAt,
} from './surface-change.ts'
import { SurfaceRecord } from './surface-record.ts'
import { toJson } from './to-json.ts'

/** What the surfaces of a session are made with. */
export interface SurfacesOptions {
  /** The first one is taken when a surface names a catalog that is not here. */
  catalogs?: readonly Catalog[]
  limits?: Partial<UiLimits>
}

/** A theme is part of one operation, with nothing to split. */
const MAX_THEME = 16 * 1024

type Change = Pick<SurfaceChange, 'ops' | 'diagnostics'>
type CreateOp = Extract<SurfaceOp, { op: 'create' }>

/** The surfaces of one session, as facts. Envelopes go in, operations come out; a refused envelope leaves no trace. */
export class Surfaces {
  readonly limits: UiLimits
  readonly #catalogs: readonly Catalog[]
  readonly #surfaces = new Map<string, SurfaceRecord>()

  constructor(options: SurfacesOptions = {}) {
    this.limits = uiLimits(options.limits)
    this.#catalogs = options.catalogs ?? [basicCatalog]
  }

  /** The ids of the live surfaces. */
  get ids(): string[] {
    return [...this.#surfaces.keys()]
  }

  /** The operations that make this surface from nothing. */
  snapshot(surfaceId: string): SurfaceOp[] | undefined {
    const surface = this.#surfaces.get(surfaceId)
    return surface && surfaceOps(surface)
  }

  /** What is wrong with a surface that is otherwise complete: nothing here is refused, it shows as a diagnostic. */
  inspect(surfaceId: string): UiDiagnostic[] {
    return this.#surfaces.get(surfaceId)?.inspect() ?? []
  }

  /** Whether a component can be reached from the root of its surface, so that a page draws it. */
  isDrawn(surfaceId: string, componentId: string): boolean {
    const surface = this.#surfaces.get(surfaceId)
    const above = new Set([componentId])
    for (const id of above) {
      if (id === surface?.root) return true
      for (const parent of surface?.parents.get(id) ?? []) above.add(parent)
    }
    return false
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
    surface.noteAll()
  }

  /** A person's edits become facts: pointers are written, and the value of a field bound to nothing goes to the field. */
  accept(surfaceId: string, edits: JsonObject): EnvelopeResult {
    const undo: Undo = []
    try {
      const surface = this.#known(surfaceId, '/surfaceId')
      const change = beginChange(surface, this.limits, undo)
      const { data } = surface
      const { root } = data
      data.share()
      undo.push(() => {
        data.root = root
        surface.sizeData()
      })
      for (const [key, given] of Object.entries(edits)) {
        const at = `/edits${formatPointer([key])}`
        const path = parsePointer(key)
        const field = editedField(key)
        const value = toJson(given, this.limits.stateBytes, at) ?? null
        if (path) write(change, path, value, at, at)
        else if (field !== undefined) acceptField(surface, change, field, value, at)
        else throw new EnvelopeRefusal('invalid_path', at, `${showJson(key)} names no field.`)
      }
      return { ok: true, surfaceId, ops: change.ops }
    } catch (error) {
      return undone(undo, error, surfaceId)
    }
  }

  // ---- one envelope

  #applyOne(given: unknown): EnvelopeResult {
    const undo: Undo = []
    let surfaceId: string | undefined
    try {
      const kind = envelopeKind(given)
      const body = envelopeBody(given, kind, this.limits.stateBytes)
      surfaceId = body.surfaceId
      const unread = unreadMembers(given as JsonObject, kind, body)
      // Without a value a path is deleted: a value under another name must not delete it.
      if (kind === 'updateDataModel' && body.value === undefined && unread.length > 0)
        throw new EnvelopeRefusal('validation_failed', unread[0]!.path, unread[0]!.message)
      const { ops, diagnostics } = this.#change(kind, surfaceId, body, undo)
      if (unread.length === 0 && diagnostics.length === 0) return { ok: true, surfaceId, ops }
      return { ok: true, surfaceId, ops, diagnostics: [...unread, ...diagnostics].map(inShort) }
    } catch (error) {
      return undone(undo, error, surfaceId)
    }
  }

  #change(kind: EnvelopeKind, surfaceId: string, body: JsonObject, undo: Undo): Change {
    if (kind === 'createSurface') return this.#create(surfaceId, body, undo)
    const surface = this.#known(surfaceId, `/${kind}/surfaceId`)
    if (kind === 'deleteSurface') {
      this.#surfaces.delete(surfaceId)
      undo.push(() => this.#surfaces.set(surfaceId, surface))
      return { ops: [{ op: 'remove' }], diagnostics: [] }
    }
    const change = beginChange(surface, this.limits, undo)
    if (kind === 'updateComponents') updateComponents(change, body)
    else updateDataModel(change, body, this.limits.stateBytes)
    return change
  }

  #known(surfaceId: string, path: string): SurfaceRecord {
    const surface = this.#surfaces.get(surfaceId)
    if (surface) return surface
    const live = this.ids.length ? `live surfaces: ${clip(this.ids.join(', '), 500)}` : 'no surface is live'
    throw new EnvelopeRefusal(
      'unknown_surface',
      path,
      `There is no surface '${surfaceId}' (${live}). Send createSurface first.`,
    )
  }

  #fresh(op: CreateOp): SurfaceRecord {
    const surface = new SurfaceRecord(catalogOrFirst(this.#catalogs, op.catalogId))
    applySurfaceOps(surface, [op])
    surface.size += jsonBytes(surface.theme)
    return surface
  }

  #create(surfaceId: string, body: JsonObject, undo: Undo): Change {
    const at = '/createSurface'
    const { theme, root, dataModel, components } = body
    const old = this.#surfaces.get(surfaceId)
    checkSurfaceId(surfaceId, `${at}/surfaceId`)
    if (!old && this.#surfaces.size >= this.limits.surfaces)
      throw new EnvelopeRefusal(
        'too_many_surfaces',
        `${at}/surfaceId`,
        `${this.limits.surfaces} surfaces are live. Delete one first.`,
      )
    const op = createOp(body, at)
    const surface = this.#fresh(op)
    const change = beginChange(surface, this.limits, undo)
    if (op.catalogId !== undefined && !surface.catalog.ids.includes(op.catalogId))
      change.diagnostics.push({
        level: 'repair',
        code: 'unknown_catalog',
        path: `${at}/catalogId`,
        message: `Catalog ${showJson(op.catalogId)} is not known here; '${surface.catalog.ids[0]}' is used.`,
      })
    if (theme !== undefined) this.#checkTheme(theme, surface.catalog, `${at}/theme`)
    checkMembers(body, at)
    this.#surfaces.set(surfaceId, surface)
    undo.push(() => (old ? this.#surfaces.set(surfaceId, old) : this.#surfaces.delete(surfaceId)))
    change.ops.push(op)
    if (isObject(root)) upsert(change, [root], `${at}/root`, op.root)
    if (Array.isArray(components)) upsert(change, components, `${at}/components`)
    if (isObject(dataModel)) write(change, [], dataModel, `${at}/dataModel`, `${at}/dataModel`)
    return change
  }

  #checkTheme(theme: Json, catalog: Catalog, at: string): void {
    const context = { root: catalog.definitions, functions: catalog.functions, lenient: false }
    const found = isObject(theme)
      ? checkSchema(catalog.theme, theme, context)
      : { path: '', message: 'is not an object' }
    if (found)
      throw new EnvelopeRefusal('validation_failed', `${at}${found.path}`, `theme${found.path}: ${found.message}.`)
    if (checkSize(theme, at, this.limits) > MAX_THEME)
      throw new EnvelopeRefusal(
        'theme_too_large',
        at,
        `The theme is larger than ${MAX_THEME} bytes. Send a smaller one.`,
      )
  }
}

/** Takes back what a change did before it failed, and says why it did. */
function undone(undo: Undo, error: unknown, surfaceId: string | undefined): EnvelopeResult {
  for (const step of undo.reverse()) step()
  return refusedEnvelope(error, surfaceId)
}

function checkId(id: string, at: string): string {
  const wrong = idProblem(id)
  if (wrong) throw unreadable(wrong, at)
  return id
}

function checkSurfaceId(surfaceId: string, at: string): void {
  // Actions are sent to the address of the surface.
  if (!ADDRESSABLE.test(surfaceId))
    throw new EnvelopeRefusal('validation_failed', at, 'The id is of dots only. Choose one with a letter.')
}

/** What a new surface is made of, as far as it is given. */
function checkMembers({ root, components, dataModel, sendDataModel }: JsonObject, at: string): void {
  const refuse = (name: string, what: string): never => {
    throw new EnvelopeRefusal('validation_failed', `${at}/${name}`, `'${name}' is ${what}.`)
  }
  if (root !== undefined && typeof root !== 'string' && !isObject(root)) refuse('root', 'a component, or the id of one')
  if (components !== undefined && !Array.isArray(components)) refuse('components', 'a list of components')
  if (dataModel !== undefined && !isObject(dataModel)) refuse('dataModel', 'an object')
  if (sendDataModel !== undefined && typeof sendDataModel !== 'boolean') refuse('sendDataModel', 'true or false')
}

function createOp({ catalogId, theme, root, sendDataModel }: JsonObject, at: string): CreateOp {
  if (catalogId === undefined ? root === undefined : typeof catalogId !== 'string')
    throw new EnvelopeRefusal(
      'validation_failed',
      `${at}/catalogId`,
      `Validation failed: 'catalogId' is a required property.`,
    )
  if (typeof catalogId === 'string' && catalogId.length > MAX_CATALOG_ID)
    throw new EnvelopeRefusal(
      'id_too_long',
      `${at}/catalogId`,
      `The catalog id is longer than ${MAX_CATALOG_ID} characters. Send the id of a known catalog.`,
    )
  const rootId = checkId(rootIdOf(root), isObject(root) ? `${at}/root/id` : `${at}/root`)
  const op: CreateOp =
    typeof catalogId === 'string' ? { op: 'create', root: rootId, catalogId } : { op: 'create', root: rootId }
  if (sendDataModel === true) op.sendDataModel = true
  if (isObject(theme)) op.theme = theme
  return op
}

function updateComponents(change: SurfaceChange, { components, replace, delete: gone }: JsonObject): void {
  const at = '/updateComponents'
  if (components === undefined && replace === undefined && gone === undefined)
    throw new EnvelopeRefusal(
      'validation_failed',
      `${at}/components`,
      `Validation failed: 'components' is a required property (or 'replace', or 'delete').`,
    )
  if (gone !== undefined) {
    if (!Array.isArray(gone) || gone.some(id => typeof id !== 'string'))
      throw new EnvelopeRefusal('validation_failed', `${at}/delete`, `'delete' is a list of component ids.`)
    deleteComponents(change, gone as string[], `${at}/delete`)
  }
  if (replace !== undefined) {
    if (!isObject(replace) || typeof replace.id !== 'string' || !isObject(replace.component))
      throw new EnvelopeRefusal('validation_failed', `${at}/replace`, `'replace' is {id, component}.`)
    replaceComponent(change, replace.id, replace.component, `${at}/replace`)
  }
  if (components !== undefined) {
    if (!Array.isArray(components) || (components.length === 0 && replace === undefined && gone === undefined))
      throw new EnvelopeRefusal(
        'validation_failed',
        `${at}/components`,
        `Validation failed: 'components' is a list with at least one component.`,
      )
    upsert(change, components, `${at}/components`)
  }
}

function updateDataModel(change: SurfaceChange, { path = '', value }: JsonObject, maxValues: number): void {
  const at = '/updateDataModel'
  if (typeof path !== 'string')
    throw new EnvelopeRefusal('validation_failed', `${at}/path`, `'path' is a JSON pointer such as "/user/name".`)
  writeAt(change, path, toJson(value, maxValues, `${at}/value`), `${at}/path`, `${at}/value`)
}

/** The value of a field that is bound to nothing becomes part of the field itself. */
function acceptField(surface: SurfaceRecord, change: SurfaceChange, id: string, value: Json, at: string): void {
  const component = surface.components.get(id) as A2uiComponent | undefined
  const input = component && surface.catalog.traits(component.type).input
  // Without them the agent has taken the field away: nobody sees its value any more.
  if (!component || !input) return
  // Refused here, the place is that of the edit and not of the property.
  checkSize(value, at, change.limits, 1)
  put(change, id, { ...component, [input]: value }, at)
  checkState(change, at)
}
