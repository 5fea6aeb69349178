import { randomUUID } from 'node:crypto'
import { type Command, openTasks, type RunStatus, type SessionState, type SessionSummary } from '@vitrine/protocol'
import { actorOf, type Principal } from '../auth/principal.ts'
import { keyReused, Refusal } from '../refusal.ts'
import type { SessionStore } from '../storage/session-store.ts'
import type { Hub } from '../stream/hub.ts'
import type { Access } from './access.ts'
import { interruptSession } from './commands/runs.ts'
import { submitTurn } from './commands/turns.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { Runtime } from './runtime.ts'
import type { SessionActor } from './session-actor.ts'
import { type Sessions, taskOf } from './sessions.ts'

type LogHub = Pick<Hub, 'publish' | 'publishSummary'>

export interface TasksOptions {
  storage: Pick<SessionStore, 'session'>
  hub: LogHub
  open: OpenSessions
  access: Access
  sessions: Sessions
}

/** Tasks: sessions that another session, their parent, has started and shows. */
export interface Tasks extends Pick<Runtime, 'interruptSession'> {
  /** Makes the session of a task, shows the task in its parent, and starts its first turn. Each of them happens once. */
  startTask(
    who: Principal,
    command: Command<'createSession'> & { parent: NonNullable<Command<'createSession'>['parent']> },
  ): ReturnType<Runtime['createSession']>
  /** The hub for the log of a session: when the list is told that a task has another status, its parent is told as well. */
  hubOf(state: SessionState, status: SessionSummary['status']): LogHub
  /** Tells a parent what its tasks became while nobody could write that (a crash between the two writes). */
  catchUp(parent: SessionActor): Promise<void>
  /** Resolves when every report that was begun is written, or has failed. */
  settled(): Promise<void>
}

export function createTasks({ storage, hub, open, access, sessions }: TasksOptions): Tasks {
  const reports = new Set<Promise<void>>()

  async function tellParent(state: SessionState, became: SessionSummary['status']): Promise<void> {
    const { parent } = state.session
    if (!parent?.taskId) return
    const { status, attention } = TASK_STATUS[became]
    const { taskId } = parent
    const row = await storage.session(parent.sessionId)
    if (!row) return
    await open.use(row, ({ log }) =>
      log.write([{ type: 'task.changed', taskId, status, attention, childSessionId: state.sessionId }]),
    )
  }

  return {
    hubOf(state, before) {
      let shown = before
      return {
        publish: hub.publish,
        publishSummary(owner, summary) {
          hub.publishSummary(owner, summary)
          if (summary.status === shown) return
          shown = summary.status
          const report = tellParent(state, shown)
            .catch(() => {})
            .finally(() => reports.delete(report))
          reports.add(report)
        },
      }
    },

    async catchUp({ state, log }) {
      for (const { taskId, childSessionId, status: shown } of openTasks(state)) {
        const child = childSessionId === null ? undefined : await storage.session(childSessionId)
        if (!child || child.messageCount === 0) continue
        const { status, attention } = TASK_STATUS[child.status]
        if (status !== shown) {
          await log.write([{ type: 'task.changed', taskId, status, attention, childSessionId: child.sessionId }])
        }
      }
    },

    async settled() {
      await Promise.all(reports)
    },

    async startTask(who, command) {
      const { sessionId = `ses_${randomUUID()}`, parent } = command
      const taskId = taskOf(parent)
      const row = await access.command(who, parent.sessionId, async ({ log, state }, by) => {
        const known = state.tasks.byId.get(taskId)
        // The id of the turn is that of the task: the command sent again gets the first task, whichever session it names.
        if (known) return sessions.createOnce(who, known.childSessionId ?? sessionId, command, keyReused)
        const child = await sessions.createOnce(who, sessionId, command)
        const title = parent.input.text.trim().split('\n', 1)[0]!.slice(0, 120).toWellFormed()
        const task = { taskId, title, status: 'submitted', childSessionId: sessionId, attention: 'none' } as const
        await log.write([{ type: 'task.changed', by, ...task }])
        return child
      })
      return open.use(row, async child => {
        const turn = { ...parent.input, turnId: parent.turnId }
        await child.serially(() => submitTurn(child, turn, actorOf(who)))
        return { session: child.log.summary, taskId }
      })
    },

    interruptSession: (who, sessionId, target) =>
      access.use(who, sessionId, async (session, by) => {
        const tasks = [...session.state.tasks.byId.values()]
        if (target.taskId !== undefined) {
          const child = tasks.find(task => task.taskId === target.taskId)?.childSessionId
          if (!child) throw new Refusal('task_not_found', 'There is no such task in this session.')
          return access.command(who, child, task => interruptSession(task, {}, by))
        }
        const { runIds } = await session.serially(() => interruptSession(session, target, by))
        if (target.turnId !== undefined) return { runIds }
        for (const { childSessionId } of tasks) {
          const child = childSessionId ? await open.find(childSessionId) : undefined
          if (child?.run || child?.calls.length)
            runIds.push(...(await child.serially(() => interruptSession(child, {}, by))).runIds)
        }
        return { runIds }
      }),
  }
}

/** What a parent shows of a task whose session has this status. */
const TASK_STATUS: Record<
  SessionSummary['status'],
  { status: RunStatus; attention: 'none' | 'needs-input' | 'failed' }
> = {
  running: { status: 'streaming', attention: 'none' },
  waiting: { status: 'queued', attention: 'none' },
  'needs-input': { status: 'waiting', attention: 'needs-input' },
  failed: { status: 'failed', attention: 'failed' },
  interrupted: { status: 'interrupted', attention: 'none' },
  unknown: { status: 'unknown', attention: 'none' },
  idle: { status: 'completed', attention: 'none' },
}
