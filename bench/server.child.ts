import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, type AgentOutput, startServer } from '@vitrine/server'
import { word } from './events.ts'

/** What a turn asks of the agent. */
export interface Task {
  deltas: number
  everyMs: number
}

/** How this process is: its memory, and the longest pause of its event loop since it was asked last. */
export interface Health {
  rss: number
  pauseMs: number
}

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
      if (everyMs === 0) yield { type: 'text.delta', partId: `p${index % 2}`, delta: word(index) }
      // A model that speaks says when, so that what a delta waits for others counts as well.
      else yield { type: 'text.delta', partId: 'p', delta: `${performance.timeOrigin + performance.now()} ` }
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
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.send!({ url: server.url })
process.on('message', async said => {
  if (said === 'health') {
    process.send!({ rss: process.memoryUsage.rss(), pauseMs: delay.max / 1e6 } satisfies Health)
    return delay.reset()
  }
  await server.close()
  process.disconnect()
})
