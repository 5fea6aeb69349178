import type { Outcome, SessionHandle } from '@vitrine/client'
import type { FileRef, Problem, QueuedTurn } from '@vitrine/protocol'
import { useCallback, useEffect, useState } from 'react'
import { forgetDraft, placeOf, useDraft } from '../drafts.ts'
import { NARROW, useEntity, useEntityValue, useMedia } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ArrowDown, ArrowUp, ArrowUpToLine, Clock, CornerUpRight, ListEnd, Pause, Pencil, X } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { goOnWriting } from '../shortcuts.ts'
import { visible } from '../visible.tsx'
import { useCommand } from './use-command.ts'
import { useUnsent } from './use-outbox.ts'
import { wholeText } from './whole-text.ts'

interface Props {
  handle: SessionHandle
  /** The turn that is being edited, owned above so that a key can open it. */
  editing: string | null
  onEdit: (turnId: string | null) => void
}

/** Turns that wait for the run to end. Every change goes through the runtime and shows when it is a fact. */
export function QueueView({ handle, editing, onEdit }: Props) {
  const { t } = useI18n()
  const queue = useEntity(handle, 'queue', state => state.queue)
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const unsent = useUnsent(handle).filter(({ action }) => action === 'queue')
  const activeRunId = useEntityValue(handle, 'session', state => state.session.activeRunId)
  if (queue.turns.length === 0 && unsent.length === 0 && !queue.held) return null

  // The editor goes away with the focus in it.
  const leave = (goOn = goOnWriting()) => {
    onEdit(null)
    requestAnimationFrame(goOn)
  }
  const write = async (name: string, send: () => Promise<Outcome>): Promise<boolean> => {
    setBusy(name)
    setProblem(null)
    const result = await send()
    setBusy(null)
    if (!result.ok) setProblem(result.problem)
    return result.ok
  }
  const hold = (held: boolean) => write('hold', () => handle.updateQueue({ held }))
  // A turn that cannot become a steer stays where it is, with the reason below.
  const steer = (runId: string, { turnId, input: { text, files } }: QueuedTurn) =>
    write(turnId, () => handle.steerRun(runId, { text, turnId, ...(files && { files: files.map(namedFile) }) }))
  return (
    <section className="v-queue" aria-label={t('queue.label')}>
      {queue.held && (
        <header className="v-queue-row">
          <Icon of={Pause} className="v-row-icon" />
          <span className="v-queue-text">
            <strong>{t('queue.held')}</strong>{' '}
            <span>
              {t('queue.waiting', { count: queue.turns.length })}
              {queue.reason && queue.reason.code !== 'held_by_person' && <> · {reasonWords(t, queue.reason)}</>}
            </span>
          </span>
          <Button disabled={busy !== null} onClick={() => hold(false)}>
            {t('queue.release')}
          </Button>
        </header>
      )}
      <ol>
        {queue.turns.map((turn, index) => (
          <li key={turn.turnId} className="v-queue-row">
            {editing === turn.turnId ? (
              <Editor
                handle={handle}
                turn={turn}
                place={placeOf('queued', handle.sessionId, turn.turnId)}
                busy={busy === turn.turnId}
                onCancel={() => leave()}
                onSave={async (text, place) => {
                  const goOn = goOnWriting()
                  if (!(await write(turn.turnId, () => handle.editQueuedTurn(turn.turnId, { text })))) return
                  forgetDraft(place)
                  leave(goOn)
                }}
              />
            ) : (
              <>
                <Icon of={ListEnd} className="v-row-icon" />
                <span className="v-queue-position">{index === 0 ? t('queue.next') : index + 1}</span>
                <span className="v-queue-text" dir="auto">
                  {visible(turn.preview || turn.input.text)}
                </span>
                {turn.input.files && (
                  <span className="v-queue-files">{t('file.label', { count: turn.input.files.length })}</span>
                )}
                <Actions
                  position={index}
                  last={queue.turns.length - 1}
                  busy={busy !== null}
                  onEdit={() => onEdit(turn.turnId)}
                  {...(activeRunId && canSteer(turn) && { onSteer: () => steer(activeRunId, turn) })}
                  {...(index === 0 && !queue.held && { onHold: () => hold(true) })}
                  onMove={to => write(turn.turnId, () => handle.editQueuedTurn(turn.turnId, to))}
                  onRemove={() => write(turn.turnId, () => handle.removeQueuedTurn(turn.turnId))}
                />
              </>
            )}
          </li>
        ))}
        {unsent.map(each => (
          <li key={each.id} className="v-queue-row v-unsent" aria-label={t('unsent.label')}>
            <Icon of={Clock} className="v-row-icon" />
            <span className="v-queue-text" dir="auto">
              {visible(each.input.text)}
            </span>
          </li>
        ))}
      </ol>
      {problem && <ProblemNote title={t('queue.failed')} problem={problem} />}
    </section>
  )
}

