import { OPEN, type Run, type SessionState } from '../entities.ts'
import type { EventOf, TurnInput } from '../events.ts'
import { leaveAction } from './action.ts'
import { add, changed, find, type Handlers, update } from './changes.ts'
import { addMessage, finish, leavePart } from './message.ts'
import { measure } from './metric.ts'
import { leaveSubagent } from './task.ts'
import { leaveTool } from './tool.ts'

/** Runs, and the turns that they answer. */
export const runHandlers = {
  'run.started': (state, event) => {
    state.counts.runs++
    add(state, state.runs, {
      runId: event.runId,
      turnId: event.turnId,
      agentId: event.agentId,
      parentRunId: event.parentRunId ?? null,
      call: event.kind ? event.input : null,
      by: event.by ?? null,
      attempt: event.attempt,
      retryOf: event.retryOf ?? null,
      status: 'submitted',
      reason: null,
      retriedBy: null,
      startedAt: state.at,
      endedAt: null,
      outcome: null,
      error: null,
      result: null,
      finishReason: null,
      metrics: {},
      resumes: 0,
      openParts: new Set(),
      openTools: new Set(),
      openActions: new Set(),
      openSubagents: new Set(),
      openSteps: new Set(),
    })
    update(state, state.runs, event.retryOf, { retriedBy: event.runId })
    // A call is no turn: nobody has said anything, and the session is free for turns.
    if (event.kind) return
    if (!update(state, state.turns, event.turnId, { state: 'active' })) addTurns(state, event)
    // A retry answers the message that is already there, even when it lies before the loaded window.
    if (!event.retryOf && !find(state.messages, event.messageId)) {
      addMessage(state, event, 'user')
      const { type, seq, at, runId, turnId, messageId } = event
      const { text, ref } = event.input
      finish(state, { type, seq, at, runId, turnId, messageId, partId: `${messageId}/input`, text, ref }, 'text')
    }
    if (!event.parentRunId) state.session.activeRunId = state.session.latestRunId = event.runId
    state.session.updatedAt = state.at
    changed(state, state.session)
  },

  'run.status': (state, event) => {
    if (find(state.runs, event.runId)?.outcome) return
    // Only a terminal event ends a run: a status that claims an end is not believed (L4).
    const ends = ['completed', 'failed', 'cancelled', 'interrupted'].includes(event.status)
    update(state, state.runs, event.runId, {
      status: ends ? 'unknown' : event.status,
      reason: event.reason ?? null,
    })
  },

  'run.resumed': (state, event) => {
    const run = find(state.runs, event.runId)
    if (!run) return
    run.openSteps.clear()
    update(state, state.runs, event.runId, {
      status: 'submitted',
      resumes: run.resumes + 1,
      reason: event.reason ?? null,
    })
  },

  'run.finished': (state, event) => endRun(state, event, event.outcome),

  'run.failed': (state, event) => endRun(state, event, 'failed'),

  'step.started': (state, event) => {
    find(state.runs, event.runId)?.openSteps.add(event.stepId)
    update(state, state.runs, event.runId, {})
  },

  'step.finished': (state, event) => {
    find(state.runs, event.runId)?.openSteps.delete(event.stepId)
    update(state, state.runs, event.runId, { resumes: 0 })
  },
} satisfies Partial<Handlers>

function addTurns(state: SessionState, event: EventOf<'run.started'>): void {
  const { turnId, messageId, input, by = null } = event
  add(state, state.turns, { turnId, messageId, input, by, state: 'active' })
  for (const { turnId, digest } of event.merged ?? []) {
    const input: TurnInput = { text: '', ...(digest !== undefined && { digest }) }
    add(state, state.turns, { turnId, messageId, input, by, state: 'merged' })
  }
}

function endRun(
  state: SessionState,
  event: EventOf<'run.finished'> | EventOf<'run.failed'>,
  outcome: NonNullable<Run['outcome']>,
): void {
  const run = find(state.runs, event.runId)
  if (!run || run.outcome) return
  measure(run.metrics, event)
  const { reason = null } = event as EventOf<'run.finished'>
  const fields = { outcome, status: outcome, reason, by: run.by, endedAt: state.at }
  update(state, state.runs, event.runId, fields, event)
  // What the run left open has no known end: it is shown as such, never as done.
  for (const partId of run.openParts) leavePart(state, partId)
  for (const toolCallId of run.openTools) leaveTool(state, toolCallId)
  for (const actionId of run.openActions) leaveAction(state, actionId)
  for (const subagentId of run.openSubagents) leaveSubagent(state, subagentId)
  for (const name of OPEN) run[name].clear()
  const ended = outcome === 'completed' ? 'done' : outcome === 'failed' ? 'failed' : 'interrupted'
  if (!run.parentRunId) update(state, state.turns, run.turnId, { state: ended })
  if (state.session.activeRunId === event.runId) state.session.activeRunId = null
  state.session.updatedAt = state.at
  changed(state, state.session)
}
