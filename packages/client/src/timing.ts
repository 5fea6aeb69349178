/** The waits and limits of the client, in milliseconds. */
export interface Timing {
  /** The back-off: the longest first wait, which doubles with every failure. */
  base: number
  /** The longest wait of all. */
  cap: number
  /** How long an attempt or a request may take to be answered. */
  answer: number
  /** How many heartbeats may be missed before the connection counts as stale. */
  missed: number
  /** How long a session that nobody follows any more stays in the stream. */
  linger: number
}

export const TIMING: Timing = { base: 500, cap: 30_000, answer: 15_000, missed: 2.5, linger: 5_000 }

/** Full jitter: clients that lost the same server do not come back together. */
export function backoff(tries: number, { base, cap }: Pick<Timing, 'base' | 'cap'>, random = Math.random): number {
  return random() * Math.min(cap, base * 2 ** tries)
}
