import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { arrayIndex, child, isContainer, parsePointer } from './pointer.ts'

export type PatchResult = { ok: true; value: Json } | { ok: false; index: number; reason: string }

/**
 * What shared state may grow to. `size` and `work` count the characters of its JSON. `work` is what one patch may read,
 * copy and remove in all: a patch that copies and removes by turns stays small and would still keep the server busy.
 */
export const STATE_LIMITS = { size: 1024 * 1024, nodes: 200_000, depth: 200, work: 2 * 1024 * 1024 } as const

/**
 * Applies an RFC 6902 patch in place. All or nothing: when an operation fails, the ones before it are taken back,
 * so that a broken patch costs what it touched and not a copy of the document. An operation that would make the
 * document larger than STATE_LIMITS fails before it copies anything.
 */
export function applyPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const tried = tryPatch(document, patch)
  if (tried.result.ok) remember(tried.result.value, tried.weight)
  else tried.takeBack()
  return tried.result
}

/** Says whether the patch would apply, and leaves the document as it was. */
export function checkPatch(document: Json, patch: readonly PatchOperation[]): PatchResult {
  const { result, takeBack } = tryPatch(document, patch)
  takeBack()
  return result.ok ? { ok: true, value: document } : result
}

/** Why this value cannot be shared state; nothing when it can. */
export function stateProblem(value: Json): string | undefined {
  const weight = weigh(value, STATE_LIMITS.size)
  return weight === undefined ? TOO_LARGE : tooLarge(weight, ZERO)
}

function tryPatch(document: Json, patch: readonly PatchOperation[]) {
  const undo: (() => void)[] = []
  const before = weightOf(document)
  // The depth is looked at where something is put; a document that is too deep already may still change elsewhere.
  const root: Root = { value: document, weight: { ...before, depth: 0 }, work: 0 }
  let result: PatchResult = { ok: true, value: document }
  for (let index = 0; index < patch.length && result.ok; index++) {
    const reason = applyOne(root, patch[index]!, undo) ?? tooLarge(root.weight, before)
    if (reason) result = { ok: false, index, reason }
  }
  if (result.ok) result = { ok: true, value: root.value }
  const takeBack = (): void => {
    for (let i = undo.length - 1; i >= 0; i--) undo[i]!()
  }
  return { result, weight: root.weight, takeBack }
}

type Root = { value: Json; weight: Weight; work: number }

/** The weights of the parts of a document add up to its own, so that a change costs only what it touches. */
interface Weight {
  chars: number
  nodes: number
  depth: number
}

const ZERO: Weight = { chars: 0, nodes: 0, depth: 0 }
const TOO_LARGE = `the state would be larger than ${STATE_LIMITS.size} characters`
const TOO_DEEP = `the state would be nested deeper than ${STATE_LIMITS.depth}`

/** What each document weighed when it was last patched; one that is new is weighed once. */
const weights = new WeakMap<object, Weight>()

function weightOf(document: Json): Weight {
  return (isContainer(document) && weights.get(document)) || weigh(document, Number.POSITIVE_INFINITY)!
}

function remember(document: Json, weight: Weight): void {
  if (isContainer(document)) weights.set(document, weight)
}

/** A document that is over a limit already, from the time before there was one, may shrink and not grow. */
function tooLarge(now: Weight, before: Weight): string | undefined {
  const { size, nodes, depth } = STATE_LIMITS
  if (now.chars > Math.max(size, before.chars)) return TOO_LARGE
  if (now.nodes > Math.max(nodes, before.nodes)) return `the state would have more than ${nodes} values`
  return now.depth > depth ? TOO_DEEP : undefined
}

