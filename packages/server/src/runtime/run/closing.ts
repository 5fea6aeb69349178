import { randomUUID } from 'node:crypto'
import type { EventDraft, QueuedTurn, Run, SessionState } from '@vitrine/protocol'
import { SYSTEM } from '../../auth/principal.ts'
import { runEndedFirst, serverCrashed } from '../reasons.ts'

/** Ends what a run leaves open besides its texts: calls, actions, subagents, and steers that no agent has taken. */
export function closeOpen(state: SessionState, run: Run, error: { code: string; message: string }): EventDraft[] {
  const { runId, turnId } = run
  const ids = { runId, turnId }
  const drafts: EventDraft[] = []
  for (const toolCallId of run.openTools) drafts.push({ type: 'tool.failed', ...ids, toolCallId, error })
  for (const actionId of run.openActions) {
    drafts.push({ type: 'action.resolved', ...ids, actionId, outcome: 'cancelled', by: SYSTEM })
  }
  for (const subagentId of run.openSubagents) {
    drafts.push({ type: 'agent.completed', ...ids, subagentId, outcome: 'interrupted' })
  }
  let position = 0
  for (const { steerId, text, interaction, by, state: is, runId: of, at: createdAt } of state.steers.byId.values()) {
    if (of !== runId || is !== 'accepted') continue
    drafts.push({ type: 'steer.rejected', steerId, reason: runEndedFirst })
    if (interaction === null) continue
    // An interaction is never lost: it becomes a turn in the same write.
    const turnId = `turn_${randomUUID()}`
    const turn: QueuedTurn = { turnId, input: { text, interaction }, preview: '', createdAt, ...(by && { by }) }
    drafts.push({ type: 'queue.changed', change: 'added', turnId, turn, position: position++ })
  }
  return drafts
}

/** The end of a run whose process is gone (L12). */
export function cutOff(state: SessionState, run: Run): EventDraft[] {
  const error = { code: 'interrupted', message: 'The server stopped before this call ended.' }
  const { runId, turnId } = run
  return [
    ...closeOpen(state, run, error),
    { type: 'run.finished', runId, turnId, outcome: 'interrupted', reason: serverCrashed },
  ]
}
