import { useI18n } from '../../i18n/i18n.tsx'
import { Badge as KitBadge } from '../../kit/badge.tsx'
import { Progress } from '../../kit/progress.tsx'
import { accessibilityOf, finite, frame, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function ProgressBar({ node }: A2uiRendererProps) {
  const { t, number } = useI18n()
  const max = Math.max(finite(node.props.max, 100), Number.MIN_VALUE)
  const known = node.props.value !== undefined && node.props.value !== null
  const value = Math.min(max, Math.max(0, finite(node.props.value, 0)))
  const label = text(node, 'label')
  const { 'aria-label': _, ...attributes } = frame(node, 'v-a2-bends v-a2-progress')
  return (
    <Progress
      {...attributes}
      label={accessibilityOf(node).label ?? (label || t('kit.progress'))}
      caption={label}
      text={known ? `${number(Math.round((value / max) * 100))} %` : t('a2ui.working')}
      max={max}
      value={known ? value : undefined}
    />
  )
}

export function Badge({ node }: A2uiRendererProps) {
  const tone = oneOf(node.props.tone, 'default', 'success', 'warning', 'danger')
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-badge')
  return (
    <KitBadge {...attributes} tone={tone === 'default' ? 'plain' : tone}>
      {label === undefined ? (
        text(node, 'text')
      ) : (
        <>
          <span aria-hidden>{text(node, 'text')}</span>
          <span className="v-unseen">{label}</span>
        </>
      )}
    </KitBadge>
  )
}
