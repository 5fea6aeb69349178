import { useSyncExternalStore } from 'react'
import { base } from './base.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

/** The address of a path of ours. Paths do not know where the page is mounted. */
export const hrefOf = (path: string): string => base + path.slice(1)

export function navigate(path: string): void {
  const href = hrefOf(path)
  if (href === location.pathname) return
  history.pushState(null, '', href)
  for (const listener of listeners) listener()
}

/** The path of the page's address. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname.slice(base.length - 1))
