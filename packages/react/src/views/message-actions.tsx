import { newId, type Outcome, type SessionHandle } from '@vitrine/client'
import {
  answerText,
  type Message as MessageEntity,
  type Problem,
  partsOf,
  type Rewind,
  versionsOf,
} from '@vitrine/protocol'
import {
  createContext,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useVitrine } from '../context.tsx'
import { forgetDraft, placeOf, readDraft, storeDrafts, writeDraft } from '../drafts.ts'
import { useEntity, useEntityValue, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import {
  Check,
  ChevronLeft,
  ChevronRight,
  Clock,
  Copy,
  GitBranch,
  Pencil,
  RefreshCw,
  ThumbsDown,
  ThumbsUp,
} from '../kit/icons.ts'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { type ShownVersion, showVersion, takePressed, useShownVersion, versionHandle } from './shown-version.ts'
import { useCommand } from './use-command.ts'

/** The session of today, for messages that are drawn as part of an earlier version. */
const Present = createContext<{ handle: SessionHandle; shown: ShownVersion } | null>(null)

/** A letter acts when the focus is in a message, and presses the button that has it. */
export function messageKeys(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, ctrlKey, metaKey, altKey, shiftKey } = event
  const writes = (target as HTMLElement).closest('input, textarea, select, [contenteditable]')
  if (writes || ctrlKey || metaKey || altKey || shiftKey || !/^[a-z]$/.test(key)) return
  const button = currentTarget.querySelector<HTMLButtonElement>(`[data-key="${key}"]`)
  if (!button) return
  event.preventDefault()
  button.click()
}

interface ActionProps {
  icon: IconData
  label: string
  /** The letter that presses it while the focus is in the message. */
  letter?: string
  /** Why it cannot be pressed now. */
  why?: string | null
  pressed?: boolean
  busy?: boolean
  onClick: () => void
}

/** One of the buttons below a message. One that cannot act now stays in its place and says why. */
function Action({ icon, label, letter, why, pressed, busy, onClick }: ActionProps) {
  const { announce } = useVitrine()
  const name = why ? `${label}. ${why}` : label
  return (
    <button
      type="button"
      className="v-button v-quiet v-icon-button"
      aria-label={name}
      title={letter ? `${name} (${letter.toUpperCase()})` : name}
      aria-disabled={why || busy ? true : undefined}
      aria-pressed={pressed}
      aria-keyshortcuts={letter?.toUpperCase()}
      data-key={letter}
      onClick={() => {
        if (why) announce(name)
        else if (!busy) onClick()
      }}
    >
      <Icon of={icon} />
    </button>
  )
}

/** Why a message cannot be edited or answered again at the moment; null when it can. */
function useWhyNot(handle: SessionHandle): string | null {
  const { t } = useI18n()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId !== null)
  const waits = useEntityValue(handle, 'queue', state => state.queue.turns.length > 0)
  const live = useReadable(handle.live)
  if (active) return t('history.running')
  if (waits) return t('history.queued')
  return live ? null : t('history.offline')
}

