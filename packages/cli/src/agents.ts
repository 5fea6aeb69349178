import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Agent, type AgentFile, AgentRefused, openAgentFile } from '@vitrine/server'

/**
 * Opens the agents of these modules. Each module exports one agent
 * or a list as its default, and runs in a thread of its own.
 */
export async function loadAgents(files: readonly string[]): Promise<AgentFile> {
  const opened: AgentFile[] = []
  const close = async (): Promise<void> => void (await Promise.all(opened.map(file => file.close())))
  try {
    for (const file of files) opened.push(await open(file))
    const agents = opened.flatMap(file => file.agents)
    refuseTwice(agents)
    return { agents, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(file: string): Promise<AgentFile> {
  try {
    return await openAgentFile(pathToFileURL(resolve(file)))
  } catch (error) {
    throw error instanceof AgentRefused ? new AgentRefused(`${file} ${error.message}`) : error
  }
}

function refuseTwice(agents: readonly Agent[]): void {
  const twice = agents.find((agent, i) => agents.findIndex(({ agentId }) => agentId === agent.agentId) !== i)
  if (twice)
    throw new AgentRefused(`Two agents are called ${JSON.stringify(twice.agentId)}: give each its own agentId.`)
}
