import { createHmac, hash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../refusal.ts'
import type { AnswerStore } from '../storage/answer-store.ts'
import type { InstanceStore } from '../storage/instance-store.ts'
import { type BodyLimits, readBody } from './body.ts'
import type { ApiEnv } from './env.ts'

const KEY = /^[\x21-\x7e]{1,200}$/
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * `Idempotency-Key` on any write: the same key gets the first answer again. Only what was accepted is kept: a refused
 * write has changed nothing, so that it may be tried again under its key.
 */
export function idempotency(storage: AnswerStore & InstanceStore, limits: BodyLimits): MiddlewareHandler<ApiEnv> {
  /** The same write twice at the same time: the second waits for the answer of the first. */
  const underWay = new Map<string, Promise<void>>()

  return async (c, next) => {
    const key = c.req.header('idempotency-key')
    if (key === undefined || c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    checkKey(key)
    const owner = c.get('who').id
    const name = `${c.req.method} ${c.req.path} ${key}`
    const body = WITH_BODY.has(c.req.method) ? await readBody(c, limits) : ''
    const { secret } = await storage.instance()
    // The query is part of what is asked for: hiding a session is not erasing it. A body may hold a password, and without
    // the secret nobody can try out which one it was (L10).
    const { search } = new URL(c.req.url)
    const seal = createHmac('sha256', secret).update(`${name}\n${search}\n${body}`).digest('base64url')

    while (underWay.has(`${owner} ${name}`)) await underWay.get(`${owner} ${name}`)
    let done = () => {}
    underWay.set(`${owner} ${name}`, new Promise<void>(resolve => (done = resolve)))
    try {
      const kept = await storage.answer(owner, name)
      if (kept) return again(kept)
      await next()
      if (!c.res.ok) return
      const text = await c.res.clone().text()
      const first = JSON.stringify({ seal, body: text })
      const about = sessionOf(c.req.path, text)
      const answer = await storage.keepAnswer(owner, name, { status: c.res.status, body: first }, about)
      if (answer.body !== first) c.res = again(answer)
    } finally {
      underWay.delete(`${owner} ${name}`)
      done()
    }

    function again(kept: { status: number; body: string }): Response {
      const first = JSON.parse(kept.body) as { seal?: string; digest?: string; body: string }
      // Answers that were kept before there were seals have a plain digest.
      const same = first.seal ? first.seal === seal : first.digest === hash('sha256', body + search, 'base64url')
      if (!same) {
        throw new Refusal('key_reused', 'This Idempotency-Key was used for a different request.', {
          path: '/idempotency-key',
          next: 'Use a new key for a new write.',
        })
      }
      const headers: Record<string, string> = { 'idempotency-replayed': 'true', 'cache-control': 'no-store' }
      if (first.body !== '') headers['content-type'] = 'application/json'
      return new Response(first.body === '' ? null : first.body, { status: kept.status, headers })
    }
  }
}

export function checkKey(key: string): void {
  if (KEY.test(key)) return
  const why = 'Idempotency-Key takes 1 to 200 visible characters.'
  throw new Refusal('invalid_request', why, { path: '/idempotency-key' })
}

/** Whose answer it is, so that it is erased with its session: the path says so, or the session that was made. */
function sessionOf(path: string, body: string): string | undefined {
  const named = /^\/api\/sessions\/([^/]+)/.exec(path)?.[1]
  if (named !== undefined) return decodeURIComponent(named)
  return path === '/api/sessions'
    ? (JSON.parse(body) as { session: { sessionId: string } }).session.sessionId
    : undefined
}
