import { STATUS_CODES } from 'node:http'
import type { Code, Problem } from '@vitrine/protocol'
import { Refusal } from '../runtime/runtime.ts'

/** A request that is wrong in itself; `path` is a JSON pointer to the place. */
export class BadRequest extends Refusal {
  override name = 'BadRequest'
  readonly path: string | undefined

  constructor(status: number, code: Code, message: string, path?: string, next?: string) {
    super(status, code, message, next)
    this.path = path
  }
}

export function problemOf(refusal: Refusal): Problem {
  const { status, code, message, next, errors, params } = refusal
  const path = refusal instanceof BadRequest ? refusal.path : errors?.[0]?.path
  return {
    type: `urn:vitrine:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail: message,
    ...(path === undefined ? {} : { path }),
    ...(errors && { errors }),
    ...(params && { params }),
    ...(next === undefined ? {} : { next }),
  }
}

export function problemResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(problemOf(refusal)), {
    status: refusal.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  })
}

export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
