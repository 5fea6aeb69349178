import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { browserStream } from '../../stream/browser-stream.ts'
import { streamHeaders } from '../../stream/connection.ts'
import { reads, streams } from '../describe.ts'
import { type Api, type ApiEnv, socketCloser } from '../env.ts'
import { BadRequest } from '../problem.ts'

const MAX_SESSIONS = 200

export function streamRoutes(app: OpenAPIHono<ApiEnv>, api: Api): void {
  app.openapi(
    createRoute({
      method: 'get',
      path: '/stream',
      tags: ['stream'],
      summary: 'Everything one browser follows, on one connection',
      description:
        'Server-sent events: `hello` first, `list` when asked for, then for each session `events` strictly after its cursor, `caught-up` when the backlog has been sent, `gone` when it cannot be followed. `cut` says where to resume and is the last one. A comment comes every 15 seconds.',
      request: {
        query: z.object({
          list: z.enum(['0', '1']).optional().openapi({ description: '1 adds the session list', example: '1' }),
          s: z
            .union([z.string(), z.array(z.string()).max(MAX_SESSIONS)])
            .optional()
            .openapi({
              type: 'array',
              items: { type: 'string' },
              description: '`sessionId:afterSeq`, once for each session',
              example: ['ses_1:42'],
            }),
        }),
      },
      responses: streams(
        reads({ 200: ['Server-sent events'] }, 429, 503),
        'event: hello\ndata: {"heartbeatMs":15000}\n\n',
      ),
    }),
    c => {
      const { list, s = [] } = c.req.valid('query')
      if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
      return browserStream({
        sources: api,
        streams: api.streams,
        who: c.get('who'),
        list: list === '1',
        cursors: new Map([s].flat().map(cursorOf)),
        signal: c.req.raw.signal,
        destroy: socketCloser(c.env),
      })
    },
  )
}

function cursorOf(text: string): [sessionId: string, after: number] {
  const [, sessionId, after] = /^(.{1,200}):(\d{1,15})$/.exec(text) ?? []
  if (sessionId === undefined) throw new BadRequest(400, 'invalid_query', 's must be sessionId:afterSeq.', '/s')
  return [sessionId, Number(after)]
}
