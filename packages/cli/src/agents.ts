import { type AgentFile, AgentRefused, openAgentFile } from '@vitrine/server'

/**
 * Opens the agents of these modules. Each module exports one agent
 * or a list as its default, and runs in a thread of its own.
 */
export async function loadAgents(files: readonly string[]): Promise<AgentFile> {
  const opened: AgentFile[] = []
  const close = async (): Promise<void> => void (await Promise.all(opened.map(file => file.close())))
  try {
    for (const file of files) opened.push(await open(file))
    return { agents: opened.flatMap(file => file.agents), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(file: string): Promise<AgentFile> {
  try {
    return await openAgentFile(file)
  } catch (error) {
    throw error instanceof AgentRefused ? new AgentRefused(`${file} ${error.message}`) : error
  }
}
