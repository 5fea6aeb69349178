import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { Refusal } from '../../refusal.ts'
import { browserDialect } from '../../stream/browser-dialect.ts'
import { browserStream } from '../../stream/browser-stream.ts'
import { headersOf } from '../../stream/connection.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { LIST_FROM } from '../../stream/list.ts'
import { type Api, type ApiEnv, socketCloser } from '../env.ts'
import { described } from '../route.ts'

const MAX_SESSIONS = 200

export function streamRoutes(app: OpenAPIHono<ApiEnv>, api: Api): void {
  app.openapi(
    described({
      method: 'get',
      path: '/stream',
      operationId: 'openStream',
      tag: 'stream',
      summary: 'Follows sessions and the session list on one connection',
      description:
        'Server-sent events: `hello` first, then in turns for each session `events` strictly after its cursor, `caught-up` when everything has been sent, `behind` when the reader is too slow and catches up again, `gone` when it cannot be followed. `list` comes in frames from one that `begins` to one that `ends` a pass over the list, and then with each change. `cut` says where to resume and is the last one. A comment comes every 15 seconds. Frames are small, so that a connection which is cut often still gets on.\n\nA frame `events` is `{sessionId, from, events}`. Its events are consecutive and `from` is the seq of the first. Each is `[head, at, body]`: `head` has its type and its ids, or is the index of the event in the same frame that has the same head; `at` is the time of the first event, then the milliseconds since the event before; `body` has the other fields, or is a text that stands for `{"delta": text}`. `GET /api/sessions/{sessionId}/events` streams the events of one session as they are.',
      query: z.object({
        list: z.string().regex(LIST_FROM).optional().openapi({
          description:
            '`1` adds the session list; the `at` of the last `list` frame goes on with a pass over it that was cut off',
          example: '1',
        }),
        s: z
          .union([z.string(), z.array(z.string()).max(MAX_SESSIONS)])
          .optional()
          .openapi({
            type: 'array',
            items: { type: 'string' },
            description:
              '`sessionId:afterSeq:log`, once for each session, with the `log` of its snapshot. Without `log` it is not noticed that the session has another log by now',
            example: ['ses_1:42:q83vEjRWeJASNFZ4'],
          }),
      }),
      answers: { status: 200, bodies: ['BrowserStream'], description: 'The stream; it stays open.' },
      refusals: ['too_many_streams', 'stopping'],
    }),
    c => {
      const { list, s = [] } = c.req.valid('query')
      if (c.req.method === 'HEAD') return c.body(null, 200, headersOf(browserDialect))
      return browserStream({
        dialect: browserDialect,
        sources: api,
        streams: api.streams,
        who: c.get('who'),
        list,
        cursors: new Map([s].flat().map(cursorOf)),
        signal: c.req.raw.signal,
        destroy: socketCloser(c.env),
      })
    },
  )
}

/** A log is named by more characters than a seq has, so that the two are never mixed up. */
function cursorOf(text: string): [sessionId: string, cursor: Cursor] {
  const [, sessionId, seq, log] = /^(.{1,200}?):(\d{1,15})(?::([\w-]{16,64}))?$/.exec(text) ?? []
  if (sessionId === undefined) throw new Refusal('invalid_request', 's must be sessionId:afterSeq:log.', { path: '/s' })
  return [sessionId, { seq: Number(seq), log }]
}
