import { newId, type SessionHandle } from '@vitrine/client'
import { type Problem, pendingActions } from '@vitrine/protocol'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useAgent } from '../agents.tsx'
import { useRowState, useVitrine } from '../context.tsx'
import { useEntity, useEntityValue, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { isPointed } from '../shortcuts.ts'
import { useTellLanguage } from '../tell-language.ts'
import { visibleText } from '../visible.tsx'
import type { FileInTurn } from './attachment-store.ts'
import { type ComposerFiles, useComposerFiles } from './attachments.tsx'
import { keepBeginning } from './beginning.ts'
import { ComposerBox } from './composer-box.tsx'
import { ComposerContext, ContextWindow } from './composer-context.tsx'
import { type ComposerDraft, keepComposerDraft, readComposerDraft } from './composer-draft.ts'
import {
  type AnswerChoice,
  answersRequest,
  type BusyMode,
  type ComposerMode,
  composerPlan,
  isForm,
  takesWordsAsValue,
  wordsTo,
} from './composer-mode.ts'
import { contextOf } from './composer-references.ts'
import { useLostEdits } from './message-editing.tsx'
import { ModelButton } from './model-button.tsx'
import type { ComposerAction, Outbox, Unsent } from './outbox.ts'
import { type Recalled, recall, writtenTexts } from './recall.ts'
import { ReturnedSteers } from './returned-steers.tsx'
import { actionLabels, SendButton, StopButton } from './send-buttons.tsx'
import { showVersion, useShownVersion } from './shown-version.ts'
import { SessionToolMode } from './tool-mode.tsx'
import { useOutbox, useUnsent } from './use-outbox.ts'

export interface ComposerControl {
  focus(): void
  /** Sends a text as if it had been typed and Enter pressed. */
  send(text: string): void
  /** Puts a text back that was on its way. */
  give(unsent: Unsent): void
  choose(mode: BusyMode): void
}

interface Props {
  handle: SessionHandle
  /** How the agent is called, when that is known. */
  agentName?: string | undefined
  control?: Ref<ComposerControl>
  onInterrupt: () => void
  /** What was sent stands at the end of the conversation. */
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
export function Composer({ handle, agentName, control, onInterrupt, onSent, stopArmed, stopping }: Props) {
  const { t } = useI18n()
  const { client } = useVitrine()
  const { sessionId } = handle
  const agentId = useEntityValue(handle, 'session', ({ session }) =>
    session.agentId.known ? session.agentId.value : '',
  )
  const agent = useAgent(agentId)
  const outbox = useOutbox(handle)
  const tellLanguage = useTellLanguage(handle)
  const unsent = useUnsent(handle)
  const { draft, keep, putBack } = useComposerDraft(sessionId)
  const files = useComposerFiles(sessionId)
  const [preferred, choose] = useRowState<BusyMode>(`busy:${sessionId}`, 'queue')
  const [choice, setChoice] = useState<AnswerChoice | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const phase = useReadable(handle.phase).phase
  const connection = useReadable(client.connection).state
  const activeRunId = useEntityValue(handle, 'session', state => state.session.activeRunId)
  const runStatus = useEntityValue(handle, `run:${activeRunId ?? ''}`, state =>
    activeRunId ? state.runs.byId.get(activeRunId)?.status : undefined,
  )
  const active = activeRunId ? (runStatus ?? 'unknown') : null
  const request = useEntity(handle, 'actions', state => pendingActions(state).find(action => wordsTo(action) !== null))
  const form = useEntity(handle, 'actions', state => pendingActions(state).find(action => isForm(action.request.kind)))
  const waits = (request ?? form)?.request.kind ?? null
  const plan = composerPlan({
    phase,
    connection,
    active,
    preferred,
    asked: request ? wordsTo(request) : null,
    waits,
    answers: answersRequest(request?.actionId, choice, draft.text === ''),
    onItsWay: unsent.length > 0,
  })
  const earlier = useShownVersion(handle) !== null && plan.blocked === null
  const toRequest = plan.action === 'answer' || plan.action === 'refuse'

  const send = (action: ComposerAction, { text, id }: ComposerDraft, attached?: FileInTurn[]) => {
    if (!text.trim()) return
    setFailure(null)
    const to = action === 'steer' ? activeRunId : action === 'answer' || action === 'refuse' ? request?.actionId : null
    const asValue = action === 'answer' && request !== undefined && takesWordsAsValue(request)
    const input = { text, ...contextOf(sessionId, text), ...(attached && { files: attached }) }
    // What is sent stands at the end of the newest version: there it must be seen.
    showVersion(handle, null)
    tellLanguage()
    outbox.add({ id, action, input, ...(to && { to }), ...(asValue && { asValue }) })
    outbox.flush(handle)
  }
  const enter = () => {
    if (plan.blocked || !draft.text.trim()) return
    // The text leaves the composer with the key press; it comes back should it be refused.
    keep('')
    if (plan.action === 'new-task') choose('queue')
    // A request takes words only: files stay here for the message that comes after.
    send(plan.action, draft, toRequest ? undefined : files.take())
  }
  const change = (text: string) => {
    // From the first letter on it is settled whether the text answers what waits.
    if (draft.text === '' && request && choice?.actionId !== request.actionId) {
      setChoice({ actionId: request.actionId, on: toRequest })
    }
    keep(text)
  }
  const chooseMode = (mode: ComposerMode) => {
    const on = mode === 'answer' || mode === 'refuse'
    if (request) setChoice({ actionId: request.actionId, on })
    if (!on) choose(mode)
  }
  const give = (text: string, attached: readonly FileInTurn[] = []) => {
    putBack(text)
    files.giveBack(attached, null)
    input.current?.focus({ preventScroll: true })
  }

  useEffect(() => keepBeginning(sessionId), [sessionId])
  useRefused(outbox, putBack, files.giveBack, setFailure)
  useLostEdits(handle, putBack)
  useTaken(outbox)
  useFirstFocus(input)
  const count = unsent.length
  const counted = useRef(count)
  useEffect(() => {
    if (count > counted.current) onSent?.()
    counted.current = count
  }, [count, onSent])
  const onKey = useRecall(handle, draft.text, keep)

  useImperativeHandle(control, () => ({
    focus: () => input.current?.focus(),
    send: text => send(plan.action, { text, id: newId() }),
    give: ({ id, input: { text, files: attached } }) => {
      outbox.take(id)
      give(text, attached)
    },
    choose: chooseMode,
  }))

  const named = (about: 'reply' | 'busy' | 'form' | 'answer' | 'refuse') =>
    agentName ? t(`composer.placeholder.${about}`, { name: visibleText(agentName) }) : t(`composer.unnamed.${about}`)
  const busy = isForm(waits) ? 'form' : 'busy'
  const about = toRequest ? (plan.action as 'answer' | 'refuse') : active === null ? 'reply' : busy
  const title = request ? short(visibleText(request.request.title)) : ''
  const empty = draft.text.trim() === ''
  return (
    <div className="v-composer">
      <ReturnedSteers
        handle={handle}
        onGive={give}
        onSend={(action, text, attached) => send(action, { text, id: newId() }, attached)}
      />
      {failure && (
        <ProblemNote title={t('composer.failed')} problem={failure.problem}>
          {nextSteps(failure, active !== null).map(action => (
            <Button
              key={action}
              disabled={files.waits !== null}
              onClick={() => {
                keep('')
                send(action, draft, files.take())
              }}
            >
              {t(action === failure.action ? 'action.tryAgain' : actionLabels[action])}
            </Button>
          ))}
        </ProblemNote>
      )}
      <ComposerBox
        text={draft.text}
        files={files}
        placeholder={named(about)}
        rows={1}
        completes={{ handle }}
        input={input}
        hint={stopArmed ? t('composer.stopArmed') : t(earlier ? 'composer.hint.newest' : plan.hint, { title })}
        blocked={plan.blocked !== null}
        hintKind={stopArmed ? undefined : plan.hintKind}
        onChange={change}
        onEnter={enter}
        onKey={onKey}
        choices={
          plan.modes.length > 0 && (
            <RadioGroup
              look="segments"
              label={t('composer.modes')}
              labelHidden
              value={plan.action}
              options={plan.modes.map(({ mode, unavailable }) => ({
                value: mode,
                label: t(actionLabels[mode]),
                hint: unavailable ? t(unavailable) : t(`composer.about.${mode}`),
                disabled: unavailable !== null,
              }))}
              onChange={mode => {
                chooseMode(mode as ComposerMode)
                // Who has chosen with the mouse goes on writing; arrow keys go on choosing.
                if (isPointed()) input.current?.focus({ preventScroll: true })
              }}
            />
          )
        }
        context={<ComposerContext place={sessionId} text={draft.text} store={files.store} onText={change} />}
        picks={
          <>
            <ModelButton agent={agent} />
            <ContextWindow handle={handle} text={draft.text} store={files.store} />
            <SessionToolMode handle={handle} agentName={agentName} />
          </>
        }
        buttons={
          <>
            {active !== null && (
              <StopButton
                status={active}
                stopping={stopping}
                beside={!empty || request !== undefined}
                onStop={onInterrupt}
              />
            )}
            {(active === null || !empty || request !== undefined) && (
              <SendButton action={plan.action} disabled={empty || plan.blocked !== null || files.waits !== null} />
            )}
          </>
        }
      />
    </div>
  )
}

/** What stands in a hint of one line. */
const short = (title: string): string => (title.length > 48 ? `${title.slice(0, 47).toWellFormed().trimEnd()}…` : title)

/** The text of a session's composer. It is kept with every key, under an id that changes with it. */
function useComposerDraft(sessionId: string) {
  const [draft, setDraft] = useState(() => readComposerDraft(sessionId))
  const set = (next: ComposerDraft) => {
    setDraft(next)
    keepComposerDraft(sessionId, next)
  }
  const keep = (text: string) => set({ text, id: newId() })
  // What was written first stands first. It is read from where it is kept: several texts may come back at once.
  const putBack = (text: string) => {
    const now = readComposerDraft(sessionId).text
    keep(now ? `${text}\n\n${now}` : text)
  }
  return { draft, keep, putBack }
}

/** Takes back what the server has refused, with the reason. */
function useRefused(
  outbox: Outbox,
  putBack: (text: string) => void,
  giveBack: ComposerFiles['giveBack'],
  fail: (failure: Failure) => void,
): void {
  const refused = useReadable(outbox).filter(({ state }) => state === 'refused')
  // Before the next key press: what is typed then goes into the text that came back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused text is taken back once.
  useLayoutEffect(() => {
    for (const { id, action, problem, input } of [...refused].reverse()) {
      outbox.take(id)
      putBack(input.text)
      giveBack(input.files ?? [], problem ?? null)
      fail({ action, problem: problem! })
    }
  }, [refused.length])
}

/** Says what became of a text that the server has taken. */
function useTaken(outbox: Outbox): void {
  const { t } = useI18n()
  const { announce, notify, openSession } = useVitrine()
  useEffect(() => {
    outbox.onTaken = ({ id, action }, answer) => {
      const { state, session, first } = (answer ?? {}) as {
        state?: string
        session?: { sessionId: string }
        first?: boolean
      }
      if (first === false) return announce(t('request.alreadyAnswered'))
      const done = action === 'queue' && state === 'started' ? 'send' : action
      announce(t(`composer.done.${done}`))
      if (action !== 'new-task') return
      notify({
        id: `task:${id}`,
        text: t('composer.done.new-task'),
        tone: 'plain',
        lasts: 6000,
        ...(session && { action: { label: t('action.open'), run: () => openSession(session.sessionId) } }),
      })
    }
    return () => {
      outbox.onTaken = null
    }
  }, [outbox, t, announce, notify, openSession])
}

/** The composer has the focus when a session opens, unless something else has it. */
function useFirstFocus(input: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = input.current
    const free = document.activeElement === null || document.activeElement === document.body
    // On a touch screen this would raise the keyboard over the conversation.
    if (!element || !free || !matchMedia('(pointer: fine)').matches) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [input])
}

/** The arrow keys bring back what was written before. */
function useRecall(handle: SessionHandle, text: string, keep: (text: string) => void) {
  const recalled = useRef<Recalled | null>(null)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || altKey || ctrlKey || metaKey || shiftKey) return
    if (event.nativeEvent.isComposing) return
    const next = recall(writtenTexts(handle.state), recalled.current, { text, caret: caretOf(event) }, key)
    if (next === undefined) return
    event.preventDefault()
    recalled.current = next
    keep(next?.text ?? '')
  }
}

const caretOf = ({ currentTarget }: KeyboardEvent<HTMLTextAreaElement>): number => currentTarget.selectionEnd

/** What can be done with a text that the server did not take. */
function nextSteps({ action, problem }: Failure, busy: boolean): ComposerAction[] {
  if (problem.code === 'run_active') return ['queue', 'steer', 'new-task']
  if (action === 'steer') return busy ? ['steer', 'queue', 'new-task'] : ['send', 'new-task']
  if (action === 'answer' || action === 'refuse') return busy ? ['queue'] : ['send']
  return [action]
}
