import { MAX_SEARCH } from '@vitrine/protocol'
import { type Asked, type MessagePlace, SEARCH_PAUSE, type SearchTime } from '@vitrine/react'
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { readdress, usePath, useQuery } from './router.ts'
import { SEARCH } from './routes.ts'

const times: readonly string[] = ['any', 'today', 'week', 'month'] satisfies SearchTime[]

/** What an address asks for. What it does not know counts as left out. */
export function askedIn(query: string): Asked {
  const given = new URLSearchParams(query)
  const time = given.get('time') ?? ''
  return {
    text: (given.get('q') ?? '').trim().slice(0, MAX_SEARCH),
    by: given.get('by') === 'messages' ? 'messages' : 'sessions',
    agentId: given.get('agent'),
    time: times.includes(time) ? (time as SearchTime) : 'any',
  }
}

/** The path of a search. */
export function searchPath({ text, by, agentId, time }: Partial<Asked>): string {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(agentId && { agent: agentId }),
    ...(time && time !== 'any' && { time }),
    ...(by === 'messages' && { by }),
  }).toString()
  return query ? `${SEARCH}?${query}` : SEARCH
}

/** The search that is open: what its field has, and how it is changed. */
export interface SearchField {
  asked: Asked
  typed: string
  type: (text: string) => void
  ask: (asked: Asked) => void
}

/** The search that is open, or null. What is typed comes into the address when the typing pauses. */
export function useSearchField(): SearchField | null {
  const open = usePath() === SEARCH
  const query = useQuery()
  const asked = askedIn(query)
  const [typed, setTyped] = useState<string | null>(null)
  const latest = useRef(asked)
  latest.current = asked
  useEffect(() => {
    if (typed === null || !open) return
    const later = setTimeout(() => {
      readdress(searchPath({ ...latest.current, text: typed.trim() }))
    }, SEARCH_PAUSE)
    return () => clearTimeout(later)
  }, [typed, open])
  // The address that somebody went to says what is in the field, and not what was typed before.
  useEffect(() => {
    setTyped(before => (before?.trim() === askedIn(query).text ? before : null))
  }, [query])
  const ask = useCallback((next: Asked) => readdress(searchPath(next)), [])
  return open ? { asked, typed: typed ?? asked.text, type: setTyped, ask } : null
}

/** What the page that searches needs of the frame around it. */
interface SearchPlace {
  search: SearchField | null
  /** The place in the head of the case for the numbers and filters; null where there is no room. */
  head: HTMLElement | null
  /** Whether the field stands in the side bar. */
  fieldElsewhere: boolean
  openBeside: ((sessionId: string, place?: MessagePlace) => void) | undefined
  close: () => void
}

const Place = createContext<SearchPlace | null>(null)
export const SearchPlaceProvider = Place.Provider
export const useSearchPlace = (): SearchPlace | null => useContext(Place)
