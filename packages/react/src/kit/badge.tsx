import type { ComponentProps } from 'react'
import { Icon, type IconData } from './icon.tsx'
import { withClass } from './with-class.ts'

/** What a colour says. It is always said in words or by a shape as well. */
export type Tone = 'plain' | 'accent' | 'success' | 'warning' | 'danger'

type Props = ComponentProps<'span'> & {
  tone?: Tone
  icon?: IconData
}

/** A word or two about what stands beside it. */
export function Badge({ tone = 'plain', icon, className, children, ...rest }: Props) {
  return (
    <span {...rest} className={withClass('v-badge', className)} data-tone={tone}>
      {icon && <Icon of={icon} />}
      {children}
    </span>
  )
}
