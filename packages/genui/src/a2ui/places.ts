import { formatPointer, type Path } from '@vitrine/protocol'
import type { PathRef } from './expression.ts'

const beginsWith = (path: Path, head: Path): boolean =>
  head.length <= path.length && head.every((segment, i) => segment === path[i])
const endsWith = (path: Path, tail: Path): boolean =>
  tail.length <= path.length && tail.every((segment, i) => segment === path[path.length - tail.length + i])
/** One of them is the other, or stands in it. */
const related = (a: Path, b: Path): boolean => beginsWith(a, b) || beginsWith(b, a)

/** References to data, each of them once. */
export class PathRefs implements Iterable<PathRef> {
  readonly #refs = new Map<string, PathRef>()

  get size(): number {
    return this.#refs.size
  }

  add(ref: PathRef): void {
    this.#refs.set((ref.relative ? '.' : '') + formatPointer(ref.path), ref)
  }

  /** Whether this absolute place is among them. */
  hasAbsolute(path: Path): boolean {
    return this.#refs.has(formatPointer(path))
  }

  [Symbol.iterator](): Iterator<PathRef> {
    return this.#refs.values()
  }
}

/**
 * Places in the data of a surface. A relative one stands in the items of a list, or at the root: which list, only the
 * component that repeats it knows, so it may be any of `lists`.
 */
export class Places {
  readonly #lists: PathRefs
  readonly #refs = new PathRefs()
  readonly #relative = new PathRefs()

  constructor(lists: PathRefs) {
    this.#lists = lists
  }

  get size(): number {
    return this.#refs.size
  }

  add(ref: PathRef): void {
    this.#refs.add(ref)
    if (ref.relative) this.#relative.add(ref)
  }

  /** Whether this is one of the places. */
  has(path: Path): boolean {
    if (this.#refs.hasAbsolute(path)) return true
    for (const { path: tail } of this.#relative)
      if (endsWith(path, tail) && this.#isBase(path.slice(0, path.length - tail.length), tail)) return true
    return false
  }

  /** Whether this is one of the places, or stands in one. */
  covers(path: Path): boolean {
    for (let length = 0; length <= path.length; length++) if (this.has(path.slice(0, length))) return true
    return false
  }

  /** Whether who reads this may read one of the places, or a part of one. */
  mayBeRead(read: PathRef): boolean {
    for (const place of this.#refs) if (this.#mayMeet(read, place)) return true
    return false
  }

  #mayMeet(a: PathRef, b: PathRef): boolean {
    if (related(a.path, b.path)) return true
    if (a.relative && b.relative) return this.#listsMayNest()
    if (!a.relative && !b.relative) return false
    const { path } = a.relative ? b : a
    return [...this.#lists].some(list => list.relative || related(list.path, path))
  }

  /** Items of one list have one depth. Only where a list stands in another can different tails lead to one place. */
  #listsMayNest(): boolean {
    const lists = [...this.#lists]
    return lists.some((a, i) => lists.some((b, j) => i < j && (a.relative || b.relative || related(a.path, b.path))))
  }

  /** Whether relative paths may count from here: from the root, or from an item of a list. */
  #isBase(base: Path, tail: Path): boolean {
    // The item itself is not the whole data model, unless there is no list.
    if (base.length === 0) return tail.length > 0 || this.#lists.size === 0
    for (const { path } of this.#lists) if (base.length > path.length && beginsWith(base, path)) return true
    return false
  }
}
