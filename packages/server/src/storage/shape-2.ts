import type { StoredEvent } from './upcast.ts'

/** In these classes `agentId` has always named a connected agent. */
const CONNECTED = new Set(['session.updated', 'run.started'])

/** From shape 2: `agentId` named a connected agent in some classes, and in others a piece of work inside a run. */
export function withSubagents(event: StoredEvent): StoredEvent {
  const { agentId, parentAgentId, ...rest } = event
  if (CONNECTED.has(event.type) || (agentId === undefined && parentAgentId === undefined)) return event
  return {
    ...rest,
    ...(agentId !== undefined && { subagentId: agentId }),
    ...(parentAgentId !== undefined && { parentSubagentId: parentAgentId }),
  }
}
