import { setImmediate } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'

const DEFAULT_DELTAS = 10_000
const MOST_DELTAS = 200_000
const BREATHE_EVERY = 256

export const stress: Scenario = {
  id: 'stress',
  title: 'Flood of small pieces',
  shows: 'a flood of small pieces, as fast as I can',
  example: 'stress 10000',
  argument: 'pieces',
  triggers: ['stress', 'flood', 'load test', '压力', '压力测试', '洪水'],
  async *play(input, context, say) {
    const asked = Number(/\d+/.exec(input.text)?.[0] ?? DEFAULT_DELTAS)
    const count = Math.min(Math.max(1, asked), MOST_DELTAS)
    const partId = say.part()
    for (let n = 1; n <= count; n++) {
      if (n % BREATHE_EVERY === 0) await setImmediate()
      context.signal.throwIfAborted()
      yield { type: 'text.delta', partId, delta: n % 20 === 0 ? `${n}\n\n` : `${n} ` }
    }
    yield { type: 'text.final', partId }
    yield* say.text(
      `Those were **${count.toLocaleString('en')} pieces**, each of them numbered and on disk before you saw it. The page should have stayed smooth.`,
    )
  },
}
