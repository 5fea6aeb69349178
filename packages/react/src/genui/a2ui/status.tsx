import { useI18n } from '../../i18n/i18n.tsx'
import { accessibilityOf, finite, frame, oneOf, text } from './props.ts'
import type { RendererProps } from './view.ts'

export function ProgressBar({ node }: RendererProps) {
  const { t, number } = useI18n()
  const max = Math.max(finite(node.props.max, 100), Number.MIN_VALUE)
  const known = node.props.value !== undefined && node.props.value !== null
  const value = Math.min(max, Math.max(0, finite(node.props.value, 0)))
  const label = text(node, 'label')
  const { 'aria-label': _, ...attributes } = frame(node, 'v-a2-progress')
  return (
    <div {...attributes}>
      <div className="v-a2-caption">
        <span className="v-field-label">{label}</span>
        <span className="v-a2-value">{known ? `${number(Math.round((value / max) * 100))} %` : t('a2ui.working')}</span>
      </div>
      <progress
        className="v-progress"
        aria-label={accessibilityOf(node).label ?? (label || t('a2ui.progress'))}
        max={max}
        {...(known && { value })}
      />
    </div>
  )
}

export function Badge({ node }: RendererProps) {
  const tone = oneOf(node.props.tone, 'default', 'success', 'warning', 'danger')
  const { 'aria-label': label, ...attributes } = frame(node, 'v-badge v-a2-badge')
  return (
    <span {...attributes} data-tone={tone}>
      {label === undefined ? (
        text(node, 'text')
      ) : (
        <>
          <span aria-hidden>{text(node, 'text')}</span>
          <span className="v-unseen">{label}</span>
        </>
      )}
    </span>
  )
}
