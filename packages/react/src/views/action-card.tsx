import type { SessionHandle } from '@vitrine/client'
import type { Action, Actor, Json } from '@vitrine/protocol'
import { useEffect, useRef } from 'react'
import { useVitrine } from '../context.tsx'
import { forgetDraft, placeOf } from '../drafts.ts'
import { useEntity, useNow } from '../hooks.ts'
import type { I18n } from '../i18n/i18n.tsx'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon } from '../kit/icon.tsx'
import {
  Check,
  CircleSlash,
  ListChecks,
  MessageCircleQuestionMark,
  PencilLine,
  ShieldAlert,
  Wrench,
} from '../kit/icons.ts'
import { JsonText } from '../kit/plain-text.tsx'
import { MarkdownText } from '../markdown/markdown.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { ApprovalBody, ChoiceBody, CorrectionBody, FormBody, PlanBody, QuestionBody } from './action-bodies.tsx'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { useCommand } from './use-command.ts'

export type Decision = 'approve' | 'approve-for-scope' | 'deny' | 'answer'
export type Respond = (decision: Decision, value?: Json) => void

const icons = {
  approval: ShieldAlert,
  choice: MessageCircleQuestionMark,
  form: ListChecks,
  plan: ListChecks,
  correction: PencilLine,
  question: MessageCircleQuestionMark,
  'client-tool': Wrench,
}
const bodies = {
  approval: ApprovalBody,
  choice: ChoiceBody,
  form: FormBody,
  plan: PlanBody,
  correction: CorrectionBody,
  question: QuestionBody,
  'client-tool': QuestionBody,
}

const riskTones = { low: 'success', medium: 'warning', high: 'danger' } as const

/** Keys that were on their way when the card appeared must not answer it. */
const ARMED_AFTER = 400

/** What the run needs from a person. It is resolved when the runtime says so, not when a button was pressed (L6). */
export function ActionCard({ handle, actionId }: { handle: SessionHandle; actionId: string }) {
  const { t } = useI18n()
  const action = useEntity(handle, `action:${actionId}`, state => state.actions.byId.get(actionId))
  const over = action !== undefined && action.state !== 'pending'
  useEffect(() => {
    if (over) forgetDraft(placeOf('typed', handle.sessionId, actionId))
  }, [over, handle, actionId])
  if (!action) return <p className="v-note">{t('request.missing')}</p>
  return action.state === 'pending' ? <Pending handle={handle} action={action} /> : <Answered action={action} />
}

function Pending({ handle, action }: { handle: SessionHandle; action: Action }) {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const { sending, problem, send } = useCommand()
  const card = useRef<HTMLElement>(null)
  const shownAt = useRef(Date.now())
  const { request, actionId } = action
  const Body = bodies[request.kind]

  useEffect(() => {
    let frame = 0
    // The list shows a new row only once it has measured it, and what is not shown cannot be focused.
    const tryFocus = (left: number) => {
      const safe = card.current?.querySelector<HTMLElement>('button[data-safe], [data-safe] input')
      if (!safe || !mayTakeFocus(document.activeElement)) return
      safe.focus({ preventScroll: true })
      if (document.activeElement !== safe && left > 0) frame = requestAnimationFrame(() => tryFocus(left - 1))
    }
    tryFocus(30)
    return () => cancelAnimationFrame(frame)
  }, [])

  const respond: Respond = async (decision, value) => {
    if (sending || Date.now() - shownAt.current < ARMED_AFTER) return
    const hadFocus = card.current?.contains(document.activeElement)
    const answer = await send(() =>
      handle.respondToAction(actionId, value === undefined ? { decision } : { decision, value }),
    )
    if (!answer.ok) return
    if (!answer.value.first) announce(t('request.alreadyAnswered'))
    // The card folds away with its buttons: whoever answered by key goes on where they write.
    if (hadFocus && matchMedia('(pointer: fine)').matches) {
      document.querySelector<HTMLElement>('[data-composer]')?.focus({ preventScroll: true })
    }
  }

  return (
    <section ref={card} className="v-card v-action-card" data-risk={request.risk} aria-label={t(kindKey(request.kind))}>
      <header className="v-action-head">
        <Icon of={icons[request.kind]} />
        <div>
          <p className="v-action-kind">
            {t(kindKey(request.kind))}
            {request.risk && <Badge tone={riskTones[request.risk]}>{t(`risk.${request.risk}`)}</Badge>}
          </p>
          <p className="v-action-title">{visible(request.title)}</p>
        </div>
        {request.expiresAt !== undefined && <Countdown expiresAt={request.expiresAt} />}
      </header>
      {request.detail && (
        <div className="v-action-detail">
          <MarkdownText text={visibleText(request.detail)} />
        </div>
      )}
      {request.kind === 'approval' && request.scope && (
        <p className="v-note">{t('request.scope', { scope: request.scope.label })}</p>
      )}
      <Body
        action={action}
        place={placeOf('typed', handle.sessionId, actionId)}
        respond={respond}
        sending={sending}
        problem={problem}
      />
      {problem && <ProblemNote title={t('request.failed')} problem={problem} />}
    </section>
  )
}

