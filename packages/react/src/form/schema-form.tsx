import { own } from '@vitrine/protocol'
import { useId } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { visible, visibleText } from '../visible.tsx'
import {
  type Field,
  type FieldError,
  type FieldErrors,
  type FieldInput,
  type Inputs,
  inputOf,
} from './schema-fields.ts'

interface Props {
  fields: readonly Field[]
  inputs: Inputs
  errors: FieldErrors
  disabled: boolean
  onChange: (inputs: Inputs) => void
}

/** The controls of a form from JSON Schema. The caller owns what was typed and sends it. */
export function SchemaForm({ fields, inputs, errors, disabled, onChange }: Props) {
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
        />
      ))}
    </div>
  )
}

const inputTypes: Record<string, string> = {
  email: 'email',
  uri: 'url',
  url: 'url',
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
}

interface ControlProps {
  field: Field
  input: FieldInput
  error: FieldError | undefined
  disabled: boolean
  onChange: (input: FieldInput) => void
}

function Control({ field, input, error, disabled, onChange }: ControlProps) {
  const { t } = useI18n()
  const id = useId()
  const label = field.label || t('form.answer')
  const about = [field.help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const common = { id, disabled, 'aria-invalid': error ? true : undefined, 'aria-describedby': about }
  const text = typeof input === 'string' ? input : ''
  const notes = (
    <>
      {field.help && (
        <p id={`${id}-help`} className="v-field-help">
          {visible(field.help)}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="v-field-error">
          {t(error.key, error.vars)}
        </p>
      )}
    </>
  )
  if (field.kind === 'boolean') {
    return (
      <div className="v-field">
        <label className="v-check">
          <input {...common} type="checkbox" checked={input === true} onChange={e => onChange(e.target.checked)} />
          {visible(label)}
        </label>
        {notes}
      </div>
    )
  }
  if (field.kind === 'some-of') {
    const ticked = typeof input === 'object' ? input : []
    const toggle = (at: number) =>
      onChange(ticked.includes(at) ? ticked.filter(other => other !== at) : [...ticked, at].sort((a, b) => a - b))
    return (
      <fieldset className="v-field" disabled={disabled} aria-describedby={about}>
        <legend className="v-field-label">{labelled(label, field, t('form.optional'))}</legend>
        {field.options.map((option, at) => (
          <label key={option.label} className="v-check">
            <input type="checkbox" checked={ticked.includes(at)} onChange={() => toggle(at)} />
            {visible(option.label)}
          </label>
        ))}
        {notes}
      </fieldset>
    )
  }
  return (
    <div className="v-field">
      <label htmlFor={id} className="v-field-label">
        {labelled(label, field, t('form.optional'))}
      </label>
      {field.kind === 'one-of' ? (
        <select {...common} className="v-input" value={text} onChange={e => onChange(e.target.value)}>
          <option value="">{t('form.choose')}</option>
          {field.options.map((option, at) => (
            <option key={option.label} value={at}>
              {visibleText(option.label)}
            </option>
          ))}
        </select>
      ) : field.kind === 'lines' || field.kind === 'json' ? (
        <textarea
          {...common}
          className={`v-input ${field.kind === 'json' ? 'v-mono' : ''}`}
          rows={4}
          value={text}
          onChange={e => onChange(e.target.value)}
        />
      ) : (
        <input
          {...common}
          className="v-input"
          type={field.kind === 'text' ? (own(inputTypes, field.format ?? '') ?? 'text') : 'text'}
          inputMode={field.kind === 'integer' ? 'numeric' : field.kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          value={text}
          onChange={e => onChange(e.target.value)}
        />
      )}
      {notes}
    </div>
  )
}

const labelled = (label: string, field: Field, optional: string) => (
  <>
    {visible(label)}
    {!field.required && <span className="v-field-optional"> {optional}</span>}
  </>
)
