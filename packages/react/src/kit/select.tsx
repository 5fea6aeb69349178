import type { ComponentProps } from 'react'
import { withClass } from './with-class.ts'

type Props = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  options: readonly { label: string }[]
  /** The place of the chosen option; -1 for none. */
  chosen: number
  /** The words for no choice, shown while nothing is chosen. */
  empty?: string
  /** What was chosen can be taken back: the option for no choice stays. */
  clearable?: boolean
  /** -1 when the choice was taken back. */
  onChoose: (index: number) => void
}

/** One of several options, from a list that opens. Options are told apart by their place: values may repeat. */
export function Select({ options, chosen, empty, clearable = false, onChoose, className, ...rest }: Props) {
  const known = chosen >= 0 && chosen < options.length
  return (
    <select
      {...rest}
      className={withClass('v-input', className)}
      value={known ? chosen : -1}
      onChange={event => onChoose(Number(event.target.value))}
    >
      {(clearable || !known) && (
        <option value={-1} disabled={!clearable}>
          {empty}
        </option>
      )}
      {options.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options have no other identity than their place.
        <option key={index} value={index}>
          {label}
        </option>
      ))}
    </select>
  )
}
