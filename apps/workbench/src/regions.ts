/** Side bar, head, content, composer and dock, each by what it is called on some screen. */
const regions = [
  '.w-side',
  '.w-head',
  '.v-scroller, .v-conversation, .v-new-session, .w-main > .v-empty, .v-search-view, .w-gallery, .w-playground',
  '[data-composer]',
  '.w-dock-case',
]
const focusable = 'a[href], button:not(:disabled), textarea:not(:disabled), input:not(:disabled), [tabindex="0"]'

/**
 * Moves the focus to the next region of the page: side bar, head, content, composer, dock. False after the last one:
 * then the key belongs to the browser again, which goes to its own bars.
 */
export function walkRegions(back: boolean): boolean {
  const places = regions.flatMap(selector => {
    const place = document.querySelector<HTMLElement>(selector)
    const target = place && (place.matches(focusable) ? place : firstIn(place))
    return place && target ? [{ place, target }] : []
  })
  const at = places.findLastIndex(({ place }) => place.contains(document.activeElement))
  const next = places[at < 0 ? (back ? places.length - 1 : 0) : at + (back ? -1 : 1)]
  next?.target.focus()
  return next !== undefined
}

/** The composer of the first screen is a region of its own, inside of the content. */
const firstIn = (place: HTMLElement): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>(focusable)].find(
    element => element.dataset.composer === undefined && element.checkVisibility(),
  )
