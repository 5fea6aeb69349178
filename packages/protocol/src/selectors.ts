import type { SessionSummary } from './commands.ts'
import type { Action, Message, Part, Run, SessionState, Task, Tool } from './entities.ts'

export function* messagesInOrder(state: SessionState): Iterable<Message> {
  yield* state.messages.byId.values()
}

export function partsOf(state: SessionState, message: Message): Part[] {
  return message.parts.map(id => state.parts.byId.get(id)).filter(part => part !== undefined)
}

/** The answer and nothing else: reasoning, tools, status and artifacts never enter it (L5). */
export function answerText(state: SessionState, message: Message): string {
  return partsOf(state, message)
    .filter(part => part.kind === 'text' && part.state !== 'retracted')
    .map(part => part.text.toString())
    .join('\n\n')
}

export function activeRun(state: SessionState): Run | undefined {
  return state.session.activeRunId === null ? undefined : state.runs.byId.get(state.session.activeRunId)
}

export function latestRun(state: SessionState): Run | undefined {
  return state.session.latestRunId === null ? undefined : state.runs.byId.get(state.session.latestRunId)
}

/** The run of a turn that counts: the newest attempt. */
export function runsOfTurn(state: SessionState, turnId: string): Run[] {
  return [...state.runs.byId.values()].filter(run => run.turnId === turnId && !run.parentRunId)
}

export function pendingActions(state: SessionState): Action[] {
  return [...state.actions.byId.values()].filter(action => action.state === 'pending')
}

export function toolsOfRun(state: SessionState, runId: string): Tool[] {
  return [...state.tools.byId.values()].filter(tool => tool.runId === runId)
}

const ENDED = new Set(['completed', 'cancelled'])
/** Tasks that still want attention: running, waiting, failed or interrupted ones. */
export function openTasks(state: SessionState): Task[] {
  return [...state.tasks.byId.values()].filter(task => !ENDED.has(task.status))
}

/** What the session is doing, in one word. Derived from facts only. */
export function sessionStatus(state: SessionState): SessionSummary['status'] {
  if (state.session.needsInput > 0) return 'needs-input'
  const run = activeRun(state) ?? latestRun(state)
  if (!run) return 'idle'
  switch (run.outcome) {
    case null:
      return run.status === 'queued' || run.status === 'waiting' || run.status === 'blocked' ? 'waiting' : 'running'
    case 'failed':
      return 'failed'
    case 'interrupted':
      return 'interrupted'
    default:
      return 'idle'
  }
}
