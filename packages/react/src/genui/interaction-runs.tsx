import type { SessionHandle } from '@vitrine/client'
import type { Run, RunStatus, SessionState } from '@vitrine/protocol'
import { createContext, useEffect } from 'react'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { StatusDot } from '../kit/status-dot.tsx'
import { runStatusKey, runTone } from '../views/status.tsx'
import { ToolRow } from '../views/tool-row.tsx'
import { visible } from '../visible.tsx'
import { labelOf } from './interaction.ts'
import { interactionsOf, isOf, runOf, type SentInteraction, toolsOf } from './interaction-place.ts'
import type { CardState } from './schema/card-state.ts'

/** True for a tool row that stands at the card whose button led to it. */
export const InPlace = createContext(false)

interface Props {
  handle: SessionHandle
  toolCallId: string
  /** Learns that what it sent has arrived. */
  state: CardState
}

/** What became of the interactions with a card, beneath it: the run as tool rows with their results, or a line of state. */
export function InteractionRuns({ handle, toolCallId, state }: Props) {
  const { t } = useI18n()
  const keys = (state: SessionState) =>
    interactionsOf(state, toolCallId)
      .map(({ key, how }) => `${how} ${key}`)
      .join()
  useEntityValue(handle, 'turns', keys)
  useEntityValue(handle, 'steers', keys)
  useEntityValue(handle, 'queue', keys)
  useEntityValue(handle, 'runs', keys)
  const all = interactionsOf(handle.state, toolCallId)
  useEffect(() => {
    for (const { key } of all) state.arrived(key)
  }, [all, state])
  // A form that was sent several times says how the last one stands; what a tool did stays.
  const lastPayload = all.findLast(({ kind }) => kind === 'payload')
  const shown = all.filter(sent => sent.kind === 'tool' || sent === lastPayload)
  if (shown.length === 0) return null
  return (
    <ul className="v-ui-runs" aria-label={t('ui.runs')}>
      {shown.map(sent => (
        <InteractionRun key={sent.key} handle={handle} sent={sent} />
      ))}
    </ul>
  )
}

function InteractionRun({ handle, sent }: { handle: SessionHandle; sent: SentInteraction }) {
  const run = useEntity(handle, 'runs', state => runOf(state, sent))
  const tools = useEntity(handle, 'tools', state => toolsOf(state, sent))
  useEntity(handle, `steer:${sent.key}`, () => null)
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId)
  const status = statusOf(sent, run, active)
  // The log alone says whether the tool was called: an agent that answered may have done something else, or nothing.
  const called = sent.toolId === null || sent.how === 'call' || tools.some(tool => isOf(sent, tool))
  // A row of its own says that a tool works or is done; what stopped the run, or waits for a person, it does not.
  const quiet =
    tools.length > 0 &&
    (sent.how === 'call' || (status === 'completed' && called) || (status !== 'waiting' && run?.outcome === null))
  return (
    <li>
      {!quiet && <StateLine handle={handle} sent={sent} status={status} run={run} called={called} />}
      <InPlace value>
        {tools.map(({ toolCallId }) => (
          <ToolRow key={toolCallId} handle={handle} toolCallId={toolCallId} />
        ))}
      </InPlace>
    </li>
  )
}

type LineStatus = RunStatus | 'sent'

function statusOf({ how }: SentInteraction, run: Run | undefined, active: string | null): LineStatus {
  if (how === 'queued') return 'queued'
  if (!run) return how === 'steer' ? 'sent' : 'unknown'
  if (run.outcome) return run.outcome
  // A run that nobody owns and that never ended has no known state; it did not succeed (L4).
  return run.runId === active || run.call ? run.status : 'unknown'
}

interface LineProps {
  handle: SessionHandle
  sent: SentInteraction
  status: LineStatus
  run: Run | undefined
  called: boolean
}

/** What was sent, and what became of the run. It never says that a tool has done its work. */
function StateLine({ handle, sent, status, run, called }: LineProps) {
  const { t } = useI18n()
  const label = labelOf(handle.state, sent.interaction)
  const { toolId } = sent
  const isCall = sent.how === 'call'
  const asked = toolId === null ? t('ui.sent') : t(isCall ? 'ui.called' : 'ui.asked', { name: toolId })
  const became =
    status === 'sent'
      ? ''
      : status !== 'completed'
        ? isCall
          ? t(runStatusKey(status))
          : t('ui.run.status', { status: t(runStatusKey(status)) })
        : called
          ? t('ui.run.answered')
          : t('ui.run.noCall', { name: toolId ?? '' })
  const words = `${asked} ${became}`.trim()
  const tone = status === 'sent' ? 'busy' : called ? runTone[status] : status === 'completed' ? 'idle' : runTone[status]
  return (
    <p className="v-ui-run" data-status={status}>
      <StatusDot tone={tone} label={words} />
      {label && (
        <span className="v-ui-run-label" dir="auto">
          {visible(label)}
        </span>
      )}
      <span aria-hidden>{visible(words)}</span>
      {run?.error && <span>{visible(reasonWords(t, run.error))}</span>}
    </p>
  )
}
