import type { SessionHandle } from '@vitrine/client'
import { type Message, partsOf, type SessionState } from '@vitrine/protocol'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { visible } from '../visible.tsx'
import { MessageActions } from './message-actions.tsx'
import { usageOf } from './usage.ts'

/** What can be done with an answer, and what it took. It comes when the run is over. */
export function MessageFooter({ handle, message }: { handle: SessionHandle; message: Message }) {
  const runId = message.runId ?? ''
  const run = useEntity(handle, `run:${runId}`, state => state.runs.byId.get(runId))
  const hasText = message.parts.some(partId => handle.state.parts.byId.get(partId)?.kind === 'text')
  if (run && !run.outcome) return null
  const { tokens, cost } = usageOf({ ...run?.metrics, ...message.metadata })
  // Calls have their own times: without words to act on and without a bill, there is nothing to say.
  if (!hasText && tokens === null && !cost) return null
  return (
    <footer className="v-footer">
      {hasText && <MessageActions handle={handle} message={message} />}
      <MessageFacts handle={handle} message={message} />
    </footer>
  )
}

/** Sources, time, tokens and cost of an answer, as far as somebody counted them. */
function MessageFacts({ handle, message }: { handle: SessionHandle; message: Message }) {
  const { t, duration, compact, number, cost } = useI18n()
  const runId = message.runId ?? ''
  const run = useEntity(handle, `run:${runId}`, state => state.runs.byId.get(runId))
  const usage = usageOf({ ...run?.metrics, ...message.metadata })
  const sources = sourcesOf(handle.state, message)
  const tokens = usage.tokens !== null && t('message.tokens', { count: usage.tokens, shown: number(usage.tokens) })
  return (
    <div className="v-footer-facts">
      {usage.model && <span className="v-footer-model">{visible(usage.model)}</span>}
      {sources > 0 && <span>{t('message.sources', { count: sources })}</span>}
      {run?.endedAt && <span className="v-footer-time">{duration(run.endedAt - run.startedAt)}</span>}
      {usage.tokens !== null && (
        <span title={usage.detail ? t('message.tokensDetail', usage.detail) : tokens || undefined}>
          {t('message.tokens', { count: usage.tokens, shown: compact(usage.tokens) })}
        </span>
      )}
      {usage.cost && <span>{cost(usage.cost.amount, usage.cost.currency)}</span>}
    </div>
  )
}

/** How many sources a message names, in parts of their own or beside its citations. A source counts once. */
function sourcesOf(state: SessionState, message: Message): number {
  const named = new Set<string>()
  for (const { source, citations, partId } of partsOf(state, message)) {
    if (source) named.add(source.sourceId ?? source.url ?? partId)
    for (const { sourceId, url, title } of citations ?? []) named.add(sourceId ?? url ?? title ?? partId)
  }
  return named.size
}
