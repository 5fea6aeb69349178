import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export function navigate(path: string): void {
  if (path === location.pathname) return
  history.pushState(null, '', path)
  for (const listener of listeners) listener()
}

/** The path of the page's address. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname)
