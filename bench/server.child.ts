import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, type AgentOutput, startServer } from '@vitrine/server'
import { word } from './events.ts'
import type { Task } from './server.ts'

/** Streams as the turn asks: at the pace of a model, or as fast as it is let. */
const agent: Agent = {
  agentId: 'bench',
  name: 'Bench',
  description: 'Streams deltas',
  scripted: true,
  async *run(input): AsyncIterable<AgentOutput> {
    const { deltas, everyMs } = JSON.parse(input.text) as Task
    for (let index = 0; index < deltas; index++) {
      // Deltas of one part in a row become one event: a flood takes turns between two, so that each stays its own.
      yield { type: 'text.delta', partId: everyMs === 0 ? `p${index % 2}` : 'p', delta: word(index) }
      if (everyMs > 0) await sleep(everyMs)
    }
  },
}

const server = await startServer({
  dataFolder: process.argv[2]!,
  port: 0,
  host: '127.0.0.1',
  agents: [agent],
  limits: { runs: 200, openSessions: 500 },
})
process.send!({ url: server.url })
process.once('message', async () => {
  await server.close()
  process.disconnect()
})
