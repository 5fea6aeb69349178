import { STATUS_CODES } from 'node:http'
import type { Problem } from '@vitrine/protocol'
import type { Refusal } from '../refusal.ts'
import { statusOf } from './refusals.ts'

export function problemOf({ code, message, next, path, errors, params }: Refusal): Problem {
  const status = statusOf(code)
  const place = path ?? errors?.[0]?.path
  return {
    type: `urn:vitrine:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail: message,
    ...(place !== undefined && { path: place }),
    ...(errors && { errors }),
    ...(params && { params }),
    ...(next !== undefined && { next }),
  }
}

export function problemResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const problem = problemOf(refusal)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  })
}
