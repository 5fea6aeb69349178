import type { Readable, SessionHandle } from '@vitrine/client'
import type { Entity, SessionState } from '@vitrine/protocol'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

type Key = Entity['key']

/** The value of a readable of the client, read again when it changes. */
export function useReadable<T>(readable: Readable<T>): T {
  const subscribe = useCallback((listener: () => void) => readable.subscribe(listener), [readable])
  const get = () => readable.get()
  return useSyncExternalStore(subscribe, get, get)
}

const onLine = (listener: () => void) => {
  for (const type of ['online', 'offline']) addEventListener(type, listener)
  return () => {
    for (const type of ['online', 'offline']) removeEventListener(type, listener)
  }
}

/** Whether the browser has a network. Without one, a server of this machine may still be there. */
export const useOnLine = (): boolean =>
  useSyncExternalStore(
    onLine,
    () => navigator.onLine,
    () => true,
  )

function useSubscribe(handle: SessionHandle, key: Key) {
  return useCallback((listener: () => void) => handle.subscribe(key, listener), [handle, key])
}

/**
 * What `select` finds in the projection. The component is drawn again when the entity with this key has changed.
 * Entities are changed in place, so their versions are compared and not the objects.
 */
export function useEntity<T>(handle: SessionHandle, key: Key, select: (state: SessionState) => T): T {
  const version = () => handle.version(key)
  useSyncExternalStore(useSubscribe(handle, key), version, version)
  return select(handle.state)
}

/** Like `useEntity`, for a plain value: the component is drawn again only when the value itself has changed. */
export function useEntityValue<T extends string | number | boolean | null | undefined>(
  handle: SessionHandle,
  key: Key,
  select: (state: SessionState) => T,
): T {
  const value = () => select(handle.state)
  return useSyncExternalStore(useSubscribe(handle, key), value, value)
}

/** State that outlives the component, because rows that are out of sight are taken down. `kept` remembers it. */
export function useStateIn<T>(kept: Map<string, unknown>, key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => (kept.has(key) ? (kept.get(key) as T) : initial))
  const set = useCallback(
    (next: T) => {
      kept.set(key, next)
      setValue(next)
    },
    [kept, key],
  )
  return [value, set]
}

/**
 * The time, for what counts up or down: it is read again every second, or as often as asked. It stands still while
 * `running` is false.
 */
export function useNow(running: boolean, every = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [running, every])
  return now
}

/** A window with one column. The style sheets ask for the same width. */
export const NARROW = '(width < 45rem)'

/** Whether the window fits a media query. The component is drawn again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
