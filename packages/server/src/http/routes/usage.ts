import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Api, ApiEnv } from '../env.ts'
import { serve, wholeNumber } from '../route.ts'

const MAX_TIME = 999_999_999_999_999
/** Minutes between UTC and the local time that is furthest ahead of it. */
const MAX_OFFSET = 840

/** What runs have used. */
export function usageRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/usage',
      operationId: 'getUsage',
      tag: 'session',
      summary: 'Counts what the runs of the person have used',
      description:
        'Tokens and cost by day, agent and model, of runs that ended in the span of time, in every session of the person that is not deleted. Versions that were replaced count too, because they were paid for. A number that no agent gave is null. A span has at most 400 days.',
      query: z.object({
        from: wholeNumber(
          0,
          MAX_TIME,
          0,
          'Runs that ended at this time or later, in milliseconds since 1970; 0 means thirty days before `to`',
        ),
        to: wholeNumber(0, MAX_TIME, 0, 'Runs that ended before this time, in milliseconds since 1970; 0 means now'),
        offset: wholeNumber(-MAX_OFFSET, MAX_OFFSET, 0, 'Minutes that the local time is ahead of UTC'),
        sessionId: z.string().max(200).optional().openapi({ description: 'Only the runs of this session' }),
      }),
      answers: { status: 200, bodies: ['Usage'], description: 'The sums, the newest day first.' },
      refusals: ['invalid_request', 'storage_failed'],
    },
    ({ who, query: { sessionId, ...span } }) => runtime.getUsage(who, { ...span, ...(sessionId && { sessionId }) }),
  )
}
