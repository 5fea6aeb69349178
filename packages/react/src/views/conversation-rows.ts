import { type Message, messagesInOrder, type SessionState } from '@vitrine/protocol'

export type Row =
  | { key: string; kind: 'message'; id: string }
  | { key: string; kind: 'run'; id: string }
  | { key: string; kind: 'action'; id: string }

/** Subagents whose work is shown inside the part that started them. */
function nestedAgents(state: SessionState): Set<string> {
  const nested = new Set<string>()
  for (const part of state.parts.byId.values()) if (part.kind === 'subagent' && part.refId) nested.add(part.refId)
  return nested
}

export const messagesOfSubagent = (state: SessionState, subagentId: string): Message[] =>
  [...messagesInOrder(state)].filter(message => message.subagentId === subagentId)

/**
 * The conversation in order: messages, after the last one of each run how that run stands unless it completed,
 * and requests that belong to no message at the end.
 */
export function conversationRows(state: SessionState): Row[] {
  const nested = nestedAgents(state)
  const messages = [...messagesInOrder(state)].filter(({ subagentId }) => !subagentId || !nested.has(subagentId))
  const runsOfTurn = Map.groupBy(state.runs.byId.values(), run => run.turnId)
  const lastOfRun = new Map<string, Message>()
  const lastOfTurn = new Map<string, Message>()
  for (const message of messages) {
    if (message.runId) lastOfRun.set(message.runId, message)
    if (message.turnId) lastOfTurn.set(message.turnId, message)
  }
  const rows: Row[] = []
  const addRun = (runId: string) => {
    const run = state.runs.byId.get(runId)
    if (run && !run.parentRunId && run.outcome !== 'completed') rows.push({ key: run.key, kind: 'run', id: runId })
  }
  for (const message of messages) {
    rows.push({ key: message.key, kind: 'message', id: message.messageId })
    if (message.runId && lastOfRun.get(message.runId) === message) addRun(message.runId)
    if (message.turnId && lastOfTurn.get(message.turnId) === message) {
      // Attempts that said nothing have no message to stand after.
      for (const { runId } of runsOfTurn.get(message.turnId) ?? []) if (!lastOfRun.has(runId)) addRun(runId)
    }
  }
  const active = state.session.activeRunId
  if (active && !rows.some(row => row.id === active)) addRun(active)
  for (const action of state.actions.byId.values()) {
    if (action.state === 'pending' && !action.messageId) {
      rows.push({ key: action.key, kind: 'action', id: action.actionId })
    }
  }
  return rows
}
