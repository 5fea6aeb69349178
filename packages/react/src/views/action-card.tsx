import type { SessionHandle } from '@vitrine/client'
import type { Action, Command, SessionState } from '@vitrine/protocol'
import { type KeyboardEvent, useContext, useEffect, useId, useRef } from 'react'
import { useVitrine } from '../context.tsx'
import { forgetDraft, placeOf } from '../drafts.ts'
import { useEntity, useEntityValue, useNow } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon } from '../kit/icon.tsx'
import { Bot, ShieldAlert, TriangleAlert } from '../kit/icons.ts'
import { MarkdownText } from '../markdown/lazy-markdown.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { isPressed, lettersAct, signsOn } from '../shortcuts.ts'
import { visible, visibleMarkdown, visibleText } from '../visible.tsx'
import { ApprovalBody, ChoiceBody, CorrectionBody, FormBody, QuestionBody } from './action-bodies.tsx'
import { Answered } from './answered.tsx'
import { viewKeys } from './keys-help.tsx'
import { PlanBody } from './plan-body.tsx'
import { OpenedRequest } from './request-place.ts'
import { useCommand } from './use-command.ts'

export type Respond = (response: Command<'respondToAction'>) => void

const bodies = {
  approval: ApprovalBody,
  choice: ChoiceBody,
  form: FormBody,
  plan: PlanBody,
  correction: CorrectionBody,
  question: QuestionBody,
  'client-tool': QuestionBody,
}

const riskTones = { low: 'plain', medium: 'warning', high: 'danger' } as const

/** A press that was on its way when the card appeared must not answer it. */
export const ARMED_AFTER = 400

/** What the run needs from a person. It is resolved when the runtime says so, not when a button was pressed (L6). */
export function ActionCard({ handle, actionId }: { handle: SessionHandle; actionId: string }) {
  const { t } = useI18n()
  const action = useEntity(handle, `action:${actionId}`, state => state.actions.byId.get(actionId))
  const over = action !== undefined && action.state !== 'pending'
  useEffect(() => {
    if (over) forgetDraft(placeOf('typed', handle.sessionId, actionId))
  }, [over, handle, actionId])
  // What was typed in its sheet is read again here, and the other way round.
  const inSheet = useContext(OpenedRequest) === actionId
  if (!action) return <p className="v-note">{t('request.missing')}</p>
  if (action.state !== 'pending') return <Answered action={action} />
  return <PendingRequest key={String(inSheet)} handle={handle} action={action} />
}

interface PendingProps {
  handle: SessionHandle
  action: Action
  /** Goes to where words can be written instead of an answer. A sheet covers that place. */
  onSayInstead?: () => void
}