/** What can be done with a message, in one row below it. */
export function MessageActions({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const past = useContext(Present)
  const { t } = useI18n()
  if (message.subagentId !== null) return null
  const isAnswer = message.role === 'assistant'
  const text = async () => {
    if (isAnswer) return answerText(handle.state, message)
    const whole = await wholeText(handle, message)
    return whole.ok ? whole.value : null
  }
  const input = handle.state.turns.byId.get(message.turnId ?? '')?.input
  if (!isAnswer && input?.interaction) return null
  return (
    <div className="v-acts">
      <CopyAction text={text} label={t(isAnswer ? 'message.copy' : 'history.copyMine')} />
      {!past &&
        (isAnswer ? (
          <AnswerActions handle={handle} message={message} />
        ) : (
          <EditAction handle={handle} message={message} />
        ))}
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
    const copied =
      words !== null &&
      (await navigator.clipboard?.writeText(words).then(
        () => true,
        () => false,
      )) === true
    setDone(copied)
    announce(t(copied ? 'copy.done' : 'copy.failed'))
  }
  return <Action icon={done ? Check : Copy} label={done ? t('copy.done') : label} letter="c" onClick={copy} />
}

function AnswerActions({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const { notify, openSession, client } = useVitrine()
  const why = useWhyNot(handle)
  const again = useCommand()
  const branch = useCommand()
  const { ordinal } = message
  const told = (key: MessageKey, outcome: Outcome) => {
    if (outcome.ok) return
    notify({ id: key, tone: 'danger', text: t(key, { reason: problemWords(t, outcome.problem) }) })
  }
  const regenerate = async () => told('history.againFailed', await again.send(() => handle.regenerateMessage(ordinal)))
  const fork = async () => {
    const { title } = handle.state.session
    const known = client.sessions.get().sessions.find(({ sessionId }) => sessionId === handle.sessionId)?.title
    const name = (title.known && title.value) || known
    const outcome = await branch.send(() =>
      handle.forkSession({ ordinal, ...(name && { title: t('history.branchTitle', { title: name }).slice(0, 300) }) }),
    )
    told('history.branchFailed', outcome)
    if (outcome.ok) openSession(outcome.value.session.sessionId)
  }
  return (
    <>
      <Action
        icon={RefreshCw}
        label={t('history.again')}
        letter="r"
        why={why}
        busy={again.sending}
        onClick={regenerate}
      />
      <Action icon={GitBranch} label={t('history.branch')} letter="b" busy={branch.sending} onClick={fork} />
      <FeedbackActions handle={handle} message={message} onRefused={told} />
    </>
  )
}

/** Thumbs up and down. Whoever presses one can say why, and whoever presses it again takes it back. */
function FeedbackActions(props: {
  handle: SessionHandle
  message: MessageEntity
  onRefused: (key: MessageKey, outcome: Outcome) => void
}) {
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

/** What the person wrote, as far as the page has it. */
const writtenIn = ({ state }: SessionHandle, message: MessageEntity): string =>
  partsOf(state, message)
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.toString())
    .join('\n')

/** A text that is too long for an event is in the blob store, and the page has its beginning. */
async function wholeText(handle: SessionHandle, message: MessageEntity): Promise<Outcome<string>> {
  const ref = partsOf(handle.state, message).find(part => part.ref)?.ref
  return ref ? handle.getBlob(ref.digest) : { ok: true, value: writtenIn(handle, message) }
}

const editPlace = (handle: SessionHandle, messageId: string) => placeOf('edited', handle.sessionId, messageId)

/** Messages that are being edited, told to the bubble and to the button of the same message. */
const editing = new Map<string, Set<() => void>>()

function setEditing(place: string, fields: { text: string; turnId: string } | null): void {
  if (fields) writeDraft(place, fields)
  else forgetDraft(place)
  storeDrafts()
  for (const listener of [...(editing.get(place) ?? [])]) listener()
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

function EditAction({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const { notify } = useVitrine()
  const why = useWhyNot(handle)
  const { sending, send } = useCommand()
  const place = editPlace(handle, message.messageId)
  const begun = useEditing(place)
  const edit = async () => {
    const whole = await send(() => wholeText(handle, message))
    if (!whole.ok) {
      const reason = problemWords(t, whole.problem)
      return notify({ id: 'edit', tone: 'danger', text: t('history.editFailed', { reason }) })
    }
    setEditing(place, { text: whole.value, turnId: newId() })
  }
  if (begun) return null
  return <Action icon={Pencil} label={t('history.edit')} letter="e" why={why} busy={sending} onClick={edit} />
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
    storeDrafts()
    const { turnId } = readDraft(place)
    const outcome = await handle.editMessage(message.ordinal, { text }, typeof turnId === 'string' ? turnId : newId())
    // The box stays until the new version has come with the stream.
    if (outcome.ok) {
      forgetDraft(place)
      // The box goes away with the message: the focus must not go with it.
      box.current?.closest<HTMLElement>('.v-scroller')?.focus({ preventScroll: true })
      return
    }
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
          aria-keyshortcuts="Control+Enter Escape"
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

function VersionsOfPresent({ handle, shown }: { handle: SessionHandle; shown: ShownVersion }) {
  const message = handle.state.messages.byId.get(shown.messageId)
  return message ? <Versions handle={handle} message={message} shown={shown.rewind} /> : null
}

/** ‹ 2 of 2 ›: which version of the message is shown, and the way to the others. */
function Versions(props: { handle: SessionHandle; message: MessageEntity; shown: Rewind | null }) {
  const { handle, message, shown } = props
  const { t } = useI18n()
  const { announce, notify } = useVitrine()
  const { sending, send } = useCommand()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId !== null)
  useEntity(handle, 'rewinds', state => state.rewinds)
  const row = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const pressed = takePressed(handle)
    if (pressed) row.current?.querySelector<HTMLElement>(`[data-to="${pressed}"]`)?.focus({ preventScroll: true })
  }, [handle])
  const versions = versionsOf(handle.state, message)
  if (versions.length === 0) return null
  const total = versions.length + 1
  const at = shown ? versions.findIndex(({ rewindId }) => rewindId === shown.rewindId) + 1 : total
  const label = t('history.version', { at, total })
  const show = async (to: number, pressed: string) => {
    if (to < 1 || to > total || sending || active) return
    const rewind = versions[to - 1]
    if (!rewind) showVersion(handle, null, pressed)
    else {
      const page = await send(() => handle.listVersionMessages(rewind.rewindId, 0))
      if (!page.ok) {
        const reason = problemWords(t, page.problem)
        return notify({ id: 'version', tone: 'danger', text: t('history.versionFailed', { reason }) })
      }
      const past = versionHandle(handle, page.value)
      const next = page.value.next ?? null
      showVersion(handle, { messageId: message.messageId, rewind, handle: past, next }, pressed)
    }
    announce(t('history.versionShown', { at: to, total }))
  }
  const step = (to: number, pressed: 'previous' | 'next') => (
    <button
      type="button"
      className="v-button v-quiet v-icon-button"
      data-to={pressed}
      aria-disabled={to < 1 || to > total || active ? true : undefined}
      aria-label={t(pressed === 'previous' ? 'history.previous' : 'history.next')}
      title={active ? t('history.running') : t(pressed === 'previous' ? 'history.previous' : 'history.next')}
      onClick={() => void show(to, pressed)}
    >
      <Icon of={pressed === 'previous' ? ChevronLeft : ChevronRight} />
    </button>
  )
  return (
    <fieldset
      ref={row}
      className="v-versions"
      aria-label={t('history.versions')}
      onKeyDown={event => {
        const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
        if (by === 0) return
        event.preventDefault()
        void show(at + by, by < 0 ? 'previous' : 'next')
      }}
    >
      {step(at - 1, 'previous')}
      <span>{label}</span>
      {step(at + 1, 'next')}
    </fieldset>
  )
}

/** The messages of an earlier version in the place of a message, or the message itself. */
export function InVersion(props: {
  handle: SessionHandle
  messageId: string
  draw: (handle: SessionHandle, messageId: string) => ReactNode
  children: ReactNode
}) {
  const { handle, messageId, draw, children } = props
  const { t } = useI18n()
  const shown = useShownVersion(handle)
  const { sending, problem, send } = useCommand()
  const past = useContext(Present)
  if (past || shown?.messageId !== messageId) return children
  const more = async () => {
    const page = await send(() => handle.listVersionMessages(shown.rewind.rewindId, shown.next ?? 0))
    if (!page.ok) return
    showVersion(handle, {
      ...shown,
      handle: versionHandle(handle, page.value, shown.handle),
      next: page.value.next ?? null,
    })
  }
  const messages = [...shown.handle.state.messages.byId.values()].sort((a, b) => a.ordinal - b.ordinal)
  return (
    <Present value={{ handle, shown }}>
      <div className="v-version">
        {messages.map(one => (
          <Fragment key={one.messageId}>{draw(shown.handle, one.messageId)}</Fragment>
        ))}
        {shown.next !== null && (
          <Button look="quiet" disabled={sending} onClick={more}>
            {t('history.more')}
          </Button>
        )}
        {problem && <ProblemNote title={t('history.moreFailed')} problem={problem} />}
        <p className="v-version-end">
          <span>{t('history.past')}</span>
          <Button look="link" onClick={() => showVersion(handle, null, 'next')}>
            {t('history.toPresent')}
          </Button>
        </p>
      </div>
    </Present>
  )
}

/** In a session that was branched off: of which one it is a branch, and the way there. */
export function BranchNote({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const { sessions } = useReadable(client.sessions)
  const forkOf = useEntity(handle, 'session', state => state.session.forkOf)
  if (!forkOf) return null
  const source = sessions.find(({ sessionId }) => sessionId === forkOf.sessionId)
  return (
    <p className="v-row v-branch-note">
      <Icon of={GitBranch} />
      {source ? (
        <>
          <span>{t('history.branchOf')}</span>
          <Button look="link" onClick={() => openSession(forkOf.sessionId)}>
            {visible(source.title || t('sessions.untitled'))}
          </Button>
        </>
      ) : (
        <span>{t('history.branchOfUnknown')}</span>
      )}
    </p>
  )
}
