import { type ChangeEvent, type ComponentProps, type FocusEvent, useRef } from 'react'
import { type DateTimeKind, fromInput, toInput } from './date-time.ts'
import { TextInput } from './text-input.tsx'

type Props = Omit<ComponentProps<typeof TextInput>, 'type' | 'value' | 'min' | 'max' | 'onChange' | 'onBlur'> & {
  kind: DateTimeKind
  /** ISO 8601; what is no date of this kind is shown as no date. */
  value: string
  min?: string
  max?: string
  /** ISO 8601, in the zone that the value had. */
  onPick: (value: string) => void
  /** The person left it, with this value. */
  onLeave?: (value: string) => void
}

/** A date, a time or both. */
export function DateTimeInput({ kind, value, min = '', max = '', onPick, onLeave, ...rest }: Props) {
  // The form of the value outlives an input that was emptied.
  const form = useRef(value)
  if (value !== '') form.current = value
  const picked = (event: ChangeEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>) =>
    fromInput(event.target.value, kind, form.current)
  return (
    <TextInput
      {...rest}
      type={kind}
      value={toInput(value, kind)}
      min={toInput(min, kind) || undefined}
      max={toInput(max, kind) || undefined}
      onChange={event => onPick(picked(event))}
      onBlur={event => onLeave?.(picked(event))}
    />
  )
}
