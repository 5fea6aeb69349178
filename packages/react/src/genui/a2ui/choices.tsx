import { toText } from '@vitrine/genui/a2ui'
import { useId, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Field, useReport } from './field.tsx'
import { options, shown, text } from './props.ts'
import type { RendererProps } from './view.ts'

export function Checkbox({ node }: RendererProps) {
  const report = useReport(node)
  return (
    <Field node={node} kind="checkbox" inline>
      {control => (
        <input
          {...control}
          type="checkbox"
          checked={node.props.value === true || node.props.value === 'true'}
          onChange={event => report.choose(event.target.checked)}
        />
      )}
    </Field>
  )
}

export function Select({ node }: RendererProps) {
  const { t } = useI18n()
  const report = useReport(node)
  const known = options(node.props.options)
  const raw = node.props.value
  const value = toText(Array.isArray(raw) ? raw[0] : raw)
  const at = known.findIndex(option => toText(option.value) === value)
  return (
    <Field node={node} kind="select">
      {control => (
        <select
          {...control}
          className="v-input"
          value={at < 0 ? '' : String(at)}
          onChange={event => {
            const chosen = known[Number(event.target.value)]
            if (chosen) report.choose(Array.isArray(raw) ? [chosen.value] : chosen.value)
          }}
        >
          {at < 0 && (
            <option value="" disabled>
              {shown(value) || text(node, 'placeholder') || t('a2ui.choose')}
            </option>
          )}
          {known.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may repeat a value
            <option key={index} value={index}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Above this many options a list scrolls in its own frame. */
const MANY = 12

export function ChoicePicker({ node }: RendererProps) {
  const { t } = useI18n()
  const group = useId()
  const report = useReport(node)
  const [filter, setFilter] = useState('')
  const known = options(node.props.options)
  const several = node.props.variant === 'multipleSelection'
  const chips = node.props.displayStyle === 'chips'
  const raw = node.props.value
  const chosen = (Array.isArray(raw) ? raw : raw == null || raw === '' ? [] : [raw]).map(toText)
  const wanted = filter.trim().toLocaleLowerCase()
  const found = wanted ? known.filter(option => option.label.toLocaleLowerCase().includes(wanted)) : known
  const toggle = (value: string) => {
    const next = several
      ? known.map(option => toText(option.value)).filter(one => (one === value) !== chosen.includes(one))
      : [value]
    report.choose(next)
  }
  return (
    <Field node={node} kind="choices" legend>
      {({ disabled }) => (
        <>
          {node.props.filterable === true && (
            <input
              type="search"
              className="v-input"
              value={filter}
              disabled={disabled}
              placeholder={t('a2ui.filter')}
              aria-label={t('a2ui.filter')}
              onChange={event => setFilter(event.target.value)}
            />
          )}
          <div className={chips ? 'v-a2-chips' : 'v-a2-checks'} data-many={found.length > MANY || undefined}>
            {found.map((option, index) => {
              const value = toText(option.value)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: options may repeat a value
                <label key={`${value}:${index}`} className={chips ? 'v-a2-chip' : 'v-check'}>
                  <input
                    type={several ? 'checkbox' : 'radio'}
                    name={group}
                    checked={chosen.includes(value)}
                    disabled={disabled}
                    onChange={() => toggle(value)}
                  />
                  <span>{option.label}</span>
                </label>
              )
            })}
          </div>
          <p className={found.length === 0 ? 'v-note' : 'v-unseen'} role="status">
            {wanted && t('a2ui.found', { count: found.length })}
          </p>
        </>
      )}
    </Field>
  )
}
