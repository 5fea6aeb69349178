import { createContext, type KeyboardEvent, type ReactNode, use, useId, useRef } from 'react'
import { Icon, type IconData } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { Ellipsis } from './icons.ts'

const CloseContext = createContext<() => void>(() => {})

/**
 * A button that opens a list of further things to do. The focus goes to the first of them; arrow keys, Home, End and the
 * first letters walk the list, Escape closes it.
 */
export function Menu(props: { label: string; icon?: IconData; children: ReactNode }) {
  const { label, icon = Ellipsis, children } = props
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const opened = () => {
    if (!popover.current?.matches(':popover-open')) return
    place()
    if (!popover.current.contains(document.activeElement)) itemsOf(popover.current)[0]?.focus({ preventScroll: true })
  }
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
      <div ref={popover} id={id} popover="auto" className="v-menu" onToggle={opened} onKeyDown={walk}>
        <CloseContext value={() => popover.current?.hidePopover()}>{children}</CloseContext>
      </div>
    </>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('button:not(:disabled)')]

function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = itemAfter(
    items.map(item => item.textContent ?? ''),
    at,
    event.key,
  )
  if (next === null) return
  // What is typed in a menu is for the menu alone.
  event.preventDefault()
  event.stopPropagation()
  items[next]?.focus()
}

/** Which item of a menu a key leads to; null when the key is none of a menu. A letter leads to the next word that has it first. */
function itemAfter(words: readonly string[], at: number, key: string): number | null {
  const count = words.length
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if ([...key].length !== 1 || key === ' ') return null
  const order = words.map((_, step) => (at + 1 + step) % count)
  const letter = key.toLocaleLowerCase()
  return order.find(index => words[index]?.trim().toLocaleLowerCase().startsWith(letter)) ?? at
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
