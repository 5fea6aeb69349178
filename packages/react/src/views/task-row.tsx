import type { Outcome, SessionHandle } from '@vitrine/client'
import {
  type Action,
  type Cost,
  pendingActions,
  plusCost,
  type Run,
  type SessionState,
  type Subagent,
  usageOf,
} from '@vitrine/protocol'
import { type ReactNode, type Ref, useImperativeHandle } from 'react'
import { useAgentNames } from '../agents.tsx'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useNow } from '../hooks.ts'
import { type I18n, type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords, reasonWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { AgentFace } from '../kit/face.tsx'
import { Icon } from '../kit/icon.tsx'
import { ArrowRight, CornerDownRight } from '../kit/icons.ts'
import { ProgressBar } from '../kit/progress.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { visible } from '../visible.tsx'
import { sessionUsage } from './session-usage.tsx'
import { runStatusKey, Unknown } from './status.tsx'
import { isOver, openRun, type TaskNode } from './task-tree.ts'
import { sendAway, useCommand } from './use-command.ts'

/** What the keys of the tree do with the row that has the focus. */
export interface TaskRowControl {
  go(): void
  stop(): void
  retry(): void
}

interface Props {
  handle: SessionHandle
  node: TaskNode
  /** The sessions of tasks and of other groups, as far as they are followed. */
  linked: ReadonlyMap<string, SessionHandle>
  /** Goes to a request of this session. */
  onGo?: ((actionId: string) => void) | undefined
  /** Told when the row leads elsewhere. */
  onLeave?: (() => void) | undefined
  control?: Ref<TaskRowControl>
}

/** One row: mark, face, name, what it is about, time, cost and what can be done. Its reason stands under it. */
export function TaskRow({ handle, node, linked, onGo, onLeave, control }: Props) {
  const i18n = useI18n()
  const { t } = i18n
  const { openSession } = useVitrine()
  const agentName = useAgentNames()
  const { sending, problem, send } = useCommand()
  const said = rowOf(node, { handle, linked, t, agentName })
  const { tone } = node
  const go = () => {
    if (said.place.action && said.place.sessionId === handle.sessionId && onGo) onGo(said.place.action)
    else {
      onLeave?.()
      openSession(said.place.sessionId, said.place.message)
    }
  }
  const stop = () => said.stop && send(said.stop)
  const retry = () => said.retry && sendAway(send, said.retry)
  useImperativeHandle(control, () => ({ go, stop, retry }))
  const leads = said.place.sessionId !== handle.sessionId
  return (
    <>
      <div className="v-task-line">
        <span className="v-task-words">
          <StatusDot tone={tone} label={said.state} />
          {said.agentId && <AgentFace agentId={said.agentId} size={16} />}
          <span className="v-task-name" dir="auto">
            {said.name}
          </span>
          <span className="v-task-about" dir="auto">
            {said.about}
          </span>
        </span>
        <span className="v-task-extra">
          {said.attempt > 1 && <Badge>{t('run.attempt', { count: said.attempt })}</Badge>}
          {said.progress !== null && <ProgressBar value={said.progress} label={t('tasks.progress')} />}
        </span>
        <span className="v-task-time">
          {said.startedAt !== null && !isBrief(said) && <Elapsed from={said.startedAt} to={said.endedAt} />}
        </span>
        <span className="v-task-cost">{said.cost && i18n.cost(said.cost.amount, said.cost.currency)}</span>
        <span className="v-task-does">
          {said.asks ? (
            <Button onClick={go} tabIndex={-1}>
              {t(said.asks)}
            </Button>
          ) : said.retry ? (
            <Button look="link" disabled={sending} onClick={retry} tabIndex={-1}>
              {t('tasks.retry')}
            </Button>
          ) : said.stop ? (
            <Button look="quiet" disabled={sending} onClick={stop} tabIndex={-1}>
              {t('tasks.stop')}
            </Button>
          ) : (
            leads && (
              <Button look="quiet" onClick={go} tabIndex={-1}>
                {t('tasks.openSession')}
              </Button>
            )
          )}
        </span>
      </div>
      {said.reason && (
        <p className="v-task-reason" data-tone={tone} dir="auto">
          {said.reason}
        </p>
      )}
      {node.of.kind === 'subagent' && <Handoff subagent={node.of.subagent} agentName={agentName} />}
      {problem && (
        <p className="v-task-reason" data-tone="danger" role="alert">
          {t(said.retry ? 'run.retryFailed' : 'tasks.stopFailed')} {problemWords(t, problem)}
        </p>
      )}
    </>
  )
}

/** Who gave the work to whom, why and when. */
function Handoff({ subagent, agentName }: { subagent: Subagent; agentName: (agentId: string) => string }) {
  const { t, time } = useI18n()
  const { name, agentId, handedOffTo, handoffReason, handedOffAt } = subagent
  if (handedOffTo === null) return null
  return (
    <p className="v-task-handoff">
      <Icon of={CornerDownRight} />
      <AgentFace agentId={agentId ?? name} size={16} />
      <span dir="auto">{visible(name)}</span>
      <span className="v-unseen">{t('tasks.handedTo')}</span>
      <Icon of={ArrowRight} />
      <AgentFace agentId={handedOffTo} size={16} />
      <span dir="auto">{visible(agentName(handedOffTo))}</span>
      <span className="v-task-about" dir="auto">
        {handoffReason && visible(reasonWords(t, handoffReason))}
      </span>
      {handedOffAt !== null && <span className="v-task-time">{time(handedOffAt)}</span>}
    </p>
  )
}

function Elapsed({ from, to }: { from: number; to: number | null }) {
  const { duration } = useI18n()
  const now = useNow(to === null)
  return <>{duration(Math.max(0, (to ?? now) - from))}</>
}

/** A step that took no time that matters says nothing of it. */
const isBrief = ({ startedAt, endedAt }: Said): boolean =>
  startedAt !== null && endedAt !== null && endedAt - startedAt < 100

interface Said {
  state: string
  agentId: string | null
  name: ReactNode
  about: ReactNode
  reason: ReactNode
  startedAt: number | null
  endedAt: number | null
  attempt: number
  progress: number | null
  cost: Cost | null
  /** The word for the button that leads to what waits for the person. */
  asks: MessageKey | null
  stop: (() => Promise<Outcome>) | null
  retry: (() => Promise<Outcome>) | null
  place: { sessionId: string; message?: MessagePlace | undefined; action?: string | undefined }
}

interface Context {
  handle: SessionHandle
  linked: Props['linked']
  t: I18n['t']
  agentName: (agentId: string) => string
}

/** What a row says and can do. Names come from agents and are shown as they are. */
function rowOf(node: TaskNode, context: Context): Said {
  const { handle, linked, t, agentName } = context
  const { of, tone } = node
  const base: Said = {
    state: '',
    agentId: null,
    name: null,
    about: null,
    reason: null,
    startedAt: null,
    endedAt: null,
    attempt: 1,
    progress: null,
    cost: null,
    asks: null,
    stop: null,
    retry: null,
    place: { sessionId: handle.sessionId },
  }
  switch (of.kind) {
    case 'run':
      return { ...base, ...runRow(handle, of.run, node.asks, context) }
    case 'subagent': {
      const { name, input, state, startedAt, endedAt, agentId, subagentId } = of.subagent
      return {
        ...base,
        ...asked(node.asks, t),
        state: node.asks ? t('fallback.needs-input') : t(`subagent.${state}`),
        agentId: agentId ?? name,
        name: visible(name),
        about: visible(input ?? ''),
        startedAt,
        endedAt,
        place: {
          sessionId: handle.sessionId,
          action: node.asks?.actionId,
          message: placeOfPart(handle.state, subagentId),
        },
      }
    }
    case 'tool': {
      const { name, title, summary, progress, error, startedAt, endedAt, messageId } = of.tool
      const share = progress?.total ? Math.min(1, (progress.current ?? 0) / progress.total) : null
      return {
        ...base,
        state: t(tone === 'danger' ? 'tool.failed' : 'tool.running'),
        name: visible(title ?? name),
        about: visible(progress?.message ?? summary ?? ''),
        reason: error && visible(reasonWords(t, error)),
        startedAt,
        endedAt,
        progress: tone === 'danger' ? null : share,
        place: { sessionId: handle.sessionId, message: placeOf(handle.state, messageId) },
      }
    }
    case 'action': {
      const { actionId, messageId } = of.action
      const message = placeOf(handle.state, messageId ?? '')
      return {
        ...base,
        ...asked(of.action, t),
        state: t('fallback.needs-input'),
        name: visible(of.action.request.title),
        reason: t('run.waiting'),
        place: { sessionId: handle.sessionId, action: actionId, message },
      }
    }
    case 'task': {
      const { title, status, attention, detail, startedAt, updatedAt, childSessionId, progress, taskId } = of.task
      const over = isOver(of.task)
      const state = attention === 'needs-input' ? t('fallback.needs-input') : t(taskStatusKey(status))
      const quiet = tone === 'busy' || tone === 'idle' || tone === 'good'
      const name = title.known ? visible(title.value) : <Unknown why={title.why} />
      const child = ready(linked, childSessionId)
      const run = child && openRun(child.state)
      const inner = child && run ? runRow(child, run, pendingActions(child.state)[0] ?? null, context) : null
      const agentId = child?.state.session.agentId
      const known = agentId?.known ? agentId.value : null
      return {
        ...base,
        ...inner,
        state,
        agentId: known,
        name: known === null ? name : visible(agentName(known)),
        about: known === null ? (quiet && detail ? visible(detail) : state) : name,
        reason: inner?.reason ?? (known !== null || !quiet ? detail && visible(detail) : null),
        startedAt,
        endedAt: over ? updatedAt : null,
        progress: over ? null : progress,
        cost: child ? sessionUsage(child.state).cost : null,
        stop: over ? null : () => handle.interruptSession({ taskId }),
        place: { sessionId: childSessionId ?? handle.sessionId },
      }
    }
    case 'session': {
      const { sessionId, agentId, status } = of.session
      const other = ready(linked, sessionId)
      const run = other && openRun(other.state)
      const state = t(`sessions.status.${status}`)
      const bare = { state, agentId, name: visible(agentName(agentId)), about: state, place: { sessionId } }
      if (!other || !run) return { ...base, ...bare }
      return { ...base, ...runRow(other, run, pendingActions(other.state)[0] ?? null, context), place: { sessionId } }
    }
  }
}

/** What is said of a run: who works, on what, since when, at what price, and what it waits for or failed from. */
function runRow(handle: SessionHandle, run: Run, asks: Action | null, { t, agentName }: Context): Partial<Said> {
  const { status, startedAt, endedAt, attempt, runId, agentId, error, outcome } = run
  const failed = outcome === 'failed' && error?.retryable !== false
  const reason = error ?? (status === 'waiting' ? null : run.reason)
  const before = handle.state.runs.byId.get(run.retryOf ?? '')?.error
  const why = reason
    ? reasonWords(t, failed ? { ...reason, next: undefined } : reason)
    : before && t('tasks.before', { count: attempt - 1, reason: reasonWords(t, before) })
  const input = handle.state.turns.byId.get(run.turnId)?.input.text.trim().split('\n', 1)[0]
  return {
    reason: why && visible(why),
    ...asked(asks, t),
    state: asks ? t('fallback.needs-input') : t(runStatusKey(status)),
    agentId,
    name: visible(agentName(agentId)),
    about: visible(input || t(runStatusKey(status))),
    startedAt,
    endedAt,
    attempt,
    cost: runCost(handle.state, run),
    stop: outcome === null ? () => handle.interruptRun(runId) : null,
    retry: failed ? () => handle.retryRun(runId) : null,
    place: { sessionId: handle.sessionId, action: asks?.actionId, message: placeOfRun(handle.state, runId) },
  }
}

/** Each kind of request has its own word for what the person is to do. */
function asked(action: Action | null, t: I18n['t']): Partial<Said> {
  if (!action) return {}
  const { kind, title } = action.request
  const word =
    kind === 'choice' ? 'tasks.choose' : kind === 'approval' || kind === 'plan' ? 'tasks.review' : 'tasks.answer'
  return { asks: word, reason: visible(t('tasks.waiting', { title })) }
}

function ready(linked: Props['linked'], sessionId: string | null): SessionHandle | null {
  const handle = linked.get(sessionId ?? '')
  return handle?.phase.get().phase === 'ready' ? handle : null
}

/** What a run has cost so far, as far as somebody said it: for the run, or for its messages. */
function runCost(state: SessionState, { runId, metrics }: Run): Cost | null {
  let sum = usageOf(metrics).cost
  if (sum) return sum
  for (const message of state.messages.byId.values())
    if (message.runId === runId) sum = plusCost(sum, usageOf(message.metadata).cost)
  return sum
}

function placeOf(state: SessionState, messageId: string): MessagePlace | undefined {
  const message = state.messages.byId.get(messageId)
  return message && { messageId, ordinal: message.ordinal }
}

function placeOfRun(state: SessionState, runId: string): MessagePlace | undefined {
  for (const message of state.messages.byId.values())
    if (message.runId === runId && message.role === 'assistant') return placeOf(state, message.messageId)
  return undefined
}

/** The message that shows the work of a subagent. */
function placeOfPart(state: SessionState, refId: string): MessagePlace | undefined {
  for (const part of state.parts.byId.values())
    if (part.kind === 'subagent' && part.refId === refId) return placeOf(state, part.messageId)
  return undefined
}

/** A task that streams and one that uses tools are both shown as working. */
const taskStatusKey = (status: Parameters<typeof runStatusKey>[0]): MessageKey =>
  status === 'streaming' || status === 'tool' ? 'tasks.working' : runStatusKey(status)
