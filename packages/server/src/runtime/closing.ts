import type { EventDraft, Run, SessionState } from '@vitrine/protocol'

/** Ends what a run leaves open besides its texts: calls, requests, child agents and steers nobody took up. */
export function closeOpen(state: SessionState, run: Run, error: { code: string; message: string }): EventDraft[] {
  const { runId, turnId } = run
  const ids = { runId, turnId }
  const drafts: EventDraft[] = []
  for (const key of run.open) {
    const id = key.slice(key.indexOf(':') + 1)
    if (key.startsWith('tool:')) drafts.push({ type: 'tool.failed', ...ids, toolCallId: id, error })
    else if (key.startsWith('action:')) {
      drafts.push({ type: 'action.resolved', ...ids, actionId: id, outcome: 'cancelled', by: 'system' })
    } else if (key.startsWith('agent:')) {
      drafts.push({ type: 'agent.completed', ...ids, agentId: id, outcome: 'interrupted' })
    }
  }
  for (const steer of state.steers.byId.values()) {
    if (steer.runId === runId && steer.state === 'accepted') {
      drafts.push({ type: 'steer.rejected', steerId: steer.steerId, reason: 'The run ended before it was taken up.' })
    }
  }
  return drafts
}

/** The end of a run whose process is gone (L12). */
export function cutOff(state: SessionState, run: Run): EventDraft[] {
  const error = { code: 'interrupted', message: 'The server stopped before this call ended.' }
  const detail = 'The server stopped while this run was working.'
  const { runId, turnId } = run
  return [...closeOpen(state, run, error), { type: 'run.finished', runId, turnId, outcome: 'interrupted', detail }]
}
