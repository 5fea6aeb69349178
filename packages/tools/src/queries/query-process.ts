import { Worker } from 'node:worker_threads'
import { ToolFailed } from '../failure.ts'
import { type QueryRequest, query } from './query.ts'

// The parent ends this process when the time is over. When the parent is gone, nobody else would: SQL that runs hears nothing.
const [ms] = process.argv.slice(2)
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Number(ms)})`, { eval: true }).unref()
process.once('disconnect', () => process.exit())

process.once('message', (request: QueryRequest) => {
  let answer: { ok: unknown } | { failed: string }
  try {
    answer = { ok: query(request) }
  } catch (error) {
    const words =
      error instanceof ToolFailed ? error.message : `The query failed: ${error instanceof Error ? error.message : ''}`
    answer = { failed: words }
  }
  process.send!(answer, () => process.exit())
})
