import type { Action, SessionState } from '../entities.ts'
import { add, changed, find, type Handlers, seen, update } from './changes.ts'
import { showIn } from './message.ts'

/** What agents need from people. */
export const actionHandlers = {
  'action.required': (state, event) => {
    add(
      state,
      state.actions,
      {
        actionId: event.actionId,
        runId: event.runId,
        messageId: null,
        toolCallId: null,
        request: event.request,
        at: state.at,
        state: 'pending',
        outcome: null,
        by: null,
        response: null,
        text: null,
        resolvedAt: null,
      },
      event,
    )
    state.session.needsInput++
    changed(state, state.session)
    find(state.runs, event.runId)?.openActions.add(event.actionId)
    showIn(state, event, event.actionId)
  },

  'action.resolved': (state, event) => {
    const action = find(state.actions, event.actionId)
    if (!action || action.state === 'resolved') return
    if (action.state === 'pending') stopWaiting(state, action)
    const fields = { state: 'resolved', at: action.at, resolvedAt: state.at } as const
    update(state, state.actions, event.actionId, fields, event)
    find(state.runs, action.runId)?.openActions.delete(event.actionId)
    const tool = toolOf(state, action)
    if (!tool || event.response === undefined || !event.outcome.startsWith('approved')) return
    tool.approvedArgs = event.response
    changed(state, tool)
  },
} satisfies Partial<Handlers>

/** The call that it is about, unless a page of older history brought the call with what became of it. */
function toolOf(state: SessionState, { toolCallId }: Action) {
  const tool = find(state.tools, toolCallId)
  return tool && !seen(state, tool.messageId) ? tool : undefined
}

/** The request no longer waits for a person, and neither does the call that it was about. */
function stopWaiting(state: SessionState, action: Action): void {
  state.session.needsInput--
  changed(state, state.session)
  const tool = toolOf(state, action)
  if (!tool) return
  tool.waitedMs += state.at - action.at
  changed(state, tool)
}

/** The run ended before anybody responded. */
export function leaveAction(state: SessionState, actionId: string): void {
  const action = find(state.actions, actionId)
  if (action?.state !== 'pending') return
  stopWaiting(state, action)
  update(state, state.actions, actionId, { state: 'stale' })
}
