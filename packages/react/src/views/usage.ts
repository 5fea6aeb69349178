import { type JsonObject, numberIn, type Run, type SessionState, usageOf } from '@vitrine/protocol'

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
