import type { PatchOperation } from './events.ts'
import type { Json } from './json.ts'
import { applyPatch, type Container, type Objection, type PatchResult } from './patch.ts'
import { isContainer, memberAt } from './pointer.ts'

/** What shared state may grow to: characters of its JSON, values, levels. */
const MAX_CHARS = 1024 * 1024
const MAX_NODES = 200_000
const MAX_DEPTH = 200
/**
 * The most that one patch may read, copy and remove; otherwise copy and remove in turn could work for ever on a small
 * document.
 */
const MAX_WORK = 2 * MAX_CHARS
const TOO_LARGE = 'the state would have more than 1048576 characters, 200000 values or 200 levels'

/** The weights of the parts of a document add up to its own, so that a change costs only what it touches. */
interface Weight {
  chars: number
  nodes: number
  /** The depth is computed when a value is inserted and is not stored. */
  depth: number
}

/** Knows how much shared state may be. Whoever takes events that nobody has verified yet has one. */
export interface Meter {
  /** Why this value cannot be shared state; nothing when it can. */
  problem(value: Json): string | undefined
  /** `applyPatch`; an operation that would make the document too large fails before it copies anything. */
  apply(document: Json, patch: readonly PatchOperation[]): PatchResult
  /** Says whether the patch would apply, and leaves the document as it was. */
  check(document: Json, patch: readonly PatchOperation[]): PatchResult
}

/** The meter of one session: it must see every patch, because it remembers what the document weighed after the last. */
export function createMeter(): Meter {
  const weights = new WeakMap<object, Weight>()
  const begin = (document: Json) => {
    const known = isContainer(document) ? weights.get(document) : undefined
    return new PatchWeighing(known ?? weigh(document, Number.POSITIVE_INFINITY)!)
  }
  return {
    problem(value) {
      const weight = weigh(value, MAX_CHARS)
      return !weight || weight.nodes > MAX_NODES || weight.depth > MAX_DEPTH ? TOO_LARGE : undefined
    },
    apply(document, patch) {
      const { objection, total } = begin(document)
      const result = applyPatch(document, patch, objection)
      if (result.ok && isContainer(result.value)) weights.set(result.value, total)
      return result
    },
    check: (document, patch) => applyPatch(document, patch, begin(document).objection, true),
  }
}

class PatchWeighing {
  readonly #before: Weight
  /** What the document weighs with the changes so far. */
  readonly total: Weight
  #work = 0

  constructor(before: Weight) {
    this.#before = before
    this.total = { ...before, depth: 0 }
  }

  readonly objection: Objection = ({ parent, key, depth }, before, after) => {
    const { total } = this
    if (depth === 0) total.chars = total.nodes = 0
    else if (before !== undefined) {
      const weight = this.#touch(before, 0)
      if (typeof weight === 'string') return weight
      total.chars -= weight.chars + (after === undefined ? entryChars(parent, key) : 0)
      total.nodes -= weight.nodes
    }
    if (after !== undefined) {
      const weight = this.#touch(after, depth)
      if (typeof weight === 'string') return weight
      total.chars += weight.chars + (before === undefined ? entryChars(parent, key) : 0)
      total.nodes += weight.nodes
    }
    // A document that is too large already, from the time before there was a limit, may shrink and not grow.
    const { chars, nodes } = this.#before
    const fits = total.chars <= Math.max(MAX_CHARS, chars) && total.nodes <= Math.max(MAX_NODES, nodes)
    return fits ? undefined : TOO_LARGE
  }

  /** Weighs what an operation is about to touch; a reason when that is too much for one patch or too deep. */
  #touch(value: Json, depth: number): Weight | string {
    const weight = weigh(value, MAX_WORK - this.#work)
    if (!weight) return 'the change touches too much at once'
    this.#work += weight.chars
    return depth + weight.depth > MAX_DEPTH ? TOO_LARGE : weight
  }
}

/**
 * Undefined as soon as it is heavier than `limit`. Without recursion, unlike `roughBytes`: nobody has looked at the depth yet.
 */
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
        open.push([memberAt(at, key)!, depth + 1])
      }
    } else weight.chars += String(at).length + 2
    if (weight.chars > limit) return undefined
  }
  return weight
}

/** The comma of an item; the quotes, name, colon and comma of a property. */
const entryChars = (parent: Container, key: string): number => (Array.isArray(parent) ? 1 : key.length + 4)
