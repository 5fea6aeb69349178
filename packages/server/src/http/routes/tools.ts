import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Api, ApiEnv } from '../env.ts'
import { writesLog } from '../refusals.ts'
import { inSession, serve } from '../route.ts'

const tag = 'session' as const

/** The tools of a session. */
export function toolRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/tools',
      operationId: 'listTools',
      tag,
      summary: 'Lists the tools of the session',
      description:
        'The sources are asked now. Each tool comes with who offers it, what it may do in this session and who has said so. A source that does not answer within a few seconds is left out.',
      params: inSession,
      answers: { status: 200, bodies: ['SessionTools'], description: 'The tools as they are now.' },
      refusals: ['session_not_found', 'storage_failed', 'data_damaged', 'stopping'],
    },
    ({ who, params }) => runtime.listTools(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'patch',
      path: '/sessions/{sessionId}/tools',
      operationId: 'updateTools',
      tag,
      summary: 'Says what tools may do in the session',
      description:
        'The choice is a fact of the session with who made it. It counts for the next call, also in a run that is under way; a tool that is turned off is not offered from the next run on.',
      params: inSession,
      answers: { status: 200, bodies: ['SessionTools'], description: 'The tools with the change.' },
      refusals: writesLog,
    },
    ({ who, params, command }) => runtime.updateTools(who, params.sessionId, command),
  )
}
