/** What a person does counts so long for the browser as the reason of what follows. */
const ACTIVE_MS = 5_000
/** A key press moves the focus at once. */
const TAB_MS = 100
/** A pointer that goes into a frame was last seen this near to it, in pixels. */
const NEAR = 160
/** One that takes the focus more often than this is cut off: what is typed meanwhile goes to it. */
const MOST_TAKEN = 3

/** What the page knows of its person when a frame has got the focus. Times are in ms. */
export interface FocusSigns {
  now: number
  /** When the person last pressed a key or a button in the page itself, and when that key was Tab. */
  acted: number
  tabbed: number
  /** When the pointer last moved in the page, and how far from the frame that was. Inside of a frame it is not seen. */
  moved: number
  distance: number
  /** Whether the browser has seen the person act a moment ago, in the page or in one of its frames. */
  active: boolean
}

/**
 * Whether a person has put the focus into a frame: by Tab, or by a press in it. The page does not see a press in a frame, only
 * that there was one somewhere: it was in the frame when the pointer has gone there since the last key or press in the page, or
 * when the page has seen none for so long that the browser would have forgotten it.
 */
export function isPersons({ now, acted, tabbed, moved, distance, active }: FocusSigns): boolean {
  if (now - tabbed < TAB_MS) return true
  if (!active) return false
  return (moved > acted && distance <= NEAR) || now - acted > ACTIVE_MS
}

/**
 * Gives the focus back that a frame has taken without the person, to what had it before. `onTaken` is told when it does so again
 * and again. The returned function ends it.
 */
export function guardFocus(frame: HTMLIFrameElement, onTaken: () => void): () => void {
  let before: Element | null = document.activeElement
  // What was done before the frame came is not known, and counts as done just now.
  let acted = performance.now()
  let tabbed = Number.NEGATIVE_INFINITY
  let moved = Number.NEGATIVE_INFINITY
  let distance = Number.POSITIVE_INFINITY
  let taken = 0
  const ended = new AbortController()
  const { signal } = ended
  const listen = { capture: true, signal }

  const look = () => {
    if (document.activeElement !== frame) return
    const active = navigator.userActivation?.isActive ?? true
    if (isPersons({ now: performance.now(), acted, tabbed, moved, distance, active })) {
      before = frame
      return
    }
    taken++
    if (before !== frame && before?.isConnected && before !== document.body) {
      ;(before as HTMLElement).focus({ preventScroll: true })
    } else frame.blur()
    // The keys go to the window whose document has the focus.
    window.focus()
    if (taken >= MOST_TAKEN) onTaken()
  }
  document.addEventListener(
    'keydown',
    ({ key }) => {
      acted = performance.now()
      if (key === 'Tab') tabbed = acted
    },
    listen,
  )
  const press = () => {
    acted = performance.now()
  }
  document.addEventListener('pointerdown', press, listen)
  document.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      moved = performance.now()
      const { left, right, top, bottom } = frame.getBoundingClientRect()
      distance = Math.hypot(Math.max(left - clientX, clientX - right, 0), Math.max(top - clientY, clientY - bottom, 0))
    },
    { ...listen, passive: true },
  )
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target === frame) look()
      else before = target as Element
    },
    listen,
  )
  // The frame of another process is the active element a moment after the window has lost the focus.
  window.addEventListener('blur', () => setTimeout(look), { signal })
  return () => ended.abort()
}
