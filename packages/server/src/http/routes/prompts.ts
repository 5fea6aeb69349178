import type { OpenAPIHono } from '@hono/zod-openapi'
import type { RefusalCode } from '@vitrine/protocol'
import type { Api, ApiEnv } from '../env.ts'
import { inSession, serve } from '../route.ts'

const tag = 'session' as const
const reads: RefusalCode[] = ['session_not_found', 'storage_failed', 'data_damaged', 'stopping']
const asksOne: RefusalCode[] = [...reads, 'source_not_found', 'source_failed']

/** What sources of tools have ready for people: prompts and resources. */
export function promptRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/prompts',
      operationId: 'listPrompts',
      tag,
      summary: 'Lists the prompts that a person may choose',
      description:
        'The sources, such as MCP servers, are asked now. A source that does not answer within a few seconds is named in `problems`, and the others are listed.',
      params: inSession,
      answers: { status: 200, bodies: ['SessionPrompts'], description: 'The prompts as they are now.' },
      refusals: reads,
    },
    ({ who, params }) => runtime.listPrompts(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/prompts/fill',
      operationId: 'fillPrompt',
      tag,
      summary: 'Has a source fill a prompt with its arguments',
      description:
        'Nothing is written: what comes back is for the composer, and becomes a fact when a person sends it as a turn.',
      params: inSession,
      keyed: false,
      answers: { status: 200, bodies: ['FilledPrompt'], description: 'What the source made of it.' },
      refusals: [...asksOne, 'body_incomplete', 'too_large', 'unsupported_media_type'],
    },
    ({ who, params, command }) => runtime.fillPrompt(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/resources',
      operationId: 'listResources',
      tag,
      summary: 'Lists the resources that a person may read and attach',
      description:
        'The sources, such as MCP servers, are asked now. A source that does not answer within a few seconds is named in `problems`, and the others are listed.',
      params: inSession,
      answers: { status: 200, bodies: ['SessionResources'], description: 'The resources as they are now.' },
      refusals: reads,
    },
    ({ who, params }) => runtime.listResources(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/resources/read',
      operationId: 'readResource',
      tag,
      summary: 'Reads a resource of a source',
      description:
        'Nothing is written: to give it to the agent, upload what it has as a file and attach that to a turn.',
      params: inSession,
      keyed: false,
      answers: { status: 200, bodies: ['ResourceContents'], description: 'What the resource has now.' },
      refusals: [...asksOne, 'body_incomplete', 'too_large', 'unsupported_media_type'],
    },
    ({ who, params, command }) => runtime.readResource(who, params.sessionId, command),
  )
}
