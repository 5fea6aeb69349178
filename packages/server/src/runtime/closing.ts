import { randomUUID } from 'node:crypto'
import type { EventDraft, QueuedTurn, Run, SessionState } from '@vitrine/protocol'
import { SYSTEM } from '../auth/principal.ts'
import { runEndedFirst, serverCrashed } from './reasons.ts'

/** Ends what a run leaves open besides its texts: calls, requests, child agents and steers nobody took up. */
export function closeOpen(state: SessionState, run: Run, error: { code: string; message: string }): EventDraft[] {
  const { runId, turnId } = run
  const ids = { runId, turnId }
  const drafts: EventDraft[] = []
  for (const key of run.open) {
    const id = key.slice(key.indexOf(':') + 1)
    if (key.startsWith('tool:')) drafts.push({ type: 'tool.failed', ...ids, toolCallId: id, error })
    else if (key.startsWith('action:')) {
      drafts.push({ type: 'action.resolved', ...ids, actionId: id, outcome: 'cancelled', by: SYSTEM })
    } else if (key.startsWith('agent:')) {
      drafts.push({ type: 'agent.completed', ...ids, agentId: id, outcome: 'interrupted' })
    }
  }
  let position = 0
  for (const { steerId, text, interaction, by, state: is, runId: of, at: createdAt } of state.steers.byId.values()) {
    if (of !== runId || is !== 'accepted') continue
    drafts.push({ type: 'steer.rejected', steerId, reason: runEndedFirst })
    if (interaction === null) continue
    // An interaction with a surface is never lost: it becomes a turn, in the same write.
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
