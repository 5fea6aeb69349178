import { type ReactNode, useState } from 'react'
import { Icon } from './icon.tsx'
import { ChevronRight } from './icons.ts'
import { withClass } from './with-class.ts'

interface Props {
  summary: ReactNode
  className?: string | undefined
  /** Whether it is open, when somebody else keeps that. */
  open?: boolean
  onToggle?: (open: boolean) => void
  children: () => ReactNode
}

/** A line that opens. What is in it exists only while it is open. */
export function Disclosure({ summary, className, open, onToggle, children }: Props) {
  const [own, setOwn] = useState(false)
  const isOpen = open ?? own
  return (
    <details className={withClass('v-disclosure', className)} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by itself, keys included. */}
      <summary
        onClick={event => {
          // The element would toggle itself as well, and React's state would lag behind it.
          event.preventDefault()
          setOwn(!isOpen)
          onToggle?.(!isOpen)
        }}
      >
        <Icon of={ChevronRight} className="v-chevron" />
        {summary}
      </summary>
      {isOpen && <div className="v-disclosure-body">{children()}</div>}
    </details>
  )
}
