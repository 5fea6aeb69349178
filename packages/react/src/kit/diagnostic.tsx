import type { ReactNode } from 'react'
import { visibleText } from '../visible.tsx'
import { Icon } from './icon.tsx'
import { TriangleAlert } from './icons.ts'

interface Props {
  /** More about it, shown on hover. */
  detail?: string | undefined
  children: ReactNode
}

/** Small and visible: people see that something is not there, and what to tell whoever made it. */
export function Diagnostic({ detail, children }: Props) {
  return (
    <span className="v-diagnostic" role="note" title={detail === undefined ? undefined : visibleText(detail)}>
      <Icon of={TriangleAlert} />
      <span>{children}</span>
    </span>
  )
}
