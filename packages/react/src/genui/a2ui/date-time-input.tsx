import { toInput } from './date-time.ts'
import { Field, useReport } from './field.tsx'
import { given } from './props.ts'
import type { RendererProps } from './view.ts'

export function DateTimeInput({ node }: RendererProps) {
  const report = useReport(node)
  const { enableDate, enableTime } = node.props
  const kind = enableTime === true ? (enableDate === true ? 'datetime-local' : 'time') : 'date'
  const bound = (key: string) => toInput(given(node, key), kind) || undefined
  return (
    <Field node={node} kind="date">
      {control => (
        <input
          {...control}
          type={kind}
          className="v-input"
          value={toInput(given(node, 'value'), kind)}
          min={bound('min')}
          max={bound('max')}
          onChange={event => report.input(event.target.value)}
          onBlur={event => report.left(event.target.value)}
        />
      )}
    </Field>
  )
}
