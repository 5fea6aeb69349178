import type { Agent } from '../agents/agent.ts'

/** An agent for a thread: it finds a tool among many, chooses it and calls it. */
export default {
  agentId: 'finding',
  async *run(_, { tools }) {
    const named = (name: string) => tools.find(tool => tool.name === name)
    await named('find_tools')!.call({ names: ['thing_7'] })
    await named('thing_7')!.call({})
    yield { type: 'text.delta', partId: 'said', delta: 'It ran.' }
  },
} satisfies Agent
