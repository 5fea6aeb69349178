import type { SessionHandle } from '@vitrine/client'
import type { Run } from '@vitrine/protocol'
import { memo, useEffect } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity, useNow, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { CircleAlert, CircleStop, RotateCcw } from '../kit/icons.ts'
import { StatusDot } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { runStatusKey, runTone } from './status.tsx'
import { useCommand } from './use-command.ts'

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
      <StatusDot tone={runTone[status]} label={words} />
      <span className="v-run-words" aria-hidden>
        {live ? words : t('run.lastKnown', { status: words })}
      </span>
      {run.reason && status !== 'waiting' && (
        <span className="v-run-detail">{visible(reasonWords(t, run.reason))}</span>
      )}
      {run.attempt > 1 && <Badge>{t('run.attempt', { count: run.attempt })}</Badge>}
      {owns && live && seconds > 0 && <span className="v-tool-time">{duration(seconds * 1000)}</span>}
    </div>
  )
}

function Ended({ handle, run }: { handle: SessionHandle; run: Run }) {
  const { t } = useI18n()
  const { sending, problem, send } = useCommand()
  const failed = run.outcome === 'failed'
  const kept = keptParts(handle, run.runId)
  const retry = () => send(() => handle.retryRun(run.runId))
  return (
    <section className="v-run-end" data-outcome={run.outcome} aria-label={t(runStatusKey(run.status))}>
      {failed ? <Icon of={CircleAlert} /> : <Icon of={CircleStop} />}
      <div>
        <p className="v-problem-title">
          {t(failed ? 'run.end.failed' : run.outcome === 'interrupted' ? 'run.end.interrupted' : 'run.end.cancelled')}
        </p>
        {run.error && (
          <p>
            {visible(reasonWords(t, run.error))} <code>{visible(run.error.code)}</code>
          </p>
        )}
        {!run.error && run.reason && <p>{visible(reasonWords(t, run.reason))}</p>}
        <p className="v-note">{kept ? t('run.kept', { count: kept }) : t('run.keptNothing')}</p>
        {run.retriedBy ? (
          <p className="v-note">{t('run.retried')}</p>
        ) : (
          run.error?.retryable !== false && (
            <div className="v-actions">
              <Button onClick={retry} disabled={sending} icon={RotateCcw}>
                {t(sending ? 'action.sending' : 'run.retry')}
              </Button>
            </div>
          )
        )}
        {problem && <ProblemNote title={t('run.retryFailed')} problem={problem} />}
      </div>
    </section>
  )
}

function keptParts(handle: SessionHandle, runId: string): number {
  let count = 0
  for (const message of handle.state.messages.byId.values()) {
    if (message.runId === runId && message.role !== 'user')
      count += message.partsFrom + message.parts.length - message.loose
  }
  return count
}
