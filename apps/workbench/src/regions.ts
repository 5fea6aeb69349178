const regions = ['.w-side', '.w-head', '.v-scroller', '[data-composer]', '.w-dock-case']
const focusable = 'a[href], button:not(:disabled), textarea:not(:disabled), input:not(:disabled), [tabindex="0"]'

/**
 * Moves the focus to the next region of the page: side bar, head, conversation, composer, dock. False after the last one:
 * then the key belongs to the browser again, which goes to its own bars.
 */
export function walkRegions(back: boolean): boolean {
  const places = regions.flatMap(selector => document.querySelector<HTMLElement>(selector) ?? [])
  const at = places.findLastIndex(place => place.contains(document.activeElement))
  const next = places[at < 0 ? (back ? places.length - 1 : 0) : at + (back ? -1 : 1)]
  if (!next) return false
  const target = next.matches(focusable) ? next : next.querySelector<HTMLElement>(focusable)
  target?.focus()
  return target !== undefined && target !== null
}
