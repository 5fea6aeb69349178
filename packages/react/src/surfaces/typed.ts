import { useCallback, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { readStored, writeStored } from '../stored.ts'

/** What was typed into one request or card that is not sent yet, by field. It outlives the page, like a draft. */
type Typed = Readonly<Record<string, unknown>>

const keyOf = (place: string) => `vitrine.typed.${place}`

export const placeOf = (sessionId: string, id: string): string => `${sessionId}.${id}`

/** Names of what must not lie in a browser's storage, however its control looks. */
export const isSecret = (name: string): boolean =>
  /pass(word|phrase|code)|secret|token|credential|api[-_ ]?key|private[-_ ]?key/i.test(name)

export const readTyped = (place: string): Typed => readStored<Typed | null>(keyOf(place), null) ?? {}

/** `undefined` forgets the field. */
export function writeTyped(place: string, name: string, value: unknown): void {
  const { [name]: _, ...rest } = readTyped(place)
  const next = value === undefined ? rest : { ...rest, [name]: value }
  writeStored(keyOf(place), Object.keys(next).length ? next : undefined)
}

export const forgetTyped = (place: string): void => writeStored(keyOf(place), undefined)

/**
 * Like `useKept`, and found again after a reload. `storable` says what of it may be stored;
 * the rest lasts as long as the page.
 */
export function useTyped<T>(
  place: string,
  name: string,
  initial: T,
  storable: (value: T) => T | undefined = value => value,
): [T, (value: T) => void] {
  const { kept } = useVitrine()
  const key = `typed:${place}:${name}`
  const [value, setValue] = useState<T>(() => {
    if (kept.has(key)) return kept.get(key) as T
    const typed = readTyped(place)
    return Object.hasOwn(typed, name) ? (typed[name] as T) : initial
  })
  const set = useCallback(
    (next: T) => {
      kept.set(key, next)
      writeTyped(place, name, next === initial ? undefined : storable(next))
      setValue(next)
    },
    [kept, key, place, name, initial, storable],
  )
  return [value, set]
}
