import type { Outcome, SessionHandle } from '@vitrine/client'
import { answerText, type Message as MessageEntity, type Rewind } from '@vitrine/protocol'
import { type KeyboardEvent, useContext, useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntityValue } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { copyText } from '../kit/copy-text.ts'
import { Check, Copy, GitBranch, RefreshCw, ThumbsDown, ThumbsUp } from '../kit/icons.ts'
import { lettersAct } from '../shortcuts.ts'
import { branchSession } from './branch-session.ts'
import { viewKeys } from './keys-help.tsx'
import { Action, useWhyNot } from './message-action.tsx'
import { EditAction, wholeMessage } from './message-editing.tsx'
import { Present, Versions, VersionsOfPresent } from './message-versions.tsx'
import { canRetry } from './run-row.tsx'
import { sendAway, useCommand } from './use-command.ts'

/** A letter acts when the focus is in a message, and presses the button that has it. */
export function messageKeys(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, key, nativeEvent } = event
  if (!lettersAct(nativeEvent) || !/^[a-z]$/.test(key)) return
  const button = currentTarget.querySelector<HTMLButtonElement>(`[data-key="${key.toUpperCase()}"]`)
  if (!button) return
  event.preventDefault()
  button.click()
}

/** What can be done with a message, in one row below it. */
export function MessageActions({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const past = useContext(Present)
  const { t } = useI18n()
  if (message.subagentId !== null) return null
  const isAnswer = message.role === 'assistant'
  const text = async () => {
    if (isAnswer) return answerText(handle.state, message)
    const whole = await wholeMessage(handle, message)
    return whole.ok ? whole.value : null
  }
  const input = handle.state.turns.byId.get(message.turnId ?? '')?.input
  if (!isAnswer && input?.interaction) return null
  return (
    <div className="v-acts">
      <CopyAction text={text} label={t(isAnswer ? 'message.copy' : 'history.copyMine')} />
      {isAnswer ? (
        past ? (
          <BranchAction handle={past.handle} at={{ seq: lastEventOf(handle, message, past.shown.rewind) }} />
        ) : (
          <AnswerActions handle={handle} message={message} />
        )
      ) : (
        !past && <EditAction handle={handle} message={message} />
      )}
      {past
        ? message.ordinal === past.shown.rewind.fromOrdinal && <VersionsOfPresent {...past} />
        : message.rewindId === null && <Versions handle={handle} message={message} shown={null} />}
    </div>
  )
}

function CopyAction({ text, label }: { text: () => Promise<string | null>; label: string }) {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(setDone, 1600, false)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => {
    const words = await text()
    const copied = words !== null && (await copyText(words))
    setDone(copied)
    announce(t(copied ? 'copy.done' : 'copy.failed'))
  }
  return (
    <Action icon={done ? Check : Copy} label={done ? t('copy.done') : label} letter={viewKeys.copy} onClick={copy} />
  )
}

/** The end of the run of an answer that has left the active path, before anything took its place. */
function lastEventOf({ state }: SessionHandle, { runId }: MessageEntity, { rewindId }: Rewind): number {
  const run = state.runs.byId.get(runId ?? '')
  const replaced = Number(rewindId) - 1
  // Another attempt is an event of the run that it repeats.
  return run ? Math.min(replaced, run.retriedBy ? run.v - 1 : run.v) : replaced
}

type Told = (key: MessageKey, outcome: Outcome) => void

/** Tells why something was refused. */
function useTold(): Told {
  const { t } = useI18n()
  const { notify } = useVitrine()
  return (key, outcome) => {
    if (outcome.ok) return
    notify({ id: key, tone: 'danger', text: t(key, { reason: problemWords(t, outcome.problem) }) })
  }
}

/** Goes on from an answer in a session of its own. It is also the way to go on from an earlier version. */
function BranchAction({ handle, at }: { handle: SessionHandle; at: { ordinal: number } | { seq: number } }) {
  const { t } = useI18n()
  const { openSession, client } = useVitrine()
  const { sending, send } = useCommand()
  const told = useTold()
  const fork = async () => {
    const outcome = await send(() => branchSession(client, handle, at, t))
    told('history.branchFailed', outcome)
    if (outcome.ok) openSession(outcome.value.session.sessionId)
  }
  return <Action icon={GitBranch} label={t('history.branch')} letter={viewKeys.branch} busy={sending} onClick={fork} />
}

function AnswerActions({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const why = useWhyNot(handle)
  const again = useCommand()
  const told = useTold()
  const { ordinal } = message
  // A run that did not complete offers it in words, below the answer: one way is enough.
  const offered = useEntityValue(handle, `run:${message.runId}`, ({ runs }) => {
    const run = runs.byId.get(message.runId ?? '')
    return run !== undefined && canRetry(run)
  })
  const regenerate = async () =>
    told('history.againFailed', await sendAway(again.send, () => handle.regenerateMessage(ordinal)))
  return (
    <>
      {!offered && (
        <Action
          icon={RefreshCw}
          label={t('history.again')}
          letter={viewKeys.again}
          why={why}
          busy={again.sending}
          onClick={regenerate}
        />
      )}
      <BranchAction handle={handle} at={{ ordinal }} />
      <FeedbackActions handle={handle} message={message} onRefused={told} />
    </>
  )
}

/** Thumbs up and down. Whoever presses one can say why, and whoever presses it again takes it back. */
function FeedbackActions(props: { handle: SessionHandle; message: MessageEntity; onRefused: Told }) {
  const { handle, message, onRefused } = props
  const { t } = useI18n()
  const { sending, send } = useCommand()
  const [asks, setAsks] = useState(false)
  // Everybody who can open a session is its owner: there is one voice.
  const given = Object.values(message.feedback).find(({ rating }) => rating !== 'none')
  const give = async (rating: 'up' | 'down' | 'none', reason?: string) => {
    const outcome = await send(() => handle.giveFeedback(message.ordinal, { rating, ...(reason && { reason }) }))
    onRefused('history.feedbackFailed', outcome)
    setAsks(outcome.ok && rating !== 'none' && reason === undefined)
  }
  const press = (rating: 'up' | 'down') => void give(given?.rating === rating ? 'none' : rating)
  return (
    <>
      {(['up', 'down'] as const).map(rating => (
        <Action
          key={rating}
          icon={rating === 'up' ? ThumbsUp : ThumbsDown}
          label={t(`history.${rating}`)}
          pressed={given?.rating === rating}
          busy={sending}
          onClick={() => press(rating)}
        />
      ))}
      {asks && given && given.rating !== 'none' && (
        <ReasonBox rating={given.rating} onClose={() => setAsks(false)} onSend={reason => give(given.rating, reason)} />
      )}
    </>
  )
}

function ReasonBox(props: { rating: 'up' | 'down' | 'none'; onClose: () => void; onSend: (reason: string) => void }) {
  const { rating, onClose, onSend } = props
  const { t } = useI18n()
  const [reason, setReason] = useState('')
  const label = t(rating === 'up' ? 'history.whyGood' : 'history.whyBad')
  return (
    <form
      className="v-why"
      onSubmit={event => {
        event.preventDefault()
        if (reason.trim()) onSend(reason.trim())
        else onClose()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <input
        className="v-input"
        value={reason}
        maxLength={2_000}
        placeholder={label}
        aria-label={label}
        onChange={event => setReason(event.target.value)}
      />
      <Button type="submit">{t('history.sendReason')}</Button>
      <Button look="quiet" onClick={onClose}>
        {t('history.noReason')}
      </Button>
    </form>
  )
}
