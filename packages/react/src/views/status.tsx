import type { Fallback, RunStatus, SessionSummary, Subagent } from '@vitrine/protocol'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import type { StatusTone } from '../kit/status-dot.tsx'

export const runStatusKey = (status: RunStatus): MessageKey => `run.${status}`
const fallbackKey = (why: Fallback): MessageKey => `fallback.${why}`

export const runTone: Record<RunStatus, StatusTone> = {
  submitted: 'busy',
  queued: 'idle',
  routing: 'busy',
  preparing: 'busy',
  streaming: 'busy',
  tool: 'busy',
  waiting: 'attention',
  blocked: 'blocked',
  retrying: 'busy',
  cancelling: 'busy',
  cancelled: 'stopped',
  failed: 'danger',
  completed: 'good',
  interrupted: 'stopped',
  unknown: 'unknown',
}

export const subagentTone: Record<Subagent['state'], StatusTone> = {
  running: 'busy',
  completed: 'good',
  failed: 'danger',
  interrupted: 'stopped',
  unknown: 'unknown',
}

export const sessionTone: Record<SessionSummary['status'], StatusTone> = {
  idle: 'idle',
  running: 'busy',
  waiting: 'busy',
  'needs-input': 'attention',
  failed: 'danger',
  interrupted: 'stopped',
  unknown: 'unknown',
}

/** One of the honest states for what is not known (L8). */
export function Unknown({ why }: { why: Fallback }) {
  const { t } = useI18n()
  return <span className={`v-fallback v-fallback-${why}`}>{t(fallbackKey(why))}</span>
}
