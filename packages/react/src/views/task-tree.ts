import type { Action, Run, SessionState, SessionSummary, Subagent, Task, Tool } from '@vitrine/protocol'
import type { StatusTone } from '../kit/status-dot.tsx'
import { runTone, sessionTone, subagentTone } from './status.tsx'
import { retriedBy, shownState } from './tool-state.ts'

/** Something that goes on, waits or ended, as one row of the tree of tasks. */
export interface TaskNode {
  /** The same as long as the thing exists. */
  id: string
  tone: StatusTone
  of:
    | { kind: 'run'; run: Run }
    | { kind: 'task'; task: Task }
    | { kind: 'subagent'; subagent: Subagent }
    | { kind: 'tool'; tool: Tool }
    | { kind: 'action'; action: Action }
    | { kind: 'session'; session: SessionSummary }
  /** The first request of this run or subagent that waits for a person. */
  asks: Action | null
  children: TaskNode[]
}

const OVER = new Set<Task['status']>(['completed', 'failed', 'cancelled', 'interrupted'])

/** Whether a task has ended. */
export const isOver = ({ status }: Task): boolean => OVER.has(status)

/** The sessions elsewhere that are worth a look, those that need somebody first. */
const LOUD: readonly SessionSummary['status'][] = ['needs-input', 'failed', 'running']
const MOST_OTHERS = 12
/** A run may have thousands of calls; the conversation has them all. */
const MOST_TOOLS = 6

function taskTone({ attention, status }: Task): StatusTone {
  if (attention === 'needs-input') return 'attention'
  // An interrupted task asks for attention as a failed one does, and still did not fail.
  return attention === 'failed' && status !== 'interrupted' ? 'danger' : runTone[status]
}

/** The run that a session is about now: the active one, or the newest that failed and was not tried again. */
export function openRun({ runs, session }: SessionState): Run | null {
  const latest = runs.byId.get(session.activeRunId ?? session.latestRunId ?? '')
  if (!latest) return null
  return latest.outcome === null || (latest.outcome === 'failed' && latest.retriedBy === null) ? latest : null
}

/**
 * What goes on in a session: its run, also one that failed last, with its subagents and its calls that work or failed,
 * and its tasks, each with what it started. A request stands in the row of the one that asks.
 */
export function taskTree(state: SessionState): TaskNode[] {
  const { subagents, tasks, actions, session } = state
  const subagentNodes = new Map<string, TaskNode>()
  for (const subagent of subagents.byId.values()) {
    const tone = subagentTone[subagent.state]
    subagentNodes.set(subagent.subagentId, node(subagent.key, tone, { kind: 'subagent', subagent }))
  }
  const roots: TaskNode[] = []
  const run = openRun(state)
  const top = run && node(run.key, runTone[run.status], { kind: 'run', run })
  if (top) roots.push(top)
  for (const action of actions.byId.values()) {
    if (action.state !== 'pending') continue
    const asks = state.messages.byId.get(action.messageId ?? '')?.subagentId ?? null
    const holder = (asks !== null && subagentNodes.get(asks)) || top
    if (holder && holder.asks === null) {
      holder.asks = action
      holder.tone = 'attention'
    } else (holder ? holder.children : roots).push(node(action.key, 'attention', { kind: 'action', action }))
  }
  if (run && top) top.children.push(...toolNodes(state, run))
  for (const each of subagentNodes.values()) {
    if (each.of.kind !== 'subagent') continue
    const { parentSubagentId, runId, state: stands } = each.of.subagent
    // What ended with an earlier run is history, and the conversation has it.
    if (runId !== session.activeRunId && stands !== 'running') continue
    const parent = (parentSubagentId !== null && subagentNodes.get(parentSubagentId)) || top
    ;(parent ? parent.children : roots).push(each)
    // The run waits because its subagent asks: then the subagent is the one that needs somebody.
    if (each.asks && top && top.asks === null && top.tone === 'attention') top.tone = 'busy'
  }
  const taskNodes = new Map<string, TaskNode>()
  for (const task of tasks.byId.values())
    taskNodes.set(task.taskId, node(task.key, taskTone(task), { kind: 'task', task }))
  for (const [taskId, each] of taskNodes) {
    const parentId = each.of.kind === 'task' ? each.of.task.parentTaskId : null
    const parent = parentId !== null && parentId !== taskId ? taskNodes.get(parentId) : undefined
    ;(parent ? parent.children : roots).push(each)
  }
  return roots
}

