import type { Path } from '@vitrine/protocol'

/** Most paths have one listener and one way on: a set and a map are made for the second. */
interface Branch<T> {
  readonly key: string
  readonly parent: Branch<T> | undefined
  child: Branch<T> | undefined
  children: Map<string, Branch<T>> | undefined
  first: T | undefined
  more: Set<T> | undefined
}

/** Where an entry listens: what `remove` needs to find it again. */
export type Place<T> = Branch<T>

const branch = <T>(key: string, parent?: Branch<T>): Branch<T> => ({
  key,
  parent,
  child: undefined,
  children: undefined,
  first: undefined,
  more: undefined,
})

/** Who listens where. A write reaches the listeners of its path, of its ancestors and of its descendants, and no others. */
export class PathIndex<T extends object> {
  #root = branch<T>('')
  size = 0

  add(path: Path, entry: T): Place<T> {
    let at = this.#root
    for (let i = 0; i < path.length; i++) {
      const key = path[i]!
      at = below(at, key) ?? grow(at, branch(key, at))
    }
    if (at.first === undefined) at.first = entry
    else {
      at.more ??= new Set()
      at.more.add(entry)
    }
    this.size++
    return at
  }

  remove(at: Place<T>, entry: T): void {
    if (at.first === entry) at.first = undefined
    else if (!at.more?.delete(entry)) return
    this.size--
    // Branches without listeners go too: a list that shrank leaves nothing behind.
    let dead = at
    while (dead.parent && dead.first === undefined && !dead.more?.size && !dead.child && !dead.children?.size) {
      if (dead.parent.child === dead) dead.parent.child = undefined
      else dead.parent.children?.delete(dead.key)
      dead = dead.parent
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
      own(at, depth, visit)
      at = below(at, path[depth]!)
    }
  }
}

const below = <T>(at: Branch<T>, key: string): Branch<T> | undefined =>
  at.child?.key === key ? at.child : at.children?.get(key)

function grow<T>(at: Branch<T>, next: Branch<T>): Branch<T> {
  if (!at.child) at.child = next
  else {
    at.children ??= new Map()
    at.children.set(next.key, next)
  }
  return next
}

function own<T>(at: Branch<T>, depth: number, visit: (entry: T, depth: number) => void): void {
  if (at.first !== undefined) visit(at.first, depth)
  if (at.more) for (const entry of at.more) visit(entry, depth)
}

function all<T>(at: Branch<T>, depth: number, visit: (entry: T, depth: number) => void): void {
  own(at, depth, visit)
  if (at.child) all(at.child, depth + 1, visit)
  if (at.children) for (const child of at.children.values()) all(child, depth + 1, visit)
}
