import type { Answer, Cost } from '@vitrine/protocol'
import type { I18n } from '../i18n/i18n.tsx'

export type UsageItem = Answer<'Usage'>['items'][number]

/** What several items have used together. What none of them says is null, and never zero (L8). */
export interface UsageTotal {
  runs: number
  input: number | null
  cached: number | null
  output: number | null
  tokens: number | null
  /** Amounts of several currencies have no sum: each stands for itself. */
  costs: Cost[]
}

export function totalOf(items: readonly UsageItem[]): UsageTotal {
  const sum = (name: 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'totalTokens') => {
    const numbers = items.flatMap(item => item[name] ?? [])
    return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0)
  }
  const costs = new Map<string, number>()
  for (const { cost } of items) if (cost) costs.set(cost.currency, (costs.get(cost.currency) ?? 0) + cost.amount)
  return {
    runs: items.reduce((all, { runs }) => all + runs, 0),
    input: sum('inputTokens'),
    cached: sum('cachedInputTokens'),
    output: sum('outputTokens'),
    tokens: sum('totalTokens'),
    costs: [...costs].map(([currency, amount]) => ({ amount, currency })).sort((a, b) => b.amount - a.amount),
  }
}

/** The days of a span, the oldest first, as the items name them. */
export function daysUpTo(now: number, count: number): string[] {
  const today = new Date(now)
  return Array.from({ length: count }, (_, back) => {
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - back))
    const two = (number: number) => String(number).padStart(2, '0')
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
  })
}

/** Tokens and cost in one line. What nobody counted is said to be unknown. */
export function usageWords({ tokens, costs }: UsageTotal, { t, compact, cost }: I18n): string {
  const words = [
    tokens === null ? t('usage.unknownTokens') : t('message.tokens', { count: tokens, shown: compact(tokens) }),
    ...costs.map(({ amount, currency }) => cost(amount, currency)),
  ]
  return words.join(' · ')
}
