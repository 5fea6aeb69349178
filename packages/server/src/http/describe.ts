import { z } from '@hono/zod-openapi'
import { examples } from './examples.ts'
import type { SchemaName } from './schemas.ts'

const meanings = {
  400: 'The request has the wrong shape; `path` says where.',
  401: 'No cookie and no token.',
  403: 'Another site or another host name.',
  404: 'There is no such thing, or it belongs to somebody else.',
  408: 'The body did not arrive in time.',
  409: 'The state does not allow it; `code` says why, `next` what to do.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The Idempotency-Key was used for a different request, or the value does not fit what was asked.',
  429: 'Too many open streams.',
  500: 'Something unexpected; quote the id in `detail`.',
  503: 'The server is stopping, or its storage failed; `next` says what to do.',
} as const
type ProblemStatus = keyof typeof meanings

const schemaRef = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` })

const problem = (status: ProblemStatus) => ({
  description: meanings[status],
  content: {
    'application/problem+json': { schema: schemaRef('Problem'), example: { ...(examples.Problem as object), status } },
  },
})

type Answers = Record<number, [description: string, body?: SchemaName, mediaType?: string]>

/** Typed loosely: what an answer really looks like is checked by tests, against the same schemas. */
function responses(answers: Answers, statuses: readonly ProblemStatus[]): Record<string, { description: string }> {
  const good = Object.entries(answers).map(([status, [description, body, mediaType = 'application/json']]) => {
    const content = body && { [mediaType]: { schema: schemaRef(body), example: examples[body] } }
    return [status, { description, ...(content && { content }) }] as const
  })
  return Object.fromEntries([...statuses.map(status => [status, problem(status)] as const), ...good])
}

/** The answers of a route that reads: its own, and the refusals that any route or this one can give. */
export const reads = (answers: Answers, ...refusals: ProblemStatus[]) =>
  responses(answers, [400, 401, 403, 500, ...refusals])

/** The answer is, or can also be, a stream of server-sent events. */
export function streams(answers: ReturnType<typeof reads>, example: string): ReturnType<typeof reads> {
  const { description, content } = answers[200] as { description: string; content?: object }
  const stream = { 'text/event-stream': { schema: { type: 'string' as const }, example } }
  const both = { description, content: { ...content, ...stream } }
  return { ...answers, 200: both }
}

/** The same for a write. */
export const writes = (answers: Answers, ...refusals: ProblemStatus[]) =>
  responses(answers, [400, 401, 403, 408, 413, 415, 422, 500, 503, ...refusals])

/** The body of a write: the command of this name. */
export const command = (name: SchemaName) => ({
  required: true,
  content: { 'application/json': { schema: schemaRef(name), example: examples[name] } },
})

/** Every write takes it, beside the id or key in its body. */
export const idempotencyKey = {
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header' as const,
      required: false,
      description: 'Chosen by the caller. The same key gets the first answer again, a different body under it 422.',
      schema: { type: 'string' as const, minLength: 1, maxLength: 200 },
    },
  ],
}

/** A path parameter. What no id can look like is answered like an id that does not exist. */
export const pathId = (name: string, example: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { name, in: 'path' }, example })

export const sessionId = pathId('sessionId', 'ses_1')
export const inSession = z.object({ sessionId })

/** A whole number of the query. */
export const wholeNumber = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .default(`${byDefault}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .openapi({ type: 'integer', minimum: min, maximum: max, default: byDefault })
