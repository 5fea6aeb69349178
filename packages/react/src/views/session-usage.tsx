import type { SessionHandle } from '@vitrine/client'
import { pendingActions, plusCost, type SessionState, usageOf } from '@vitrine/protocol'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { placeFloat } from '../kit/menu.tsx'
import { SessionUsageDetail } from './session-usage-detail.tsx'

type Usage = Pick<ReturnType<typeof usageOf>, 'tokens' | 'cost'>

/**
 * What the session used so far, or that it waits for the person. Nothing is shown of what nobody counted, or of what is
 * not loaded.
 */
export function SessionUsage({ handle }: { handle: SessionHandle }) {
  const { t, compact, cost } = useI18n()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  useLayoutEffect(() => {
    if (open) placeFloat(detail.current, button.current)
  }, [open])
  // The end of a run is a change of the session, and what the run used is known by then.
  useEntity(handle, 'session', ({ session }) => session.activeRunId)
  const { tokens, cost: price } = useEntity(handle, 'metrics', sessionUsage)
  const waits = useEntity(handle, 'actions', state => pendingActions(state).length > 0)
  if (waits) return <Badge tone="warning">{t('run.waiting')}</Badge>
  if (tokens === null && !price) return null
  return (
    <>
      <button ref={button} type="button" className="v-usage" popoverTarget={id} title={t('usage.sessionTitle')}>
        {tokens !== null && <span>{t('message.tokens', { count: tokens, shown: compact(tokens) })}</span>}
        {price && <span>{cost(price.amount, price.currency)}</span>}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of facts is no fieldset. */}
      <div
        ref={detail}
        id={id}
        popover="auto"
        role="group"
        aria-label={t('usage.sessionTitle')}
        className="v-menu v-run-detail"
        onToggle={event => setOpen(event.newState === 'open')}
      >
        {open && <SessionUsageDetail handle={handle} />}
      </div>
    </>
  )
}

/** Whether every message of the session is loaded, and with them every run. */
export const allLoaded = ({ messages, counts }: SessionState): boolean => messages.byId.size >= counts.messages

/** What the agent counted for the session, or else the sum of its runs, when every one of them is loaded. */
export function sessionUsage(state: SessionState): Usage {
  const own = usageOf(state.metrics.values)
  if (own.tokens !== null || own.cost) return own
  if (!allLoaded(state)) return own
  const counted = new Set<string>()
  const sum: Usage = { tokens: null, cost: null }
  const add = ({ tokens, cost }: Usage): boolean => {
    if (tokens !== null) sum.tokens = (sum.tokens ?? 0) + tokens
    sum.cost = plusCost(sum.cost, cost)
    return tokens !== null || cost !== null
  }
  for (const { runId, metadata } of state.messages.byId.values()) {
    if (add(usageOf(metadata)) && runId) counted.add(runId)
  }
  for (const { runId, metrics } of state.runs.byId.values()) if (!counted.has(runId)) add(usageOf(metrics))
  return sum
}
