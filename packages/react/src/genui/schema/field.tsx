import { fieldError, initialValue, type ResolvedNode } from '@vitrine/genui/schema'
import { type KeyboardEvent, useId } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { isSecret } from '../../surfaces/typed.ts'
import { visible, visibleText } from '../../visible.tsx'
import { valuesOf } from './form-values.ts'
import { useUi } from './ui-context.ts'
import { useBusy, useField } from './ui-state.ts'

type FieldNode = ResolvedNode<'field'>

const types: Partial<Record<FieldNode['input'], string>> = {
  email: 'email',
  url: 'url',
  tel: 'tel',
  password: 'password',
  date: 'date',
  time: 'time',
  datetime: 'datetime-local',
}

/** Enter in a line sends the form, as everywhere else. */
function sendOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  const button = event.currentTarget
    .closest('.v-ui')
    ?.querySelector<HTMLButtonElement>('button[data-submits]:not(:disabled)')
  button?.click()
}

/** One input with its label, help and error. It is checked when left and when sent; an error goes as soon as it is put right. */
export function Field({ node }: { node: FieldNode }) {
  const { t } = useI18n()
  const { state, locale, readOnly } = useUi()
  const id = useId()
  const placeholder = node.placeholder === undefined ? undefined : visibleText(node.placeholder)
  const entry = useField(state, node.name)
  const busy = useBusy(state)
  const value = entry?.value ?? initialValue(node)
  const error = entry?.error
  const problem = () => fieldError(node, valuesOf([node], state)[node.name], locale)
  const change = (next: unknown) => {
    state.setField(node.name, { value: next })
    if (node.input !== 'password' && !isSecret(`${node.name} ${node.label}`)) state.store(node.name, next)
    if (error !== undefined) state.setField(node.name, { value: next, error: problem() })
  }
  const leave = () => {
    // A field that was only passed is not wrong yet. What the server has said of a value stands until it changes.
    if (entry && value !== '') state.setField(node.name, { value, error: problem() ?? error })
  }
  const off = readOnly || node.disabled === true
  const disabled = off || busy
  // A line that is disabled while it is sent would lose the focus and not get it back.
  const line = { disabled: off, readOnly: busy }
  const about = [node.help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const common = {
    id,
    disabled,
    'data-field': node.name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': about,
    'aria-required': node.required || undefined,
    onBlur: leave,
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const notes = (
    <>
      {node.help && (
        <p id={`${id}-help`} className="v-field-help" dir="auto">
          {visible(node.help)}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="v-field-error" dir="auto">
          {visible(error)}
        </p>
      )}
    </>
  )
  const label = (
    <>
      {visible(node.label)}
      {!node.required && <span className="v-field-optional"> {t('form.optional')}</span>}
    </>
  )
  if (node.input === 'checkbox')
    return (
      <div className="v-field v-ui-field">
        <label className="v-check" dir="auto">
          <input {...common} type="checkbox" checked={value === true} onChange={e => change(e.target.checked)} />
          <span>{visible(node.label)}</span>
        </label>
        {notes}
      </div>
    )
  if (node.input === 'radio' || node.input === 'multiselect') {
    const many = node.input === 'multiselect'
    const chosen: readonly unknown[] = many ? (Array.isArray(value) ? value : []) : [value]
    const choose = (option: unknown, on: boolean) => {
      if (!many) change(option)
      else change(on ? [...chosen, option] : chosen.filter(other => other !== option))
    }
    return (
      <fieldset className="v-field v-ui-field" data-field={node.name} disabled={disabled} aria-describedby={about}>
        <legend className="v-field-label" dir="auto">
          {label}
        </legend>
        <div className="v-ui-options">
          {node.options?.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may repeat.
            <label key={index} className="v-check" dir="auto">
              <input
                type={many ? 'checkbox' : 'radio'}
                name={id}
                checked={chosen.includes(option.value)}
                aria-invalid={error ? true : undefined}
                onChange={e => choose(option.value, e.target.checked)}
              />
              <span>{visible(option.label)}</span>
            </label>
          ))}
        </div>
        {notes}
      </fieldset>
    )
  }
  return (
    <div className="v-field v-ui-field">
      <label htmlFor={id} className="v-field-label" dir="auto">
        {label}
      </label>
      {node.input === 'select' ? (
        <select
          {...common}
          className="v-input"
          value={node.options?.findIndex(option => option.value === value) ?? -1}
          onChange={e => change(node.options?.[Number(e.target.value)]?.value ?? '')}
        >
          <option value={-1}>{placeholder ?? t('form.choose')}</option>
          {node.options?.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may repeat.
            <option key={index} value={index}>
              {visibleText(option.label)}
            </option>
          ))}
        </select>
      ) : node.input === 'multiline' ? (
        <textarea
          {...common}
          {...line}
          className="v-input"
          dir="auto"
          rows={node.rows ?? 4}
          placeholder={placeholder}
          value={text}
          onChange={e => change(e.target.value)}
        />
      ) : node.input === 'slider' ? (
        <div className="v-ui-slider">
          <input
            {...common}
            type="range"
            min={Number(node.min ?? 0)}
            max={Number(node.max ?? 100)}
            step={node.step ?? (Number(node.max ?? 100) - Number(node.min ?? 0) > 1 ? 1 : 0.01)}
            value={text}
            onChange={e => change(Number(e.target.value))}
          />
          {/* The control itself is read out: an output element would say every step again. */}
          <span aria-hidden>{new Intl.NumberFormat(locale).format(Number(text))}</span>
        </div>
      ) : (
        <input
          {...common}
          {...line}
          className="v-input"
          dir="auto"
          type={types[node.input] ?? 'text'}
          inputMode={node.input === 'integer' ? 'numeric' : node.input === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onKeyDown={sendOnEnter}
          onChange={e => change(e.target.value)}
        />
      )}
      {notes}
    </div>
  )
}
