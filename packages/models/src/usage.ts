import type { Usage } from '@vitrine/protocol'
import type { LanguageModelUsage } from 'ai'

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

/** What several steps have used together. */
export function plusUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0)
  return known(Object.fromEntries(COUNTS.map(name => [name, sum(a[name], b[name])])))
}

function known(counts: Partial<Record<(typeof COUNTS)[number], number | undefined>>): Usage {
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => isCount(value)))
}
