import type { ComponentProps } from 'react'
import { type DateTimeKind, toInput } from './date-time.ts'
import { TextInput } from './text-input.tsx'

type Props = Omit<ComponentProps<typeof TextInput>, 'type' | 'value' | 'min' | 'max'> & {
  kind: DateTimeKind
  /** ISO 8601; what is no date of this kind is shown as no date. */
  value: string
  min?: string
  max?: string
}

/** A date, a time or both. */
export function DateTimeInput({ kind, value, min = '', max = '', ...rest }: Props) {
  return (
    <TextInput
      {...rest}
      type={kind}
      value={toInput(value, kind)}
      min={toInput(min, kind) || undefined}
      max={toInput(max, kind) || undefined}
    />
  )
}
