import type { Problem } from '@vitrine/protocol'

/** A problem that this side of the wire puts into form; its status is 0 when no server has said it. Interfaces have words for its code. */
export const localProblem = (code: string, detail = '', status = 0): Problem => ({
  type: 'about:blank',
  title: code,
  status,
  code,
  detail,
})

/** Why a request has no answer, or one that cannot be read. */
export const problemOfError = (error: unknown): Problem =>
  error instanceof SyntaxError
    ? localProblem('bad_answer', error.message)
    : { ...localProblem('offline'), next: 'Try again.' }

export const closed = (): Problem => localProblem('closed')

/** The problem that an answer carries, or one made from its status when something in between answered. */
export async function problemOf(answer: Response): Promise<Problem> {
  const { status, statusText } = answer
  const body: Partial<Problem> | null = await answer.json().catch(() => null)
  return { ...localProblem('bad_answer', statusText), ...(typeof body?.code === 'string' && body), status }
}

export const isGone = (status: number): boolean => status === 404 || status === 410

export const isRefusal = (status: number): boolean => status === 401 || status === 403

/** Seconds or a date of a Retry-After header, in milliseconds from now. */
export function retryAfter(answer: Response): number {
  const given = answer.headers.get('retry-after')
  if (!given) return 0
  const wait = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Math.max(wait || 0, 0)
}
