import type { Json, JsonObject } from './json.ts'

/** An amount of money. */
export interface Cost {
  amount: number
  currency: string
}

/** Two amounts together. Amounts in several currencies have no sum: the first one counts. */
export const plusCost = (sum: Cost | null, more: Cost | null): Cost | null =>
  sum === null
    ? more
    : more?.currency === sum.currency
      ? { amount: sum.amount + more.amount, currency: sum.currency }
      : sum

/** Usage as producers write it: in `usage` or at the top, counted in parts or as a total. */
export function usageOf(metadata: JsonObject) {
  const usage = (
    typeof metadata.usage === 'object' && metadata.usage !== null ? metadata.usage : metadata
  ) as JsonObject
  const read = (name: string) => numberIn(usage, name)
  const input = read('inputTokens')
  const output = read('outputTokens')
  const tokens = read('totalTokens') ?? (input !== null || output !== null ? (input ?? 0) + (output ?? 0) : null)
  return {
    tokens,
    input,
    output,
    cached: read('cachedInputTokens'),
    reasoning: read('reasoningTokens'),
    cost: costOf(metadata.cost ?? usage.cost),
    model: typeof metadata.model === 'string' ? metadata.model : null,
  }
}

/** A number that somebody said under this name; null when nobody did. */
export function numberIn(values: JsonObject, name: string): number | null {
  const value = values[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

/** What a run cost; nothing when it was free, because a scripted or local agent has no price to show. */
function costOf(cost: Json | undefined): Cost | null {
  if (typeof cost === 'number') return cost === 0 ? null : { amount: cost, currency: 'USD' }
  if (typeof cost !== 'object' || cost === null || Array.isArray(cost)) return null
  if (typeof cost.amount !== 'number' || cost.amount === 0) return null
  // A currency that is none would make the formatter throw.
  const currency = typeof cost.currency === 'string' && /^[A-Z]{3}$/.test(cost.currency) ? cost.currency : 'USD'
  return { amount: cost.amount, currency }
}
