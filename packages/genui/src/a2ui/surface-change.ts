import {
  applySurfaceOps,
  type DataTree,
  formatPointer,
  type Json,
  type JsonObject,
  jsonBytes,
  MAX_OP_VALUE,
  MAX_POINTER,
  type Path,
  PathError,
  type SurfaceOp,
  splitOp,
} from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { showJson } from '../json.ts'
import type { UiLimits } from '../limits.ts'
import { checkComponent, whereOf } from './check-component.ts'
import { checkGraph } from './check-graph.ts'
import { checkSize, type Origin, placeIn } from './check-size.ts'
import type { A2uiComponent } from './component.ts'
import { placeOf } from './data-place.ts'
import { type Given, type NormaliseContext, normalise } from './normalise.ts'
import { toPath } from './pointer.ts'
import { EnvelopeRefusal, unreadable } from './refusal.ts'
import { references, type SurfaceRecord, withoutReference } from './surface-record.ts'

/** How to take back what an envelope did before it failed, step by step. */
export type Undo = (() => void)[]

/** What one envelope changes of a surface. Each change is checked, applied, and remembered as the operations for the log. */
export interface SurfaceChange {
  readonly surface: SurfaceRecord
  readonly limits: UiLimits
  readonly undo: Undo
  readonly ops: SurfaceOp[]
  readonly diagnostics: UiDiagnostic[]
  /** The components that this envelope has given so far, and where. */
  readonly given: Map<string, string>
  /** The order of the components is remembered once, before the first of them goes. */
  ordered: boolean
}

/** A literal and no class: the hidden class of instances goes with the last of them, and the optimised code with it. */
export const beginChange = (surface: SurfaceRecord, limits: UiLimits, undo: Undo): SurfaceChange => ({
  surface,
  limits,
  undo,
  ops: [],
  diagnostics: [],
  given: new Map(),
  ordered: false,
})

// ---- components

/** Adds or replaces components. The only one of a list with a `rootId` takes that id. */
export function upsert(
  change: SurfaceChange,
  raw: readonly Json[],
  path: string,
  rootId?: string,
): ReadonlySet<string> {
  const { surface, limits } = change
  const { catalog } = surface
  const added = new Map<string, { component: A2uiComponent; given: Given }>()
  const context: NormaliseContext = {
    traits: type => catalog.traits(type),
    maxDepth: limits.depth,
    unreadable,
    whereOf,
    check: given => checkComponent(given, catalog, change.diagnostics),
    add: (id, component, given) => {
      if (added.has(id))
        throw new EnvelopeRefusal(
          'duplicate_id',
          `${given.path}/id`,
          `Duplicate component ID: ${id}. Every component of a surface has its own id.`,
        )
      added.set(id, { component, given })
    },
  }
  // Parents are told after their children; the log has the root first, so that it can be drawn at once.
  for (let i = 0; i < raw.length; i++) normalise(raw[i], rootId === undefined ? `${path}/${i}` : path, context, rootId)
  const ids = [...added.keys()]
  for (let i = ids.length - 1; i >= 0; i--) {
    const { component, given } = added.get(ids[i]!)!
    const before = change.given.get(ids[i]!)
    if (before !== undefined)
      change.diagnostics.push(
        problem('given_twice', `The component '${ids[i]}' is given twice, and what stands here is not used.`, before),
      )
    change.given.set(ids[i]!, given.path)
    put(change, ids[i]!, component, given)
  }
  if (surface.components.size > limits.components)
    throw new EnvelopeRefusal(
      'too_many_components',
      path,
      `A surface holds at most ${limits.components} components. Use a template over a list.`,
    )
  checkState(change, path)
  checkGraph(surface, ids, limits.depth, id => added.get(id)?.given.path ?? path)
  return new Set(ids)
}

/** Puts a component into its place, in whatever state it leaves the tree. */
export function put(change: SurfaceChange, id: string, component: A2uiComponent, from: Origin): void {
  const { surface } = change
  const size = checkSize(component, from, change.limits)
  const old = surface.components.get(id)
  const facts = surface.facts.get(id)
  change.undo.push(() => {
    if (old) surface.components.set(id, old)
    else surface.components.delete(id)
    surface.note(id, facts)
  })
  perform(change, { op: 'upsert', id, component }, size, from)
  surface.note(id, { size: size + id.length, refs: references(component, surface.catalog) })
}

/** Deletes components, what only they contained, and every mention of them in the components that stay. */
export function deleteComponents(change: SurfaceChange, ids: readonly string[], path: string): void {
  const { surface } = change
  ids.forEach((id, i) => {
    if (!surface.components.has(id)) throw unknownComponent(id, `${path}/${i}`)
    if (id === surface.root)
      throw new EnvelopeRefusal(
        'validation_failed',
        `${path}/${i}`,
        `'${id}' is the root. Replace it, or send deleteSurface.`,
      )
  })
  const gone = new Set(ids)
  for (const id of ids) {
    for (const parent of [...(surface.parents.get(id) ?? [])]) {
      const component = surface.components.get(parent)
      if (!component || gone.has(parent)) continue
      put(change, parent, withoutReference(component as A2uiComponent, id, surface.catalog), path)
    }
    prune(change, id)
  }
}

