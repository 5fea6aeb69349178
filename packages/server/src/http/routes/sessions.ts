import { createHmac } from 'node:crypto'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { commandSchemas } from '@vitrine/protocol/schema'
import { allow } from '../../stream/browser-stream.ts'
import { streamHeaders } from '../../stream/connection.ts'
import { sessionStream } from '../../stream/session-stream.ts'
import { readCommand } from '../body.ts'
import { command, idempotencyKey, inSession, pathId, reads, streams, wholeNumber, writes } from '../describe.ts'
import { type Api, type ApiEnv, socketCloser } from '../env.ts'
import { BadRequest } from '../problem.ts'

const tags = ['session']
const MAX_SEQ = Number.MAX_SAFE_INTEGER

export function sessionRoutes(app: OpenAPIHono<ApiEnv>, api: Api): void {
  const { runtime, storage, limits } = api

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions',
      tags,
      summary: 'The session list, newest first',
      request: {
        query: z.object({
          limit: wholeNumber(1, 200, 50),
          cursor: z.string().max(500).optional().openapi({ description: '`cursor` of the page before' }),
          q: z.string().max(500).optional().openapi({ description: 'Words to look for', example: 'release' }),
          only: z.enum(['attention', 'deleted']).optional().openapi({
            description:
              '`attention`: pinned, waiting for an answer, failed or unfinished sessions alone. `deleted`: deleted ones that can still be brought back.',
          }),
        }),
      },
      responses: reads({ 200: ['A page of the list', 'Sessions'] }),
    }),
    async c => {
      const { limit, cursor, q, only } = c.req.valid('query')
      const query = { limit, ...(cursor ? { cursor } : {}), ...(q ? { search: q } : {}), ...(only && { only }) }
      return c.json(await runtime.sessions(c.get('who'), query), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions',
      tags,
      summary: 'A new session, or with `parent` a new task that works in the background',
      ...idempotencyKey,
      request: { body: command('createSession') },
      responses: writes({ 201: ['Created', 'Session'] }, 404, 409),
    }),
    async c => {
      const command = await readCommand(c, commandSchemas.createSession, limits)
      const key = c.req.header('idempotency-key')
      const sessionId = command.sessionId ?? (key && sessionIdOf(await storage.instance(), c.get('who').id, key))
      const created = { ...command, ...(sessionId && { sessionId }) }
      return c.json(await runtime.createSession(c.get('who'), created), 201)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}',
      tags,
      summary: 'The session as of now: a window of recent messages with everything they need (L11)',
      request: { params: inSession, query: z.object({ messages: wholeNumber(0, 500, 50) }) },
      responses: reads({ 200: ['The snapshot; the stream continues right after its `seq`', 'Snapshot'] }, 404),
    }),
    async c => {
      const { messages } = c.req.valid('query')
      return c.json(await runtime.snapshot(c.get('who'), c.req.valid('param').sessionId, messages), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'patch',
      path: '/sessions/{sessionId}',
      tags,
      summary: 'Changes title, pin, archive, queue policy or metadata',
      ...idempotencyKey,
      request: { params: inSession, body: command('updateSession') },
      responses: writes({ 200: ['Changed', 'Session'] }, 404, 409),
    }),
    async c => {
      const change = await readCommand(c, commandSchemas.updateSession, limits)
      return c.json(await runtime.updateSession(c.get('who'), c.req.valid('param').sessionId, change), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'delete',
      path: '/sessions/{sessionId}',
      tags,
      summary: 'Deletes the session and the tasks below it; they can be brought back until they are erased',
      description:
        'The runs are stopped and the sessions are hidden. After a time (7 days unless the server says otherwise) they are erased. With `erase=now` the answer comes when no file has a byte of them any more, also for a session that was deleted before; tasks below it are erased whether they were deleted before or not. When the disk has no room for that, the answer is 503: the session is gone, its bytes go as soon as there is room, and the same request says whether they have. Erasing only a task leaves its title, which is the first line of its prompt, in the log of its parent.',
      ...idempotencyKey,
      request: { params: inSession, query: z.object({ erase: z.enum(['now']).optional() }) },
      responses: writes({ 204: ['Deleted, or with `erase=now` erased'] }, 404, 409),
    }),
    async c => {
      const { sessionId } = c.req.valid('param')
      if (c.req.valid('query').erase) await runtime.eraseSession(c.get('who'), sessionId)
      else await runtime.deleteSession(c.get('who'), sessionId)
      return c.body(null, 204)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/restore',
      tags,
      summary: 'Brings a deleted session back, with the tasks that were deleted with it',
      ...idempotencyKey,
      request: { params: inSession },
      responses: writes({ 200: ['It is in the list again', 'Session'] }, 404),
    }),
    async c => c.json(await runtime.restoreSession(c.get('who'), c.req.valid('param').sessionId), 200),
  )

  app.openapi(
    createRoute({
      method: 'put',
      path: '/sessions/{sessionId}/read',
      tags,
      summary: 'The person has read up to this seq',
      ...idempotencyKey,
      request: { params: inSession, body: command('markRead') },
      responses: writes({ 204: ['Noted'] }, 404),
    }),
    async c => {
      const { seq } = await readCommand(c, commandSchemas.markRead, limits)
      await runtime.markRead(c.get('who'), c.req.valid('param').sessionId, seq)
      return c.body(null, 204)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}/messages',
      tags,
      summary: 'A page of older messages',
      request: {
        params: inSession,
        query: z.object({ before: wholeNumber(1, MAX_SEQ, MAX_SEQ), limit: wholeNumber(1, 200, 50) }),
      },
      responses: reads({ 200: ['The messages before that ordinal', 'MessagesPage'] }, 404),
    }),
    async c => {
      const { before, limit } = c.req.valid('query')
      return c.json(await runtime.messages(c.get('who'), c.req.valid('param').sessionId, before, limit), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}/messages/{ordinal}/parts',
      tags,
      summary: 'Older parts of a long message',
      description:
        'A message with very many parts comes with its newest ones; `partsFrom` of the message says at which place they begin. This gives those before a place, as many as fit into about 256 KiB; `partsFrom` of the answer is the `before` of the next page, 0 at the end.',
      request: {
        params: inSession.extend({ ordinal: pathId('ordinal', '12') }),
        query: z.object({ before: wholeNumber(0, MAX_SEQ, 0) }),
      },
      responses: reads({ 200: ['The parts before that place', 'MessagesPage'] }, 404),
    }),
    async c => {
      const { sessionId, ordinal } = c.req.valid('param')
      return c.json(await runtime.parts(c.get('who'), sessionId, Number(ordinal), c.req.valid('query').before), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}/events',
      tags,
      summary: 'The events of a session after a cursor: a stream, or pages of JSON',
      description:
        'Server-sent events with `id:` = `seq`, resumed by `Last-Event-ID` or `after`. With `Accept: application/json` one page; `next` is the `after` of the next one, null at the end. With the `log` of the snapshot a cursor of another log (the session was made again, or put back from an older copy) is refused as `cursor_foreign`: load the session again.',
      request: {
        params: inSession,
        query: z.object({
          after: wholeNumber(0, MAX_SEQ, 0).optional(),
          limit: wholeNumber(1, 1000, 1000),
          log: z.string().max(64).optional().openapi({ description: '`log` of the snapshot' }),
        }),
      },
      responses: streams(
        reads({ 200: ['The events', 'Events'] }, 404, 409, 429, 503),
        'id: 42\ndata: {"seq":42,"type":"run.status"}\n\n',
      ),
    }),
    async c => {
      const who = c.get('who')
      const { sessionId } = c.req.valid('param')
      const { limit, log } = c.req.valid('query')
      const after =
        c.req.query('after') === undefined ? lastEventId(c.req.header('last-event-id')) : c.req.valid('query').after
      const cursor = { seq: after ?? 0, log }
      if (wantsJson(c.req.header('accept'))) {
        await allow(api, who, sessionId, cursor)
        const events = await storage.events(sessionId, cursor.seq, limit)
        return c.json({ events, next: events.length === limit ? events.at(-1)!.seq : null }, 200)
      }
      if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
      return sessionStream({
        sources: api,
        streams: api.streams,
        who,
        sessionId,
        cursor,
        signal: c.req.raw.signal,
        destroy: socketCloser(c.env),
      })
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/agents',
      tags: ['agents'],
      summary: 'The agents that a session can have',
      responses: reads({ 200: ['All of them; the first one is the default', 'Agents'] }),
    }),
    c => {
      const agents = api.agents.map(({ agentId, name, description, scripted }) => ({
        agentId,
        name,
        description,
        scripted,
      }))
      return c.json({ agents }, 200)
    },
  )
}

/**
 * The same key makes the same session, also when the server was killed before it could keep its answer, and when the
 * owner's token was changed in between: the id of the installation stays.
 */
const sessionIdOf = ({ id }: { id: string }, owner: string, key: string): string =>
  `ses_${createHmac('sha256', id)
    .update(JSON.stringify([owner, key]))
    .digest('base64url')
    .slice(0, 32)}`

const wantsJson = (accept = '') => /\bapplication\/json\b/.test(accept) && !/\btext\/event-stream\b/.test(accept)

function lastEventId(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  if (!/^\d{1,15}$/.test(text))
    throw new BadRequest(400, 'invalid_header', 'Last-Event-ID must be a seq.', '/last-event-id')
  return Number(text)
}
