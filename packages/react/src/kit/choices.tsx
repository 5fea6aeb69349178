import { type ReactNode, useId } from 'react'
import { withClass } from './with-class.ts'

export interface Choice {
  label: ReactNode
  detail?: ReactNode
  /** Said on hover: what it does, or why it cannot be chosen. */
  hint?: string
  disabled?: boolean
}

interface ChoicesProps {
  choices: readonly Choice[]
  /** The places of what is chosen. */
  chosen: readonly number[]
  multiple?: boolean
  look?: 'list' | 'inline' | 'chips' | 'cards' | 'segments'
  disabled?: boolean
  invalid?: boolean
  onChoose: (index: number, on: boolean) => void
}

/** Above this many choices a list scrolls in a frame of its own. */
const MANY = 12

/** One or several of a few things, all in sight. It stands in a field with a legend, or in a `RadioGroup`. */
export function Choices(props: ChoicesProps) {
  const { choices, chosen, multiple = false, look = 'list', disabled, invalid, onChoose } = props
  const name = useId()
  return (
    <div className="v-choices" data-look={look} data-many={(look === 'list' && choices.length > MANY) || undefined}>
      {choices.map(({ label, detail, hint, disabled: not }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: choices have no other identity than their place.
        <label key={index} className="v-check" title={hint} dir="auto">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(index)}
            disabled={disabled || not}
            aria-invalid={invalid || undefined}
            onChange={event => onChoose(index, event.target.checked)}
          />
          {detail === undefined ? (
            <span>{label}</span>
          ) : (
            <span>
              <span className="v-choice-label">{label}</span>
              <span className="v-choice-detail">{detail}</span>
            </span>
          )}
        </label>
      ))}
    </div>
  )
}

interface RadioGroupProps<T extends string> {
  label: string
  labelHidden?: boolean
  value: T
  options: readonly (Choice & { value: T })[]
  look?: 'inline' | 'segments'
  className?: string
  onChange: (value: T) => void
}

/** A setting of which exactly one value is chosen. */
export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { label, labelHidden, value, options, look = 'inline', className, onChange } = props
  return (
    <fieldset className={withClass('v-radio-group', className)}>
      <legend className={labelHidden ? 'v-unseen' : 'v-field-label'}>{label}</legend>
      <Choices
        choices={options}
        chosen={[options.findIndex(option => option.value === value)]}
        look={look}
        onChoose={index => onChange(options[index]!.value)}
      />
    </fieldset>
  )
}
