import { plusCost, type SessionEvent, type SessionState, usageOf } from '@vitrine/protocol'
import type { RunUsage } from '../storage/usage-store.ts'

/** More than any run can use. What an agent claims beyond it is no number that could be added to others. */
const MOST = 1e11
const MAX_NAME = 200

/** What the runs have used that ended with these events, which are folded into the state. */
export function runUsage(state: SessionState, events: readonly SessionEvent[]): RunUsage[] {
  return events.flatMap(event => {
    if (event.type !== 'run.finished' && event.type !== 'run.failed') return []
    const run = state.runs.byId.get(event.runId)
    if (!run) return []
    const said = [...state.messages.byId.values()].filter(({ runId }) => runId === event.runId)
    const own = usageOf(run.metrics)
    const counted = own.tokens !== null || own.cost ? [own] : said.map(({ metadata }) => usageOf(metadata))
    const sum = (name: 'input' | 'output' | 'cached' | 'reasoning' | 'tokens'): number | null => {
      const numbers = counted.flatMap(usage => usage[name] ?? [])
      return numbers.length === 0 ? null : Math.min(MOST, Math.round(numbers.reduce((a, b) => a + b, 0)))
    }
    const total = sum('tokens')
    const cost = counted.reduce<ReturnType<typeof usageOf>['cost']>((all, usage) => plusCost(all, usage.cost), null)
    if (total === null && !cost) return []
    const model = counted.find(usage => usage.model !== null)?.model ?? own.model ?? ''
    return [
      {
        runId: event.runId,
        at: event.at,
        agentId: storable(run.agentId),
        model: storable(model),
        input: sum('input'),
        output: sum('output'),
        cached: sum('cached'),
        reasoning: sum('reasoning'),
        total,
        cost: cost && Math.min(MOST, cost.amount),
        currency: cost?.currency ?? '',
      },
    ]
  })
}

/** A name that an agent chose. Not every text can be stored as it is. */
const storable = (name: string): string => name.slice(0, MAX_NAME).toWellFormed().replaceAll('\0', '')
