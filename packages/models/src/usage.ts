import type { Usage } from '@vitrine/protocol'
import type { LanguageModelUsage } from 'ai'
import { rounded } from './cost.ts'

/** What a step has used, as facts say it. A number that the provider did not give is absent, and never zero. */
export function usageOf(given: LanguageModelUsage): Usage {
  const { inputTokens, outputTokens, totalTokens, inputTokenDetails, outputTokenDetails } = given
  return known({
    inputTokens,
    outputTokens,
    totalTokens,
    reasoningTokens: outputTokenDetails?.reasoningTokens,
    cachedInputTokens: inputTokenDetails?.cacheReadTokens,
    cacheWriteTokens: inputTokenDetails?.cacheWriteTokens,
  })
}

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
] as const

/** What several steps have used together. What they cost is known when the cost of each is. */
export function plusUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b
  const sum = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0)
  const counts = known(Object.fromEntries(COUNTS.map(name => [name, sum(a[name], b[name])])))
  if (!a.cost || !b.cost || a.cost.currency !== b.cost.currency) return counts
  return { ...counts, cost: { amount: rounded(a.cost.amount + b.cost.amount), currency: a.cost.currency } }
}

function known(counts: Partial<Record<(typeof COUNTS)[number], number | undefined>>): Usage {
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => isCount(value)))
}
