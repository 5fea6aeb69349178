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

/** The state of the entry of the browser's history that is open. */
let given: unknown = history.state

/** Goes to a path. `state` says where in it, and is there again after a reload. */
export function navigate(path: string, state: unknown = null): void {
  const href = hrefOf(path)
  if (href === location.pathname + location.search) {
    if (state === null) return
    history.replaceState(state, '', href)
  } else history.pushState(state, '', href)
  given = history.state
  for (const listener of listeners) listener()
}

/** The browser makes a copy of the state for each entry of its history. The same state again is no new wish. */
function currentState(): unknown {
  if (JSON.stringify(given) !== JSON.stringify(history.state)) given = history.state
  return given
}

/** What was given with the path that is open. */
export const useHistoryState = (): unknown => useSyncExternalStore(subscribe, currentState)

/** Changes the address of what is open, without a step to go back to. */
export function readdress(path: string): void {
  history.replaceState(history.state, '', hrefOf(path))
  for (const listener of listeners) listener()
}

/** What the address says behind the path. */
export const useQuery = (): string => useSyncExternalStore(subscribe, () => location.search)

/** The path of the page below the one at which the workbench is mounted. */
export const currentPath = (): string => location.pathname.slice(base.length - 1)

export const usePath = (): string => useSyncExternalStore(subscribe, currentPath)
