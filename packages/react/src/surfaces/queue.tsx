import type { Outcome, SessionHandle } from '@vitrine/client'
import type { Problem, QueuedTurn } from '@vitrine/protocol'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useKept } from '../context.tsx'
import { useEntity, useMedia } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Menu } from '../menu.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'

interface Props {
  handle: SessionHandle
  /** The turn that is being edited, owned above so that a key can open it. */
  editing: string | null
  onEdit: (turnId: string | null) => void
}

/** Turns that wait for the run to end. Every change goes through the runtime and shows when it is a fact. */
export function Queue({ handle, editing, onEdit }: Props) {
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
        <button
          type="button"
          className="v-button v-quiet"
          disabled={busy !== null}
          onClick={() => write('hold', () => handle.holdQueue(!queue.held))}
        >
          {queue.held ? <Play aria-hidden /> : <Pause aria-hidden />}
          {t(queue.held ? 'queue.release' : 'queue.hold')}
        </button>
      </header>
      <ol>
        {queue.turns.map((turn, index) => (
          <li key={turn.turnId}>
            {editing === turn.turnId ? (
              <Editor
                turn={turn}
                busy={busy === turn.turnId}
                onCancel={() => onEdit(null)}
                onSave={async text => {
                  if (await write(turn.turnId, () => handle.editQueued(turn.turnId, { text }))) onEdit(null)
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
                  onMove={to => write(turn.turnId, () => handle.editQueued(turn.turnId, to))}
                  onRemove={() => write(turn.turnId, () => handle.removeQueued(turn.turnId))}
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
    { key: 'queue.edit', Icon: Pencil, run: onEdit },
    { key: 'queue.up', Icon: ArrowUp, run: () => onMove({ position: position - 1 }), not: position === 0 },
    { key: 'queue.down', Icon: ArrowDown, run: () => onMove({ position: position + 1 }), not: position === last },
    { key: 'queue.promote', Icon: ArrowUpToLine, run: () => onMove({ promote: true }) },
    { key: 'queue.remove', Icon: Trash2, run: onRemove },
  ] as const
  const offered = all.map(action => ({ ...action, disabled: busy || ('not' in action && action.not) }))
  if (narrow)
    return (
      <Menu label={t('queue.menu', { count: position + 1 })}>
        {close =>
          offered.map(({ key, Icon, run, disabled }) => (
            <button key={key} type="button" disabled={disabled} onClick={() => close(run)}>
              <Icon aria-hidden />
              {t(key)}
            </button>
          ))
        }
      </Menu>
    )
  return (
    <span className="v-queue-actions">
      {offered.map(({ key, Icon, run, disabled }) => (
        <button
          key={key}
          type="button"
          className="v-button v-quiet v-icon"
          aria-label={t(key)}
          title={t(key)}
          disabled={disabled}
          onClick={run}
        >
          <Icon aria-hidden />
        </button>
      ))}
    </span>
  )
}

function Editor(props: { turn: QueuedTurn; busy: boolean; onSave: (text: string) => void; onCancel: () => void }) {
  const { turn, busy, onSave, onCancel } = props
  const { t } = useI18n()
  const [text, setText] = useKept(`queued:${turn.turnId}`, turn.input.text)
  return (
    <form
      className="v-queue-editor"
      onSubmit={event => {
        event.preventDefault()
        if (text.trim()) onSave(text)
      }}
    >
      <textarea
        className="v-input"
        aria-label={t('queue.editText')}
        rows={2}
        value={text}
        ref={element => element?.focus()}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onCancel()
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            if (text.trim()) onSave(text)
          }
        }}
      />
      <div className="v-actions">
        <button type="submit" className="v-button v-primary" disabled={busy || !text.trim()}>
          {t('action.save')}
        </button>
        <button type="button" className="v-button v-quiet" onClick={onCancel}>
          {t('action.cancel')}
        </button>
      </div>
    </form>
  )
}
