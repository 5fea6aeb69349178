import { newId, type Outcome, type SessionHandle } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useRowState, useVitrine } from '../context.tsx'
import { storeDrafts } from '../drafts.ts'
import { useEntity, useEntityValue, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Icon } from '../kit/icon.tsx'
import { ArrowUp, CornerDownRight, GitFork, ListEnd, Square } from '../kit/icons.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ComposerBox } from './composer-box.tsx'
import { type ComposerDraft, keepComposerDraft, keepSteer, readComposerDraft, sentSteers } from './composer-draft.ts'
import { type BusyMode, type ComposerAction, composerPlan } from './composer-mode.ts'

export interface ComposerControl {
  focus(): void
  /** Sends a text as if it had been typed and Enter pressed. */
  send(text: string): void
  choose(mode: BusyMode): void
}

const labels: Record<ComposerAction, MessageKey> = {
  send: 'composer.send',
  queue: 'composer.queue',
  steer: 'composer.steer',
  'new-task': 'composer.newTask',
}
const icons = { send: ArrowUp, queue: ListEnd, steer: CornerDownRight, 'new-task': GitFork }

interface Props {
  handle: SessionHandle
  control?: Ref<ComposerControl>
  onInterrupt: () => void
  /** What was sent will stand at the end of the conversation. */
  onSent?: () => void
  /** The first Esc was pressed: say what the second one does. */
  stopArmed: boolean
  stopping: boolean
}

interface Failure {
  action: ComposerAction
  problem: Problem
}

/** Where a person writes. It says before the key is pressed what Enter will do, and never loses a text. */
export function Composer({ handle, control, onInterrupt, onSent, stopArmed, stopping }: Props) {
  const { t } = useI18n()
  const { client, announce, notify, openSession } = useVitrine()
  const { sessionId } = handle
  const [draft, setDraft] = useState(() => readComposerDraft(sessionId))
  const [preferred, choose] = useRowState<BusyMode>(`busy:${sessionId}`, 'queue')
  const [sending, setSending] = useState(false)
  /** Enter was pressed before the text could go; it goes as soon as it can. */
  const [waits, setWaits] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const phase = useReadable(handle.phase).phase
  const connection = useReadable(client.connection).state
  const activeRunId = useEntityValue(handle, 'session', state => state.session.activeRunId)
  const runStatus = useEntityValue(handle, `run:${activeRunId ?? ''}`, state =>
    activeRunId ? state.runs.byId.get(activeRunId)?.status : undefined,
  )
  const active = activeRunId ? (runStatus ?? 'unknown') : null
  const plan = composerPlan({ phase, connection, active, preferred })

  const keep = (next: ComposerDraft) => {
    setWaits(false)
    setDraft(next)
    keepComposerDraft(sessionId, next)
  }

  const send = async (action: ComposerAction, { text, id }: ComposerDraft) => {
    setWaits(false)
    if (sending || plan.blocked || !text.trim()) return
    setSending(true)
    setFailure(null)
    // Should this page not live to see the answer, the next one must send the same text under the same id.
    storeDrafts()
    const result = await write(handle, action, activeRunId, text, id)
    setSending(false)
    if (!result.ok) {
      setWaits(false)
      setFailure({ action, problem: result.problem })
      // A text that came from elsewhere (a suggestion, a returned steer) must not be lost either (L7).
      if (draft.text !== text) keep({ text: draft.text ? `${draft.text}\n\n${text}` : text, id })
      return
    }
    // Only what was sent is cleared: someone may have gone on writing meanwhile, also behind it.
    setDraft(now => {
      const rest = now.text.startsWith(text) ? now.text.slice(text.length).trimStart() : now.text
      const next = { text: rest, id: newId() }
      keepComposerDraft(sessionId, next)
      return next
    })
    const { state } = (result.value ?? {}) as { state?: string }
    const done = action === 'queue' && state === 'started' ? 'send' : action
    if (done === 'send' || done === 'steer') onSent?.()
    announce(t(`composer.done.${done === 'new-task' ? 'newTask' : done}`))
    if (action === 'new-task') {
      // Starting a task beside the run is said once; the next text belongs to this conversation again.
      choose('queue')
      const { session } = (result.value ?? {}) as { session?: { sessionId: string } }
      notify({
        id: `task:${id}`,
        text: t('composer.done.newTask'),
        tone: 'plain',
        lasts: 6000,
        ...(session && { action: { label: t('action.open'), run: () => openSession(session.sessionId) } }),
      })
    }
  }

  const enter = () => {
    if (sending || phase === 'loading') setWaits(true)
    else send(plan.action, draft)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent is what stands there when it can go.
  useEffect(() => {
    // Queued it starts at once when nothing runs; a run of which the page has not heard yet does not refuse it.
    if (waits && !sending && phase !== 'loading') send('queue', draft)
  }, [waits, sending, phase])

  useEffect(() => {
    // On a touch screen this would raise the keyboard over the conversation.
    const free = document.activeElement === null || document.activeElement === document.body
    if (free && matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true })
  }, [])
  useImperativeHandle(control, () => ({
    focus: () => input.current?.focus(),
    send: text => void send(plan.action, { text, id: newId() }),
    choose,
  }))

  const give = (text: string) => {
    keep({ text: draft.text ? `${draft.text}\n\n${text}` : text, id: newId() })
    input.current?.focus()
  }

  return (
    <div className="v-composer">
      <ReturnedSteers handle={handle} onGive={give} onSend={(action, text) => send(action, { text, id: newId() })} />
      {failure && (
        <ProblemNote title={t('composer.failed')} problem={failure.problem}>
          <Button onClick={() => send(failure.action, draft)}>{t('action.tryAgain')}</Button>
          {nextSteps(failure, active !== null).map(action => (
            <Button key={action} onClick={() => send(action, draft)}>
              {t(labels[action])}
            </Button>
          ))}
        </ProblemNote>
      )}
      <ComposerBox
        text={draft.text}
        placeholder={t(active === null ? 'composer.placeholder' : 'composer.placeholderBusy')}
        rows={1}
        input={input}
        hint={t(stopArmed ? 'composer.stopArmed' : waits ? 'composer.waits' : sending ? 'action.sending' : plan.hint)}
        blocked={plan.blocked !== null}
        onChange={text => keep({ text, id: newId() })}
        onEnter={enter}
        choices={
          plan.modes.length > 0 && (
            <RadioGroup
              look="segments"
              label={t('composer.modes')}
              labelHidden
              value={plan.action}
              options={plan.modes.map(({ mode, unavailable }) => ({
                value: mode,
                label: t(labels[mode]),
                hint: unavailable ? t(unavailable) : t(`composer.about.${mode}`),
                disabled: unavailable !== null,
              }))}
              onChange={mode => choose(mode as BusyMode)}
            />
          )
        }
        buttons={
          <>
            {active !== null && (
              <Button
                className="v-stop"
                icon={Square}
                onClick={onInterrupt}
                disabled={stopping || active === 'cancelling'}
              >
                {t(active === 'cancelling' ? 'run.cancelling' : 'composer.stop')}
              </Button>
            )}
            <Button
              type="submit"
              look="primary"
              className="v-send"
              icon={icons[plan.action]}
              disabled={!draft.text.trim() || sending || plan.blocked !== null}
            >
              {t(labels[plan.action])}
            </Button>
          </>
        }
      />
    </div>
  )
}

