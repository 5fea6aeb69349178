import { useI18n } from '../../i18n/i18n.tsx'
import { Field, useReport } from './field.tsx'
import { finite } from './props.ts'
import type { RendererProps } from './view.ts'

export function Slider({ node }: RendererProps) {
  const { number } = useI18n()
  const report = useReport(node)
  const min = finite(node.props.min, 0)
  const max = Math.max(min, finite(node.props.max, 100))
  const step = finite(node.props.step, 0)
  const value = Math.min(max, Math.max(min, finite(node.props.value, min)))
  return (
    <Field node={node} kind="slider" aside={<output className="v-a2-value">{number(value)}</output>}>
      {control => (
        <input
          {...control}
          type="range"
          min={min}
          max={max}
          step={step > 0 ? step : max - min <= 1 ? 'any' : 1}
          value={value}
          aria-valuetext={number(value)}
          onChange={event => report.choose(Number(event.target.value))}
        />
      )}
    </Field>
  )
}
