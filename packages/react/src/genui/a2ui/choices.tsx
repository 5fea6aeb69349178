import { valueText } from '@vitrine/genui/a2ui'
import { searchTest } from '@vitrine/protocol'
import { useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Checkbox as KitCheckbox } from '../../kit/checkbox.tsx'
import { Choices } from '../../kit/choices.tsx'
import { Select as KitSelect } from '../../kit/select.tsx'
import { TextInput } from '../../kit/text-input.tsx'
import { InputField, useReport } from './input-field.tsx'
import { options, shown, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function Checkbox({ node }: A2uiRendererProps) {
  const report = useReport(node)
  return (
    <InputField node={node} kind="checkbox" ownLabel>
      {(control, label) => (
        <KitCheckbox
          {...control}
          label={label}
          checked={node.props.value === true || node.props.value === 'true'}
          onCheck={report.choose}
        />
      )}
    </InputField>
  )
}

export function Select({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const report = useReport(node)
  const known = options(node.props.options)
  const raw = node.props.value
  const value = valueText(Array.isArray(raw) ? raw[0] : raw)
  return (
    <InputField node={node} kind="select">
      {control => (
        <KitSelect
          {...control}
          options={known}
          chosen={known.findIndex(option => valueText(option.value) === value)}
          empty={shown(value) || text(node, 'placeholder') || t('kit.choose')}
          onChoose={index => {
            const chosen = known[index]
            if (chosen) report.choose(Array.isArray(raw) ? [chosen.value] : chosen.value)
          }}
        />
      )}
    </InputField>
  )
}

export function ChoicePicker({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const report = useReport(node)
  const [filter, setFilter] = useState('')
  const known = options(node.props.options)
  const several = node.props.variant === 'multipleSelection'
  const raw = node.props.value
  const chosen = (Array.isArray(raw) ? raw : raw == null || raw === '' ? [] : [raw]).map(valueText)
  const hasAll = searchTest(filter)
  const found = known.filter(({ label }) => hasAll(label))
  const toggle = (value: string) => {
    const next = several
      ? known.map(option => valueText(option.value)).filter(one => (one === value) !== chosen.includes(one))
      : [value]
    report.choose(next)
  }
  return (
    <InputField node={node} kind="choices" group>
      {({ disabled }) => (
        <>
          {node.props.filterable === true && (
            <TextInput
              type="search"
              value={filter}
              disabled={disabled}
              placeholder={t('a2ui.filter')}
              aria-label={t('a2ui.filter')}
              onChange={event => setFilter(event.target.value)}
            />
          )}
          <Choices
            choices={found}
            chosen={found.flatMap(({ value }, index) => (chosen.includes(valueText(value)) ? [index] : []))}
            multiple={several}
            look={node.props.displayStyle === 'chips' ? 'chips' : 'list'}
            disabled={disabled}
            onChoose={index => toggle(valueText(found[index]!.value))}
          />
          <p className={found.length === 0 ? 'v-note' : 'v-unseen'} role="status">
            {filter.trim() !== '' && t('a2ui.found', { count: found.length })}
          </p>
        </>
      )}
    </InputField>
  )
}
