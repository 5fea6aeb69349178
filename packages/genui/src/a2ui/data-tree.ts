import type { Json, JsonObject } from './ops.ts'
import { arrayIndex, type Path, readPath, step } from './pointer.ts'

type Container = Json[] | JsonObject

/** Highest gap that a write beyond the end of a list may fill: a stray index must not allocate gigabytes. */
const MAX_GAP = 1000

export class PathError extends Error {}

/**
 * A JSON value that is written in place. Containers that others may hold (handed in, or shown to a binding) are copied on
 * the first write below them; the tree mutates only what it copied itself, so a leaf write costs its depth, not its width.
 */
export class DataTree {
  root: Json
  #owned = new WeakSet<Container>()

  constructor(root: Json = {}) {
    this.root = root
  }

  get(path: Path): Json | undefined {
    return readPath(this.root, path)
  }

  /** Someone outside now holds a container of this tree: nothing is ours any more. */
  share(): void {
    this.#owned = new WeakSet()
  }

  fork(): DataTree {
    this.share()
    return new DataTree(this.root)
  }

  /** The path that a write will change: the whole list when positions appear, shift or go. */
  reach(path: Path, value: Json | undefined): Path {
    if (path.length === 0) return path
    const parent = path.slice(0, -1)
    const list = this.get(parent)
    if (!Array.isArray(list)) return path
    return value === undefined || path.at(-1) === '-' || arrayIndex(path.at(-1)!) >= list.length ? parent : path
  }

  /** Writes, or removes when the value is undefined. */
  set(path: Path, value: Json | undefined): void {
    if (path.length === 0) {
      this.root = value === undefined ? {} : value
      return
    }
    if (value === undefined && this.get(path) === undefined) return
    let container = this.#own(this.root, path, 0)
    this.root = container
    const last = path.length - 1
    for (let i = 0; i < last; i++) {
      const next = this.#own(step(container, path[i]!), path, i + 1)
      put(container, path[i]!, next)
      container = next
    }
    if (value !== undefined) put(container, path[last]!, value)
    else if (Array.isArray(container)) container.splice(arrayIndex(path[last]!), 1)
    else delete container[path[last]!]
  }

  #own(value: Json | undefined, path: Path, depth: number): Container {
    let container: Container
    if (typeof value === 'object' && value !== null) {
      if (this.#owned.has(value)) return value
      container = Array.isArray(value) ? value.slice() : { ...value }
    } else {
      if (value !== undefined && value !== null)
        throw new PathError(`'${path[depth]}' cannot be written below the ${typeof value} that is already there`)
      container = arrayIndex(path[depth]!) >= 0 || path[depth] === '-' ? [] : {}
    }
    this.#owned.add(container)
    return container
  }
}

function put(container: Container, segment: string, value: Json): void {
  if (!Array.isArray(container)) {
    container[segment] = value
    return
  }
  const index = segment === '-' ? container.length : arrayIndex(segment)
  if (index < 0) throw new PathError(`'${segment}' is not a position in a list`)
  if (index > container.length + MAX_GAP) throw new PathError(`position ${index} is far beyond the end of the list`)
  while (container.length < index) container.push(null)
  container[index] = value
}
