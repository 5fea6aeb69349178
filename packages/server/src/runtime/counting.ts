import { Refusal } from '../refusal.ts'
import type { UsageStore } from '../storage/usage-store.ts'
import type { Runtime } from './runtime.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** How far a question may reach, and how many sums an answer has. */
const MOST_DAYS = 400
const USUAL_DAYS = 30
const MOST_SUMS = 2_000

/** What runs have used. */
export function createCounting(storage: UsageStore, now: () => number): Pick<Runtime, 'getUsage'> {
  return {
    async getUsage(who, { offset, sessionId, ...span }) {
      const to = span.to || now() + 1
      const from = span.from || Math.max(0, to - USUAL_DAYS * DAY)
      if (to < from || to - from > MOST_DAYS * DAY) {
        const next = `Ask for at most ${MOST_DAYS} days, from the earlier time to the later one.`
        throw new Refusal('invalid_request', 'This span of time cannot be counted.', { path: '/to', next })
      }
      const query = { owner: who.id, from, to, ahead: offset * MINUTE, limit: MOST_SUMS + 1 }
      const sums = await storage.usage({ ...query, ...(sessionId !== undefined && { sessionId }) })
      const items = sums.slice(0, MOST_SUMS).map(({ day, agentId, model, runs, currency, ...numbers }) => ({
        day: new Date(day * DAY).toISOString().slice(0, 10),
        agentId,
        model: model || null,
        runs,
        inputTokens: numbers.input,
        cachedInputTokens: numbers.cached,
        outputTokens: numbers.output,
        reasoningTokens: numbers.reasoning,
        totalTokens: numbers.total,
        cost: numbers.cost === null ? null : { amount: numbers.cost, currency },
      }))
      return { items, bounded: sums.length > MOST_SUMS }
    },
  }
}