function write(
  handle: SessionHandle,
  action: ComposerAction,
  activeRunId: string | null,
  text: string,
  id: string,
): Promise<Outcome> {
  if (action === 'queue') return handle.queueTurn({ text }, id)
  if (action === 'new-task') return handle.startTask(text, id)
  if (action !== 'steer' || !activeRunId) return handle.submitTurn({ text }, id)
  keepSteer(handle.sessionId, id, text)
  return handle.steerRun(activeRunId, text, id).then(result => {
    // Refused at once: the text is still in the composer, so there is nothing to give back.
    if (!result.ok) keepSteer(handle.sessionId, id)
    return result
  })
}

/** What else can be done with a text that the runtime did not take. */
function nextSteps({ action, problem }: Failure, busy: boolean): ComposerAction[] {
  if (problem.code === 'run_active') return (['queue', 'steer', 'new-task'] as const).filter(next => next !== action)
  if (action === 'steer') return busy ? ['queue', 'new-task'] : ['send', 'new-task']
  return []
}

/** Directions that the run ended without taking: the person gets the text back, with what can be done with it. */
function ReturnedSteers(props: {
  handle: SessionHandle
  onGive: (text: string) => void
  onSend: (action: ComposerAction, text: string) => void
}) {
  const { handle, onGive, onSend } = props
  const { t } = useI18n()
  const steers = useEntity(handle, 'steers', state => state.steers)
  const activeRunId = useEntityValue(handle, 'session', state => state.session.activeRunId)
  const [, redraw] = useState(0)
  const sent = sentSteers(handle.sessionId)
  const version = handle.version('steers')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the collection changes in place; its version tells.
  useEffect(() => {
    for (const [id] of sentSteers(handle.sessionId)) {
      if (steers.byId.get(id)?.state === 'consumed') keepSteer(handle.sessionId, id)
    }
  }, [handle, steers, version])
  const returned = sent.filter(([id]) => steers.byId.get(id)?.state === 'rejected')
  const waiting = sent.filter(([id]) => steers.byId.get(id)?.state === 'accepted')
  const settle = (id: string, then: () => void) => {
    keepSteer(handle.sessionId, id)
    redraw(count => count + 1)
    then()
  }
  return (
    <>
      {waiting.map(([id, text]) => (
        <p key={id} className="v-steer-waiting">
          <Icon of={CornerDownRight} />
          <span className="v-steer-text">
            <span className="v-steer-label">{t('steer.accepted')}</span> {text}
          </span>
        </p>
      ))}
      {returned.map(([id, text]) => (
        <ProblemNote key={id} title={t('steer.rejected')}>
          <p className="v-steer-text">{text}</p>
          <p>{reasonWords(t, steers.byId.get(id)?.reason ?? { code: 'run_over', message: '' })}</p>
          <div className="v-actions">
            <Button onClick={() => settle(id, () => onGive(text))}>{t('steer.giveBack')}</Button>
            <Button onClick={() => settle(id, () => onSend(activeRunId ? 'queue' : 'send', text))}>
              {t(labels[activeRunId ? 'queue' : 'send'])}
            </Button>
            <Button onClick={() => settle(id, () => onSend('new-task', text))}>{t(labels['new-task'])}</Button>
          </div>
        </ProblemNote>
      ))}
    </>
  )
}