const node = (id: string, tone: StatusTone, of: TaskNode['of']): TaskNode => {
  return { id, tone, of, asks: null, children: [] }
}

/** The newest calls of an active run that work, and those that failed and were not tried again. */
function toolNodes(state: SessionState, { runId, outcome }: Run): TaskNode[] {
  if (outcome !== null) return []
  const newer = retriedBy(state)
  // The row of the run, or of the subagent, has the question that such a call waits for.
  const asked = new Set(
    [...state.actions.byId.values()].flatMap(each => (each.state === 'pending' ? each.toolCallId : [])),
  )
  const found: TaskNode[] = []
  for (const tool of state.tools.byId.values()) {
    if (tool.runId !== runId || newer.has(tool.toolCallId)) continue
    if (state.messages.byId.get(tool.messageId)?.subagentId) continue
    const stands = shownState(tool, asked.has(tool.toolCallId))
    const tone = stands === 'running' || stands === 'preparing' ? 'busy' : stands === 'failed' ? 'danger' : null
    if (tone) found.push(node(tool.key, tone, { kind: 'tool', tool }))
  }
  return found.slice(-MOST_TOOLS)
}

/** Other sessions that need somebody, failed or work. Tasks of this session stand in its own tree. */
export function otherSessions(state: SessionState, sessions: readonly SessionSummary[]): TaskNode[] {
  const ours = new Set([...state.tasks.byId.values()].map(({ childSessionId }) => childSessionId))
  return sessions
    .filter(({ sessionId, status, deleted, archived }) => {
      return sessionId !== state.sessionId && !ours.has(sessionId) && !deleted && !archived && LOUD.includes(status)
    })
    .sort((a, b) => LOUD.indexOf(a.status) - LOUD.indexOf(b.status) || b.updatedAt - a.updatedAt)
    .slice(0, MOST_OTHERS)
    .map(session => node(`session:${session.sessionId}`, sessionTone[session.status], { kind: 'session', session }))
}

/** One line of the tree as it is shown: how deep it is, and whether it can be folded. */
export interface ShownNode {
  node: TaskNode
  level: number
  parent: string | null
}

/** The tree as rows from top to bottom, without what is folded away or is not of this tone. */
export function shownNodes(
  roots: readonly TaskNode[],
  folded: ReadonlySet<string>,
  only: StatusTone | null,
): ShownNode[] {
  const rows: ShownNode[] = []
  const seen = new Set<string>()
  const walk = (nodes: readonly TaskNode[], level: number, parent: string | null) => {
    for (const each of nodes) {
      // Ids come from agents: a circle must not hang the page.
      if (seen.has(each.id)) continue
      seen.add(each.id)
      const fits = only === null || each.tone === only
      if (fits) rows.push({ node: each, level: only === null ? level : 1, parent: only === null ? parent : null })
      if (only !== null || !folded.has(each.id)) walk(each.children, level + 1, each.id)
    }
  }
  walk(roots, 1, null)
  return rows
}

/** How many rows of the tree have each tone. */
export function tonesIn(roots: readonly TaskNode[]): Map<StatusTone, number> {
  const counts = new Map<StatusTone, number>()
  for (const { node: each } of shownNodes(roots, new Set(), null))
    counts.set(each.tone, (counts.get(each.tone) ?? 0) + 1)
  return counts
}
