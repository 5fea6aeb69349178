import type { Collection, Entity, SessionState } from '../entities.ts'
import type { EventOf, EventType } from '../events.ts'

// What every handler of the fold uses: how an entity is added, changed and told of, and what the loaded window holds.
// While an event is folded, `state.seq` is its seq and `state.touch` hears of what it changes.

export type Handlers = { [T in EventType]: (state: SessionState, event: EventOf<T>) => void }

export const find = <T extends Entity>({ byId }: Collection<T>, id: string | null | undefined): T | undefined =>
  byId.get(id!)

export function changed(state: SessionState, entity: Entity): void {
  entity.v = state.seq
  state.touch(entity)
}

/** What an event says of an entity: some of its fields, under the same names. */
type Told<T> = { [K in keyof T]?: T[K] | undefined }

/**
 * Takes over what the event says. A field that the event leaves out stays as it is. It asks the event for its names and
 * not the entity: most fields of an entity are in no event, and a name that is missing is the slowest one to look up.
 */
export function fill<T extends object>(fields: T, event: Told<T>): T {
  for (const name in event) if (Object.hasOwn(fields, name)) fields[name] = event[name] ?? fields[name]
  return fields
}

/** Puts an entity into its list, in the place of the one that had its id before, with what the event says of it. */
export function add<T extends Entity>(
  state: SessionState,
  list: Collection<T>,
  fields: Omit<T, 'key' | 'v'>,
  event?: Told<Omit<T, 'key' | 'v'>>,
): T {
  const entity = (event ? fill(fields, event) : fields) as T
  const id = entity[list.idName as keyof T] as string
  entity.key = `${list.kind}:${id}`
  entity.v = state.seq
  list.byId.set(id, entity)
  state.touch(entity)
  changed(state, list)
  return entity
}

/** Changes an entity, with what the event says of it, and its list. Does nothing when the list does not have it. */
export function update<T extends Entity>(
  state: SessionState,
  list: Collection<T>,
  id: string | null | undefined,
  fields: Partial<T>,
  event: Told<Omit<T, 'key' | 'v'>> = {},
): T | undefined {
  const entity = find(list, id)
  if (!entity) return undefined
  Object.assign(fill<Omit<T, 'key' | 'v'>>(entity, event), fields)
  changed(state, entity)
  changed(state, list)
  return entity
}

/** The event speaks of something that is not loaded: a page that is older than the event would be out of date. */
export function outside(state: SessionState): void {
  state.outsideSeq = state.seq
}

/** Pages of older history already hold what happened up to their `asOf`. */
export const seen = (state: SessionState, messageId: string): boolean =>
  state.seq <= (state.messages.byId.get(messageId)?.asOf ?? 0)
