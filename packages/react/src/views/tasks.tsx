import type { SessionHandle } from '@vitrine/client'
import type { SessionState, Subagent, Task } from '@vitrine/protocol'
import { useVitrine } from '../context.tsx'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Empty } from '../kit/empty.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ArrowUpRight, Layers, Square } from '../kit/icons.ts'
import { ProgressBar } from '../kit/progress.tsx'
import { StatusDot, type StatusTone } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { runStatusKey, runTone, Unknown } from './status.tsx'
import { useCommand } from './use-command.ts'

const over = new Set<Task['status']>(['completed', 'failed', 'cancelled', 'interrupted'])

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
    else if (!over.has(task.status)) counts.running++
  }
  for (const action of state.actions.byId.values()) if (action.state === 'pending') counts.attention++
  for (const subagent of state.subagents.byId.values()) if (subagent.state === 'running') counts.subagents++
  return counts
}

function useTasks(handle: SessionHandle): TaskCounts {
  useEntity(handle, 'tasks', () => null)
  useEntity(handle, 'actions', () => null)
  useEntity(handle, 'subagents', () => null)
  useEntity(handle, 'queue', () => null)
  return taskCounts(handle.state)
}

const shown: readonly [keyof TaskCounts, StatusTone, MessageKey][] = [
  ['attention', 'attention', 'tasks.attention'],
  ['failed', 'danger', 'tasks.failed'],
  ['running', 'busy', 'tasks.running'],
  ['blocked', 'attention', 'tasks.blocked'],
  ['subagents', 'busy', 'tasks.subagentCount'],
  ['queued', 'idle', 'tasks.queued'],
]

/** One line above the composer while something runs, waits or failed beside the conversation. */
export function TaskCapsule({ handle, onOpen }: { handle: SessionHandle; onOpen: () => void }) {
  const { t } = useI18n()
  const all = useTasks(handle)
  // Queued turns are listed right below; here they would say the same twice.
  const counts = { ...all, queued: all.queued - handle.state.queue.turns.length }
  const some = shown.filter(([name]) => counts[name] > 0)
  if (some.length === 0) return null
  return (
    <button type="button" className="v-capsule" onClick={onOpen} title={t('tasks.open')}>
      <Icon of={Layers} />
      {some.map(([name, tone, key]) => (
        <span key={name} className="v-capsule-item">
          <StatusDot tone={tone} />
          {t(key, { count: counts[name] })}
        </span>
      ))}
    </button>
  )
}

/** Tasks and subagents of a session, with the way to each. */
export function Tasks({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  useTasks(handle)
  const tasks = [...handle.state.tasks.byId.values()].sort((a, b) => b.updatedAt - a.updatedAt)
  const subagents = [...handle.state.subagents.byId.values()].sort((a, b) => b.startedAt - a.startedAt)
  if (tasks.length === 0 && subagents.length === 0) {
    return <Empty icon={Layers} title={t('tasks.empty')} text={t('tasks.emptyHelp')} />
  }
  return (
    <div className="v-panel-body">
      {tasks.length > 0 && (
        <ul className="v-list">
          {tasks.map(task => (
            <TaskItem key={task.taskId} handle={handle} task={task} />
          ))}
        </ul>
      )}
      {subagents.length > 0 && (
        <>
          <h3 className="v-panel-heading">{t('tasks.subagents')}</h3>
          <ul className="v-list">
            {subagents.map(subagent => (
              <SubagentItem key={subagent.subagentId} subagent={subagent} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** A task that streams and one that uses tools are both shown as working. */
const taskStatusKey = (status: Task['status']): MessageKey =>
  status === 'streaming' || status === 'tool' ? 'tasks.working' : runStatusKey(status)

function toneOf({ attention, status }: Task): StatusTone {
  if (attention === 'needs-input') return 'attention'
  // An interrupted task asks for attention as a failed one does, and still did not fail.
  return attention === 'failed' && status !== 'interrupted' ? 'danger' : runTone[status]
}

function TaskItem({ handle, task }: { handle: SessionHandle; task: Task }) {
  const { t, time } = useI18n()
  const { openSession } = useVitrine()
  const { sending, problem, send } = useCommand()
  const words = task.attention === 'needs-input' ? t('fallback.needs-input') : t(taskStatusKey(task.status))
  const stop = () => send(() => handle.interruptSession({ taskId: task.taskId }))
  return (
    <li className="v-list-item">
      <StatusDot tone={toneOf(task)} label={words} />
      <div className="v-list-text">
        <p>{task.title.known ? visible(task.title.value) : <Unknown why={task.title.why} />}</p>
        <p className="v-note">
          {words} · {time(task.updatedAt)}
          {task.detail && <> · {visible(task.detail)}</>}
        </p>
        {task.progress !== null && !over.has(task.status) && (
          <ProgressBar max={1} value={task.progress} label={t('tasks.progress')} />
        )}
        {problem && <ProblemNote title={t('tasks.stopFailed')} problem={problem} />}
      </div>
      {!over.has(task.status) && <IconButton icon={Square} label={t('tasks.stop')} disabled={sending} onClick={stop} />}
      {task.childSessionId && (
        <IconButton
          icon={ArrowUpRight}
          label={t('tasks.openSession')}
          onClick={() => openSession(task.childSessionId!)}
        />
      )}
    </li>
  )
}

const subagentTones: Record<Subagent['state'], StatusTone> = {
  running: 'busy',
  completed: 'good',
  failed: 'danger',
  interrupted: 'stopped',
  unknown: 'unknown',
}

function SubagentItem({ subagent }: { subagent: Subagent }) {
  const { t, time } = useI18n()
  const words = t(`subagent.${subagent.state}`)
  return (
    <li className="v-list-item">
      <StatusDot tone={subagentTones[subagent.state]} label={words} />
      <div className="v-list-text">
        <p>{visible(subagent.name)}</p>
        <p className="v-note">
          {words} · {time(subagent.endedAt ?? subagent.startedAt)}
        </p>
      </div>
    </li>
  )
}
