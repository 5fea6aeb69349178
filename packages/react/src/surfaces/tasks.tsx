import type { SessionHandle } from '@vitrine/client'
import type { Agent, Problem, SessionState, Task } from '@vitrine/protocol'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Layers from 'lucide-react/icons/layers'
import Square from 'lucide-react/icons/square'
import { useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { runStatusKey, runTone, StatusDot, type Tone, Unknown } from '../status.tsx'
import { visible } from '../visible.tsx'

const over = new Set<Task['status']>(['completed', 'failed', 'cancelled', 'interrupted'])

export interface TaskCounts {
  running: number
  queued: number
  blocked: number
  failed: number
  attention: number
  children: number
}

/** What is going on in a session beside its answer. Read from facts alone. */
export function taskCounts(state: SessionState): TaskCounts {
  const counts = { running: 0, queued: state.queue.turns.length, blocked: 0, failed: 0, attention: 0, children: 0 }
  for (const task of state.tasks.byId.values()) {
    if (task.attention === 'needs-input') counts.attention++
    else if (task.status === 'failed' || task.attention === 'failed') counts.failed++
    else if (task.status === 'queued') counts.queued++
    else if (task.status === 'blocked' || task.status === 'waiting') counts.blocked++
    else if (!over.has(task.status)) counts.running++
  }
  for (const action of state.actions.byId.values()) if (action.state === 'pending') counts.attention++
  for (const agent of state.agents.byId.values()) if (agent.state === 'running') counts.children++
  return counts
}

function useTasks(handle: SessionHandle): TaskCounts {
  useEntity(handle, 'tasks', () => null)
  useEntity(handle, 'actions', () => null)
  useEntity(handle, 'agents', () => null)
  useEntity(handle, 'queue', () => null)
  return taskCounts(handle.state)
}

const shown: readonly [keyof TaskCounts, Tone, MessageKey][] = [
  ['attention', 'attention', 'tasks.attention'],
  ['failed', 'danger', 'tasks.failed'],
  ['running', 'busy', 'tasks.running'],
  ['blocked', 'attention', 'tasks.blocked'],
  ['children', 'busy', 'tasks.children'],
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
      <Layers aria-hidden />
      {some.map(([name, tone, key]) => (
        <span key={name} className="v-capsule-item">
          <span className={`v-dot v-dot-${tone}`} aria-hidden />
          {t(key, { count: counts[name] })}
        </span>
      ))}
    </button>
  )
}

/** Tasks and child agents of a session, with the way to each. */
export function Tasks({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  useTasks(handle)
  const tasks = [...handle.state.tasks.byId.values()].sort((a, b) => b.updatedAt - a.updatedAt)
  const agents = [...handle.state.agents.byId.values()].sort((a, b) => b.startedAt - a.startedAt)
  if (tasks.length === 0 && agents.length === 0) return <p className="v-panel-empty">{t('tasks.empty')}</p>
  return (
    <div className="v-panel-body">
      {tasks.length > 0 && (
        <ul className="v-list">
          {tasks.map(task => (
            <TaskItem key={task.taskId} handle={handle} task={task} />
          ))}
        </ul>
      )}
      {agents.length > 0 && (
        <>
          <h3 className="v-panel-heading">{t('tasks.agents')}</h3>
          <ul className="v-list">
            {agents.map(agent => (
              <AgentItem key={agent.agentId} agent={agent} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** Seen from beside it, a task that writes and one that uses tools both work. */
const taskStatusKey = (status: Task['status']): MessageKey =>
  status === 'streaming' || status === 'tool' ? 'tasks.working' : runStatusKey(status)

function toneOf({ attention, status }: Task): Tone {
  if (attention === 'needs-input') return 'attention'
  // An interrupted task asks for attention as a failed one does, and still did not fail.
  return attention === 'failed' && status !== 'interrupted' ? 'danger' : runTone[status]
}

function TaskItem({ handle, task }: { handle: SessionHandle; task: Task }) {
  const { t, time } = useI18n()
  const { openSession } = useVitrine()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [sending, setSending] = useState(false)
  const words = task.attention === 'needs-input' ? t('fallback.needs-input') : t(taskStatusKey(task.status))
  const stop = async () => {
    setSending(true)
    const result = await handle.interrupt({ taskId: task.taskId })
    setSending(false)
    setProblem(result.ok ? null : result.problem)
  }
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
          <progress className="v-progress" max={1} value={task.progress} aria-label={t('tasks.progress')} />
        )}
        {problem && <ProblemNote title={t('tasks.stopFailed')} problem={problem} />}
      </div>
      {!over.has(task.status) && (
        <button
          type="button"
          className="v-button v-quiet v-icon"
          aria-label={t('tasks.stop')}
          title={t('tasks.stop')}
          disabled={sending}
          onClick={stop}
        >
          <Square aria-hidden />
        </button>
      )}
      {task.childSessionId && (
        <button
          type="button"
          className="v-button v-quiet v-icon"
          aria-label={t('tasks.openSession')}
          title={t('tasks.openSession')}
          onClick={() => openSession(task.childSessionId!)}
        >
          <ArrowUpRight aria-hidden />
        </button>
      )}
    </li>
  )
}

const agentTones: Record<Agent['state'], Tone> = {
  running: 'busy',
  completed: 'good',
  failed: 'danger',
  interrupted: 'stopped',
  unknown: 'unknown',
}

function AgentItem({ agent }: { agent: Agent }) {
  const { t, time } = useI18n()
  const words = t(`agent.${agent.state}`)
  return (
    <li className="v-list-item">
      <StatusDot tone={agentTones[agent.state]} label={words} />
      <div className="v-list-text">
        <p>{visible(agent.name)}</p>
        <p className="v-note">
          {words} · {time(agent.endedAt ?? agent.startedAt)}
        </p>
      </div>
    </li>
  )
}
