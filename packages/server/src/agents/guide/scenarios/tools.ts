import type { AgentContext, AgentOutput } from '../../agent.ts'
import type { Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'

const LINES = 3_000

const statusOf = (n: number) => (n % 97 === 0 ? 503 : n % 31 === 0 ? 404 : 200)

/** A log of more than 200 KB. That is too much for an event, so the runtime stores it and shows its beginning. */
function accessLog(): string {
  const paths = ['/api/stream', '/api/sessions', '/assets/index.js', '/api/sessions/s1/turns', '/favicon.ico']
  const lines: string[] = []
  for (let n = 0; n < LINES; n++) {
    const time = new Date(Date.UTC(2026, 0, 15, 8, 0, n)).toISOString()
    lines.push(
      `${time} 10.0.${n % 8}.${n % 250} GET ${paths[n % paths.length]} ${statusOf(n)} ${(n * 37) % 900} ms id=${n}`,
    )
  }
  return lines.join('\n')
}

function countByStatus(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let n = 0; n < LINES; n++) counts[statusOf(n)] = (counts[statusOf(n)] ?? 0) + 1
  return counts
}

interface Job {
  toolCallId: string
  steps: string[]
  done(): Promise<AgentOutput>
}

async function* start(context: AgentContext, say: Say): AsyncGenerator<AgentOutput, Job[]> {
  const search = yield* say.call({
    name: 'web.search',
    title: 'Search for incident reports',
    summary: '“503 after deploy”',
    args: { query: '503 after deploy', limit: 5 },
  })
  const log = yield* say.call({
    name: 'logs.read',
    title: 'Read the access log',
    summary: 'access.log, the last hour',
    args: { file: 'access.log', lines: LINES },
  })
  const count = yield* say.call({ name: 'logs.count', title: 'Count status codes', args: { by: 'status' } })
  return [
    {
      toolCallId: search,
      steps: ['asking three sources', 'two have answered', 'ranking'],
      done: async () =>
        say.result(search, {
          preview:
            '1. Health checks that pass too early\n2. Draining connections before a deploy\n3. Why 503 and not 502',
          value: { hits: 3 },
        }),
    },
    {
      toolCallId: log,
      steps: ['25 %', '50 %', '75 %', '100 %'],
      done: async () => {
        const large = await context.store({ text: accessLog(), mediaType: 'text/plain' })
        return say.result(log, { ...large, value: { lines: LINES } })
      },
    },
    {
      toolCallId: count,
      steps: ['counting'],
      done: async () => {
        const counts = countByStatus()
        const lines = Object.entries(counts).map(([status, number]) => `${status}: ${number}`)
        return say.result(count, { preview: lines.join('\n'), value: counts })
      },
    },
  ]
}

export const tools: Scenario = {
  id: 'tools',
  title: 'Three tools at once',
  shows: 'three tools at once, with progress, live output and a result of over 200 KB',
  example: 'run tools in parallel',
  triggers: [
    'tool',
    'tools',
    'parallel',
    'large output',
    'big output',
    'logs',
    'search',
    '工具',
    '并行',
    '大输出',
    '搜索',
  ],
  async *play(_input, context, say) {
    yield* say.text('I will look at three things at once. Open a row to see what went in and what came out.')
    const jobs = yield* start(context, say)
    const rounds = Math.max(...jobs.map(job => job.steps.length))
    for (let round = 0; round < rounds; round++) {
      await say.pause(500)
      for (const { toolCallId, steps, done } of jobs) {
        const step = steps[round]
        if (step !== undefined) {
          yield say.progress(toolCallId, step, round + 1, steps.length)
          yield { type: 'tool.output.delta', toolCallId, stream: 'output', delta: `${step}\n` }
        }
        if (round === steps.length - 1) yield await done()
      }
    }
    const failures = countByStatus()[503]
    const all = LINES.toLocaleString('en')
    yield* say.reasoning(
      `${failures} answers of ${all} are 503s. They come at regular intervals, which looks like a health check.`,
    )
    yield* say.text(
      `Done: **${failures} of ${all} requests** failed with 503, at regular intervals. That smells of a health check that says "ready" too early.

The three rows above ran side by side. The log is over 200 KB: the conversation carries only its first lines and a reference, and the whole file is loaded when you open it. *(Scripted: the log is made up.)*`,
    )
  },
}
