import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { useKept } from './context.tsx'

interface Props {
  /** Under this name the choice of the person is kept while the row is out of sight. */
  id: string
  /** Whether it is open as long as the person has not decided. */
  open?: boolean
  className?: string
  summary: ReactNode
  children: () => ReactNode
}

/** Native details whose content exists only while open. */
export function Disclosure({ id, open: automatic = false, className = '', summary, children }: Props) {
  const [chosen, choose] = useKept<boolean | null>(`open:${id}`, null)
  const open = chosen ?? automatic
  return (
    <details className={`v-disclosure ${className}`} open={open}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by itself, keys included. */}
      <summary
        onClick={event => {
          // The element would toggle itself as well, and React's state would lag behind it.
          event.preventDefault()
          choose(!open)
        }}
      >
        <ChevronRight className="v-chevron" aria-hidden />
        {summary}
      </summary>
      {open && <div className="v-disclosure-body">{children()}</div>}
    </details>
  )
}
