import { closed, isGone, problemOf, problemOfError, retryAfter } from './problem.ts'
import { backoff, type Timing } from './timing.ts'
import type { Outcome } from './types.ts'

export interface RequestOptions {
  body?: unknown
  /** The idempotency key of a write that neither names what it acts on nor has an id in its body. */
  key?: string
  signal?: AbortSignal
  as?: 'json' | 'text'
}

/** Sends a request and says what became of it. Never throws. */
export type Send = <T>(method: string, path: string, options?: RequestOptions) => Promise<Outcome<T>>

const TRIES = 4
const PATIENCE_MS = 5_000
/** Statuses of proxies, or of a server that asks us to wait; the write may not have arrived. */
const PASSING = [408, 429, 502, 503, 504]

/**
 * Every write carries an id chosen here or is the same when done twice, so a request whose answer was lost is
 * sent again as it was: the owner answers it with the first outcome.
 */
export function createSend(baseUrl: string, fetch: typeof globalThis.fetch, timing: Timing): Send {
  return async <T>(method: string, path: string, { body, key, signal, as = 'json' }: RequestOptions = {}) => {
    const json = 'application/json'
    const headers = {
      accept: as === 'json' ? json : '*/*',
      ...(body !== undefined && { 'content-type': json }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const init: RequestInit = { method, headers, body: JSON.stringify(body) }
    for (let tries = 1; ; tries++) {
      let outcome: Outcome<T>
      let wait = backoff(tries - 1, timing)
      const limit = AbortSignal.timeout(timing.answer)
      try {
        const answer = await fetch(baseUrl + path, {
          ...init,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        })
        // What an earlier try has removed is not there any more: that is what was asked for.
        if (answer.ok || (tries > 1 && method === 'DELETE' && isGone(answer.status))) {
          const text = answer.ok ? await answer.text() : ''
          return { ok: true, value: as === 'text' ? text : JSON.parse(text || 'null') }
        }
        outcome = { ok: false, problem: await problemOf(answer) }
        const asked = retryAfter(answer)
        // Nobody waits in front of a button for longer: the person decides.
        if (asked > PATIENCE_MS || !PASSING.includes(answer.status)) return outcome
        wait = Math.max(wait, asked)
      } catch (error) {
        outcome = { ok: false, problem: problemOfError(error) }
        if (error instanceof SyntaxError) return outcome
      }
      if (signal?.aborted) return { ok: false, problem: closed() }
      if (tries === TRIES) return outcome
      await pause(wait, signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