/** Puts another component, with everything below it, in the place of one. */
export function replaceComponent(change: SurfaceChange, id: string, raw: JsonObject, path: string): void {
  const { surface } = change
  const old = surface.facts.get(id)
  if (!old) throw unknownComponent(id, `${path}/id`)
  // The place in the tree keeps its name, whatever the new component calls itself.
  const fresh = upsert(change, [{ ...raw, id }], `${path}/component`, id)
  for (const ref of old.refs) if (!fresh.has(ref) && !surface.parents.has(ref)) prune(change, ref)
}

/** Deletes a component and what nobody names any more. */
function prune(change: SurfaceChange, from: string): void {
  const { surface } = change
  keepOrder(change)
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const gone = id
    const component = surface.components.get(gone)
    const facts = surface.facts.get(gone)
    if (!component || !facts) continue
    change.undo.push(() => {
      surface.components.set(gone, component)
      surface.note(gone, facts)
    })
    perform(change, { op: 'delete', id: gone }, 0, '')
    surface.note(gone, undefined)
    for (const ref of facts.refs) if (!surface.parents.has(ref) && ref !== surface.root) queue.push(ref)
  }
}

/** A component that is put back stands at the end: this puts all of them back to where they stood. */
function keepOrder(change: SurfaceChange): void {
  if (change.ordered) return
  change.ordered = true
  const { components, facts } = change.surface
  const ids = [...components.keys()]
  change.undo.push(() => {
    for (const id of ids) {
      moveToEnd(components, id)
      moveToEnd(facts, id)
    }
  })
}

function moveToEnd<T>(map: Map<string, T>, id: string): void {
  const value = map.get(id)
  if (value === undefined) return
  map.delete(id)
  map.set(id, value)
}

// ---- data

/** Writes a value, or deletes the place without one. The pointer came from `from`, the value from `fromValue`. */
export function writeAt(
  change: SurfaceChange,
  pointer: string,
  value: Json | undefined,
  from: string,
  fromValue: string,
): void {
  const path = toPath(pointer)
  if (!path)
    throw new EnvelopeRefusal(
      'invalid_path',
      from,
      `Invalid path syntax: ${showJson(pointer)} is not a JSON pointer such as "/user/name".`,
    )
  write(change, path, value, from, fromValue, pointer)
}

/** Everything that can be refused is looked at before the write. `pointer` is the path as it was written, if it was. */
export function write(
  change: SurfaceChange,
  given: Path,
  value: Json | undefined,
  from: string,
  fromValue: string,
  pointer?: string,
): void {
  const { surface, limits } = change
  if (given.length > limits.depth)
    throw new EnvelopeRefusal('too_deep', from, `The path is deeper than ${limits.depth} levels. Flatten the data.`)
  const { data } = surface
  const old = data.get(given)
  const size = value === undefined ? 0 : checkSize(value, fromValue, limits, given.length)
  const isNew = value !== undefined && old === undefined
  const { path, filled } = isNew ? writablePlace(data, given, from) : { path: given, filled: 0 }
  // A pointer that is written as the log writes it is taken as it is: this is what comes often.
  const isWritten = path === given && pointer !== undefined && pointer[0] === '/' && !pointer.endsWith('/')
  const target = isWritten ? pointer : formatPointer(path)
  if (target.length > MAX_POINTER)
    throw new EnvelopeRefusal(
      'path_too_long',
      from,
      `The path is longer than ${MAX_POINTER} characters. Use shorter keys.`,
    )
  // Keys are counted generously when they come and not when they go: the sum is never too small.
  let growth = size + 5 * filled
  if (old !== undefined) growth -= jsonBytes(old)
  else if (isNew) growth += jsonBytes(target) + 8 * path.length
  if (surface.size + growth > limits.stateBytes) {
    surface.sizeData()
    checkState(change, fromValue, growth)
  }
  const op: SurfaceOp = value === undefined ? { op: 'set', path: target } : { op: 'set', path: target, value }
  perform(change, op, size, fromValue)
  surface.dataSize += growth
  surface.size += growth
}

/** Refuses a surface that is too large, or would be with so many bytes more. */
export function checkState({ surface, limits }: SurfaceChange, path: string, more = 0): void {
  if (surface.size + more > limits.stateBytes)
    throw new EnvelopeRefusal(
      'state_too_large',
      path,
      `The resolved state of the surface is larger than ${limits.stateBytes} bytes. Send less data, or page it.`,
    )
}

/** What goes to the log is what is applied here, in the parts in which the log takes it. */
function perform({ surface, ops }: SurfaceChange, op: SurfaceOp, bytes: number, from: Origin): void {
  const parts = bytes > MAX_OP_VALUE ? inParts(op, from) : [op]
  applySurfaceOps(surface, parts)
  for (const part of parts) ops.push(part)
}

const unknownComponent = (id: string, path: string): EnvelopeRefusal =>
  new EnvelopeRefusal('unknown_component', path, `There is no component '${id}' on this surface.`)

function writablePlace(data: DataTree, path: Path, from: string): { path: Path; filled: number } {
  try {
    return placeOf(data, path)
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    const why = `${error.message}. Write to a place that exists, or replace what is there.`
    throw new EnvelopeRefusal('invalid_path', from, why)
  }
}

function inParts(op: SurfaceOp, from: Origin): SurfaceOp[] {
  try {
    return splitOp(op)
  } catch (error) {
    if (error instanceof PathError)
      throw new EnvelopeRefusal('path_too_long', placeIn(from, []), `${error.message}. Shorten the keys.`)
    throw error
  }
}
