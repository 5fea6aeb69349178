import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, useId, useRef } from 'react'

/** A button with a native popover of further buttons. */
export function Menu(props: {
  label: string
  icon?: ReactNode
  children: (close: (then: () => void) => void) => ReactNode
}) {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = (then: () => void) => {
    popover.current?.hidePopover()
    then()
  }
  const place = () => {
    const box = button.current?.getBoundingClientRect()
    const menu = popover.current
    if (!box || !menu) return
    menu.style.insetBlockStart = `${Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8)}px`
    menu.style.insetInlineStart = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="v-button v-quiet v-icon v-menu-button"
        popoverTarget={id}
        aria-label={props.label}
        title={props.label}
      >
        {props.icon ?? <Ellipsis aria-hidden />}
      </button>
      <div ref={popover} id={id} popover="auto" className="v-menu" onToggle={place}>
        {props.children(close)}
      </div>
    </>
  )
}
