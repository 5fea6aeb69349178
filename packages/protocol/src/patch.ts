import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { arrayIndex, isContainer, memberAt, parsePointer, readPath } from './pointer.ts'

export type PatchResult = { ok: true; value: Json } | { ok: false; index: number; reason: string }

export type Container = Json[] | { [key: string]: Json }

/** Why a change of the document may not be made; asked before it is. Undefined is nothing there. */
export type Objection = (place: Place, before: Json | undefined, after: Json | undefined) => string | undefined

export interface Place {
  parent: Container
  key: string
  /** Levels above the place; 0 is the document itself. */
  depth: number
}

/**
 * Applies an RFC 6902 patch in place. All or nothing: when an operation fails, the ones before it are taken back,
 * so that a broken patch costs what it touched and not a copy of the document. A trial takes all of them back.
 */
export function applyPatch(
  document: Json,
  patch: readonly PatchOperation[],
  objection?: Objection,
  trial = false,
): PatchResult {
  // The document is a member, so that the whole is written like any part of it.
  const holder = { '': document }
  const undo: (() => void)[] = []

  const locate = (pointer: string): Place | undefined => {
    const tokens = parsePointer(pointer)
    if (!tokens) return undefined
    const keys = ['', ...tokens]
    const key = keys.pop()!
    const parent = readPath(holder, keys)
    return isContainer(parent) ? { parent, key, depth: keys.length } : undefined
  }

  /** Puts a value into its place, or nothing when it is undefined. An addition to a list moves what is behind it. */
  const change = (path: string, given: Json | undefined, adds = false): string | undefined => {
    const place = locate(path)
    if (!place) return `no place ${path}`
    const { parent, key, depth } = place
    const inserts = adds && Array.isArray(parent)
    const index = inserts && key === '-' ? parent.length : arrayIndex(key)
    if (inserts && (index < 0 || index > parent.length)) return `no place ${path}`
    const before = inserts ? undefined : memberAt(parent, key)
    const after = given === undefined && depth === 0 ? null : given
    const reason = objection?.(place, before, after)
    if (reason) return reason
    // The event stays as it was logged: later operations must not write through into its payload.
    const value = isContainer(after) ? structuredClone(after) : after
    const put = (old: Json | undefined, now: Json | undefined): void => {
      if (Array.isArray(parent)) parent.splice(index, old === undefined ? 0 : 1, ...(now === undefined ? [] : [now]))
      else if (now === undefined) delete parent[key]
      else parent[key] = now
    }
    put(before, value)
    undo.push(() => put(value, before))
    return undefined
  }

  const applyOne = (op: PatchOperation): string | undefined => {
    const { path } = op
    const from = 'from' in op ? op.from : path
    const place = locate(from)
    const found = place && memberAt(place.parent, place.key)
    if (found === undefined && op.op !== 'add') return `nothing at ${from}`
    switch (op.op) {
      case 'test':
        return jsonEqual(found, op.value) ? undefined : `test failed at ${path}`
      case 'copy':
        return change(path, found, true)
      case 'move':
        if (path === from) return undefined
        if (path.startsWith(`${from}/`)) return `no place ${path}`
        return change(from, undefined) ?? change(path, found, true)
      case 'remove':
        return change(path, undefined)
      default:
        return change(path, op.value, op.op === 'add')
    }
  }

  let failed: PatchResult | undefined
  for (let index = 0; index < patch.length && !failed; index++) {
    const reason = applyOne(patch[index]!)
    if (reason) failed = { ok: false, index, reason }
  }
  const value = holder['']
  if (failed || trial) while (undo.length) undo.pop()!()
  return failed ?? { ok: true, value }
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => jsonEqual(memberAt(a, key), memberAt(b, key)))
}
