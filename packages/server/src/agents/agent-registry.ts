import type { AgentConfig } from '@vitrine/protocol'
import type { SettingsStore, StoredSetting } from '../storage/settings-store.ts'
import type { Agent } from './agent.ts'
import type { ModelSource, ProviderAccess } from './model-source.ts'

/** Agents of people that are kept ready at most. Another one is made anew from its settings. */
const MOST_READY = 500

export interface AgentRegistryOptions {
  /** What the program gave. */
  agents: readonly Agent[]
  storage: Pick<SettingsStore, 'settings' | 'setting'>
  models?: ModelSource | undefined
  access(owner: string, providerId: string): Promise<ProviderAccess>
}

/** An agent that a person has made, as it is stored. */
export interface MadeAgent {
  agentId: string
  config: AgentConfig
  version: number
}

/**
 * All agents that there are: those that the program gave, and those that people made. It is asked whenever an agent is
 * needed, and reads what is stored then, so that agents come and go while the server runs, also by another process. Whoever
 * has got an agent keeps it as it was.
 */
export interface AgentRegistry {
  /** What the program gave, in its order. */
  readonly given: readonly Agent[]
  /** The agent of this id that this person can have. What the program gave counts first. */
  find(owner: string, agentId: string): Promise<Agent | undefined>
  /** What a new session of this person gets when it names no agent. */
  first(owner: string): Promise<Agent | undefined>
  /** What this person has made, in the order in which it was made. */
  made(owner: string): Promise<MadeAgent[]>
  /** An agent that this person has made. */
  madeBy(owner: string, agentId: string): Promise<MadeAgent | undefined>
  /** Where the agents of people stand among those of the program: before the first one that is scripted. */
  readonly place: number
}

export function createAgentRegistry({ agents: given, storage, models, access }: AgentRegistryOptions): AgentRegistry {
  const ready = new Map<string, { text: string; agent: Agent }>()
  const scripted = given.findIndex(agent => agent.scripted === true)
  const place = scripted === -1 ? given.length : scripted

  const madeOf = ({ id, version, data }: StoredSetting): MadeAgent => ({
    agentId: id,
    version,
    config: data as unknown as AgentConfig,
  })

  /** The same settings give the same agent, so that it is not made for each turn. */
  function agentOf(owner: string, { agentId, config }: MadeAgent): Agent | undefined {
    if (!models) return undefined
    const key = JSON.stringify([owner, agentId])
    const text = JSON.stringify(config)
    const known = ready.get(key)
    ready.delete(key)
    const agent = known?.text === text ? known.agent : build(models, owner, agentId, config)
    ready.set(key, { text, agent })
    if (ready.size > MOST_READY) ready.delete(ready.keys().next().value!)
    return agent
  }

  function build(source: ModelSource, owner: string, agentId: string, config: AgentConfig): Agent {
    const { name, description, providerId, modelId, instructions, effort, temperature, maxSteps, tools, voice } = config
    const asked = { agentId, name, description, providerId, modelId, instructions, effort, temperature, maxSteps }
    return {
      ...source.agent(asked, () => access(owner, providerId)),
      agentId,
      toolPolicies: tools,
      ...(voice !== null && { capabilities: { voiceId: voice } }),
    }
  }

  const madeBy: AgentRegistry['madeBy'] = async (owner, agentId) => {
    const stored = await storage.setting(owner, 'agent', agentId)
    return stored && madeOf(stored)
  }
  const made: AgentRegistry['made'] = async owner => (await storage.settings(owner, 'agent')).map(madeOf)

  return {
    given,
    place,
    made,
    madeBy,
    async find(owner, agentId) {
      const known = given.find(agent => agent.agentId === agentId)
      if (known) return known
      const stored = await madeBy(owner, agentId)
      return stored && agentOf(owner, stored)
    },
    async first(owner) {
      if (place > 0 || !models) return given[0]
      const [stored] = (await made(owner)).filter(({ agentId }) => given.every(agent => agent.agentId !== agentId))
      return (stored && agentOf(owner, stored)) ?? given[0]
    },
  }
}
