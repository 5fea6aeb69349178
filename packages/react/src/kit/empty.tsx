import type { ReactNode } from 'react'
import { Icon, type IconData } from './icon.tsx'

interface Props {
  icon: IconData
  title: string
  text: string
  /** Buttons for what to do first. */
  children?: ReactNode
}

/** A place where nothing is: what would be there, and what to do first. */
export function Empty({ icon, title, text, children }: Props) {
  return (
    <div className="v-empty">
      <span className="v-empty-icon">
        <Icon of={icon} />
      </span>
      <p className="v-empty-title">{title}</p>
      <p>{text}</p>
      {children && <div className="v-actions">{children}</div>}
    </div>
  )
}
