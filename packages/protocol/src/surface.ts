import { DataTree } from './data-tree.ts'
import type { SurfaceOp } from './events.ts'
import { type Json, type JsonObject, jsonBytes } from './json.ts'
import { MAX_OP_VALUE, MAX_POINTER } from './limits.ts'
import { formatPointer, type Path, parsePointer } from './pointer.ts'

/** What operations write into: the data of a surface, or a view of them that also tells its readers. */
export interface WritableData {
  /** False when there is no such place: then nothing changes. */
  set(path: Path, value: Json | undefined): boolean
}

/** A surface as its operations make it. Components are replaced, never changed in place. */
export interface SurfaceContent<D extends WritableData = DataTree> {
  state: 'live' | 'removed'
  root: string
  catalogId: string | null
  theme: JsonObject
  sendDataModel: boolean
  readonly components: Map<string, JsonObject>
  readonly data: D
}

/**
 * The meaning of surface operations, the same for the log's fold, the engine that makes them and the client that draws
 * them. What cannot be applied changes nothing and is told to `refused`. Values stay as they came: the operations
 * belong to their event.
 */
export function applySurfaceOps(
  surface: SurfaceContent<WritableData>,
  ops: readonly SurfaceOp[],
  refused: (op: SurfaceOp) => void = ignore,
): void {
  /** Components that this call has copied: the many parts of a large one copy it once. */
  let copies: Map<string, DataTree> | undefined
  for (const op of ops) {
    if (op.op === 'create') {
      surface.state = 'live'
      surface.root = op.root
      surface.catalogId = op.catalogId ?? null
      surface.theme = op.theme ?? {}
      surface.sendDataModel = op.sendDataModel ?? false
      copies = undefined
      clear(surface)
    } else if (surface.state === 'removed') refused(op)
    else if (op.op === 'remove') {
      surface.state = 'removed'
      copies = undefined
      clear(surface)
    } else if (op.op === 'upsert') {
      copies?.delete(op.id)
      surface.components.set(op.id, op.component)
    } else if (op.op === 'delete') {
      copies?.delete(op.id)
      surface.components.delete(op.id)
    } else {
      if (op.id !== undefined) copies ??= new Map()
      if (!write(surface, op, copies)) refused(op)
    }
  }
}

const ignore = (): void => {}

function clear(surface: SurfaceContent<WritableData>): void {
  surface.components.clear()
  surface.data.set([], {})
}

function write(
  surface: SurfaceContent<WritableData>,
  op: Extract<SurfaceOp, { op: 'set' }>,
  copies: Map<string, DataTree> | undefined,
): boolean {
  const path = parsePointer(op.path)
  if (!path) return false
  if (op.id === undefined) return surface.data.set(path, op.value)
  const component = surface.components.get(op.id)
  if (!component) return false
  const copy = copies?.get(op.id) ?? new DataTree(component)
  copies?.set(op.id, copy)
  const written = copy.set(path, op.value)
  surface.components.set(op.id, copy.root as JsonObject)
  return written
}

/** A surface before its first operation. */
export const emptySurface = (): SurfaceContent => ({
  state: 'removed',
  root: 'root',
  catalogId: null,
  theme: {},
  sendDataModel: false,
  components: new Map(),
  data: new DataTree(),
})

/** The operations that make this surface from nothing. */
export function surfaceOps(surface: SurfaceContent): SurfaceOp[] {
  if (surface.state === 'removed') return [{ op: 'remove' }]
  const { root, catalogId, theme, sendDataModel, components, data } = surface
  data.share()
  return [
    { op: 'create', root, theme, ...(catalogId !== null && { catalogId }), ...(sendDataModel && { sendDataModel }) },
    ...Array.from(components, ([id, component]): SurfaceOp => ({ op: 'upsert', id, component })),
    { op: 'set', path: '', value: data.root },
  ]
}

/** A place that cannot be written. */
export class PathError extends Error {}

/**
 * The same operation in parts that fit into events: the beginning of the value, then what is left of it member by
 * member, so that lists and objects keep their order. Throws a PathError when a part lies too deep for a pointer.
 */
export function splitOp(op: SurfaceOp, maxBytes = MAX_OP_VALUE): SurfaceOp[] {
  const parts: SurfaceOp[] = []
  if (op.op === 'upsert') {
    const { id, component } = op
    splitValue(component, [], maxBytes, (path, value) =>
      parts.push(
        path.length === 0
          ? { op: 'upsert', id, component: value as JsonObject }
          : { op: 'set', id, path: shortPointer(path), value },
      ),
    )
  } else if (op.op === 'set' && op.value !== undefined) {
    const { value, path: pointer, ...rest } = op
    const base = parsePointer(pointer)
    if (!base) return [op]
    splitValue(value, base, maxBytes, (path, part) => parts.push({ ...rest, path: shortPointer(path), value: part }))
  } else parts.push(op)
  return parts
}

function splitValue(value: Json, path: Path, maxBytes: number, emit: (path: Path, value: Json) => void): void {
  if (typeof value !== 'object' || value === null || jsonBytes(value) <= maxBytes) {
    emit(path, value)
    return
  }
  const keys = Object.keys(value)
  const members = value as JsonObject
  let bytes = 2
  let first = 0
  for (; first < keys.length; first++) {
    const key = keys[first]!
    bytes += jsonBytes(members[key]!) + 1 + (Array.isArray(value) ? 0 : jsonBytes(key) + 1)
    if (bytes > maxBytes) break
  }
  const head = keys.slice(0, first)
  emit(path, Array.isArray(value) ? value.slice(0, first) : Object.fromEntries(head.map(key => [key, members[key]!])))
  for (const key of keys.slice(first)) splitValue(members[key]!, [...path, key], maxBytes, emit)
}

function shortPointer(path: Path): string {
  const pointer = formatPointer(path)
  if (pointer.length > MAX_POINTER)
    throw new PathError(`a large value lies below keys that are together longer than ${MAX_POINTER} characters`)
  return pointer
}