/** A request that waits. It never takes the focus: a person comes to it, and then its safe choice has it. */
export function PendingRequest({ handle, action, onSayInstead }: PendingProps) {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const { sending, problem, send } = useCommand()
  const card = useRef<HTMLElement>(null)
  const shownAt = useRef(Date.now())
  const movedAt = useRef(0)
  const pointed = useRef(false)
  const title = useId()
  const { request, actionId } = action
  const Body = bodies[request.kind]
  const child = useEntityValue(handle, `message:${action.messageId ?? ''}`, state => childAgentOf(state, action))

  const respond: Respond = async response => {
    // What moves under a pointer is hit by mistake. A key means the card that has the focus, wherever it stands.
    const since = pointed.current ? Math.max(shownAt.current, movedAt.current) : shownAt.current
    if (sending || Date.now() - since < ARMED_AFTER) return
    const hadFocus = card.current?.contains(document.activeElement)
    const answer = await send(() => handle.respondToAction(actionId, response))
    if (!answer.ok) return
    if (!answer.value.first) announce(t('request.alreadyAnswered'))
    // The card folds away with its buttons: whoever answered by key goes on where they write.
    if (hadFocus && matchMedia('(pointer: fine)').matches) {
      document.querySelector<HTMLElement>('[data-composer]')?.focus({ preventScroll: true })
    }
  }

  return (
    <section
      ref={card}
      className="v-request v-lamp"
      data-lamp={request.risk === 'high' ? 'failed' : undefined}
      aria-labelledby={title}
      // A button that a key presses has no count of clicks.
      onClickCapture={event => {
        pointed.current = event.detail > 0
      }}
      onKeyDown={event => {
        pointed.current = false
        cardKeys(event, action, respond)
      }}
    >
      <header className="v-request-head">
        {child && (
          <p className="v-request-by">
            <Icon of={Bot} />
            {t('request.asks', { name: visibleText(child) })}
          </p>
        )}
        <div className="v-request-line">
          <h3 id={title} dir="auto">
            {visible(request.title)}
          </h3>
          {request.expiresAt !== undefined && <Countdown expiresAt={request.expiresAt} />}
          {request.risk && (
            <Badge
              tone={riskTones[request.risk]}
              className="v-request-risk"
              icon={request.risk === 'high' ? TriangleAlert : ShieldAlert}
            >
              {t(`risk.${request.risk}`)}
            </Badge>
          )}
        </div>
        {request.detail && (
          <div className="v-request-detail">
            <MarkdownText text={visibleMarkdown(request.detail)} />
          </div>
        )}
      </header>
      <Body
        action={action}
        place={placeOf('typed', handle.sessionId, actionId)}
        respond={respond}
        sending={sending}
        problem={problem}
        onMoved={() => {
          movedAt.current = Date.now()
        }}
        onSayInstead={onSayInstead}
      />
      {problem && <ProblemNote title={t('request.failed')} problem={problem} />}
    </section>
  )
}

/** The agent that asks, when it works inside the run of another one. */
function childAgentOf(state: SessionState, { messageId }: Action): string | null {
  const subagentId = messageId === null ? null : state.messages.byId.get(messageId)?.subagentId
  if (!subagentId) return null
  return state.subagents.byId.get(subagentId)?.name ?? subagentId
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof Element && target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])')

/**
 * Keys with the focus inside the card. Ctrl or Cmd with Enter submits it, Y and N decide about an approval, F shows
 * another file, and numbers choose. High risk is never decided by a letter.
 */
function cardKeys(event: KeyboardEvent<HTMLElement>, { request }: Action, respond: Respond): void {
  const { key, altKey, currentTarget, target } = event
  const command = event.ctrlKey || event.metaKey
  if (event.repeat || event.nativeEvent.isComposing || event.defaultPrevented) return
  if (command && key === 'Enter') {
    event.preventDefault()
    currentTarget.querySelector<HTMLButtonElement>('button[data-main]')?.click()
    return
  }
  if (command || altKey || isTyping(target)) return
  const decided = isPressed(event.nativeEvent, viewKeys.allow)
    ? 'approve'
    : isPressed(event.nativeEvent, viewKeys.deny)
      ? 'deny'
      : null
  if (decided && request.kind === 'approval' && request.risk !== 'high' && lettersAct(event.nativeEvent)) {
    event.preventDefault()
    respond({ decision: decided })
    return
  }
  const file = isPressed(event.nativeEvent, viewKeys.nextFile)
    ? 'next'
    : isPressed(event.nativeEvent, viewKeys.previousFile)
      ? 'previous'
      : null
  if (file && lettersAct(event.nativeEvent)) {
    event.preventDefault()
    currentTarget.querySelector<HTMLButtonElement>(`button[data-file="${file}"]`)?.click()
  } else if (request.options && /^[1-9]$/.test(key) && signsOn()) {
    const option = currentTarget.querySelectorAll<HTMLInputElement>('.v-choices input')[Number(key) - 1]
    if (!option) return
    event.preventDefault()
    option.focus({ preventScroll: true })
    option.click()
  }
}

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
