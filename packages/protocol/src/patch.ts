import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { arrayIndex, isContainer, parsePointer, readPath, step } from './pointer.ts'

export type PatchResult = { ok: true; value: Json } | { ok: false; index: number; reason: string }

/** What shared state may grow to: characters of its JSON, values, levels. */
const MAX_CHARS = 1024 * 1024
const MAX_NODES = 200_000
const MAX_DEPTH = 200
/** What one patch may read, copy and remove in all: copying and removing by turns keeps a document small. */
const MAX_WORK = 2 * MAX_CHARS
const TOO_LARGE = 'the state would have more than 1048576 characters, 200000 values or 200 levels'

/**
 * Applies an RFC 6902 patch in place. All or nothing: when an operation fails, the ones before it are taken back,
 * so that a broken patch costs what it touched and not a copy of the document. An operation that would make the
 * document too large fails before it copies anything.
 */
export function applyPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const { result, root, takeBack } = tryPatch(document, patch)
  if (!result.ok) takeBack()
  else if (isContainer(root.value)) weights.set(root.value, root.weight)
  return result
}

/** Says whether the patch would apply, and leaves the document as it was. */
export function checkPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const { result, takeBack } = tryPatch(document, patch)
  takeBack()
  return result
}

/** Why this value cannot be shared state; nothing when it can. */
export function stateProblem(value: Json): string | undefined {
  const weight = weigh(value, MAX_CHARS)
  return !weight || weight.nodes > MAX_NODES || weight.depth > MAX_DEPTH ? TOO_LARGE : undefined
}

function tryPatch(document: Json, patch: readonly PatchOperation[]) {
  const undo: (() => void)[] = []
  const before = (isContainer(document) && weights.get(document)) || weigh(document, Number.POSITIVE_INFINITY)!
  const root: Root = { value: document, weight: before, work: 0 }
  let result: PatchResult | undefined
  for (let index = 0; index < patch.length && !result; index++) {
    let reason = applyOne(root, patch[index]!, undo)
    // A document that is too large already, from the time before there was a limit, may shrink and not grow.
    const { chars, nodes } = root.weight
    if (chars > Math.max(MAX_CHARS, before.chars) || nodes > Math.max(MAX_NODES, before.nodes)) reason ??= TOO_LARGE
    if (reason) result = { ok: false, index, reason }
  }
  const takeBack = (): void => {
    while (undo.length) undo.pop()!()
  }
  return { result: result ?? { ok: true as const, value: root.value }, root, takeBack }
}

type Root = { value: Json; weight: Weight; work: number }
type Container = Json[] | { [key: string]: Json }

/** The weights of the parts of a document add up to its own, so that a change costs only what it touches. */
interface Weight {
  chars: number
  nodes: number
  /** Counted where a value is put, and not kept. */
  depth: number
}

/** What each document weighed when it was last patched; one that is new is weighed once. */
const weights = new WeakMap<object, Weight>()

/** Undefined as soon as it is heavier than `limit`. Without recursion: nobody has looked at the depth yet. */
function weigh(value: Json, limit: number): Weight | undefined {
  const weight = { chars: 0, nodes: 0, depth: 0 }
  const open: [Json, number][] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [at, depth] = next
    weight.nodes++
    if (isContainer(at)) {
      weight.chars += 2
      weight.depth = Math.max(weight.depth, depth + 1)
      for (const key of Object.keys(at)) {
        weight.chars += entryChars(at, key)
        open.push([step(at, key)!, depth + 1])
      }
    } else weight.chars += String(at).length + 2
    if (weight.chars > limit) return undefined
  }
  return weight
}

/** The comma of an item; the quotes, name, colon and comma of a property. */
const entryChars = (parent: Container, key: string): number => (Array.isArray(parent) ? 1 : key.length + 4)

/** Weighs what an operation is about to touch; a reason when that is too much for one patch or too deep. */
function touch(root: Root, value: Json, depth = 0): Weight | string {
  const weight = weigh(value, MAX_WORK - root.work)
  if (!weight) return 'the change touches too much at once'
  root.work += weight.chars
  return depth + weight.depth > MAX_DEPTH ? TOO_LARGE : weight
}

