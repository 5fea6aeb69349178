import { useCallback, useState } from 'react'

/** What a person left behind in this browser. Storage can be full, blocked or absent: then it lasts as long as the page. */
const memory = new Map<string, string>()

export function readStored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key) ?? memory.get(key)
    return text == null ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
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
