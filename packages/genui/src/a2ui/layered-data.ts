import {
  arrayIndex,
  DataTree,
  formatPointer,
  type Json,
  type JsonObject,
  memberAt,
  type Path,
  readPath,
} from '@vitrine/protocol'
import { deepEqual } from '../json.ts'
import { matchItems } from './keyed-list.ts'

/** A tree of its own with the same values: each of the two copies what it writes. */
function fork(tree: DataTree): DataTree {
  tree.share()
  return new DataTree(tree.root)
}

const covers = (outer: Path, inner: Path): boolean =>
  outer.length <= inner.length && outer.every((segment, i) => segment === inner[i])

/**
 * The path that a write will change: the whole list when positions appear, shift or go. A position appears on the way to a
 * place too, and with it those before it, which are filled.
 */
export function reach(data: DataTree, path: Path, value: Json | undefined): Path {
  const last = path.length - 1
  let at: Json | undefined = data.root
  for (let i = 0; i <= last; i++) {
    const token = path[i]!
    if (Array.isArray(at)) {
      const index = arrayIndex(token)
      if (index < 0 || index >= at.length || (value === undefined && i === last)) return path.slice(0, i)
    } else if (at == null && arrayIndex(token) > 0) return path.slice(0, i)
    at = memberAt(at, token)
  }
  return path
}

type Entry = { path: Path; value: Json }
type Changed = (path: Path, value: Json | undefined) => void

/**
 * What the server says and, above it, what a person typed and has not sent. The two never mix: `server` is the fact,
 * `view` is what bindings read. Without edits they are one tree.
 */
export class LayeredData {
  server = new DataTree()
  view = this.server
  readonly #changed: Changed
  #edits = new Map<string, Entry>()

  /** `changed` is told, before the write, each path that bindings will see differently. */
  constructor(changed: Changed = () => {}) {
    this.#changed = changed
  }

  get edited(): boolean {
    return this.#edits.size > 0
  }

  isEdited(path: Path): boolean {
    return this.edited && this.#edits.has(formatPointer(path))
  }

  /** A fact from the server. */
  set(path: Path, value: Json | undefined): boolean {
    if (!this.edited) {
      this.#changed(path, value)
      return this.server.set(path, value)
    }
    const at = reach(this.server, path, value)
    // The list as it was decides where the edits of its items go.
    this.server.share()
    const before = this.server.root
    if (!this.server.set(path, value)) return false
    const moved = this.#rebase(at, before, this.server.root)
    if (moved) {
      this.#changed([], this.server.root)
      this.#relayer()
      return true
    }
    for (const entry of this.#edits.values()) if (covers(entry.path, path)) return true
    this.#changed(path, value)
    this.view.set(path, value)
    for (const entry of this.#edits.values()) if (covers(path, entry.path)) this.#lay(entry)
    return true
  }

  /** A person's value. False when there is no such place: then nothing changes. */
  edit(path: Path, value: Json): boolean {
    // Refused before anything changes: a view of its own without an edit in it would follow nothing.
    if (!this.view.locate(path)) return false
    if (!this.edited) this.view = fork(this.server)
    this.#changed(path, value)
    this.view.set(path, value)
    for (const [pointer, entry] of this.#edits) {
      if (covers(path, entry.path)) this.#edits.delete(pointer)
      else if (covers(entry.path, path)) {
        this.view.share()
        entry.value = this.view.get(entry.path) ?? null
        return true
      }
    }
    if (!deepEqual(this.server.get(path), value)) this.#edits.set(formatPointer(path), { path, value })
    if (!this.edited) this.view = this.server
    return true
  }

  /** Forgets edits: all of them, or those that were sent and have not been changed since. */
  clear(sent?: JsonObject): void {
    for (const [pointer, entry] of [...this.#edits]) {
      if (sent && !(Object.hasOwn(sent, pointer) && deepEqual(sent[pointer], entry.value))) continue
      this.#edits.delete(pointer)
      this.#changed(entry.path, this.server.get(entry.path))
    }
    this.#relayer()
  }

  export(): JsonObject {
    const result: JsonObject = {}
    for (const [pointer, entry] of this.#edits) result[pointer] = entry.value
    return result
  }

  #relayer(): void {
    this.view = this.edited ? fork(this.server) : this.server
    for (const entry of this.#edits.values()) this.#lay(entry)
  }

  /** Where the server has put something else, the edit is kept, and shows again when its place is back. */
  #lay({ path, value }: Entry): void {
    this.view.set(path, value)
  }

  /** An edit belongs to its item: when the item moves the edit moves, when it goes the edit goes. */
  #rebase(at: Path, before: Json, after: Json): boolean {
    let moved = false
    for (const [pointer, entry] of [...this.#edits]) {
      if (!covers(at, entry.path)) continue
      const path = follow(entry.path, before, after)
      if (path && formatPointer(path) === pointer) continue
      moved = true
      this.#edits.delete(pointer)
      if (path) this.#edits.set(formatPointer(path), { path, value: entry.value })
    }
    return moved
  }
}

function follow(path: Path, before: Json | undefined, after: Json | undefined): Path | undefined {
  const result: string[] = []
  for (const segment of path) {
    let next = segment
    const index = arrayIndex(segment)
    if (Array.isArray(before) && Array.isArray(after) && index >= 0 && index < before.length && before !== after) {
      const to = matchItems(before, after).indexOf(index)
      if (to < 0) return undefined
      next = String(to)
    }
    before = memberAt(before, segment)
    after = readPath(after, [next])
    result.push(next)
  }
  return result
}
