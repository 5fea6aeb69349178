import { own } from '@vitrine/protocol'
import { useI18n } from '../i18n/i18n.tsx'
import { Checkbox } from '../kit/checkbox.tsx'
import { Choices } from '../kit/choices.tsx'
import type { DateTimeKind } from '../kit/date-time.ts'
import { DateTimeInput } from '../kit/date-time-input.tsx'
import { Field } from '../kit/field.tsx'
import { Select } from '../kit/select.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { visible, visibleText } from '../visible.tsx'
import {
  type FieldError,
  type FieldErrors,
  type FieldInput,
  type FormField,
  type Inputs,
  inputOf,
} from './schema-fields.ts'

interface Props {
  fields: readonly FormField[]
  inputs: Inputs
  errors: FieldErrors
  disabled: boolean
  onChange: (inputs: Inputs) => void
  /** The person has left a field. */
  onLeave?: (field: FormField) => void
}

/** The controls of a form from JSON Schema. The caller owns what was typed and sends it. */
export function SchemaForm({ fields, inputs, errors, disabled, onChange, onLeave }: Props) {
  return (
    <div className="v-form">
      {fields.map(field => (
        <Control
          key={field.name}
          field={field}
          input={inputOf(field, inputs)}
          error={errors.get(field.name)}
          disabled={disabled}
          onChange={input => onChange({ ...inputs, [field.name]: input })}
          onLeave={() => onLeave?.(field)}
        />
      ))}
    </div>
  )
}

const inputTypes: Record<string, string> = { email: 'email', uri: 'url', url: 'url', password: 'password' }
const dateTypes: Record<string, DateTimeKind> = { date: 'date', time: 'time', 'date-time': 'datetime-local' }

/** Kinds whose values are short: two of them share a line where there is room. */
const SHORT: ReadonlySet<FormField['kind']> = new Set(['one-of', 'number', 'integer'])

interface ControlProps {
  field: FormField
  input: FieldInput
  error: FieldError | undefined
  disabled: boolean
  onChange: (input: FieldInput) => void
  onLeave: () => void
}

function Control({ field, input, error, disabled, onChange, onLeave }: ControlProps) {
  const { t } = useI18n()
  const { kind, format, options } = field
  const label = visible(field.label || t('form.answer'))
  const text = typeof input === 'string' ? input : ''
  const ticked = typeof input === 'object' ? input : []
  const group = kind === 'some-of'
  const date = kind === 'text' && format !== null ? own(dateTypes, format) : undefined
  return (
    <Field
      className={date || SHORT.has(kind) ? 'v-short' : undefined}
      {...(kind !== 'boolean' && { label, optional: !field.required })}
      {...(group && { group, disabled })}
      help={field.help && visible(field.help)}
      onBlur={onLeave}
      error={error && t(error.key, error.vars)}
    >
      {control => {
        const shared = { ...control, disabled }
        const typed = {
          ...shared,
          value: text,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        }
        if (kind === 'boolean')
          return <Checkbox {...shared} label={label} checked={input === true} onCheck={onChange} />
        if (group)
          return (
            <Choices
              multiple
              choices={options.map(option => ({ label: visible(option.label) }))}
              chosen={ticked}
              onChoose={(at, on) =>
                onChange(on ? [...ticked, at].sort((a, b) => a - b) : ticked.filter(other => other !== at))
              }
            />
          )
        if (kind === 'one-of')
          return (
            <Select
              {...shared}
              options={options.map(option => ({ label: visibleText(option.label) }))}
              chosen={text === '' ? -1 : Number(text)}
              empty={t('kit.choose')}
              clearable
              onChoose={at => onChange(at < 0 ? '' : String(at))}
            />
          )
        if (kind === 'lines' || kind === 'json') return <TextArea {...typed} code={kind === 'json'} rows={4} />
        if (date) return <DateTimeInput {...shared} kind={date} value={text} onPick={onChange} />
        return (
          <TextInput
            {...typed}
            type={kind === 'text' ? (own(inputTypes, format ?? '') ?? 'text') : 'text'}
            inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined}
            autoComplete="off"
          />
        )
      }}
    </Field>
  )
}
