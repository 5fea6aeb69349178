import type { DatabaseSync } from 'node:sqlite'
import type { RunUsage, UsageQuery, UsageSum } from '../usage-store.ts'
import { atLeastZero, find, write } from './statements.ts'

const DAY = 86_400_000

/** The reading part of UsageStore. */
export function usageReads(db: DatabaseSync) {
  const sums = (where: string) =>
    db.prepare(
      `SELECT CAST(floor((at + :ahead) / ${DAY}.0) AS INTEGER) AS day, run_usage.agent_id AS agentId, model, currency,
         count(*) AS runs, sum(input) AS input, sum(output) AS output, sum(cached) AS cached,
         sum(reasoning) AS reasoning, sum(total) AS total, sum(cost) AS cost
       FROM run_usage JOIN sessions ON number = session
       WHERE owner = :owner AND erase_at IS NULL AND at >= :from AND at < :to ${where}
       GROUP BY day, run_usage.agent_id, model, currency
       ORDER BY day DESC, runs DESC, run_usage.agent_id, model, currency LIMIT :limit`,
    )
  const all = sums('')
  const ofSession = sums('AND session_id = :sessionId')
  return {
    usage({ sessionId, limit, ...query }: UsageQuery): UsageSum[] {
      const named = { ...query, limit: atLeastZero(limit), ...(sessionId !== undefined && { sessionId }) }
      return find<UsageSum>(sessionId === undefined ? all : ofSession, named)
    },
  }
}

/** Writes what a run has used, once for each run. */
export function usageWriter(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO run_usage (session, run_id, at, agent_id, model, input, output, cached, reasoning, total, cost, currency)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  return (session: number, used: RunUsage): void => {
    const { runId, at, agentId, model, input, output, cached, reasoning, total, cost, currency } = used
    write(put, session, runId, at, agentId, model, input, output, cached, reasoning, total, cost, currency)
  }
}
