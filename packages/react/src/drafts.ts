import { isObject } from '@vitrine/protocol'
import { useCallback, useState } from 'react'
import { readStored, storedKeys, writeStored } from './stored.ts'

/** What a person typed in one place and has not sent, by the names of its fields. */
export type DraftFields = Readonly<Record<string, unknown>>

/**
 * Where a person writes: the composer of a session (`draft`) and what is attached in it (`files`), a message that is edited
 * (`edited`), what it refers to (`refers`), texts that were sent and are no facts yet (`outbox`), steers that are on
 * their way, a queued turn, a request or a card (`typed`, by its id), or a surface that an agent drew.
 */
type PlaceKind = 'draft' | 'files' | 'edited' | 'refers' | 'outbox' | 'steers' | 'queued' | 'typed' | 'surface'

const PLACE = /^vitrine\.(draft|files|edited|refers|outbox|steers|queued|typed|surface)\./

/** The name under which the browser keeps what was typed there. */
export const placeOf = (kind: PlaceKind, sessionId: string, id?: string): string =>
  `vitrine.${kind}.${sessionId}${id === undefined ? '' : `.${id}`}`

/** What was sent and is no fact yet is promised to the person: it is not dropped for something newer. */
const OUTBOX = placeOf('outbox', '')

/** So many places are kept. The one that was written to longest ago goes first, but never texts that wait to be sent. */
const MOST = 200
/** The places in the order in which they were written to. */
const INDEX = 'vitrine.drafts'

/** Storing takes the page's time, and people type fast. */
const STORE_AFTER = 250

/** Written to and not stored yet. */
const waiting = new Map<string, DraftFields>()
/** What must not be stored lasts as long as the page. */
const unstored = new Map<string, DraftFields>()
let timer: ReturnType<typeof setTimeout> | undefined

function stored(place: string): DraftFields {
  const fields = waiting.get(place) ?? readStored<unknown>(place, null)
  return isObject(fields) ? (fields as DraftFields) : {}
}

/** What was typed in a place; empty when there is nothing, or when it was sent. */
export const readDraft = (place: string): DraftFields => ({ ...stored(place), ...unstored.get(place) })

/** The ids of the places of one kind in a session in which something is typed, such as the messages that are edited. */
export function idsWithDrafts(kind: PlaceKind, sessionId: string): string[] {
  const begin = placeOf(kind, sessionId, '')
  const places = new Set([...storedKeys(), ...waiting.keys()])
  return [...places].flatMap(place => (place.startsWith(begin) ? [place.slice(begin.length)] : []))
}

/** Keeps all fields of a place. */
export function writeDraft(place: string, fields: DraftFields): void {
  waiting.set(place, fields)
  timer ??= setTimeout(storeDrafts, STORE_AFTER)
  // Only while something waits: a listener of the window would keep a closed page's state alive.
  globalThis.addEventListener?.('pagehide', storeDrafts)
}

/** Keeps one field of a place beside the others, where it stood before. `undefined` forgets it. */
export const writeField = (place: string, name: string, value: unknown): void =>
  writeDraft(place, withField(stored(place), name, value))

/** A field that is there keeps its place among the others: texts that wait are sent in the order of their fields. */
function withField(fields: DraftFields, name: string, value: unknown): DraftFields {
  if (value !== undefined) return { ...fields, [name]: value }
  const { [name]: _, ...others } = fields
  return others
}

/** Keeps one field of a place as long as the page lasts. */
function keepForPage(place: string, name: string, value: unknown): void {
  unstored.set(place, withField(unstored.get(place) ?? {}, name, value))
}

/** It was sent, or is not wanted any more. */
export function forgetDraft(place: string): void {
  waiting.delete(place)
  unstored.delete(place)
  store(place, {})
}

/** Stores what waits, at once. */
export function storeDrafts(): void {
  clearTimeout(timer)
  timer = undefined
  globalThis.removeEventListener?.('pagehide', storeDrafts)
  for (const [place, fields] of waiting) store(place, fields)
  waiting.clear()
}

function store(place: string, fields: DraftFields): void {
  const empty = Object.keys(fields).length === 0
  const known = readStored<string[] | null>(INDEX, null) ?? storedKeys().filter(key => PLACE.test(key))
  const places = known.filter(other => other !== place)
  if (!empty) places.push(place)
  while (places.length > MOST && dropOldest(places, place)) {}
  // A browser that is full makes room for what was typed last.
  while (!writeStored(place, empty ? undefined : fields) && dropOldest(places, place)) {}
  writeStored(INDEX, places)
}

/** Forgets the place that was written to longest ago. False when only `place` and texts that wait to be sent are left. */
function dropOldest(places: string[], place: string): boolean {
  const at = places.findIndex(other => other !== place && !other.startsWith(OUTBOX))
  if (at < 0) return false
  for (const dropped of places.splice(at, 1)) writeStored(dropped, undefined)
  return true
}

/**
 * A field of a place as state: it outlives the row that holds it, and the page. `storable` says what of it may be stored;
 * the rest lasts as long as the page. Both, and `initial`, keep their identity between renders.
 */
export function useDraft<T>(
  place: string,
  name: string,
  initial: T,
  storable: (value: T) => T | undefined = value => value,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const fields = readDraft(place)
    return Object.hasOwn(fields, name) ? (fields[name] as T) : initial
  })
  const set = useCallback(
    (next: T) => {
      const kept = next === initial ? undefined : storable(next)
      writeField(place, name, kept)
      keepForPage(place, name, kept === next || next === initial ? undefined : next)
      setValue(next)
    },
    [place, name, initial, storable],
  )
  return [value, set]
}
