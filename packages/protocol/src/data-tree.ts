import type { Json, JsonObject } from './json.ts'
import { arrayIndex, isContainer, memberAt, type Path, readPath } from './pointer.ts'

type Container = Json[] | JsonObject

/** Highest gap that a write beyond the end of a list may fill: a stray index must not allocate gigabytes. */
const MAX_GAP = 1000

/**
 * A JSON value that is written in place. Containers that others may hold (handed in, or shown to somebody) are copied on
 * the first write below them; the tree changes only what it copied itself, so a leaf write costs its depth, not its width.
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

  /** Somebody outside now holds a container of this tree: nothing belongs to the tree alone any more. */
  share(): void {
    this.#owned = new WeakSet()
  }

  /**
   * Where a value would be written: `-` becomes the position after the last one. `filled` counts the nulls that the write
   * puts into lists before that position. Undefined when there is no such place.
   */
  locate(path: Path): { path: Path; filled: number } | undefined {
    const located: string[] = []
    let at: Json | undefined = this.root
    let filled = 0
    for (const token of path) {
      let key = token
      // Where nothing is yet, the write makes a list or an object, whichever suits the token.
      if (Array.isArray(at) || at == null) {
        const length = at?.length ?? 0
        const index = token === '-' ? length : arrayIndex(token)
        if (index > length + MAX_GAP || (index < 0 && at)) return undefined
        filled += Math.max(0, index - length)
        if (token === '-') key = String(index)
      } else if (!isContainer(at)) return undefined
      located.push(key)
      at = memberAt(at, token)
    }
    return { path: located, filled }
  }

  /** Writes, or removes when the value is undefined. False when there is no such place: then nothing changes. */
  set(given: Path, value: Json | undefined): boolean {
    if (given.length === 0) {
      this.root = value === undefined ? {} : value
      return true
    }
    if (value === undefined ? this.get(given) === undefined : this.#inPlace(given, value)) return true
    const path = value === undefined ? given : this.locate(given)?.path
    if (!path) return false
    let container = this.#own(this.root, path[0]!)
    this.root = container
    const last = path.length - 1
    for (let i = 0; i < last; i++) {
      const next = this.#own(memberAt(container, path[i]!), path[i + 1]!)
      put(container, path[i]!, next)
      container = next
    }
    if (value !== undefined) put(container, path[last]!, value)
    else if (Array.isArray(container)) container.splice(arrayIndex(path[last]!), 1)
    else delete container[path[last]!]
    return true
  }

  /** Most writes: another value where one is, in containers that are the tree's own already. */
  #inPlace(path: Path, value: Json): boolean {
    let at: Json | undefined = this.root
    const last = path.length - 1
    for (let i = 0; isContainer(at) && this.#owned.has(at); i++) {
      if (i < last) at = memberAt(at, path[i]!)
      else {
        if (memberAt(at, path[i]!) === undefined) return false
        put(at, path[i]!, value)
        return true
      }
    }
    return false
  }

  /** A container of our own: this one, a copy of it, or a new one that suits the next token. */
  #own(value: Json | undefined, next: string): Container {
    let container: Container
    if (isContainer(value)) {
      if (this.#owned.has(value)) return value
      container = Array.isArray(value) ? value.slice() : { ...value }
    } else container = arrayIndex(next) >= 0 ? [] : {}
    this.#owned.add(container)
    return container
  }
}

function put(container: Container, token: string, value: Json): void {
  if (!Array.isArray(container)) {
    container[token] = value
    return
  }
  const index = arrayIndex(token)
  while (container.length < index) container.push(null)
  container[index] = value
}
