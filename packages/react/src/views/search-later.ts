import type { Outcome } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import { useEffect, useState } from 'react'

/** What was found elsewhere for a text. While it is `searching`, `found` is empty, or what was found for the text before. */
export type Search<T> =
  | { text: string; state: 'searching' | 'done'; found: readonly T[] }
  | { text: string; state: 'failed'; found: readonly T[]; problem: Problem }

/** The typing has to pause for so many milliseconds before a search begins. */
export const SEARCH_PAUSE = 120

/** Asks once the typing pauses. The returned function takes the question back: an answer that comes later is dropped. */
export function searchLater<T>(
  text: string,
  find: (text: string) => Promise<Outcome<T[]>>,
  tell: (search: Search<T>) => void,
): () => void {
  let wanted = true
  const timer = setTimeout(async () => {
    const answer = await find(text)
    if (!wanted) return
    if (answer.ok) tell({ text, state: 'done', found: answer.value })
    else tell({ text, state: 'failed', found: [], problem: answer.problem })
  }, SEARCH_PAUSE)
  return () => {
    wanted = false
    clearTimeout(timer)
  }
}

/**
 * Null while there is nothing to look for. `find` must keep its identity between renders. With `keeps`, what was found
 * before stays until the next answer, so that nothing flickers while somebody types.
 */
export function useSearch<T>(
  typed: string,
  find: ((text: string) => Promise<Outcome<T[]>>) | undefined,
  keeps = false,
): Search<T> | null {
  const text = typed.trim()
  const [search, setSearch] = useState<Search<T> | null>(null)
  useEffect(() => (text && find ? searchLater(text, find, setSearch) : setSearch(null)), [text, find])
  if (!text || !find) return null
  return search?.text === text ? search : { text, state: 'searching', found: (keeps && search?.found) || [] }
}
