import type { Path } from './pointer.ts'

type Branch<T> = { key: string; parent: Branch<T> | undefined; children: Map<string, Branch<T>>; entries: Set<T> }

const branch = <T>(key: string, parent?: Branch<T>): Branch<T> => ({
  key,
  parent,
  children: new Map(),
  entries: new Set(),
})

/** Who listens where. A write reaches the listeners of its path, of its ancestors and of its descendants, and no others. */
export class PathIndex<T> {
  #root = branch<T>('')
  size = 0

  add(path: Path, entry: T): () => void {
    let at = this.#root
    for (const key of path) {
      let next = at.children.get(key)
      if (!next) {
        next = branch(key, at)
        at.children.set(key, next)
      }
      at = next
    }
    at.entries.add(entry)
    this.size++
    return () => {
      if (!at.entries.delete(entry)) return
      this.size--
      // Branches without listeners go too: a list that shrank leaves nothing behind.
      let dead: Branch<T> = at
      while (dead.parent && dead.entries.size === 0 && dead.children.size === 0) {
        dead.parent.children.delete(dead.key)
        dead = dead.parent
      }
    }
  }

  /** Calls `visit` with the entry and the depth of its own path. */
  touch(path: Path, visit: (entry: T, depth: number) => void): void {
    let at: Branch<T> | undefined = this.#root
    for (let depth = 0; at; depth++) {
      if (depth === path.length) {
        all(at, depth, visit)
        return
      }
      for (const entry of at.entries) visit(entry, depth)
      at = at.children.get(path[depth]!)
    }
  }
}

function all<T>(at: Branch<T>, depth: number, visit: (entry: T, depth: number) => void): void {
  for (const entry of at.entries) visit(entry, depth)
  for (const child of at.children.values()) all(child, depth + 1, visit)
}
