import { createContext, type KeyboardEvent, type ReactNode, use, useId, useRef } from 'react'
import { ariaKeys } from '../shortcuts.ts'
import { Icon, type IconData } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { Check, ChevronDown, Ellipsis } from './icons.ts'
import { withClass } from './with-class.ts'

const CloseContext = createContext<() => void>(() => {})

interface MenuProps {
  label: string
  icon?: IconData
  /** What is chosen now. The button shows it beside the icon, as one that picks from a list does. */
  text?: string
  /** What is chosen is dangerous. */
  tone?: 'danger' | undefined
  className?: string
  /** The shortcut that opens it. Who acts on the key presses the button. */
  keys?: string
  children: ReactNode
}

/**
 * A button that opens a list of further things to do. The focus goes to the first of them; arrow keys, Home, End and the
 * first letters walk the list, Escape closes it.
 */
export function Menu(props: MenuProps) {
  const { label, icon, text, tone, className, keys, children } = props
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const opened = () => {
    if (!popover.current?.matches(':popover-open')) return
    placeFloat(popover.current, button.current)
    if (popover.current.contains(document.activeElement)) return
    const items = itemsOf(popover.current)
    const start = items.find(item => item.ariaPressed === 'true') ?? items[0]
    start?.focus({ preventScroll: true })
  }
  return (
    <>
      {text === undefined ? (
        <IconButton
          ref={button}
          className={withClass('v-menu-button', className)}
          popoverTarget={id}
          icon={icon ?? Ellipsis}
          label={label}
        />
      ) : (
        <button
          ref={button}
          type="button"
          className={withClass('v-pick', className)}
          popoverTarget={id}
          title={label}
          aria-label={`${label}: ${text}`}
          aria-keyshortcuts={keys && ariaKeys(keys)}
          data-tone={tone}
        >
          {icon && <Icon of={icon} />}
          <span className="v-pick-text">{text}</span>
          <Icon of={ChevronDown} />
        </button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus; it only hears their keys. */}
      <div ref={popover} id={id} popover="auto" className="v-menu" onToggle={opened} onKeyDown={walk}>
        <CloseContext value={() => popover.current?.hidePopover()}>{children}</CloseContext>
      </div>
    </>
  )
}

/** Puts a float below what opened it, or above it where there is no room below. */
export function placeFloat(float: HTMLElement | null, opener: HTMLElement | null): void {
  const box = opener?.getBoundingClientRect()
  if (!box || !float) return
  const { offsetWidth: width, offsetHeight: height } = float
  const start = getComputedStyle(float).direction === 'rtl' ? box.right - width : box.left
  const lowest = innerHeight - height - 8
  const below = box.bottom + 4
  const above = box.top - 4 - height
  const top = below > lowest && above >= 8 ? above : Math.min(below, lowest)
  float.style.top = `${Math.max(8, top)}px`
  float.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`
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
  /** One of several that exclude each other: whether it is chosen. */
  chosen?: boolean
  /** What it means, below its name. */
  detail?: string
  danger?: boolean
  disabled?: boolean
  onChoose: () => void
  children: ReactNode
}

/** One thing to do from a menu, which closes first. */
export function MenuItem({ icon, chosen, detail, danger, disabled, onChoose, children }: ItemProps) {
  const close = use(CloseContext)
  return (
    <button
      type="button"
      className={danger ? 'v-danger' : undefined}
      disabled={disabled}
      aria-pressed={chosen}
      onClick={() => {
        close()
        onChoose()
      }}
    >
      {icon && <Icon of={icon} />}
      {detail === undefined ? (
        children
      ) : (
        <span className="v-menu-words">
          <span>{children}</span>
          <span className="v-menu-detail">{detail}</span>
        </span>
      )}
      {chosen && <Icon of={Check} className="v-menu-check" />}
    </button>
  )
}
