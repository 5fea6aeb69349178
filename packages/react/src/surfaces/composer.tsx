import type { Outcome, SessionHandle } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import ArrowUp from 'lucide-react/icons/arrow-up'
import CornerDownRight from 'lucide-react/icons/corner-down-right'
import GitFork from 'lucide-react/icons/git-fork'
import ListEnd from 'lucide-react/icons/list-end'
import Square from 'lucide-react/icons/square'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useKept, useVitrine } from '../context.tsx'
import { useEntity, useFact, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { ProblemNote } from '../problem-note.tsx'
import { type BusyMode, type ComposerAction, composerPlan } from './composer-mode.ts'
import { type Draft, newId, readDraft, readSteers, writeDraft, writeSteers } from './drafts.ts'

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
  const [draft, setDraft] = useState(() => readDraft(sessionId))
  const [preferred, choose] = useKept<BusyMode>(`busy:${sessionId}`, 'queue')
  const [sending, setSending] = useState(false)
  /** Enter was pressed before the text could go; it goes as soon as it can. */
  const [waits, setWaits] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const phase = useReadable(handle.phase).phase
  const connection = useReadable(client.connection).state
  const activeRunId = useFact(handle, 'session', state => state.session.activeRunId)
  const runStatus = useFact(handle, `run:${activeRunId ?? ''}`, state =>
    activeRunId ? state.runs.byId.get(activeRunId)?.status : undefined,
  )
  const active = activeRunId ? (runStatus ?? 'unknown') : null
  const plan = composerPlan({ phase, connection, active, preferred })
  const Icon = icons[plan.action]

  const keep = (next: Draft) => {
    setWaits(false)
    setDraft(next)
    writeDraft(sessionId, next)
  }

  const send = async (action: ComposerAction, { text, id }: Draft) => {
    setWaits(false)
    if (sending || plan.blocked || !text.trim()) return
    setSending(true)
    setFailure(null)
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
      writeDraft(sessionId, next)
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
          <button type="button" className="v-button" onClick={() => send(failure.action, draft)}>
            {t('action.tryAgain')}
          </button>
          {nextSteps(failure, active !== null).map(action => (
            <button key={action} type="button" className="v-button" onClick={() => send(action, draft)}>
              {t(labels[action])}
            </button>
          ))}
        </ProblemNote>
      )}
      <form
        className="v-composer-box"
        onSubmit={event => {
          event.preventDefault()
          enter()
        }}
      >
        <textarea
          ref={input}
          data-composer
          className="v-composer-input"
          aria-label={t('composer.label')}
          aria-describedby="v-composer-hint"
          placeholder={t(active === null ? 'composer.placeholder' : 'composer.placeholderBusy')}
          rows={1}
          value={draft.text}
          onChange={event => keep({ text: event.target.value, id: newId() })}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            enter()
          }}
        />
        <div className="v-composer-bar">
          {plan.modes.length > 0 && (
            <fieldset className="v-segments">
              <legend className="v-unseen">{t('composer.modes')}</legend>
              {plan.modes.map(({ mode, unavailable }) => (
                <label key={mode} title={unavailable ? t(unavailable) : t(`composer.about.${mode}`)}>
                  <input
                    type="radio"
                    name="v-composer-mode"
                    checked={plan.action === mode}
                    disabled={unavailable !== null}
                    onChange={() => choose(mode)}
                  />
                  <span>{t(labels[mode])}</span>
                </label>
              ))}
            </fieldset>
          )}
          <span id="v-composer-hint" className="v-composer-hint" data-blocked={plan.blocked ? true : undefined}>
            {t(stopArmed ? 'composer.stopArmed' : waits ? 'composer.waits' : sending ? 'action.sending' : plan.hint)}
          </span>
          <div className="v-composer-buttons">
            {active !== null && (
              <button
                type="button"
                className="v-button v-stop"
                onClick={onInterrupt}
                disabled={stopping || active === 'cancelling'}
              >
                <Square aria-hidden />
                {t(active === 'cancelling' ? 'run.cancelling' : 'composer.stop')}
              </button>
            )}
            <button
              type="submit"
              className="v-button v-primary v-send"
              disabled={!draft.text.trim() || sending || plan.blocked !== null}
            >
              <Icon aria-hidden />
              {t(labels[plan.action])}
            </button>
          </div>
        </div>
      </form>
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
  if (action === 'queue') return handle.queue({ text }, id)
  if (action === 'new-task') return handle.newTask(text, id)
  if (action !== 'steer' || !activeRunId) return handle.submit({ text }, id)
  writeSteers(handle.sessionId, { ...readSteers(handle.sessionId), [id]: text })
  return handle.steer(activeRunId, text, id).then(result => {
    // Refused at once: the text is still in the composer, so there is nothing to give back.
    if (!result.ok) forgetSteer(handle.sessionId, id)
    return result
  })
}

function forgetSteer(sessionId: string, steerId: string): void {
  const { [steerId]: _, ...rest } = readSteers(sessionId)
  writeSteers(sessionId, rest)
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
  const activeRunId = useFact(handle, 'session', state => state.session.activeRunId)
  const [, redraw] = useState(0)
  const sent = readSteers(handle.sessionId)
  const version = handle.version('steers')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the collection changes in place; its version tells.
  useEffect(() => {
    for (const id of Object.keys(readSteers(handle.sessionId))) {
      if (steers.byId.get(id)?.state === 'consumed') forgetSteer(handle.sessionId, id)
    }
  }, [handle, steers, version])
  const returned = Object.entries(sent).filter(([id]) => steers.byId.get(id)?.state === 'rejected')
  const waiting = Object.entries(sent).filter(([id]) => steers.byId.get(id)?.state === 'accepted')
  const settle = (id: string, then: () => void) => {
    forgetSteer(handle.sessionId, id)
    redraw(count => count + 1)
    then()
  }
  return (
    <>
      {waiting.map(([id, text]) => (
        <p key={id} className="v-steer-waiting">
          <CornerDownRight aria-hidden />
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
            <button type="button" className="v-button" onClick={() => settle(id, () => onGive(text))}>
              {t('steer.giveBack')}
            </button>
            <button
              type="button"
              className="v-button"
              onClick={() => settle(id, () => onSend(activeRunId ? 'queue' : 'send', text))}
            >
              {t(labels[activeRunId ? 'queue' : 'send'])}
            </button>
            <button type="button" className="v-button" onClick={() => settle(id, () => onSend('new-task', text))}>
              {t(labels['new-task'])}
            </button>
          </div>
        </ProblemNote>
      ))}
    </>
  )
}