/** Counts what was put in (1) or taken out (-1). */
function count(root: Root, { chars, nodes }: Weight, entry: number, sign: 1 | -1): void {
  const { weight } = root
  root.weight = { chars: weight.chars + sign * (chars + entry), nodes: weight.nodes + sign * nodes, depth: 0 }
}

function applyOne(root: Root, op: PatchOperation, undo: (() => void)[]): string | undefined {
  switch (op.op) {
    case 'add':
      return add(root, op.path, op.value, undo)
    case 'replace':
      if (read(root, op.path) === undefined) return `nothing at ${op.path}`
      return replace(root, op.path, op.value, undo)
    case 'remove':
      return remove(root, op.path, undo)
    case 'test': {
      const found = read(root, op.path)
      return found !== undefined && jsonEqual(found, op.value) ? undefined : `test failed at ${op.path}`
    }
    case 'copy': {
      const value = read(root, op.from)
      return value === undefined ? `nothing at ${op.from}` : add(root, op.path, value, undo)
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

interface Place {
  parent: Container
  last: string
  depth: number
}

function locate(root: Root, path: string): Place | 'root' | undefined {
  const tokens = parsePointer(path)
  if (!tokens) return undefined
  if (tokens.length === 0) return 'root'
  const parent = readPath(root.value, tokens.slice(0, -1))
  return isContainer(parent) ? { parent, last: tokens[tokens.length - 1]!, depth: tokens.length } : undefined
}

function read(root: Root, path: string): Json | undefined {
  const at = locate(root, path)
  return at === 'root' ? root.value : at && step(at.parent, at.last)
}

function add(root: Root, path: string, given: Json, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (!at) return `no parent for ${path}`
  if (at === 'root') return setRoot(root, given, undo)
  const { parent, last } = at
  const had = !Array.isArray(parent) && Object.hasOwn(parent, last)
  if (had) return replace(root, path, given, undo)
  const index = Array.isArray(parent) ? (last === '-' ? parent.length : arrayIndex(last)) : 0
  if (Array.isArray(parent) && (index < 0 || index > parent.length)) return `index out of range at ${path}`
  const weight = touch(root, given, at.depth)
  if (typeof weight === 'string') return weight
  const value = copyOf(given)
  count(root, weight, entryChars(parent, last), 1)
  if (Array.isArray(parent)) {
    parent.splice(index, 0, value)
    undo.push(() => parent.splice(index, 1))
  } else {
    parent[last] = value
    undo.push(() => delete parent[last])
  }
  return undefined
}

function replace(root: Root, path: string, given: Json, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (at === 'root') return setRoot(root, given, undo)
  if (!at) return `no parent for ${path}`
  const holder = at.parent as { [key: string]: Json }
  const before = holder[at.last]!
  const old = touch(root, before)
  if (typeof old === 'string') return old
  count(root, old, 0, -1)
  const weight = touch(root, given, at.depth)
  if (typeof weight === 'string') return weight
  count(root, weight, 0, 1)
  holder[at.last] = copyOf(given)
  undo.push(() => {
    holder[at.last] = before
  })
  return undefined
}

function setRoot(root: Root, given: Json, undo: (() => void)[]): string | undefined {
  const before = root.value
  const weight = touch(root, given, 0)
  if (typeof weight === 'string') return weight
  root.weight = weight
  root.value = copyOf(given)
  undo.push(() => {
    root.value = before
  })
  return undefined
}

function remove(root: Root, path: string, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (at === 'root') return setRoot(root, null, undo)
  const before = at && step(at.parent, at.last)
  if (!at || before === undefined) return `nothing at ${path}`
  const weight = touch(root, before)
  if (typeof weight === 'string') return weight
  const { parent, last } = at
  count(root, weight, entryChars(parent, last), -1)
  if (Array.isArray(parent)) {
    const index = arrayIndex(last)
    parent.splice(index, 1)
    undo.push(() => parent.splice(index, 0, before))
  } else {
    delete parent[last]
    undo.push(() => {
      parent[last] = before
    })
  }
  return undefined
}

// The event stays as it was logged: later operations must not write through into its payload.
const copyOf = (value: Json): Json => (isContainer(value) ? structuredClone(value) : value)

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
