import type { ConnectionState } from './types.ts'

/**
 * What can happen to the connection. `attempt`: a try begins; `silent`: nothing was heard for too long;
 * `lost`: it ended or failed; `cut`: the server ended it and expects us back at once; `lagging`: it is up, but something
 * that is followed does not come or is behind.
 */
export type Signal = 'attempt' | 'hello' | 'caught-up' | 'lagging' | 'silent' | 'lost' | 'cut' | 'refused' | 'close'

/** Where a signal leads to another state. Every state stays as it is on the others. */
export const TRANSITIONS: Record<ConnectionState, Partial<Record<Signal, ConnectionState>>> = {
  connecting: { hello: 'catching-up', silent: 'offline', lost: 'offline', refused: 'refused' },
  'catching-up': {
    attempt: 'connecting',
    'caught-up': 'live',
    silent: 'stale',
    lost: 'offline',
    cut: 'connecting',
    refused: 'refused',
  },
  live: {
    attempt: 'connecting',
    hello: 'catching-up',
    lagging: 'catching-up',
    silent: 'stale',
    lost: 'offline',
    cut: 'connecting',
    refused: 'refused',
  },
  // What is shown stays marked as stale until another attempt has been answered.
  stale: { hello: 'catching-up', silent: 'offline', lost: 'offline', refused: 'refused' },
  offline: { attempt: 'connecting' },
  // Only a person's doing (signing in, coming back to the tab, asking for it) starts another attempt.
  refused: { attempt: 'connecting' },
  closed: {},
}

export const transition = (from: ConnectionState, signal: Signal): ConnectionState =>
  signal === 'close' ? 'closed' : (TRANSITIONS[from][signal] ?? from)

export interface Timing {
  /** Back-off: the longest first wait, and the longest wait of all. */
  base: number
  cap: number
  /** How long an attempt or a request may take to be answered. */
  answer: number
  /** Heartbeats that may be missed before the connection counts as stale. */
  missed: number
  /** How long a session that nobody follows any more stays in the stream. */
  linger: number
}

export const TIMING: Timing = { base: 500, cap: 30_000, answer: 15_000, missed: 2.5, linger: 5_000 }

/** Full jitter: clients that lost the same server do not come back together. */
export function backoff(tries: number, { base, cap }: Pick<Timing, 'base' | 'cap'>, random = Math.random): number {
  return random() * Math.min(cap, base * 2 ** tries)
}
