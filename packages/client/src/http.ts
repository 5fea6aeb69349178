import { backoff, type Timing } from './connection.ts'
import { badAnswer, closed, offline, problemOf, retryAfter } from './problem.ts'
import type { Outcome } from './types.ts'

export interface RequestOptions {
  body?: unknown
  signal?: AbortSignal
  as?: 'json' | 'text'
}

/** Sends a request and says what became of it. Never throws. */
export type Send = <T>(method: string, path: string, options?: RequestOptions) => Promise<Outcome<T>>

const TRIES = 4
const PATIENCE_MS = 5_000
/** Answers of something between us and the owner, or of an owner that asks for patience: the write may not have arrived. */
const PASSING = new Set([408, 429, 502, 503, 504])

/**
 * Every write carries an id chosen here or is the same when done twice, so a request whose answer was lost is
 * sent again as it was: the owner answers it with the first outcome.
 */
export function createSend(baseUrl: string, fetch: typeof globalThis.fetch, timing: Timing): Send {
  return async <T>(method: string, path: string, { body, signal, as = 'json' }: RequestOptions = {}) => {
    const init: RequestInit = { method, headers: { accept: as === 'json' ? 'application/json' : '*/*' } }
    if (body !== undefined) {
      init.body = JSON.stringify(body)
      init.headers = { ...init.headers, 'content-type': 'application/json' }
    }
    let outcome: Outcome<T> = { ok: false, problem: offline() }
    for (let tries = 0; tries < TRIES; tries++) {
      if (signal?.aborted) return { ok: false, problem: closed() }
      let wait = backoff(tries, timing)
      const limit = AbortSignal.timeout(timing.answer)
      try {
        const answer = await fetch(baseUrl + path, {
          ...init,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        })
        // What an earlier try has removed is not there any more: that is what was asked for.
        if (answer.ok || (tries > 0 && method === 'DELETE' && (answer.status === 404 || answer.status === 410))) {
          return { ok: true, value: (answer.ok ? await read(answer, as) : null) as T }
        }
        outcome = { ok: false, problem: await problemOf(answer) }
        if (!PASSING.has(answer.status)) return outcome
        const asked = retryAfter(answer)
        // Nobody waits in front of a button for longer: the person decides.
        if (asked > PATIENCE_MS) return outcome
        wait = Math.max(wait, asked)
      } catch (error) {
        if (error instanceof SyntaxError)
          return { ok: false, problem: badAnswer('It is not the JSON that was asked for.') }
        outcome = { ok: false, problem: offline() }
      }
      if (tries < TRIES - 1) await pause(wait, signal)
    }
    return signal?.aborted ? { ok: false, problem: closed() } : outcome
  }
}

async function read(answer: Response, as: 'json' | 'text'): Promise<unknown> {
  const text = await answer.text()
  if (as === 'text') return text
  return text === '' ? null : JSON.parse(text)
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