/** A steer is a short text with files. What else a turn has would be lost. */
const canSteer = ({ input }: QueuedTurn): boolean => !input.interaction && !input.context && !input.ref

const namedFile = ({ digest, name = digest }: FileRef) => ({ digest, name })

interface ActionsProps {
  position: number
  last: number
  busy: boolean
  onEdit: () => void
  /** Says it to the run at once, instead of after it. */
  onSteer?: () => void
  onHold?: () => void
  onMove: (to: { position: number } | { promote: true }) => void
  onRemove: () => void
}

/** What can be done with a queued turn: buttons where there is room, else a menu, so that a turn stays one line. */
function Actions({ position, last, busy, onEdit, onSteer, onHold, onMove, onRemove }: ActionsProps) {
  const { t } = useI18n()
  const narrow = useMedia(NARROW)
  const all = [
    ...(onHold ? [{ key: 'queue.hold', icon: Pause, run: onHold, later: true } as const] : []),
    ...(last > 0
      ? ([
          {
            key: 'queue.up',
            icon: ArrowUp,
            run: () => onMove({ position: position - 1 }),
            not: position === 0,
            later: true,
          },
          {
            key: 'queue.down',
            icon: ArrowDown,
            run: () => onMove({ position: position + 1 }),
            not: position === last,
            later: true,
          },
          { key: 'queue.promote', icon: ArrowUpToLine, run: () => onMove({ promote: true }), later: true },
        ] as const)
      : []),
    { key: 'queue.edit', icon: Pencil, run: onEdit },
    ...(onSteer ? [{ key: 'queue.steer', icon: CornerUpRight, run: onSteer } as const] : []),
    { key: 'queue.remove', icon: X, run: onRemove },
  ] as const
  const offered = all.map(action => ({ ...action, disabled: busy || ('not' in action && action.not) }))
  if (narrow)
    return (
      <Menu label={t('queue.menu', { count: position + 1 })}>
        {offered.map(({ key, icon, run, disabled }) => (
          <MenuItem key={key} icon={icon} disabled={disabled} onChoose={run}>
            {t(key)}
          </MenuItem>
        ))}
      </Menu>
    )
  return (
    <span className="v-queue-actions">
      {offered.map(({ key, icon, run, disabled, ...action }) => (
        <IconButton
          key={key}
          icon={icon}
          label={t(key)}
          disabled={disabled}
          // What is seldom needed shows when somebody is at the row, and takes no room before.
          className={'later' in action ? 'v-queue-later' : undefined}
          onClick={run}
        />
      ))}
    </span>
  )
}

interface EditorProps {
  handle: SessionHandle
  turn: QueuedTurn
  /** Where the changed text is kept until it is saved. */
  place: string
  busy: boolean
  onSave: (text: string, place: string) => void
  onCancel: () => void
}

/** Edits a turn that waits. Its whole text is fetched first, because saving replaces all of it. */
function Editor(props: EditorProps) {
  const { handle, turn, onCancel } = props
  const { t } = useI18n()
  const { text, ref } = turn.input
  const [whole, setWhole] = useState(ref ? null : text)
  const { problem, send } = useCommand()
  const load = useCallback(async () => {
    const result = await send(() => wholeText(handle, { text, ref }))
    if (result.ok) setWhole(result.value)
  }, [send, handle, text, ref])
  useEffect(() => {
    if (whole === null) load()
  }, [whole, load])
  if (whole !== null) return <TextEditor {...props} text={whole} />
  if (!problem) return <span className="v-queue-text">{t('fallback.loading')}</span>
  return (
    <ProblemNote title={t('message.moreFailed')} problem={problem}>
      <Button onClick={load}>{t('action.tryAgain')}</Button>
      <Button look="quiet" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </ProblemNote>
  )
}

function TextEditor({ text: before, place, busy, onSave, onCancel }: EditorProps & { text: string }) {
  const { t } = useI18n()
  const [text, setText] = useDraft(place, 'text', before)
  const save = () => {
    if (text.trim()) onSave(text, place)
  }
  return (
    <form
      className="v-queue-editor"
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <TextArea
        aria-label={t('queue.editText')}
        rows={2}
        value={text}
        ref={element => element?.focus()}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onCancel()
        }}
        onEnter={save}
      />
      <div className="v-actions">
        <Button type="submit" look="primary" disabled={busy || !text.trim()}>
          {t('action.save')}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  )
}
