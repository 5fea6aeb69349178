import type { Problem } from '@vitrine/protocol'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { visible } from './visible.tsx'

/** What happened, what to do next, and the buttons that do it. */
export function ProblemNote(props: { title: string; problem?: Problem | null; children?: ReactNode }) {
  const { title, problem, children } = props
  return (
    <div className="v-problem" role="alert">
      <CircleAlert aria-hidden />
      <div>
        <p className="v-problem-title">{title}</p>
        {problem && <p>{visible(problem.detail || problem.title)}</p>}
        {problem?.next && <p>{visible(problem.next)}</p>}
        {children && <div className="v-actions">{children}</div>}
      </div>
    </div>
  )
}
