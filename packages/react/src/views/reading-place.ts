import type { SessionHandle } from '@vitrine/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../stored.ts'
import { rowsOfPage } from './conversation-rows.ts'
import type { Place } from './row-list.tsx'

/** Where a person read in a session when they left it. */
interface Kept extends Place {
  /** The message as the log counts it: it may be older than what a session opens with. */
  ordinal: number
}

const NAME = 'vitrine.places'
/** So many sessions are remembered. The one that was left longest ago goes first. */
const MOST = 100
/** So many pages of older messages are loaded to find the place again. */
const MOST_PAGES = 20
const STORE_AFTER = 300

const readPlaces = (): Record<string, Kept> => readStored<Record<string, Kept>>(NAME, {})

function writePlace(sessionId: string, place: Kept | null): void {
  const { [sessionId]: before, ...others } = readPlaces()
  if (!place && !before) return
  const all = Object.entries(others).slice(-(MOST - 1))
  writeStored(NAME, Object.fromEntries(place ? [...all, [sessionId, place]] : all))
}

/**
 * The place at which the session is opened: where the person left it, or null for its end. Until it is known, and the
 * messages around it are there, `ready` is false. `keep` remembers a place.
 */
export function useReadingPlace(handle: SessionHandle): {
  ready: boolean
  start: Place | null
  keep: (place: Place | null) => void
} {
  const { sessionId } = handle
  const [start] = useState(() => readPlaces()[sessionId] ?? null)
  const [ready, setReady] = useState(() => !start || handle.state.windowFrom <= start.ordinal)
  useEffect(() => {
    if (ready || !start) return
    let current = true
    const load = async () => {
      for (let pages = 0; current && pages < MOST_PAGES && handle.state.windowFrom > start.ordinal; pages++) {
        const page = await handle.loadOlder()
        if (!page.ok || !page.value) break
      }
      await rowsOfPage()
      if (current) setReady(true)
    }
    void load()
    return () => {
      current = false
    }
  }, [ready, start, handle])

  const waits = useRef<{ place: Kept | null; timer: ReturnType<typeof setTimeout> } | null>(null)
  const store = useCallback(() => {
    if (!waits.current) return
    clearTimeout(waits.current.timer)
    writePlace(sessionId, waits.current.place)
    waits.current = null
  }, [sessionId])
  const keep = useCallback(
    (place: Place | null) => {
      const ordinal = handle.state.messages.byId.get(place?.messageId ?? '')?.ordinal ?? handle.state.counts.ordinals
      if (waits.current) clearTimeout(waits.current.timer)
      waits.current = { place: place && { ...place, ordinal }, timer: setTimeout(store, STORE_AFTER) }
    },
    [handle, store],
  )
  useEffect(() => {
    addEventListener('pagehide', store)
    return () => {
      removeEventListener('pagehide', store)
      store()
    }
  }, [store])
  return { ready, start, keep }
}
