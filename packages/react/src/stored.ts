import { useCallback, useState } from 'react'

/** What a person left behind in this browser. Storage can be full, blocked or absent: then it lasts as long as the page. */
const memory = new Map<string, string>()

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

export function writeStored(key: string, value: unknown): void {
  const text = value === undefined ? null : JSON.stringify(value)
  if (text === null) memory.delete(key)
  else memory.set(key, text)
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // The copy in memory stands in.
  }
}

export function useStored<T>(key: string, fallback: T): [T, (value: T) => void] {
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