/** Someone who is writing keeps the focus; the card waits for them. */
function mayTakeFocus(active: Element | null): boolean {
  if (!active || active === document.body) return true
  if (active instanceof HTMLTextAreaElement) return active.value === '' && active.dataset.composer !== undefined
  return false
}

const kindKey = (kind: Action['request']['kind']): MessageKey => `request.${kind}`

function Countdown({ expiresAt }: { expiresAt: number }) {
  const { t, duration } = useI18n()
  const now = useNow(true)
  const left = expiresAt - now
  return (
    <span className="v-countdown" data-soon={left < 30_000 || undefined}>
      {left > 0 ? t('request.expires', { duration: duration(Math.ceil(left / 1000) * 1000) }) : t('request.expiring')}
    </span>
  )
}

const outcomeKeys: Record<NonNullable<Action['outcome']>, MessageKey> = {
  approved: 'request.approved',
  'approved-for-scope': 'request.approvedForScope',
  denied: 'request.denied',
  answered: 'request.answered',
  expired: 'request.expired',
  cancelled: 'request.cancelled',
}

/** What came of it, said so that it does not claim more than was decided, nor less. */
export function outcomeKey({ state, outcome, by, response, request }: Action): MessageKey {
  if (state === 'stale' || !outcome) return 'request.stale'
  if (outcome !== 'approved') return outcomeKeys[outcome]
  if (by?.kind === 'policy') return 'request.approvedByPolicy'
  return request.kind === 'approval' && response !== null ? 'request.approvedEdited' : 'request.approved'
}

/** Who decided. A permission is named, so that it can be found and revoked. */
export function byWords(t: I18n['t'], { kind, name }: Actor): string {
  if (kind === 'system') return t('request.by.system')
  if (kind === 'policy') return name ? t('request.by.named', { name }) : t('request.by.policy')
  return t('request.by.person', { name: name || t('request.by.you') })
}

/** One line of what was asked and what came of it; the rest when opened. */
function Answered({ action }: { action: Action }) {
  const { t, time } = useI18n()
  const { request, outcome, by, response, resolvedAt } = action
  const key = outcomeKey(action)
  const good = outcome === 'approved' || outcome === 'approved-for-scope' || outcome === 'answered'
  return (
    <KeptDisclosure
      id={action.key}
      className="v-answered"
      summary={
        <>
          {good ? <Icon of={Check} className="v-row-icon" /> : <Icon of={CircleSlash} className="v-row-icon" />}
          <span className="v-agent-state">{t(key)}</span>
          <span className="v-tool-summary">{visible(request.title)}</span>
          {by && <span className="v-tool-time">{byWords(t, by)}</span>}
          {resolvedAt && <span className="v-tool-time">{time(resolvedAt)}</span>}
        </>
      }
    >
      {() => (
        <>
          {request.detail && <MarkdownText text={visibleText(request.detail)} />}
          {request.args !== undefined && (
            <section>
              <p className="v-label">{t('request.args')}</p>
              <JsonText value={request.args} label={t('request.args')} />
            </section>
          )}
          {response !== null && (
            <section>
              <p className="v-label">{t('request.response')}</p>
              <JsonText value={response} label={t('request.response')} />
            </section>
          )}
        </>
      )}
    </KeptDisclosure>
  )
}
