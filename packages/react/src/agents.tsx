import type { AgentInfo } from '@vitrine/protocol'
import { createContext, type ReactNode, useCallback, useContext } from 'react'

const Agents = createContext<readonly AgentInfo[] | null>(null)

/** Tells the views below it what the agents are called. Without it, agents are shown under their ids. */
export function AgentsProvider(props: { agents: readonly AgentInfo[] | null; children: ReactNode }) {
  return <Agents value={props.agents}>{props.children}</Agents>
}

/** Says what an agent is called: its id when its name is not known. */
export function useAgentNames(): (agentId: string) => string {
  const agents = useContext(Agents)
  return useCallback((agentId: string) => agents?.find(agent => agent.agentId === agentId)?.name ?? agentId, [agents])
}

/** The agents that there are, when they are known. */
export const useAgents = (): readonly AgentInfo[] | null => useContext(Agents)

/** An agent, when it is known. */
export const useAgent = (agentId: string | undefined): AgentInfo | undefined =>
  useContext(Agents)?.find(agent => agent.agentId === agentId)

/** What an agent is called, or its id when its name is not known. */
export const useAgentName = (agentId: string): string => useAgentNames()(agentId)
