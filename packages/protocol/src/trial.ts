import { DataTree } from './data-tree.ts'
import {
  COLLECTIONS,
  type CollectionName,
  type Entity,
  type SessionState,
  type SharedState,
  SINGLES,
} from './entities.ts'
import { Text } from './text.ts'

/**
 * The same state to try events on: what is folded into it leaves the state itself as it is. An entity is copied when it
 * is first asked for, so that a trial costs what its events touch and not what the session holds (L9).
 */
export function trialOf(state: SessionState): SessionState {
  const { counts, repair, shared } = state
  const singles = SINGLES.flatMap(name => (name === 'shared' ? [] : [[name, copyOf(state[name] as object)]]))
  const collections = COLLECTIONS.map(name => [name, { ...state[name], byId: new TrialMap<Entity>(state[name].byId) }])
  // Patches are written in place, at any depth: whoever asks for the value gets a copy of all of it.
  let value: SharedState['value'] | undefined
  return {
    ...state,
    ...(Object.fromEntries(collections) as Pick<SessionState, CollectionName>),
    ...(Object.fromEntries(singles) as Omit<Pick<SessionState, (typeof SINGLES)[number]>, 'shared'>),
    counts: { ...counts },
    repair: repair && copyOf(repair),
    shared: {
      ...shared,
      get value() {
        value ??= structuredClone(shared.value)
        return value
      },
      set value(next) {
        value = next
      },
    },
  }
}

/** A copy as deep as the fold writes: into an object's own fields, and into what these hold. */
function copyOf<T extends object>(from: T): T {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, fieldOf(value)])) as T
}

function fieldOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice()
  if (value instanceof Set) return new Set(value)
  if (value instanceof Map) return new Map(value)
  if (value instanceof Text) return new Text(value.toString())
  if (value instanceof DataTree) {
    value.share()
    return new DataTree(value.root)
  }
  return { ...value }
}

/** Entities over those of another map, which stays as it is. The order is that of a map that was written to itself. */
class TrialMap<T extends object> extends Map<string, T> {
  readonly #from: ReadonlyMap<string, T>
  readonly #removed = new Set<string>()

  constructor(from: ReadonlyMap<string, T>) {
    super()
    this.#from = from
  }

  #below(id: string): T | undefined {
    return this.#removed.has(id) ? undefined : this.#from.get(id)
  }

  override get(id: string): T | undefined {
    const own = super.get(id)
    if (own) return own
    const below = this.#below(id)
    if (!below) return undefined
    const copy = copyOf(below)
    super.set(id, copy)
    return copy
  }

  override has(id: string): boolean {
    return super.has(id) || this.#below(id) !== undefined
  }

  override delete(id: string): boolean {
    const had = this.has(id)
    super.delete(id)
    if (this.#from.has(id)) this.#removed.add(id)
    return had
  }

  override get size(): number {
    let size = this.#from.size - this.#removed.size
    for (const id of super.keys()) if (this.#below(id) === undefined) size++
    return size
  }

  override *keys(): MapIterator<string> {
    for (const id of this.#from.keys()) if (!this.#removed.has(id)) yield id
    for (const id of super.keys()) if (this.#below(id) === undefined) yield id
  }

  override *values(): MapIterator<T> {
    for (const id of this.keys()) yield this.get(id)!
  }

  override *entries(): MapIterator<[string, T]> {
    for (const id of this.keys()) yield [id, this.get(id)!]
  }

  override [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries()
  }
}
