import type { ComponentProps, ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { withClass } from './with-class.ts'

interface BarProps {
  label: string
  /** Left out while it is not known how far it is. */
  value?: number | undefined
  max?: number
}

/** How far something is, as a bar alone. Its name is read out. */
export function ProgressBar({ label, value, max = 1 }: BarProps) {
  return <progress className="v-progress" aria-label={label} max={max} {...(value !== undefined && { value })} />
}

type Props = BarProps &
  Omit<ComponentProps<'div'>, 'children'> & {
    /** The words above the bar. */
    caption: ReactNode
    /** How far it is, in words or as a number. */
    text?: ReactNode
    tone?: Tone
  }

/** A bar with its words above it. */
export function Progress({ label, value, max, caption, text, tone = 'accent', className, ...rest }: Props) {
  return (
    <div {...rest} className={withClass('v-progress-field', className)} data-tone={tone}>
      <span className="v-field-label" dir="auto">
        {caption}
      </span>
      <span className="v-progress-text">{text}</span>
      <ProgressBar label={label} value={value} {...(max !== undefined && { max })} />
    </div>
  )
}
