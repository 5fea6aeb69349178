import { Icon, type IconData } from './icon.tsx'
import { CircleAlert, CircleDashed, CircleMinus, Pause } from './icons.ts'

/** How something stands: at rest, at work, in need of a person, failed, well, stopped, blocked, new, or not known. */
export type StatusTone = 'idle' | 'busy' | 'attention' | 'danger' | 'good' | 'stopped' | 'blocked' | 'new' | 'unknown'

/** The other marks are drawn by the style sheet. */
const icons: Partial<Record<StatusTone, IconData>> = {
  danger: CircleAlert,
  stopped: Pause,
  blocked: CircleMinus,
  unknown: CircleDashed,
}

/** A mark that never speaks by colour alone: its shape differs, and its word is read out or stands beside it. */
export function StatusDot({ tone, label }: { tone: StatusTone; label?: string }) {
  const icon = icons[tone]
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label, title: label }
  return (
    <span className={`v-dot v-dot-${tone}`} {...said}>
      {icon && <Icon of={icon} />}
    </span>
  )
}
