import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Agent } from '../agents/agent.ts'
import { openFileBlobs } from '../blobs/file-blobs.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import { createHub } from '../stream/hub.ts'
import { createRuntime } from './create-runtime.ts'

/** A process with little memory that opens long sessions and writes to them: one after another, then all at once. */
const echo: Agent = {
  agentId: 'echo',
  name: 'Echo',
  description: 'Says what it was told',
  scripted: true,
  async *run({ text }) {
    yield { type: 'text.delta', partId: 'p', delta: text }
  },
}

const [folder = ''] = process.argv.slice(2)
const owner = { id: 'ann', name: 'Ann', kind: 'person', roles: [], claims: {} } as const
const storage = await openSqlite({ folder })
const hub = createHub()
const runtime = createRuntime({ storage, blobs: await openFileBlobs({ folder }), hub, agents: [echo] })

async function turn(sessionId: string, turnId: string): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const stop = hub.onEvents(sessionId, ({ events }) => {
    if (events.some(({ type }) => type === 'run.finished')) ended.resolve()
  })
  await runtime.submitTurn(owner, sessionId, { turnId, text: 'more' })
  await ended.promise
  stop()
}

const { sessions } = await runtime.listSessions(owner, { limit: 100 })
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
for (const { sessionId } of sessions) await turn(sessionId, `alone ${process.pid}`)
await Promise.all(sessions.map(({ sessionId }) => turn(sessionId, `at once ${process.pid}`)))
delay.disable()
globalThis.gc?.()
const heap = process.memoryUsage().heapUsed
process.stdout.write(`${JSON.stringify({ sessions: sessions.length, heap, pauseMs: delay.max / 1e6 })}\n`)
await runtime.close()
await storage.close()
