import type { ReactNode } from 'react'
import { isMoment, useI18n } from '../i18n/i18n.tsx'

/** A moment in the words of `children`, marked up for machines, with its date on hover. */
export function Time({ at, className, children }: { at: number; className?: string; children: ReactNode }) {
  const { dateTime } = useI18n()
  return (
    <time
      className={className}
      dateTime={isMoment(at) ? new Date(at).toISOString() : undefined}
      title={isMoment(at) ? dateTime(at) : undefined}
    >
      {children}
    </time>
  )
}
