import type { SessionHandle } from '@vitrine/client'
import type { Run } from '@vitrine/protocol'
import { memo, useEffect } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity, useEntityValue, useNow, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { RefreshCw, Square } from '../kit/icons.ts'
import { StatusDot } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { runStatusKey, runTone } from './status.tsx'
import { sendAway, useCommand } from './use-command.ts'

/** Where a run stands: its status while it works, how it ended when it did not complete. */
export const RunRow = memo(function RunRow({ handle, runId }: { handle: SessionHandle; runId: string }) {
  const run = useEntity(handle, `run:${runId}`, state => state.runs.byId.get(runId))
  if (!run || run.outcome === 'completed') return null
  return run.outcome ? <Ended handle={handle} run={run} /> : <Active handle={handle} run={run} />
})

function Active({ handle, run }: { handle: SessionHandle; run: Run }) {
  const { t, duration } = useI18n()
  const { announce } = useVitrine()
  const live = useReadable(handle.live)
  const owns = handle.state.session.activeRunId === run.runId
  // A run that nobody owns and that never ended has no known state; it did not succeed (L4).
  const status = owns || run.parentRunId ? run.status : 'unknown'
  const now = useNow(owns && live)
  const seconds = Math.floor((now - run.startedAt) / 1000)
  const words = t(runStatusKey(status))
  useEffect(() => announce(words), [announce, words])
  return (
    <div className="v-run-status" data-status={status}>
      <StatusDot tone={live ? runTone[status] : 'unknown'} label={words} />
      <span className="v-run-words" aria-hidden>
        {live ? words : t('run.lastKnown', { status: words })}
      </span>
      {run.reason && status !== 'waiting' && (
        <span className="v-run-detail">{visible(reasonWords(t, run.reason))}</span>
      )}
      {run.attempt > 1 && <Badge>{t('run.attempt', { count: run.attempt })}</Badge>}
      {owns && live && seconds > 0 && <span className="v-run-time">{duration(seconds * 1000)}</span>}
    </div>
  )
}

function Ended({ handle, run }: { handle: SessionHandle; run: Run }) {
  const { t } = useI18n()
  const { sending, problem, send } = useCommand()
  const failed = run.outcome === 'failed'
  const said = useEndWords(handle, run)
  const again = canRetry(run) && (
    <Button
      look={failed ? 'primary' : 'plain'}
      onClick={() => sendAway(send, () => handle.retryRun(run.runId))}
      disabled={sending}
      icon={failed ? RefreshCw : undefined}
    >
      {t(sending ? 'action.sending' : 'run.retry')}
    </Button>
  )
  return (
    <section
      className={failed ? 'v-run-end v-lamp' : 'v-run-end'}
      data-outcome={run.outcome}
      data-lamp={failed ? 'failed' : undefined}
      aria-label={t(runStatusKey(run.status))}
    >
      <div className="v-run-said">
        <p className="v-problem-title" title={run.error ? visibleText(run.error.code) : undefined}>
          {!failed && <Icon of={Square} />}
          <span dir="auto">{visible(said.title)}</span>
        </p>
        {said.detail && <p dir="auto">{visible(said.detail)}</p>}
        {run.retriedBy && <p className="v-note">{t('run.retried')}</p>}
        {problem && <ProblemNote title={t('run.retryFailed')} problem={problem} />}
      </div>
      {again}
    </section>
  )
}

/** Whether the run can be tried again, so that its own row offers it. */
export const canRetry = ({ outcome, error, retriedBy }: Run): boolean =>
  outcome !== null && outcome !== 'completed' && error?.retryable !== false && retriedBy === null

/** A longer reason is no title. */
const TITLE = 90

/** How a run ended, why, after which time, and what was kept. */
function useEndWords(handle: SessionHandle, run: Run): { title: string; detail: string } {
  const { t, duration } = useI18n()
  const kept = useKeptWords(handle, run.runId)
  const { outcome, error, reason, startedAt, endedAt } = run
  if (outcome === 'failed') {
    const why = error ? reasonWords(t, { ...error, next: undefined }) : ''
    const took = Math.max(0, (endedAt ?? startedAt) - startedAt)
    const after = took < 1000 ? t('run.end.failed') : t('run.end.failedAfter', { duration: duration(took) })
    const fits = why !== '' && why.length <= TITLE
    const rest = fits ? `${after}.` : why
    return {
      title: fits ? why.replace(/[.。]$/, '') : after,
      // Beside the button, advice that only names it would say it twice.
      detail: [rest, error?.next?.replace(/\.$/, '') === t('run.retry') ? '' : error?.next, kept]
        .filter(Boolean)
        .join(' '),
    }
  }
  if (reason?.code === 'interrupted_by_person') {
    const name = reason.params?.name
    // What a person stopped stands above, and they know why.
    return { title: name ? t('run.end.stoppedBy', { name }) : t('run.end.stopped'), detail: '' }
  }
  const title = t(outcome === 'interrupted' ? 'run.end.interrupted' : 'run.end.cancelled')
  return { title, detail: [reason && reasonWords(t, reason), kept].filter(Boolean).join(' ') }
}

/** What is kept of a run that did not complete: its text, the results of its calls, and the queue. */
function useKeptWords(handle: SessionHandle, runId: string): string {
  const { t, list } = useI18n()
  const waits = useEntityValue(handle, 'queue', state => state.queue.turns.length > 0)
  const { messages, parts, tools } = handle.state
  const own = [...messages.byId.values()].filter(message => message.runId === runId && message.role !== 'user')
  const steps = own.reduce((sum, message) => sum + message.partsFrom + message.parts.length - message.loose, 0)
  if (steps === 0) return t('run.keptNothing')
  // Of a long answer only the end is loaded: then the steps are counted.
  if (own.some(({ partsFrom }) => partsFrom > 0)) return t('run.kept', { count: steps })
  const loaded = own.flatMap(message => message.parts.map(partId => parts.byId.get(partId)))
  const text = loaded.some(part => part?.kind === 'text')
  const results = loaded.filter(part => part && tools.byId.get(part.refId ?? '')?.state === 'done').length
  const things = [
    ...(text ? [t('run.keptText')] : []),
    ...(results > 0 ? [t('run.keptResults', { count: results })] : []),
    ...(waits ? [t('run.keptQueue')] : []),
  ]
  if (things.length === 0) return t('run.kept', { count: steps })
  const count = Number(text) + results + Number(waits)
  const words = t('run.keptThings', { count, things: list(things) })
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}
