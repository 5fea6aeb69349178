import type { Outcome, SessionHandle } from '@vitrine/client'
import type { Problem, QueuedTurn } from '@vitrine/protocol'
import { useState } from 'react'
import { forgetDraft, placeOf, useDraft } from '../drafts.ts'
import { useEntity, useMedia } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ArrowDown, ArrowUp, ArrowUpToLine, Pause, Pencil, Play, Trash } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'

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
  if (queue.turns.length === 0 && !queue.held) return null

  const write = async (name: string, send: () => Promise<Outcome>): Promise<boolean> => {
    setBusy(name)
    setProblem(null)
    const result = await send()
    setBusy(null)
    if (!result.ok) setProblem(result.problem)
    return result.ok
  }
  return (
    <section className="v-queue" aria-label={t('queue.label')}>
      <header className="v-queue-head">
        <h2>{t('queue.count', { count: queue.turns.length })}</h2>
        {queue.held && (
          <span className="v-queue-held">
            {queue.reason ? t('queue.heldBecause', { reason: reasonWords(t, queue.reason) }) : t('queue.held')}
          </span>
        )}
        <Button
          look="quiet"
          disabled={busy !== null}
          onClick={() => write('hold', () => handle.updateQueue({ held: !queue.held }))}
        >
          {queue.held ? <Icon of={Play} /> : <Icon of={Pause} />}
          {t(queue.held ? 'queue.release' : 'queue.hold')}
        </Button>
      </header>
      <ol>
        {queue.turns.map((turn, index) => (
          <li key={turn.turnId}>
            {editing === turn.turnId ? (
              <Editor
                turn={turn}
                place={placeOf('queued', handle.sessionId, turn.turnId)}
                busy={busy === turn.turnId}
                onCancel={() => onEdit(null)}
                onSave={async (text, place) => {
                  if (!(await write(turn.turnId, () => handle.editQueuedTurn(turn.turnId, { text })))) return
                  forgetDraft(place)
                  onEdit(null)
                }}
              />
            ) : (
              <>
                <span className="v-queue-position">{index + 1}</span>
                <span className="v-queue-text">{visible(turn.preview || turn.input.text)}</span>
                <Actions
                  position={index}
                  last={queue.turns.length - 1}
                  busy={busy !== null}
                  onEdit={() => onEdit(turn.turnId)}
                  onMove={to => write(turn.turnId, () => handle.editQueuedTurn(turn.turnId, to))}
                  onRemove={() => write(turn.turnId, () => handle.removeQueuedTurn(turn.turnId))}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      {problem && <ProblemNote title={t('queue.failed')} problem={problem} />}
    </section>
  )
}

interface ActionsProps {
  position: number
  last: number
  busy: boolean
  onEdit: () => void
  onMove: (to: { position: number } | { promote: true }) => void
  onRemove: () => void
}

/** What can be done with a queued turn: buttons where there is room, else a menu, so that a turn stays one line. */
function Actions({ position, last, busy, onEdit, onMove, onRemove }: ActionsProps) {
  const { t } = useI18n()
  const narrow = useMedia('(max-width: 719px)')
  const all = [
    { key: 'queue.edit', icon: Pencil, run: onEdit },
    { key: 'queue.up', icon: ArrowUp, run: () => onMove({ position: position - 1 }), not: position === 0 },
    { key: 'queue.down', icon: ArrowDown, run: () => onMove({ position: position + 1 }), not: position === last },
    { key: 'queue.promote', icon: ArrowUpToLine, run: () => onMove({ promote: true }) },
    { key: 'queue.remove', icon: Trash, run: onRemove },
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
      {offered.map(({ key, icon, run, disabled }) => (
        <IconButton key={key} icon={icon} label={t(key)} disabled={disabled} onClick={run} />
      ))}
    </span>
  )
}

interface EditorProps {
  turn: QueuedTurn
  /** Where the changed text is kept until it is saved. */
  place: string
  busy: boolean
  onSave: (text: string, place: string) => void
  onCancel: () => void
}

function Editor({ turn, place, busy, onSave, onCancel }: EditorProps) {
  const { t } = useI18n()
  const [text, setText] = useDraft(place, 'text', turn.input.text)
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
