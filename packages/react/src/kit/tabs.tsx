import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { withClass } from './with-class.ts'

interface TabListProps {
  /** The beginning of the ids of tabs and panel: those of a `TabPanel` are the same. */
  id: string
  label?: string | undefined
  titles: readonly ReactNode[]
  active: number
  onChoose: (index: number) => void
}

/** The tabs. Arrow keys, Home and End move and choose at once. */
export function TabList({ id, label, titles, active, onChoose }: TabListProps) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const to = { [forward]: active + 1, [back]: active - 1, Home: 0, End: titles.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + titles.length) % titles.length
    onChoose(next)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div ref={list} role="tablist" className="v-tabs" aria-label={label} onKeyDown={onKeyDown}>
      {titles.map((title, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs have no other identity than their place.
          key={index}
          type="button"
          role="tab"
          id={`${id}-tab-${index}`}
          aria-selected={index === active}
          aria-controls={`${id}-panel`}
          tabIndex={index === active ? 0 : -1}
          onClick={() => onChoose(index)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

interface TabPanelProps {
  id: string
  active: number
  className?: string
  children: ReactNode
}

/** What the chosen tab shows. */
export function TabPanel({ id, active, className, children }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      id={`${id}-panel`}
      className={withClass('v-tab-panel', className)}
      aria-labelledby={`${id}-tab-${active}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must be reachable, to be read and to scroll.
      tabIndex={0}
    >
      {children}
    </div>
  )
}
