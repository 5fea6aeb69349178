import { newId, type Outcome, type SessionHandle } from '@vitrine/client'
import { type Message as MessageEntity, type Problem, partsOf, versionsOf } from '@vitrine/protocol'
import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { forgetDraft, idsWithDrafts, placeOf, readDraft, storeDrafts, writeDraft } from '../drafts.ts'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Clock, Pencil } from '../kit/icons.ts'
import { Shortcut } from '../kit/keys.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { ariaKeys, goOnWriting } from '../shortcuts.ts'
import { viewKeys } from './keys-help.tsx'
import { Action, useWhyNot } from './message-action.tsx'
import { Present } from './message-versions.tsx'
import { useCommand } from './use-command.ts'
import { wholeText } from './whole-text.ts'

/** What the person wrote, as far as the page has it. */
const writtenIn = ({ state }: SessionHandle, message: MessageEntity): string =>
  partsOf(state, message)
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.toString())
    .join('\n')

export const wholeMessage = (handle: SessionHandle, message: MessageEntity): Promise<Outcome<string>> =>
  wholeText(handle, {
    text: writtenIn(handle, message),
    ref: partsOf(handle.state, message).find(part => part.ref)?.ref,
  })

const editPlace = (handle: SessionHandle, messageId: string) => placeOf('edited', handle.sessionId, messageId)

/** Messages that are being edited, told to the bubble and to the button of the same message. */
const editing = new Map<string, Set<() => void>>()

/** What is kept of an edit. The ordinal tells whether its message is only not loaded. */
interface EditDraft {
  text: string
  turnId: string
  ordinal: number
}

function setEditing(place: string, fields: EditDraft | null): void {
  if (fields) writeDraft(place, { ...fields })
  else forgetDraft(place)
  storeDrafts()
  for (const listener of [...(editing.get(place) ?? [])]) listener()
}

/** Whether a message has left the newest version, and with it the place in which it was edited. */
function hasLeft({ state }: SessionHandle, messageId: string, ordinal: unknown): boolean {
  const message = state.messages.byId.get(messageId)
  if (message) return message.rewindId !== null
  return typeof ordinal === 'number' && ordinal >= state.windowFrom && ordinal <= state.counts.ordinals
}

/**
 * An edit whose message leaves the newest version, because an earlier answer is tried again here or elsewhere, has no place
 * any more: what was changed goes to where the person writes.
 */
export function useLostEdits(handle: SessionHandle, putBack: (text: string) => void): void {
  const { t } = useI18n()
  const { notify } = useVitrine()
  const version = useEntity(handle, 'messages', () => handle.version('messages'))
  const latest = useRef(putBack)
  latest.current = putBack
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages that changed are why, not what.
  useEffect(() => {
    for (const messageId of idsWithDrafts('edited', handle.sessionId)) {
      const place = editPlace(handle, messageId)
      const { text, changed, sent, ordinal } = readDraft(place)
      // One that is on its way is told what became of it by its answer.
      if (sent === true || !hasLeft(handle, messageId, ordinal)) continue
      setEditing(place, null)
      if (changed !== true || typeof text !== 'string' || !text.trim()) continue
      latest.current(text)
      notify({ id: 'edit-lost', tone: 'plain', text: t('history.editMoved'), lasts: 10_000 })
    }
  }, [handle, version])
}

const isEdited = (place: string): boolean => typeof readDraft(place).text === 'string'

/** Whether somebody has begun to edit the message, here or before the page was loaded again. */
function useEditing(place: string): boolean {
  const [begun, setBegun] = useState(() => isEdited(place))
  useEffect(() => {
    const listeners = editing.get(place) ?? new Set()
    editing.set(place, listeners)
    const tell = () => setBegun(isEdited(place))
    listeners.add(tell)
    return () => {
      listeners.delete(tell)
      if (listeners.size === 0) editing.delete(place)
    }
  }, [place])
  return begun
}

