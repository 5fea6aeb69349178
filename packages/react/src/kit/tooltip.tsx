import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keysFromAria } from '../shortcuts.ts'
import { visible } from '../visible.tsx'
import { Shortcut } from './keys.tsx'

const AFTER = 500
const GAP = 6
const EDGE = 8
/** Buttons that show an icon alone, and say their name. */
const NAMED = ':is(.v-icon-button, .v-copy, .v-send, .v-stop)[aria-label]'

/**
 * Shows the name and the key of the icon button that somebody points at or has reached by key, after half a second. One
 * for the whole page; it is not read out, because the button itself says its name.
 */
export function Tooltips() {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let over: Element | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      over = null
      clearTimeout(timer)
      setAnchor(null)
    }
    const reach = (button: Element | null) => {
      if (button === over) return
      leave()
      over = button
      if (button) timer = setTimeout(setAnchor, AFTER, button)
    }
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Element
      // Who points at the tip itself may read it as long as they like.
      if (event.pointerType !== 'touch' && !tip.current?.contains(target)) reach(target.closest(NAMED))
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(`${NAMED}:focus-visible`)) reach(target)
    }
    const onPress = () => {
      const pressed = over
      leave()
      over = pressed
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && leave()
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', leave)
    document.addEventListener('keydown', onKey)
    document.addEventListener('scroll', leave, { capture: true, passive: true })
    return () => {
      leave()
      document.removeEventListener('pointerover', onPointer)
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', leave)
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('scroll', leave, { capture: true })
    }
  }, [])
  useLayoutEffect(() => {
    const element = tip.current
    if (!element || !anchor?.isConnected) return
    // Shown anew each time, so that it is above a dialog that was opened later.
    element.showPopover()
    const box = anchor.getBoundingClientRect()
    const below = box.bottom + GAP + element.offsetHeight <= innerHeight - EDGE
    const left = box.left + box.width / 2 - element.offsetWidth / 2
    element.style.top = `${below ? box.bottom + GAP : box.top - GAP - element.offsetHeight}px`
    element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - element.offsetWidth - EDGE))}px`
  }, [anchor])
  if (!anchor) return null
  const keys = anchor.getAttribute('aria-keyshortcuts')
  return (
    <div ref={tip} popover="manual" className="v-tooltip" aria-hidden>
      {visible(anchor.getAttribute('data-tip') ?? anchor.getAttribute('aria-label') ?? '')}
      {keys && <Shortcut keys={keysFromAria(keys)} />}
    </div>
  )
}
