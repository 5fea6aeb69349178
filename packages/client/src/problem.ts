import type { Problem } from '@vitrine/protocol'

/** A problem of this side of the wire: no server has said it, so its status is 0. Interfaces have words for its code. */
export const localProblem = (code: string, detail: string, next?: string): Problem => ({
  type: 'about:blank',
  title: code,
  status: 0,
  code,
  detail,
  ...(next && { next }),
})

export const offline = (): Problem =>
  localProblem(
    'offline',
    'The server cannot be reached. Nothing that was written is lost.',
    'Check that the server is running, then try again.',
  )

export const closed = (): Problem => localProblem('closed', 'This was closed before the answer came.')

export const badAnswer = (detail: string): Problem => localProblem('bad_answer', detail)

/** The problem that an answer carries, or one made from its status when something in between answered. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body: unknown = await answer.json().catch(() => null)
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
    return { type: 'about:blank', title: body.code, detail: '', ...body, status: answer.status } as Problem
  }
  return { ...localProblem(`http_${answer.status}`, answer.statusText), status: answer.status }
}

export const isRefusal = (status: number): boolean => status === 401 || status === 403

/** Seconds or a date of a Retry-After header, in milliseconds from now. */
export function retryAfter(answer: Response): number {
  const given = answer.headers.get('retry-after')
  if (!given) return 0
  const wait = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Math.max(wait || 0, 0)
}
