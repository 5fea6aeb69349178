import type { DatabaseSync } from 'node:sqlite'
import { usageOf } from '@vitrine/protocol'
import { usageWriter } from './usage.ts'

type Written = { type?: string; runId?: string; at?: number; agentId?: string; scope?: string } & Record<string, never>

const MOST = 1e11

/**
 * Reads from the logs what runs of older versions have used. A branch has the events of the session that it was made
 * from; those runs ended before it was there, and they count where they ran. What cannot be read is left out.
 */
export function bringUsage(db: DatabaseSync): void {
  const put = usageWriter(db)
  const chunks = db.prepare(
    `SELECT events FROM chunks WHERE session = ? AND (events LIKE '%"run.started"%' OR events LIKE '%"metric.changed"%'
       OR events LIKE '%"run.finished"%' OR events LIKE '%"run.failed"%') ORDER BY last`,
  )
  const sessions = db.prepare('SELECT number, created_at AS madeAt FROM sessions').all()
  for (const { number, madeAt } of sessions as { number: number; madeAt: number }[]) {
    const runs = new Map<string, { agentId: string; metrics: Record<string, never> }>()
    for (const { events } of chunks.iterate(number) as Iterable<{ events: string }>) {
      for (const event of parsed(events)) {
        const { type, runId, at } = event
        if (typeof runId !== 'string') continue
        if (type === 'run.started') runs.set(runId, { agentId: String(event.agentId), metrics: {} })
        const run = runs.get(runId)
        if (!run) continue
        if (type === 'metric.changed' && event.scope === 'run') measure(run.metrics, event)
        if (type !== 'run.finished' && type !== 'run.failed') continue
        measure(run.metrics, event)
        const { tokens, input, output, cached, reasoning, cost, model } = usageOf(run.metrics)
        runs.delete(runId)
        if ((tokens === null && !cost) || typeof at !== 'number' || at < madeAt) continue
        put(number, {
          runId,
          at,
          agentId: run.agentId,
          model: (model ?? '').slice(0, 200).toWellFormed().replaceAll('\0', ''),
          input: whole(input),
          output: whole(output),
          cached: whole(cached),
          reasoning: whole(reasoning),
          total: whole(tokens),
          cost: cost && Math.min(MOST, cost.amount),
          currency: cost?.currency ?? '',
        })
      }
    }
  }
}

const whole = (value: number | null): number | null => (value === null ? null : Math.min(MOST, Math.round(value)))

const measure = (into: object, { values, usage }: Record<string, never>): void => {
  Object.assign(into, values, usage && { usage })
}

/** The events of a chunk, one in each line, that tell of runs and what they have used. */
function parsed(events: string): Written[] {
  return events.split('\n').flatMap(line => {
    if (!/"(?:run\.(?:started|finished|failed)|metric\.changed)"/.test(line)) return []
    try {
      return [JSON.parse(line) as Written]
    } catch {
      return []
    }
  })
}
