import { DateTimeInput as KitDateTimeInput } from '../../kit/date-time-input.tsx'
import { InputField, useReport } from './input-field.tsx'
import { given } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function DateTimeInput({ node }: A2uiRendererProps) {
  const report = useReport(node)
  const { enableDate, enableTime } = node.props
  return (
    <InputField node={node} kind="date">
      {control => (
        <KitDateTimeInput
          {...control}
          kind={enableTime === true ? (enableDate === true ? 'datetime-local' : 'time') : 'date'}
          value={given(node, 'value')}
          min={given(node, 'min')}
          max={given(node, 'max')}
          onChange={event => report.input(event.target.value)}
          onBlur={event => report.left(event.target.value)}
        />
      )}
    </InputField>
  )
}
