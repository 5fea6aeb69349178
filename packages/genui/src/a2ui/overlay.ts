import { DataTree } from './data-tree.ts'
import { matchItems } from './keyed-list.ts'
import { deepEqual, type Json, type JsonObject } from './ops.ts'
import { arrayIndex, formatPointer, type Path, parsePointer, readPath, step } from './pointer.ts'

const covers = (outer: Path, inner: Path): boolean =>
  outer.length <= inner.length && outer.every((segment, i) => segment === inner[i])

type Entry = { path: Path; value: Json }

/**
 * What the server says and, above it, what a person typed and has not sent. The two never mix: `server` is the fact,
 * `view` is what bindings read. Without edits they are one tree.
 */
export class LayeredData {
  server = new DataTree()
  view = this.server
  #edits = new Map<string, Entry>()

  get edited(): boolean {
    return this.#edits.size > 0
  }

  isEdited(path: Path): boolean {
    return this.edited && this.#edits.has(formatPointer(path))
  }

  /** A fact from the server. `changed` is told, before the write, each path that bindings will see differently. */
  set(path: Path, value: Json | undefined, changed: (path: Path, value: Json | undefined) => void): void {
    if (!this.edited) {
      changed(path, value)
      this.server.set(path, value)
      return
    }
    const reach = this.server.reach(path, value)
    // The list as it was decides where the edits of its items go.
    this.server.share()
    const before = this.server.root
    this.server.set(path, value)
    const moved = this.#rebase(reach, before, this.server.root)
    if (moved) {
      changed([], this.server.root)
      this.#relayer()
      return
    }
    for (const entry of this.#edits.values()) if (covers(entry.path, path)) return
    changed(path, value)
    this.view.set(path, value)
    for (const entry of this.#edits.values()) if (covers(path, entry.path)) this.view.set(entry.path, entry.value)
  }

  edit(path: Path, value: Json, changed: (path: Path, value: Json | undefined) => void): void {
    if (!this.edited) this.view = this.server.fork()
    changed(path, value)
    this.view.set(path, value)
    for (const [pointer, entry] of this.#edits) {
      if (covers(path, entry.path)) this.#edits.delete(pointer)
      else if (covers(entry.path, path)) {
        this.view.share()
        entry.value = this.view.get(entry.path) ?? null
        return
      }
    }
    if (!deepEqual(this.server.get(path), value)) this.#edits.set(formatPointer(path), { path, value })
    if (!this.edited) this.view = this.server
  }

  /** Forgets edits: all of them, or those that were sent and have not been changed since. */
  clear(sent: JsonObject | undefined, changed: (path: Path, value: Json | undefined) => void): void {
    for (const [pointer, entry] of [...this.#edits]) {
      if (sent && !(Object.hasOwn(sent, pointer) && deepEqual(sent[pointer], entry.value))) continue
      this.#edits.delete(pointer)
      changed(entry.path, this.server.get(entry.path))
    }
    this.#relayer()
  }

  export(): JsonObject {
    const result: JsonObject = {}
    for (const [pointer, entry] of this.#edits) result[pointer] = entry.value
    return result
  }

  restore(edits: JsonObject, changed: (path: Path, value: Json | undefined) => void): void {
    for (const [pointer, value] of Object.entries(edits)) {
      const path = pointer.startsWith('/') ? parsePointer(pointer) : undefined
      if (path) this.edit(path, value, changed)
    }
  }

  #relayer(): void {
    this.view = this.edited ? this.server.fork() : this.server
    for (const { path, value } of this.#edits.values()) this.view.set(path, value)
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
    before = step(before, segment)
    after = readPath(after, [next])
    result.push(next)
  }
  return result
}
