import type { SessionHandle } from '@vitrine/client'
import type { PlanStep } from '@vitrine/protocol'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Empty } from '../kit/empty.tsx'
import { ListChecks } from '../kit/icons.ts'
import { StatusDot, type StatusTone } from '../kit/status-dot.tsx'
import { visible } from '../visible.tsx'

const tones: Record<PlanStep['status'], StatusTone> = {
  pending: 'idle',
  active: 'busy',
  done: 'good',
  failed: 'danger',
  skipped: 'unknown',
}
const words: Record<PlanStep['status'], MessageKey> = {
  pending: 'plan.pending',
  active: 'plan.active',
  done: 'plan.done',
  failed: 'plan.failed',
  skipped: 'plan.skipped',
}

/** What the agent set out to do and how far it is, as it said itself. */
export function PlanView({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const plan = useEntity(handle, 'plan', state => state.plan)
  if (plan.steps.length === 0) return <Empty icon={ListChecks} title={t('plan.empty')} text={t('plan.emptyHelp')} />
  const done = plan.steps.filter(step => step.status === 'done').length
  return (
    <div className="v-panel-body">
      {plan.title && <p className="v-panel-title">{visible(plan.title)}</p>}
      <p className="v-note">
        {t('plan.progress', { done, total: plan.steps.length })}
        {!plan.final && ` · ${t('plan.open')}`}
      </p>
      <ol className="v-plan">
        {plan.steps.map(step => (
          <li key={step.id} data-status={step.status} aria-current={step.status === 'active' ? 'step' : undefined}>
            <StatusDot tone={tones[step.status]} label={t(words[step.status])} />
            <div>
              <p>{visible(step.title)}</p>
              {step.detail && <p className="v-note">{visible(step.detail)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
