import { known, missing, type SessionState } from '../entities.ts'
import type { EventOf } from '../events.ts'
import { add, changed, find, type Handlers, update } from './changes.ts'
import { showIn } from './message.ts'

/** What is planned and who works on it: the plan of a run, background tasks, and the subagents of a run. */
export const taskHandlers = {
  'plan.delta': (state, event) => {
    const plan = planOf(state, event)
    plan.final = false
    for (const step of event.steps) {
      const at = plan.steps.findIndex(old => old.id === step.id)
      if (at < 0) plan.steps.push(step)
      else plan.steps[at] = step
    }
    changed(state, plan)
  },

  'plan.final': (state, event) => {
    const plan = planOf(state, event)
    plan.steps = [...event.steps]
    plan.final = true
    changed(state, plan)
  },

  'task.changed': (state, event) => {
    const old = find(state.tasks, event.taskId)
    const title = event.title === undefined ? undefined : known(event.title)
    add(
      state,
      state.tasks,
      {
        title: missing('unknown'),
        childSessionId: null,
        parentTaskId: null,
        progress: null,
        startedAt: state.at,
        ...old,
        taskId: event.taskId,
        status: event.status,
        detail: null,
        attention: 'none',
        updatedAt: state.at,
      },
      { ...event, title },
    )
  },

  'agent.spawned': (state, event) => {
    add(
      state,
      state.subagents,
      {
        subagentId: event.subagentId,
        runId: event.runId,
        agentId: null,
        name: event.name,
        parentSubagentId: null,
        input: null,
        state: 'running',
        summary: null,
        handedOffTo: null,
        handoffReason: null,
        handedOffAt: null,
        startedAt: state.at,
        endedAt: null,
      },
      event,
    )
    find(state.runs, event.runId)?.openSubagents.add(event.subagentId)
    showIn(state, { ...event, subagentId: event.parentSubagentId }, event.subagentId, 'subagent')
  },

  'agent.completed': (state, event) => {
    const fields = { state: event.outcome, endedAt: state.at }
    const subagent = update(state, state.subagents, event.subagentId, fields, event)
    find(state.runs, subagent?.runId)?.openSubagents.delete(event.subagentId)
  },

  'agent.handoff': (state, event) => {
    update(state, state.subagents, event.subagentId, {
      handedOffTo: event.to,
      handoffReason: event.reason ?? null,
      handedOffAt: state.at,
    })
  },
} satisfies Partial<Handlers>

/** The plan of the event's run. The plan of an earlier run ends with the first word of another one's. */
function planOf(state: SessionState, { runId, title }: EventOf<'plan.delta' | 'plan.final'>): SessionState['plan'] {
  const { plan } = state
  if (plan.runId !== runId) Object.assign(plan, { runId, title: null, steps: [] })
  plan.title = title ?? plan.title
  return plan
}

/** The run ended before the subagent did. */
export function leaveSubagent(state: SessionState, subagentId: string): void {
  if (find(state.subagents, subagentId)?.state === 'running')
    update(state, state.subagents, subagentId, { state: 'unknown' })
}
