import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { arrayIndex, isContainer, parsePointer, readPath, step } from './pointer.ts'

export type PatchResult = { ok: true; value: Json } | { ok: false; index: number; reason: string }

export type Container = Json[] | { [key: string]: Json }

/** Knows how much shared state may be. Whoever takes events that nobody has verified yet has one. */
export interface Meter {
  /** Why this value cannot be shared state; nothing when it can. */
  problem(value: Json): string | undefined
  /** A patch of this document begins. */
  begin(document: Json): Weighing
}

export interface Weighing {
  /** Why this change of the document may not be made; asked before it is. Undefined is nothing there. */
  change(place: Place, before: Json | undefined, after: Json | undefined): string | undefined
  /** The patch was applied as a whole, and this is the document now. */
  done(document: Json): void
}

export interface Place {
  parent: Container
  key: string
  /** Levels above the place; 0 is the document itself. */
  depth: number
}

/**
 * Applies an RFC 6902 patch in place. All or nothing: when an operation fails, the ones before it are taken back,
 * so that a broken patch costs what it touched and not a copy of the document. With a meter, an operation that would
 * make the document too large fails before it copies anything.
 */
export function applyPatch(document: Json, patch: readonly PatchOperation[], meter?: Meter | null): PatchResult {
  const { result, takeBack, weighing } = tryPatch(document, patch, meter)
  if (result.ok) weighing?.done(result.value)
  else takeBack()
  return result
}

/** Says whether the patch would apply, and leaves the document as it was. */
export function checkPatch(document: Json, patch: readonly PatchOperation[], meter: Meter): PatchResult {
  const { result, takeBack } = tryPatch(document, patch, meter)
  takeBack()
  return result
}

/** A patch on its way. The document is a member of `holder`, so that the whole is written like any part of it. */
interface Trial {
  readonly holder: { '': Json }
  readonly undo: (() => void)[]
  readonly weighing: Weighing | undefined
}

function tryPatch(document: Json, patch: readonly PatchOperation[], meter: Meter | null | undefined) {
  const trial: Trial = { holder: { '': document }, undo: [], weighing: meter?.begin(document) }
  const { holder, undo, weighing } = trial
  let failed: PatchResult | undefined
  for (let index = 0; index < patch.length && !failed; index++) {
    const reason = applyOne(trial, patch[index]!)
    if (reason) failed = { ok: false, index, reason }
  }
  const takeBack = (): void => {
    while (undo.length) undo.pop()!()
  }
  return { result: failed ?? { ok: true as const, value: holder[''] }, takeBack, weighing }
}

function applyOne(trial: Trial, op: PatchOperation): string | undefined {
  const { path } = op
  const from = 'from' in op ? op.from : path
  const place = locate(trial, from)
  const found = place && step(place.parent, place.key)
  if (found === undefined && op.op !== 'add') return `nothing at ${from}`
  switch (op.op) {
    case 'test':
      return jsonEqual(found, op.value) ? undefined : `test failed at ${path}`
    case 'copy':
      return change(trial, path, found, true)
    case 'move':
      if (path === from) return undefined
      if (path.startsWith(`${from}/`)) return `cannot move ${from} into itself`
      return change(trial, from, undefined) ?? change(trial, path, found, true)
    case 'remove':
      return change(trial, path, undefined)
    default:
      return change(trial, path, op.value, op.op === 'add')
  }
}

function locate({ holder }: Trial, path: string): Place | undefined {
  const tokens = parsePointer(path)
  if (!tokens) return undefined
  const keys = ['', ...tokens]
  const key = keys.pop()!
  const parent = readPath(holder, keys)
  return isContainer(parent) ? { parent, key, depth: keys.length } : undefined
}

/** Puts a value into its place, or nothing when it is undefined. An addition to a list moves what is behind it. */
function change(trial: Trial, path: string, given: Json | undefined, adds = false): string | undefined {
  const place = locate(trial, path)
  if (!place) return `no parent for ${path}`
  const { parent, key, depth } = place
  const inserts = adds && Array.isArray(parent)
  const index = inserts && key === '-' ? parent.length : arrayIndex(key)
  if (inserts && (index < 0 || index > parent.length)) return `index out of range at ${path}`
  const before = inserts ? undefined : step(parent, key)
  const after = given === undefined && depth === 0 ? null : given
  const reason = trial.weighing?.change(place, before, after)
  if (reason) return reason
  // The event stays as it was logged: later operations must not write through into its payload.
  const value = isContainer(after) ? structuredClone(after) : after
  const put = (old: Json | undefined, now: Json | undefined): void => {
    if (Array.isArray(parent)) parent.splice(index, old === undefined ? 0 : 1, ...(now === undefined ? [] : [now]))
    else if (now === undefined) delete parent[key]
    else parent[key] = now
  }
  put(before, value)
  trial.undo.push(() => put(value, before))
  return undefined
}

export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => jsonEqual(step(a, key), step(b, key)))
}
