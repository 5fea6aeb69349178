import { createContext } from 'react'

/** The request that is open in a sheet, if one is. */
export const OpenedRequest = createContext<string | null>(null)

/** A card can take the focus once the list has measured its row. */
const FRAMES = 30

/** Gives the focus to the safe choice of a request, at once when it is there. */
export function focusRequest(actionId: string, left = FRAMES): void {
  const row = document.querySelector(`[data-request="${CSS.escape(actionId)}"]`)
  const safe = row?.querySelector<HTMLElement>('button[data-safe], [data-safe] :is(input, textarea, select)')
  safe?.focus({ preventScroll: true })
  if ((!safe || document.activeElement !== safe) && left > 0) {
    requestAnimationFrame(() => focusRequest(actionId, left - 1))
  }
}

/** The request that has the focus. */
export const focusedRequest = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-request]')?.dataset.request
