import type { AgentInfo } from '@vitrine/protocol'
import { createContext, type ReactNode, useCallback, useContext } from 'react'

const Agents = createContext<readonly AgentInfo[] | null>(null)
const Refresh = createContext<() => void>(() => {})

interface Props {
  agents: readonly AgentInfo[] | null
  /** Asks for the agents again, after one was made, changed or deleted. */
  onRefresh?: () => void
  children: ReactNode
}

/** Tells the views below it what the agents are called. Without it, agents are shown under their ids. */
export function AgentsProvider({ agents, onRefresh, children }: Props) {
  const list = <Agents value={agents}>{children}</Agents>
  return onRefresh ? <Refresh value={onRefresh}>{list}</Refresh> : list
}

/** Asks for the agents again, after one was made, changed or deleted. */
export const useRefreshAgents = (): (() => void) => useContext(Refresh)

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
