import { createContext, type KeyboardEvent, type ReactNode, use, useId, useRef } from 'react'
import { Icon, type IconData } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { Ellipsis } from './icons.ts'

const CloseContext = createContext<() => void>(() => {})

/** A button that opens a list of further things to do. Arrow keys walk it, Escape closes it. */
export function Menu(props: { label: string; icon?: IconData; children: ReactNode }) {
  const { label, icon = Ellipsis, children } = props
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const place = () => {
    const box = button.current?.getBoundingClientRect()
    const menu = popover.current
    if (!box || !menu) return
    const start = getComputedStyle(menu).direction === 'rtl' ? box.right - menu.offsetWidth : box.left
    menu.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8))}px`
    menu.style.left = `${Math.max(8, Math.min(start, innerWidth - menu.offsetWidth - 8))}px`
  }
  return (
    <>
      <IconButton ref={button} className="v-menu-button" popoverTarget={id} icon={icon} label={label} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus; it only hears their keys. */}
      <div ref={popover} id={id} popover="auto" className="v-menu" onToggle={place} onKeyDown={walk}>
        <CloseContext value={() => popover.current?.hidePopover()}>{children}</CloseContext>
      </div>
    </>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items[(at + step + items.length) % items.length]?.focus()
}

interface ItemProps {
  icon?: IconData
  danger?: boolean
  disabled?: boolean
  onChoose: () => void
  children: ReactNode
}

/** One thing to do from a menu, which closes first. */
export function MenuItem({ icon, danger, disabled, onChoose, children }: ItemProps) {
  const close = use(CloseContext)
  return (
    <button
      type="button"
      className={danger ? 'v-danger' : undefined}
      disabled={disabled}
      onClick={() => {
        close()
        onChoose()
      }}
    >
      {icon && <Icon of={icon} />}
      {children}
    </button>
  )
}
