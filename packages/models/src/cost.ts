import type { Usage } from '@vitrine/protocol'
import type { ModelPrice } from './known-models.ts'

const MILLION = 1_000_000

/** The usage with what it cost, when the price of everything in it is known. A part of a cost would be a wrong cost. */
export function withCost(usage: Usage, price: ModelPrice | undefined): Usage {
  const amount = price && costOf(usage, price)
  return amount === undefined ? usage : { ...usage, cost: { amount, currency: 'USD' } }
}

function costOf(usage: Usage, { input, output, cachedInput, cacheWrite, upTo }: ModelPrice): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  if (upTo !== undefined && inputTokens > upTo) return undefined
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  const parts = [
    [plain, input],
    [cachedInputTokens, cachedInput],
    [cacheWriteTokens, cacheWrite],
    [outputTokens, output],
  ] as const
  let sum = 0
  for (const [tokens, dollars] of parts) {
    if (tokens === 0) continue
    if (dollars === undefined) return undefined
    sum += tokens * dollars
  }
  return rounded(sum / MILLION)
}

/** Without the dust of binary fractions. */
export const rounded = (amount: number): number => Number(amount.toFixed(10))
