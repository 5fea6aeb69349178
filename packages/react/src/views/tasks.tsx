import type { SessionHandle } from '@vitrine/client'
import { pendingActions, type SessionState } from '@vitrine/protocol'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ChevronDown, ChevronUp, PanelRight, X } from '../kit/icons.ts'
import { Shortcut } from '../kit/keys.tsx'
import { StatusDot, type StatusTone } from '../kit/status-dot.tsx'
import { viewKeys } from './keys-help.tsx'
import { isOver } from './task-tree.ts'
import { TaskTree, useTasks } from './task-tree-view.tsx'

export interface TaskCounts {
  running: number
  queued: number
  blocked: number
  failed: number
  attention: number
  subagents: number
}

/** What is going on in a session beside its answer. Read from facts alone. */
export function taskCounts(state: SessionState): TaskCounts {
  const counts = { running: 0, queued: state.queue.turns.length, blocked: 0, failed: 0, attention: 0, subagents: 0 }
  for (const task of state.tasks.byId.values()) {
    if (task.attention === 'needs-input') counts.attention++
    else if (task.status === 'failed' || task.attention === 'failed') counts.failed++
    else if (task.status === 'queued') counts.queued++
    else if (task.status === 'blocked' || task.status === 'waiting') counts.blocked++
    else if (!isOver(task)) counts.running++
  }
  for (const action of state.actions.byId.values()) if (action.state === 'pending') counts.attention++
  for (const subagent of state.subagents.byId.values()) if (subagent.state === 'running') counts.subagents++
  return counts
}

type Shown = 'running' | 'attention' | 'failed' | 'blocked' | 'queued'

const shown: readonly [Shown, StatusTone, MessageKey][] = [
  ['running', 'busy', 'tasks.running'],
  ['attention', 'attention', 'tasks.attention'],
  ['failed', 'danger', 'tasks.failed'],
  ['blocked', 'blocked', 'tasks.blocked'],
  ['queued', 'idle', 'tasks.queued'],
]

interface CapsuleProps {
  handle: SessionHandle
  /** Shows the tasks beside the conversation instead. */
  onOpen: () => void
  /** Goes to a request that waits in this session. */
  onGo?: ((actionId: string) => void) | undefined
}

/** One line above the composer while something runs, waits or failed. It opens the tree of tasks above it. */
export function TaskCapsule({ handle, onOpen, onGo }: CapsuleProps) {
  const { t } = useI18n()
  const all = taskCounts(useTasks(handle))
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useId()
  // Queued turns are listed right below; here they would say the same twice.
  const queued = all.queued - handle.state.queue.turns.length
  const counts = { ...all, running: all.running + all.subagents, queued }
  const [tones, setTones] = useState<ReadonlyMap<StatusTone, number> | null>(null)
  // Open, it counts what the tree shows, and that has other sessions too.
  const countOf = (name: Shown, tone: StatusTone) => (open && tones ? (tones.get(tone) ?? 0) : counts[name])
  const some = shown.filter(([name, tone]) => countOf(name, tone) > 0)
  if (some.length === 0 && !open) return null
  const asks = pendingActions(handle.state)
  // When nothing else goes on than requests of this session, the capsule leads to the first one.
  const asked = !open && some.length === 1 && counts.attention === asks.length ? asks[0]?.actionId : undefined
  const close = (focus: boolean) => {
    setOpen(false)
    if (focus) button.current?.focus()
  }
  return (
    <div className="v-capsule-place">
      {open && (
        <TaskPanel
          id={panel}
          handle={handle}
          onClose={close}
          onDock={() => {
            setOpen(false)
            onOpen()
          }}
          onGo={onGo}
          onTones={setTones}
        />
      )}
      <button
        ref={button}
        type="button"
        className="v-capsule"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={() => (asked && onGo ? onGo(asked) : setOpen(!open))}
        title={t(asked ? 'request.go' : open ? 'tasks.close' : 'tasks.open')}
      >
        {some.map(([name, tone, key]) => (
          <span key={name} className="v-capsule-item">
            <StatusDot tone={tone} />
            {t(key, { count: countOf(name, tone) })}
          </span>
        ))}
        {some.length === 0 && <span>{t('tasks.empty')}</span>}
        <Icon of={open ? ChevronDown : ChevronUp} />
      </button>
      {open && asks.length > 0 && (
        <span className="v-capsule-hint">
          <Shortcut keys={viewKeys.toRequest} /> {t('keys.toRequest')}
        </span>
      )}
    </div>
  )
}

interface PanelProps {
  id: string
  handle: SessionHandle
  onClose: (focus: boolean) => void
  onDock: () => void
  onGo: CapsuleProps['onGo']
  onTones: (tones: ReadonlyMap<StatusTone, number>) => void
}

/** The tree above the capsule. It takes the focus, and gives it back. */
function TaskPanel({ id, handle, onClose, onDock, onGo, onTones }: PanelProps) {
  const { t } = useI18n()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      const place = box.current?.parentElement
      if (place && !place.contains(event.target as Node)) onClose(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [onClose])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose(true)
  }
  return (
    <section
      ref={box}
      id={id}
      className="v-task-panel"
      role="dialog"
      aria-label={t('dock.tasks')}
      onKeyDown={onKeyDown}
    >
      <TaskTree
        handle={handle}
        focus
        onLeave={() => onClose(false)}
        onTones={onTones}
        onGo={
          onGo &&
          (actionId => {
            onClose(false)
            onGo(actionId)
          })
        }
      >
        <IconButton className="w-mirror" icon={PanelRight} label={t('tasks.dock')} onClick={onDock} />
        <IconButton icon={X} label={t('tasks.close')} onClick={() => onClose(true)} />
      </TaskTree>
    </section>
  )
}

/** Tasks and subagents of a session, and other sessions that want to be looked at, with the way to each. */
export function Tasks({ handle }: { handle: SessionHandle }) {
  return <TaskTree handle={handle} />
}
