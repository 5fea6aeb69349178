import type { AgentCapabilities, AgentCommand } from '@vitrine/protocol'
import type { Agent } from './agent.ts'

/** An agent, or the module that should have it, cannot be used. The message says why and what to do. */
export class AgentRefused extends Error {
  override name = 'AgentRefused'
}

/** How an agent describes itself. */
export interface AgentCard {
  agentId: string
  name: string
  description: string
  scripted: boolean
  capabilities?: AgentCapabilities
  commands?: readonly AgentCommand[]
}

/** What people and other programs read about an agent, with the defaults of what it does not say. */
export function cardOf({ agentId, name, description, scripted, capabilities, commands }: Agent): AgentCard {
  return {
    agentId,
    name: typeof name === 'string' && name !== '' ? name : agentId,
    description: typeof description === 'string' ? description : '',
    scripted: scripted === true,
    ...(capabilities !== undefined && { capabilities }),
    ...(commands !== undefined && { commands }),
  }
}

const ID = /^[\w.-]{1,100}$/

/** Refuses a list with something in it that is no agent. Without this, the first person to write would find out. */
export function checkAgents(given: unknown): asserts given is readonly Agent[] {
  if (!Array.isArray(given)) throw new AgentRefused('agents is not a list: give the agents as [agent].')
  const places = new Map<string, number>()
  for (const [index, agent] of given.entries()) {
    const wrong = agentProblem(agent)
    if (wrong !== undefined) throw new AgentRefused(`agents[${index}] ${wrong}`)
    const { agentId } = agent as Agent
    const before = places.get(agentId)
    if (before !== undefined) {
      const both = `Two agents are called ${JSON.stringify(agentId)} (agents[${before}] and agents[${index}])`
      throw new AgentRefused(`${both}: give each its own agentId.`)
    }
    places.set(agentId, index)
  }
}

/** What is wrong with something that should be an agent, as the end of a sentence that begins with its place. */
export function agentProblem(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null)
    return `is ${kindOf(given)}: an agent is an object with agentId and run.`
  const { agentId, run } = given as Partial<Record<keyof Agent, unknown>>
  if (agentId === undefined) return "has no agentId: give it one, such as agentId: 'weather'."
  if (typeof agentId !== 'string' || !ID.test(agentId)) {
    return `has the agentId ${JSON.stringify(agentId)}: it has to be 1 to 100 letters, digits and . _ - without spaces.`
  }
  if (typeof run !== 'function') return `(${agentId}) has no run function: ${WRITE_RUN}.`
  // Such a function can only give a promise, and never the outputs of a run.
  if (Object.prototype.toString.call(run) === '[object AsyncFunction]') {
    return `(${agentId}) has a run function that is no generator: ${WRITE_RUN}.`
  }
  return undefined
}

/** What to write instead of a `run` that gives no outputs. */
export const WRITE_RUN = 'write `async *run(input, context) { yield … }`, with the star'

const kindOf = (given: unknown): string =>
  given === null ? 'null' : given === undefined ? 'missing' : `a ${typeof given}`
