/** How something stands: at rest, at work, in need of a person, failed, well, stopped, or not known. */
export type StatusTone = 'idle' | 'busy' | 'attention' | 'danger' | 'good' | 'stopped' | 'unknown'

/** A dot that never speaks by colour alone: its shape differs, and its word is read out or stands beside it. */
export function StatusDot({ tone, label }: { tone: StatusTone; label?: string }) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label, title: label }
  return <span className={`v-dot v-dot-${tone}`} {...said} />
}
