import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '@vitrine/server'

/** The file cannot be used as an agent; the message is one line for the person who named it. */
export class AgentRefused extends Error {
  override name = 'AgentRefused'
}

/** The agents that these modules export as their default, one or a list each. */
export async function loadAgents(files: readonly string[]): Promise<Agent[]> {
  const agents: Agent[] = []
  for (const file of files) {
    const { default: exported } = await import(pathToFileURL(resolve(file)).href).catch((error: Error) => {
      throw new AgentRefused(`${file} could not be loaded: ${error.message.split('\n', 1)[0]}`)
    })
    for (const agent of Array.isArray(exported) ? exported : [exported]) agents.push(checked(file, agent))
  }
  const twice = agents.find((agent, i) => agents.findIndex(({ agentId }) => agentId === agent.agentId) !== i)
  if (twice)
    throw new AgentRefused(`Two agents are called ${JSON.stringify(twice.agentId)}: give each its own agentId.`)
  return agents
}

function checked(file: string, value: unknown): Agent {
  const { agentId, name, run, ...rest } = (value ?? {}) as Partial<Agent>
  if (typeof agentId !== 'string' || !/^[\w.-]{1,100}$/.test(agentId) || typeof run !== 'function') {
    throw new AgentRefused(`${file} does not export an agent: its default export needs an agentId and a run function.`)
  }
  const given = value as Agent
  return {
    agentId,
    name: typeof name === 'string' && name ? name : agentId,
    description: typeof rest.description === 'string' ? rest.description : '',
    scripted: rest.scripted === true,
    run: (input, context) => given.run(input, context),
  }
}