export function EditAction({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const { notify } = useVitrine()
  const why = useWhyNot(handle)
  const { sending, send } = useCommand()
  const place = editPlace(handle, message.messageId)
  const begun = useEditing(place)
  const edit = async () => {
    const whole = await send(() => wholeMessage(handle, message))
    if (!whole.ok) {
      const reason = problemWords(t, whole.problem)
      return notify({ id: 'edit', tone: 'danger', text: t('history.editFailed', { reason }) })
    }
    setEditing(place, { text: whole.value, turnId: newId(), ordinal: message.ordinal })
  }
  if (begun) return null
  return (
    <Action icon={Pencil} label={t('history.edit')} letter={viewKeys.edit} why={why} busy={sending} onClick={edit} />
  )
}

/** A message of a person, or in its place the box in which it is edited. */
export function Editable(props: { handle: SessionHandle; message: MessageEntity; children: ReactNode }) {
  const { handle, message, children } = props
  const begun = useEditing(editPlace(handle, message.messageId))
  const past = useContext(Present)
  if (!begun || past || message.rewindId !== null) return children
  return <EditBox handle={handle} message={message} />
}

function EditBox({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const place = editPlace(handle, message.messageId)
  const before = writtenIn(handle, message)
  const [text, setText] = useState(() => String(readDraft(place).text ?? ''))
  const [asks, setAsks] = useState(false)
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const why = useWhyNot(handle)
  const version = versionsOf(handle.state, message).length + 2
  useEffect(() => {
    const area = box.current
    area?.focus({ preventScroll: true })
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [])

  const write = (next: string) => {
    setText(next)
    setAsks(false)
    writeDraft(place, { ...readDraft(place), text: next, changed: true })
  }
  const leave = () => {
    const article = box.current?.closest<HTMLElement>('[data-message]')
    setEditing(place, null)
    // Who was in the box is in the message now.
    article?.focus({ preventScroll: true })
  }
  const cancel = () => {
    if (readDraft(place).changed === true && text !== before && !asks) setAsks(true)
    else leave()
  }
  const send = async () => {
    if (!text.trim() || sent || why) return
    setSent(true)
    setProblem(null)
    writeDraft(place, { ...readDraft(place), sent: true })
    storeDrafts()
    const done = goOnWriting()
    const { turnId } = readDraft(place)
    const outcome = await handle.editMessage(message.ordinal, { text }, typeof turnId === 'string' ? turnId : newId())
    // The box stays until the new version has come with the stream.
    if (outcome.ok) {
      forgetDraft(place)
      // The box goes away with the message: the focus must not go with it.
      done()
      return
    }
    const { sent: _, ...draft } = readDraft(place)
    writeDraft(place, draft)
    storeDrafts()
    setSent(false)
    setProblem(outcome.problem)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      cancel()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
  }
  return (
    <>
      <div className="v-edit" data-sent={sent ? true : undefined} aria-busy={sent}>
        <textarea
          ref={box}
          value={text}
          readOnly={sent}
          rows={1}
          aria-label={t('history.editLabel')}
          aria-keyshortcuts={`${ariaKeys(viewKeys.submit)} Escape`}
          onChange={event => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {problem && <ProblemNote title={t('history.editRefused')} problem={problem} />}
        <footer>
          {sent ? (
            <span className="v-edit-note">
              <Icon of={Clock} />
              {t('history.sending')}
            </span>
          ) : (
            <>
              <span className="v-edit-note" role={asks ? 'alert' : undefined}>
                {asks ? t('history.discard') : (why ?? t('history.editNote', { version, before: version - 1 }))}
              </span>
              {asks && (
                <Button look="quiet" onClick={() => setAsks(false)}>
                  {t('history.keep')}
                </Button>
              )}
              <Button look="quiet" danger={asks} onClick={cancel}>
                {t(asks ? 'history.discardIt' : 'action.cancel')}
              </Button>
              {!asks && (
                <Button look="primary" onClick={send} disabled={!text.trim() || why !== null}>
                  {t('history.send', { version })}
                  <span className="v-edit-keys" aria-hidden>
                    <Shortcut keys={viewKeys.submit} />
                  </span>
                </Button>
              )}
            </>
          )}
        </footer>
      </div>
      {handle.state.counts.ordinals > message.ordinal && (
        <p className="v-belongs">{t('history.belongs', { version: version - 1 })}</p>
      )}
    </>
  )
}
