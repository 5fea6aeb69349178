import { isObject } from '@vitrine/protocol'
import { useCallback, useState } from 'react'
import { readStored, storedKeys, writeStored } from './stored.ts'

/** What a person typed in one place and has not sent, by the names of its fields. */
export type DraftFields = Readonly<Record<string, unknown>>

/**
 * Where a person writes: the composer of a session (`draft`), a message that is edited
 * (`edited`), steers that are on their way, a queued turn, a request or a
 * card (`typed`, by its id), or a surface that an agent drew.
 */
type PlaceKind = 'draft' | 'edited' | 'steers' | 'queued' | 'typed' | 'surface'

const PLACE = /^vitrine\.(draft|edited|steers|queued|typed|surface)\./

/** The name under which the browser keeps what was typed there. */
export const placeOf = (kind: PlaceKind, sessionId: string, id?: string): string =>
  `vitrine.${kind}.${sessionId}${id === undefined ? '' : `.${id}`}`

/** So many places are kept. The one that was written to longest ago goes first. */
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

/** Keeps all fields of a place. */
export function writeDraft(place: string, fields: DraftFields): void {
  waiting.set(place, fields)
  timer ??= setTimeout(storeDrafts, STORE_AFTER)
  // Only while something waits: a listener of the window would keep a closed page's state alive.
  globalThis.addEventListener?.('pagehide', storeDrafts)
}

/** Keeps one field of a place beside the others. `undefined` forgets it. */
export function writeField(place: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = stored(place)
  writeDraft(place, value === undefined ? others : { ...others, [name]: value })
}

/** Keeps one field of a place as long as the page lasts. */
function keepForPage(place: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = unstored.get(place) ?? {}
  unstored.set(place, value === undefined ? others : { ...others, [name]: value })
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
  while (places.length > MOST) writeStored(places.shift()!, undefined)
  // A browser that is full makes room for what was typed last.
  while (!writeStored(place, empty ? undefined : fields) && places.length > 1) writeStored(places.shift()!, undefined)
  writeStored(INDEX, places)
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
