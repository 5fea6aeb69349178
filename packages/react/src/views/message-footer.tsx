import type { SessionHandle } from '@vitrine/client'
import { type Message, partsOf, type Run, type SessionState, usageOf } from '@vitrine/protocol'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { ChevronDown } from '../kit/icons.ts'
import { placeFloat } from '../kit/menu.tsx'
import { visible, visibleText } from '../visible.tsx'
import { MessageActions } from './message-actions.tsx'
import { paceOf } from './usage.ts'

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

/** Sources, time, tokens and cost of an answer, as far as somebody counted them. Pressed, it tells the rest. */
function MessageFacts({ handle, message }: { handle: SessionHandle; message: Message }) {
  const { t, duration, compact, cost } = useI18n()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const runId = message.runId ?? ''
  const run = useEntity(handle, `run:${runId}`, state => state.runs.byId.get(runId))
  const usage = usageOf({ ...run?.metrics, ...message.metadata })
  const sources = sourcesOf(handle.state, message)
  useLayoutEffect(() => {
    if (open) placeFloat(detail.current, button.current)
  }, [open])
  const facts = (
    <>
      {usage.model && <span className="v-footer-model">{visible(usage.model)}</span>}
      {sources > 0 && <span>{t('message.sources', { count: sources })}</span>}
      {run?.endedAt && <span className="v-footer-time">{duration(run.endedAt - run.startedAt)}</span>}
      {usage.tokens !== null && (
        <span>{t('message.tokens', { count: usage.tokens, shown: compact(usage.tokens) })}</span>
      )}
      {usage.cost && <span>{cost(usage.cost.amount, usage.cost.currency)}</span>}
    </>
  )
  if (!run?.endedAt) return <div className="v-footer-facts">{facts}</div>
  return (
    <>
      <button ref={button} type="button" className="v-footer-facts" popoverTarget={id} title={t('message.details')}>
        {facts}
        <Icon of={ChevronDown} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of facts is no fieldset. */}
      <div
        ref={detail}
        id={id}
        popover="auto"
        role="group"
        aria-label={t('message.details')}
        className="v-menu v-run-detail"
        onToggle={event => setOpen(event.newState === 'open')}
      >
        {open && <RunDetail handle={handle} run={run} usage={usage} />}
      </div>
    </>
  )
}

/** Everything that the facts tell of how an answer came about. A line that nobody has said is left out. */
function RunDetail({ handle, run, usage }: { handle: SessionHandle; run: Run; usage: ReturnType<typeof usageOf> }) {
  const { t, duration, number, cost } = useI18n()
  const { queuedMs, firstMs, perSecond } = paceOf(handle.state, run)
  const { input, cached, output, reasoning } = usage
  const lines: [label: MessageKey, value: string | null][] = [
    ['message.detail.model', usage.model && visibleText(usage.model)],
    ['message.detail.queued', queuedMs === null ? null : duration(queuedMs)],
    ['message.detail.first', firstMs === null ? null : duration(firstMs)],
    [
      'message.detail.speed',
      perSecond === null ? null : t('message.detail.perSecond', { count: Math.round(perSecond) }),
    ],
    ['message.detail.total', run.endedAt === null ? null : duration(run.endedAt - run.startedAt)],
    ['message.detail.input', input === null ? null : number(input)],
    ['message.detail.cached', cached === null ? null : number(cached)],
    ['message.detail.output', output === null ? null : number(output)],
    ['message.detail.reasoning', reasoning === null ? null : number(reasoning)],
    ['message.detail.cost', usage.cost && cost(usage.cost.amount, usage.cost.currency)],
  ]
  return (
    <>
      <dl className="v-facts">
        {lines.map(
          ([label, value]) =>
            value !== null && (
              <div key={label}>
                <dt>{t(label)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {usage.tokens === null && <p>{t('message.detail.uncounted')}</p>}
    </>
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