/** Undefined as soon as it is heavier than `limit`. Without recursion: nobody has looked at the depth yet. */
function weigh(value: Json, limit: number): Weight | undefined {
  const weight = { ...ZERO }
  const open: { value: Json; depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    weight.nodes++
    if (!isContainer(next.value)) weight.chars += charsOf(next.value)
    else {
      const depth = next.depth + 1
      if (depth > weight.depth) weight.depth = depth
      weight.chars += 2
      if (Array.isArray(next.value)) {
        for (const item of next.value) {
          weight.chars += 1
          open.push({ value: item, depth })
        }
      } else {
        for (const key of Object.keys(next.value)) {
          weight.chars += entryChars(next.value, key)
          open.push({ value: next.value[key]!, depth })
        }
      }
    }
    if (weight.chars > limit) return undefined
  }
  return weight
}

const charsOf = (value: string | number | boolean | null): number =>
  typeof value === 'string' ? value.length + 2 : String(value).length

/** The comma of an item; the quotes, name, colon and comma of a property. */
const entryChars = (parent: Json[] | { [key: string]: Json }, key: string): number =>
  Array.isArray(parent) ? 1 : key.length + 4

/** Weighs what an operation is about to touch; a reason when that is more than one patch may touch. */
function touch(root: Root, value: Json): Weight | string {
  const weight = weigh(value, STATE_LIMITS.work - root.work)
  if (!weight) return 'the change touches too much at once'
  root.work += weight.chars
  return weight
}

/** Weighs what is to be put at this depth; a reason when there is no room for it. */
function room(root: Root, value: Json, depth: number): Weight | string {
  const weight = touch(root, value)
  return typeof weight !== 'string' && depth + weight.depth > STATE_LIMITS.depth ? TOO_DEEP : weight
}

function put(root: Root, weight: Weight, entry: number): void {
  const { chars, nodes } = root.weight
  root.weight = { chars: chars + weight.chars + entry, nodes: nodes + weight.nodes, depth: 0 }
}

function takeOut(root: Root, weight: Weight, entry: number): void {
  const { chars, nodes } = root.weight
  root.weight = { chars: chars - weight.chars - entry, nodes: nodes - weight.nodes, depth: 0 }
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
  parent: Json[] | { [key: string]: Json }
  last: string
  depth: number
}

function locate(root: Root, path: string): Place | 'root' | undefined {
  const tokens = parsePointer(path)
  if (!tokens) return undefined
  if (tokens.length === 0) return 'root'
  let parent: Json | undefined = root.value
  for (let i = 0; i < tokens.length - 1; i++) parent = child(parent, tokens[i]!)
  return isContainer(parent) ? { parent, last: tokens[tokens.length - 1]!, depth: tokens.length } : undefined
}

function read(root: Root, path: string): Json | undefined {
  const at = locate(root, path)
  return at === 'root' ? root.value : at && child(at.parent, at.last)
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
  const weight = room(root, given, at.depth)
  if (typeof weight === 'string') return weight
  const value = copyOf(given)
  put(root, weight, entryChars(parent, last))
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
  takeOut(root, old, 0)
  const weight = room(root, given, at.depth)
  if (typeof weight === 'string') return weight
  put(root, weight, 0)
  holder[at.last] = copyOf(given)
  undo.push(() => {
    holder[at.last] = before
  })
  return undefined
}

function setRoot(root: Root, given: Json, undo: (() => void)[]): string | undefined {
  const before = root.value
  const weight = weigh(given, STATE_LIMITS.size)
  const problem = weight ? tooLarge(weight, ZERO) : TOO_LARGE
  if (problem) return problem
  root.weight = weight!
  root.value = copyOf(given)
  undo.push(() => {
    root.value = before
  })
  return undefined
}

function remove(root: Root, path: string, undo: (() => void)[]): string | undefined {
  const at = locate(root, path)
  if (at === 'root') return setRoot(root, null, undo)
  const before = at && child(at.parent, at.last)
  if (!at || before === undefined) return `nothing at ${path}`
  const weight = touch(root, before)
  if (typeof weight === 'string') return weight
  const { parent, last } = at
  takeOut(root, weight, entryChars(parent, last))
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
