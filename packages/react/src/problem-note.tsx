import type { ReactNode } from 'react'
import { useI18n } from './i18n/i18n.tsx'
import { problemWords, type SaidProblem } from './i18n/reason-words.ts'
import { Icon } from './kit/icon.tsx'
import { CircleAlert } from './kit/icons.ts'
import { visible } from './visible.tsx'

/** Shows a problem: what happened, what to do next, and the buttons that do it. */
export function ProblemNote(props: { title: string; problem?: SaidProblem | null; children?: ReactNode }) {
  const { title, problem, children } = props
  const { t } = useI18n()
  return (
    <div className="v-problem v-lamp" data-lamp="failed" role="alert">
      <Icon of={CircleAlert} />
      <div>
        <p className="v-problem-title">{title}</p>
        {problem && <p>{visible(problemWords(t, problem))}</p>}
        {children && <div className="v-actions">{children}</div>}
      </div>
    </div>
  )
}
