import { useI18n } from '../../i18n/i18n.tsx'
import { zoneOf } from '../../kit/date-time.ts'
import { DateTimeInput as KitDateTimeInput } from '../../kit/date-time-input.tsx'
import { InputField, useReport } from './input-field.tsx'
import { given } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function DateTimeInput({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const report = useReport(node)
  const { enableDate, enableTime } = node.props
  const value = given(node, 'value')
  const kind = enableTime === true ? (enableDate === true ? 'datetime-local' : 'time') : 'date'
  // A point in time is shown by the person's own clock, and they are told so.
  const zone = kind !== 'date' && zoneOf(value) ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined
  return (
    <InputField node={node} kind="date" help={zone && t('a2ui.yourTime', { zone })}>
      {control => (
        <KitDateTimeInput
          {...control}
          kind={kind}
          value={value}
          min={given(node, 'min')}
          max={given(node, 'max')}
          onPick={report.input}
          onLeave={report.left}
        />
      )}
    </InputField>
  )
}
