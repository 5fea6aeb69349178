import type { KeyboardEvent } from 'react'
import { isEnter } from '../kit/text-input.tsx'

// The field can stand in the side bar while the hits stand in the case, so the two find each other on the page.
const fieldOf = () => document.querySelector<HTMLElement>('[data-search-field]')
const hitsOf = () => [...document.querySelectorAll<HTMLElement>('.v-hit')]

/** The keys of the field that belongs to the view: the first hit is one key away, and Enter opens it. */
export function searchFieldKey(event: KeyboardEvent<HTMLElement>): boolean {
  const [first] = hitsOf()
  if (event.key === 'ArrowDown' && !event.altKey) first?.focus()
  else if (isEnter(event)) {
    first?.dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: event.ctrlKey || event.metaKey }),
    )
  } else return false
  event.preventDefault()
  return true
}

/** Arrow keys walk the hits, from the field and back to it; Escape goes back to the field. */
export function walkHits(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement
  if (!target.matches('.v-hit') || event.altKey) return
  const hits = hitsOf()
  const at = hits.indexOf(target)
  const goal = {
    ArrowDown: hits[at + 1] ?? target,
    ArrowUp: hits[at - 1] ?? fieldOf(),
    Home: hits[0],
    End: hits.at(-1),
    Escape: fieldOf(),
  }[event.key]
  if (!goal) return
  event.preventDefault()
  event.stopPropagation()
  goal.focus()
}
