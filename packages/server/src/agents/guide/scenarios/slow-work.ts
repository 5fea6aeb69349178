import { startWork } from '../process.ts'
import type { Scenario } from '../scenario.ts'

/** A program that prints ticks. Its arguments are the number of ticks and the time between them. */
const TICKS = `const [total, ms] = process.argv.slice(-2).map(Number)
let n = 0
const tick = () => { console.log(++n); if (n >= total) process.exit(0); setTimeout(tick, ms) }
setTimeout(tick, ms)
`
const DEFAULT_SECONDS = 30
const MOST_SECONDS = 3600

export const slowWork: Scenario = {
  id: 'slow-work',
  title: 'Slow work that you can interrupt',
  shows: 'slow work in a real process that you can interrupt',
  example: 'work slowly for 60 seconds',
  argument: 'seconds',
  triggers: [
    'slow',
    'slowly',
    'slow work',
    'work slowly',
    'long work',
    'wait',
    'interrupt',
    '慢',
    '慢慢',
    '中断',
    '打断',
  ],
  async *play(input, context, say) {
    const asked = Number(/(\d+)\s*(?:s\b|sec|秒)?/i.exec(input.text)?.[1] ?? DEFAULT_SECONDS)
    const seconds = Math.min(Math.max(1, asked), MOST_SECONDS)
    yield* say.text(
      `I start a real process that works for ${seconds} s. **Interrupt** me whenever you like: I am done only when the process is gone.`,
    )
    const call = { name: 'work.slow', title: `Work for ${seconds} s`, summary: `${seconds} s`, args: { seconds } }
    const toolCallId = yield* say.call(call)
    const work = startWork(TICKS, [String(seconds), '1000'], context.signal)
    yield say.progress(toolCallId, `process ${work.pid} has started`, 0, seconds)
    let ticks = 0
    for await (const line of work) {
      ticks = Number(line)
      yield say.progress(toolCallId, `process ${work.pid}, ${ticks} of ${seconds} s`, ticks, seconds)
      yield { type: 'tool.output.delta', toolCallId, stream: 'output', delta: `tick ${line}\n` }
      if (ticks < seconds && (await say.steered())) {
        await work.stop()
        yield say.result(toolCallId, { preview: `stopped after ${ticks} of ${seconds} ticks`, value: { ticks } })
        return yield* say.text(`You steered, so I ended the process after ${ticks} of ${seconds} s.`)
      }
    }
    if (ticks < seconds) {
      yield say.failed(toolCallId, {
        code: 'work_ended',
        message: `The process ended after ${ticks} of ${seconds} s.`,
        retryable: true,
      })
      return yield* say.text('The process ended before its work was done. Ask me again and I start a new one.')
    }
    yield say.result(toolCallId, { preview: `${ticks} ticks`, value: { ticks } })
    yield* say.text(
      `Finished after ${seconds} s, and nobody stopped me. Next time try pressing \`Esc\` twice in the middle.`,
    )
  },
}
