/** What sessions and runs may take of the server. */
export interface Limits {
  /** How many runs work at once, over all sessions. */
  runs: number
  /** How long streamed output waits for more before it is written. */
  batchMs: number
  /** After an interrupt the agent and its tools have this long to stop. */
  interruptMs: number
  /** How many turns may wait in one session. */
  queue: number
  /** How many sessions stay in memory while nothing happens in them. */
  openSessions: number
  /** How long a deleted session can be brought back. */
  eraseAfterMs: number
  /** About how many bytes of memory the sessions may take together. */
  openBytes: number
}

export const defaultLimits: Limits = {
  runs: 8,
  batchMs: 25,
  interruptMs: 10_000,
  queue: 100,
  openSessions: 200,
  eraseAfterMs: 7 * 24 * 60 * 60 * 1000,
  openBytes: 64 * 1024 * 1024,
}
