import { useCallback, useState } from 'react'

/** What a person left behind in this browser. Storage can be full, blocked or absent: then it lasts as long as the page. */
const memory = new Map<string, string>()

/** What this browser remembers under a name. */
export function readStored<T>(key: string, fallback: T): T {
  const text = stored(key) ?? memory.get(key)
  try {
    return text === undefined ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** The names of all that is stored. */
export function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return [...memory.keys()]
  }
}

/** `undefined` removes it. False when the browser is full: then it lasts as long as the page. */
export function writeStored(key: string, value: unknown): boolean {
  const text = value === undefined ? null : JSON.stringify(value)
  if (text === null) memory.delete(key)
  else memory.set(key, text)
  try {
    // What was there goes first: in a browser that is full it would stay, and be read instead of the copy in memory.
    localStorage.removeItem(key)
    if (text !== null) localStorage.setItem(key, text)
    return true
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'QuotaExceededError')
  }
}

/** A setting that this browser remembers. */
export function useSetting<T>(key: string, fallback: T): [T, (value: T) => void] {
  const [state, setState] = useState(() => ({ key, value: readStored(key, fallback) }))
  const current = state.key === key ? state.value : readStored(key, fallback)
  const set = useCallback(
    (value: T) => {
      writeStored(key, value)
      setState({ key, value })
    },
    [key],
  )
  return [current, set]
}
