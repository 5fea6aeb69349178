import type { ComponentProps, ReactNode } from 'react'
import { withClass } from './with-class.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode
  onCheck: (checked: boolean) => void
}

/** A box to tick, with its words beside it. */
export function Checkbox({ label, onCheck, className, ...rest }: Props) {
  return (
    <label className={withClass('v-check', className)} dir="auto">
      <input {...rest} type="checkbox" onChange={event => onCheck(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
