import type { Agent } from '../agents/agent.ts'

/** An agent for a thread: it remembers something, reads it, forgets it, and says what it read each time. */
export default {
  agentId: 'remembers',
  async *run(_, { memory }) {
    const before = (await memory.get('seen')) ?? null
    await memory.set('seen', { n: 1 })
    const then = (await memory.get('seen')) ?? null
    await memory.delete('seen')
    const after = (await memory.get('seen')) ?? null
    yield { type: 'text.delta', partId: 'a', delta: JSON.stringify([before, then, after]) }
  },
} satisfies Agent
