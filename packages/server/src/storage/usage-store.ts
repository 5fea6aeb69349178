/** What one run has used, written with its end. A number that nobody said is null, and never zero (L8). */
export interface RunUsage {
  runId: string
  /** When the run ended. */
  at: number
  agentId: string
  /** Empty when nobody said which model it was. */
  model: string
  input: number | null
  output: number | null
  cached: number | null
  reasoning: number | null
  total: number | null
  cost: number | null
  /** Empty without a cost. */
  currency: string
}

/** What several runs have used together. */
export interface UsageSum extends Omit<RunUsage, 'runId' | 'at'> {
  /** Whole days since 1970, in the time zone that was asked for. */
  day: number
  runs: number
}

/** Whose runs are summed, of which time, and where a day begins. */
export interface UsageQuery {
  owner: string
  /** Runs that ended from this time on, and before that one. */
  from: number
  to: number
  /** Milliseconds that the local time is ahead of UTC: it says where a day begins. */
  ahead: number
  /** Of this session alone. */
  sessionId?: string
  limit: number
}

/** What runs have used. It goes with its session: what is deleted is not counted, and what is erased is gone. */
export interface UsageStore {
  /** By day, agent, model and currency, the newest day first. */
  usage(query: UsageQuery): Promise<UsageSum[]>
}
