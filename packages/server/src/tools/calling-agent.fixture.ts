import type { Agent } from '../agents/agent.ts'

/** An agent for a thread: it calls the tool `look`, asks the gate for a call of its own, and says what it was answered. */
export default {
  agentId: 'threaded',
  async *run(_, { tools, admit, principal }) {
    const { call, toolId, title, effects, sourceId } = tools.find(({ name }) => name === 'look')!
    const answer = await call({})
    yield { type: 'tool.started', partId: 'own', toolCallId: 'own', name: 'own', executor: 'agent' }
    yield { type: 'tool.args', toolCallId: 'own', delta: '{}', done: true }
    const { allowed: admitted } = await admit({ toolCallId: 'own', name: 'own', args: {}, effects: 'none' })
    yield { type: 'tool.result', toolCallId: 'own', value: null }
    const tool = { toolId, title, effects, sourceId }
    yield { type: 'text.delta', partId: 'said', delta: JSON.stringify({ principal, tool, answer, admitted }) }
  },
} satisfies Agent
