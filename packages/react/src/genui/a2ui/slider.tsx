import { useI18n } from '../../i18n/i18n.tsx'
import { Slider as KitSlider } from '../../kit/slider.tsx'
import { InputField, useReport } from './input-field.tsx'
import { finite } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function Slider({ node }: A2uiRendererProps) {
  const { number } = useI18n()
  const report = useReport(node)
  const min = finite(node.props.min, 0)
  const max = Math.max(min, finite(node.props.max, 100))
  const step = finite(node.props.step, 0)
  const value = Math.min(max, Math.max(min, finite(node.props.value, min)))
  return (
    <InputField node={node} kind="slider">
      {control => (
        <KitSlider
          {...control}
          min={min}
          max={max}
          step={step > 0 ? step : max - min <= 1 ? 'any' : 1}
          value={value}
          text={number(value)}
          onSlide={report.choose}
        />
      )}
    </InputField>
  )
}
