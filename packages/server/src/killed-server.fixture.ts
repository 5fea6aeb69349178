import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from './agents/agent.ts'
import { startServer } from './start-server.ts'

/** A server to be killed: its agent streams for about a second the first time, and answers at once when retried. */
const streams: Agent = {
  agentId: 'streams',
  name: 'Streams',
  description: 'Streams until it is killed',
  scripted: true,
  async *run({ text }, { attempt, signal }) {
    yield { type: 'reasoning.delta', partId: 'think', delta: `About ${text}. ` }
    yield { type: 'tool.started', partId: 'tool', toolCallId: 'c', name: 'count' }
    for (let i = 0; i < 300 && attempt === 1; i++) {
      if (signal.aborted) return
      yield { type: 'text.delta', partId: 'answer', delta: `${text} ${i}\n` }
      if (i % 10 === 0) yield { type: 'tool.output.delta', toolCallId: 'c', delta: `${i}\n` }
      await sleep(3)
    }
    yield { type: 'tool.result', toolCallId: 'c', preview: 'counted' }
    yield { type: 'text.delta', partId: 'answer', delta: `done with ${text}` }
  },
}

/** Brings what it is told to every place that keeps something: answer, arguments and results of tools, blobs. */
const repeats: Agent = {
  agentId: 'repeats',
  name: 'Repeats',
  description: 'Says what it was told',
  scripted: true,
  async *run({ text }, { store }) {
    const [word = ''] = text.split(' ')
    yield { type: 'tool.started', partId: 'tool', toolCallId: 'c', name: 'repeat' }
    yield { type: 'tool.args', toolCallId: 'c', delta: JSON.stringify({ text: `args ${word}` }), done: true }
    const stored = await store({ text: `blob ${word} `.repeat(2_000) })
    yield { type: 'tool.result', toolCallId: 'c', ...stored }
    yield { type: 'text.delta', partId: 'answer', delta: `answer ${word}` }
  },
}

const [dataFolder = ''] = process.argv.slice(2)
const { url } = await startServer({ dataFolder, host: '127.0.0.1', port: 0, agents: [streams, repeats] })
process.stdout.write(`${url}\n`)
