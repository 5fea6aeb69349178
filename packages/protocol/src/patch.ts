import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { arrayIndex, child, isContainer, parsePointer } from './pointer.ts'

export type PatchResult = { ok: true; value: Json } | { ok: false; index: number; reason: string }

/**
 * Applies an RFC 6902 patch in place. All or nothing: when an operation fails, the ones before it are taken back,
 * so that a broken patch costs what it touched and not a copy of the document.
 */
export function applyPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const undo: (() => void)[] = []
  const root = { value: document }
  for (let index = 0; index < patch.length; index++) {
    const reason = applyOne(root, patch[index]!, undo)
    if (reason) {
      for (let i = undo.length - 1; i >= 0; i--) undo[i]!()
      return { ok: false, index, reason }
    }
  }
  return { ok: true, value: root.value }
}

/** Says whether the patch would apply, and leaves the document as it was. */
export function checkPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const undo: (() => void)[] = []
  const root = { value: document }
  let result: PatchResult = { ok: true, value: document }
  for (let index = 0; index < patch.length && result.ok; index++) {
    const reason = applyOne(root, patch[index]!, undo)
    if (reason) result = { ok: false, index, reason }
  }
  for (let i = undo.length - 1; i >= 0; i--) undo[i]!()
  return result
}

type Root = { value: Json }

function applyOne(root: Root, op: PatchOperation, undo: (() => void)[]): string | undefined {
  switch (op.op) {
    case 'add':
      return add(root, op.path, structuredCloneIfContainer(op.value), undo)
    case 'replace':
      if (read(root, op.path) === undefined) return `nothing at ${op.path}`
      return replace(root, op.path, structuredCloneIfContainer(op.value), undo)
    case 'remove':
      return remove(root, op.path, undo)
    case 'test': {
      const found = read(root, op.path)
      return found !== undefined && jsonEqual(found, op.value) ? undefined : `test failed at ${op.path}`
    }
    case 'copy': {
      const value = read(root, op.from)
      return value === undefined ? `nothing at ${op.from}` : add(root, op.path, structuredClone(value), undo)
    }
    case 'move': {
      if (op.path === op.from) return undefined
      if (op.path.startsWith(`${op.from}/`)) return `cannot move ${op.from} into itself`
      const value = read(root, op.from)
      if (value === undefined) return `nothing at ${op.from}`
      return remove(root, op.from, undo) ?? add(root, op.path, value, undo)
    }
  }
}

// The event stays as it was logged: later operations must not write through into its payload.
const structuredCloneIfContainer = (value: Json): Json => (isContainer(value) ? structuredClone(value) : value)

function locate(root: Root, path: string): { parent: Json; last: string } | 'root' | undefined {
  const tokens = parsePointer(path)
  if (!tokens) return undefined
  if (tokens.length === 0) return 'root'
  let parent: Json | undefined = root.value
  for (let i = 0; i < tokens.length - 1; i++) parent = child(parent, tokens[i]!)
  return isContainer(parent) ? { parent, last: tokens[tokens.length - 1]! } : undefined
}

function read(root: Root, path: string): Json | undefined {
  const at = locate(root, path)
  return at === 'root' ? root.value : at && child(at.parent, at.last)
}

function setRoot(root: Root, value: Json, undo: (() => void)[]): undefined {
  const before = root.value
  undo.push(() => {
    root.value = before
  })
  root.value = value
}

function add(root: Root, path: string, value: Json, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (!at) return `no parent for ${path}`
  if (at === 'root') return setRoot(root, value, undo)
  const { parent, last } = at
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : arrayIndex(last)
    if (index < 0 || index > parent.length) return `index out of range at ${path}`
    parent.splice(index, 0, value)
    undo.push(() => parent.splice(index, 1))
  } else if (isContainer(parent)) {
    const had = Object.hasOwn(parent, last)
    const before = parent[last]
    parent[last] = value
    undo.push(() => {
      if (had) parent[last] = before!
      else delete parent[last]
    })
  }
  return undefined
}

function replace(root: Root, path: string, value: Json, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (at === 'root') return setRoot(root, value, undo)
  if (!at) return `no parent for ${path}`
  const holder = at.parent as { [key: string]: Json }
  const before = holder[at.last]!
  holder[at.last] = value
  undo.push(() => {
    holder[at.last] = before
  })
  return undefined
}

function remove(root: Root, path: string, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (at === 'root') return setRoot(root, null, undo)
  if (!at || child(at.parent, at.last) === undefined) return `nothing at ${path}`
  const { parent, last } = at
  if (Array.isArray(parent)) {
    const index = arrayIndex(last)
    const [before] = parent.splice(index, 1)
    undo.push(() => parent.splice(index, 0, before!))
  } else if (isContainer(parent)) {
    const before = parent[last]!
    delete parent[last]
    undo.push(() => {
      parent[last] = before
    })
  }
  return undefined
}

export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]))
  const left = a as { [key: string]: Json }
  const right = b as { [key: string]: Json }
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(k => Object.hasOwn(right, k) && jsonEqual(left[k], right[k]))
  )
}
