import type { Json, JsonObject, Run, SessionState } from '@vitrine/protocol'

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

/** A number that somebody said; null when nobody did. */
function numberIn(values: JsonObject, name: string): number | null {
  const value = values[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

/** How an answer came about, in time. What the facts do not tell is null (L8). */
export interface RunPace {
  /** How long the turn waited before its run began. */
  queuedMs: number | null
  /** From the beginning of the run to its first words or its first call. */
  firstMs: number | null
  /** Tokens a second while it spoke. */
  perSecond: number | null
}

/** Below this a text came at once, and nobody can tell how fast. */
const SHORTEST_MS = 200

/** The pace of a run, as far as its messages are loaded. Calls are tokens that nobody sees: with them the speed is not known. */
export function paceOf(state: SessionState, run: Run): RunPace {
  const messages = [...state.messages.byId.values()].filter(
    ({ runId, role }) => runId === run.runId && role === 'assistant',
  )
  const parts = messages.flatMap(message => message.parts.map(partId => state.parts.byId.get(partId)))
  const begun = parts.flatMap(part => (part ? [part.startedAt] : []))
  const whole = messages.length > 0 && messages.every(({ partsFrom }) => partsFrom === 0)
  const spoken = parts.filter(part => part?.kind === 'text' || part?.kind === 'reasoning')
  const streamedMs = spoken.reduce(
    (sum, part) => sum + Math.max(0, (part!.endedAt ?? part!.startedAt) - part!.startedAt),
    0,
  )
  const { output, reasoning } = usageOf(run.metrics)
  const shown =
    output === null ? null : output - (spoken.some(part => part!.kind === 'reasoning') ? 0 : (reasoning ?? 0))
  const calls = [...state.tools.byId.values()].some(({ runId }) => runId === run.runId)
  const timed = whole && !calls && streamedMs >= SHORTEST_MS && shown !== null && shown > 0
  return {
    queuedMs: numberIn(run.metrics, 'queuedMs'),
    firstMs: whole && begun.length > 0 ? Math.max(0, Math.min(...begun) - run.startedAt) : null,
    perSecond: timed ? shown / (streamedMs / 1000) : null,
  }
}

/** How full the context of a model is: the tokens in it, and how many it can hold. */
export const contextOfRun = (metrics: JsonObject) => ({
  used: numberIn(metrics, 'contextUsed'),
  size: numberIn(metrics, 'contextTokens') || null,
})

/** What a run cost; nothing when it was free, because a scripted or local agent has no price to show. */
function costOf(cost: Json | undefined): Cost | null {
  if (typeof cost === 'number') return cost === 0 ? null : { amount: cost, currency: 'USD' }
  if (typeof cost !== 'object' || cost === null || Array.isArray(cost)) return null
  if (typeof cost.amount !== 'number' || cost.amount === 0) return null
  // A currency that is none would make the formatter throw.
  const currency = typeof cost.currency === 'string' && /^[A-Z]{3}$/.test(cost.currency) ? cost.currency : 'USD'
  return { amount: cost.amount, currency }
}
