import { createHmac } from 'node:crypto'
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { type Answer, MAX_SEARCH } from '@vitrine/protocol'
import { Refusal } from '../../refusal.ts'
import { headersOf } from '../../stream/connection.ts'
import { allow } from '../../stream/cursor.ts'
import { sessionDialect } from '../../stream/session-dialect.ts'
import { sessionStream } from '../../stream/session-stream.ts'
import { type Api, type ApiEnv, socketCloser } from '../env.ts'
import { reads, writes, writesLog } from '../refusals.ts'
import { described, inSession, pathId, serve, wholeNumber } from '../route.ts'

const tag = 'session' as const
const MAX_SEQ = Number.MAX_SAFE_INTEGER

const searchedWords = z
  .string()
  .max(MAX_SEARCH)
  .default('')
  .openapi({ description: 'The words to look for. Without a word nothing is found', example: 'release date' })

/** Where a search looks. */
const searchFilters = {
  agentId: z.string().max(200).optional().openapi({ description: 'Only in sessions of this agent' }),
  since: wholeNumber(0, MAX_SEQ, 0, 'Only what was said at this time or later, in milliseconds since 1970'),
}

/** What the runtime is asked for, without what was left out. */
const searchOf = ({ q, limit, cursor, agentId, since }: SearchFields) => ({
  text: q,
  limit,
  ...(cursor && { cursor }),
  ...(agentId && { agentId }),
  since,
})

interface SearchFields {
  q: string
  limit: number
  cursor?: string | undefined
  agentId?: string | undefined
  since: number
}

export function sessionRoutes(app: OpenAPIHono<ApiEnv>, api: Api): void {
  const { runtime, storage, limits } = api

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions',
      operationId: 'listSessions',
      tag,
      summary: 'Lists the sessions of the person',
      description:
        'Those that changed last come first. The list comes in pages: `cursor` of one page asks for the next.',
      query: z.object({
        limit: wholeNumber(1, 200, 50, 'How many sessions a page has at most'),
        cursor: z.string().max(500).optional().openapi({ description: 'The `cursor` of the page before' }),
        q: z
          .string()
          .max(500)
          .optional()
          .openapi({ description: 'Lists only sessions whose title has this text', example: 'release' }),
        only: z.enum(['attention', 'archived', 'deleted']).optional().openapi({
          description:
            '`attention` lists only sessions that are pinned, wait for a response, failed or have not finished. `archived` lists those that were put away, `deleted` the deleted ones that can still be brought back.',
        }),
      }),
      answers: { status: 200, bodies: ['SessionList'], description: 'A page of the list.' },
      refusals: ['cursor_invalid', 'storage_failed'],
    },
    ({ who, query: { limit, cursor, q, only } }) =>
      runtime.listSessions(who, { limit, ...(cursor && { cursor }), ...(q && { search: q }), ...(only && { only }) }),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/search',
      operationId: 'searchMessages',
      tag,
      summary: "Searches the messages of the person's sessions",
      description:
        'Finds what people and agents said, in every session of the person that is not deleted, archived ones too. Every word has to be there; the beginning of a word is enough. Text without spaces between words, such as Chinese, is found by any part of it. The newest messages come first, in pages. What an edited or regenerated message said before is not found.',
      query: z.object({
        q: searchedWords,
        limit: wholeNumber(1, 50, 20, 'How many messages a page has at most'),
        cursor: z.string().max(100).optional().openapi({ description: 'The `cursor` of the page before' }),
        ...searchFilters,
      }),
      answers: { status: 200, bodies: ['SearchResults'], description: 'A page of what was found.' },
      refusals: ['cursor_invalid', 'storage_failed'],
    },
    ({ who, query }) => runtime.searchMessages(who, searchOf(query)),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/search/sessions',
      operationId: 'findSessions',
      tag,
      summary: "Searches the messages and titles of the person's sessions, by session",
      description:
        'Finds every session of the person that is not deleted, archived ones too, that has all words in one message or in its title. Each comes with its newest two such messages, and with how many there are. Those that changed last come first, in pages. Beyond a thousand matching messages nothing older is looked at, and `bounded` says so: name more words, an agent or a time.',
      query: z.object({
        q: searchedWords,
        limit: wholeNumber(1, 50, 20, 'How many sessions a page has at most'),
        cursor: z.string().max(500).optional().openapi({ description: 'The `cursor` of the page before' }),
        ...searchFilters,
      }),
      answers: { status: 200, bodies: ['FoundSessions'], description: 'A page of what was found.' },
      refusals: ['cursor_invalid', 'storage_failed'],
    },
    ({ who, query }) => runtime.findSessions(who, searchOf(query)),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions',
      operationId: 'createSession',
      tag,
      summary: 'Makes a session, or a task of another one',
      description:
        'The same request under the same `sessionId` or the same `Idempotency-Key` makes one session. With `turn` its first turn starts at once, so that whoever asks and goes away leaves no empty session. With `parent` the session is a task: it starts to work at once, and the session that started it shows how far it is.',
      answers: { status: 201, bodies: ['SessionCreated'], description: 'The session is there.' },
      refusals: [
        ...writesLog,
        'agent_not_found',
        'agent_unavailable',
        'session_exists',
        'run_active',
        'turn_removed',
        'file_not_found',
      ],
    },
    async ({ who, command, context }) => {
      const key = context.req.header('idempotency-key')
      const sessionId = command.sessionId ?? (key && sessionIdOf(await storage.instance(), who.id, key))
      return runtime.createSession(who, { ...command, ...(sessionId && { sessionId }) })
    },
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}',
      operationId: 'getSession',
      tag,
      summary: 'Gives the session as it is now',
      description:
        'The snapshot has a window of recent messages with everything that they need (L11). Older messages come in pages. The events after its `seq` continue it.',
      params: inSession,
      query: z.object({ messages: wholeNumber(0, 500, 50, 'How many messages the window has at most') }),
      answers: { status: 200, bodies: ['SessionSnapshot'], description: 'The snapshot.' },
      refusals: reads,
    },
    ({ who, params, query }) => runtime.getSession(who, params.sessionId, query.messages),
  )

  serve(
    app,
    limits,
    {
      method: 'patch',
      path: '/sessions/{sessionId}',
      operationId: 'updateSession',
      tag,
      summary: 'Changes title, pin, archive, folder, queue policy or metadata',
      description: 'Only the fields that the request has are changed.',
      params: inSession,
      answers: { status: 200, bodies: ['Session'], description: 'The session with the change.' },
      refusals: [...writesLog, 'folder_not_found'],
    },
    ({ who, params, command }) => runtime.updateSession(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/sessions/{sessionId}',
      operationId: 'deleteSession',
      tag,
      summary: 'Deletes the session and the tasks below it',
      description:
        'The runs are stopped and the sessions are hidden. They can be brought back until they are erased, which is after 7 days unless the server says otherwise. With `erase=now` the answer comes when no file has a byte of them any more, also for a session that was deleted before; tasks below it are erased whether they were deleted before or not. When the disk has no room for that, the answer is 503: the session is gone, its bytes go as soon as there is room, and the same request says whether they have. Erasing only a task leaves its title, which is the first line of its prompt, in the log of its parent.',
      params: inSession,
      query: z.object({
        erase: z
          .enum(['now'])
          .optional()
          .openapi({ description: '`now` erases the session for good instead of hiding it' }),
      }),
      answers: { status: 204, bodies: [], description: 'The session is deleted, or with `erase=now` erased.' },
      refusals: writes,
    },
    ({ who, params, query }) =>
      query.erase ? runtime.eraseSession(who, params.sessionId) : runtime.deleteSession(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/restore',
      operationId: 'restoreSession',
      tag,
      summary: 'Brings a deleted session back',
      description:
        'The tasks that were deleted with it come back too. A session that was not deleted stays as it is. The request has no body.',
      params: inSession,
      answers: { status: 200, bodies: ['Session'], description: 'The session is in the list again.' },
      refusals: writes,
    },
    ({ who, params }) => runtime.restoreSession(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'put',
      path: '/sessions/{sessionId}/read',
      operationId: 'markSessionRead',
      tag,
      summary: 'Notes how far the person has read',
      description: 'It never goes back, and never beyond the newest event of the session.',
      params: inSession,
      answers: { status: 204, bodies: [], description: 'It is noted.' },
      refusals: writes,
    },
    ({ who, params, command }) => runtime.markSessionRead(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/messages',
      operationId: 'listMessages',
      tag,
      summary: 'Gives a page of older messages',
      description:
        'The messages come with everything that they need. `from` of the answer is the `before` of the next page.',
      params: inSession,
      query: z.object({
        before: wholeNumber(1, MAX_SEQ, MAX_SEQ, 'The page ends before the message with this ordinal'),
        limit: wholeNumber(1, 200, 50, 'How many messages the page has at most'),
      }),
      answers: { status: 200, bodies: ['MessagesPage'], description: 'The messages before that ordinal.' },
      refusals: reads,
    },
    ({ who, params, query }) => runtime.listMessages(who, params.sessionId, query.before, query.limit),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/messages/{ordinal}/parts',
      operationId: 'listMessageParts',
      tag,
      summary: 'Gives older parts of a long message',
      description:
        'A message with very many parts comes with its newest ones; `partsFrom` of the message says at which place they begin. This gives those before a place, as many as fit into about 256 KiB. `partsFrom` of the answer is the `before` of the next page, and 0 at the end.',
      params: inSession.extend({ ordinal: pathId('ordinal', '12', 'The ordinal of the message') }),
      query: z.object({ before: wholeNumber(0, MAX_SEQ, 0, 'The page ends before this place among the parts') }),
      answers: { status: 200, bodies: ['MessagesPage'], description: 'The parts before that place.' },
      refusals: [...reads, 'message_not_found'],
    },
    ({ who, params, query }) => runtime.listMessageParts(who, params.sessionId, Number(params.ordinal), query.before),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/versions/{rewindId}/messages',
      operationId: 'listVersionMessages',
      tag,
      summary: 'Gives the messages of an earlier version',
      description:
        'Each rewind of the snapshot is an earlier version of the message that took its place. This gives the messages that left the active path with it, the first one first. `next` of the answer is the `after` of the next page.',
      params: inSession.extend({ rewindId: pathId('rewindId', '12', 'The id of the rewind') }),
      query: z.object({
        after: wholeNumber(0, MAX_SEQ, 0, 'The page begins after the message with this ordinal'),
        limit: wholeNumber(1, 200, 50, 'How many messages the page has at most'),
      }),
      answers: { status: 200, bodies: ['MessagesPage'], description: 'The messages after that ordinal.' },
      refusals: [...reads, 'version_not_found'],
    },
    ({ who, params, query }) =>
      runtime.listVersionMessages(who, params.sessionId, params.rewindId, query.after, query.limit),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/forks',
      operationId: 'forkSession',
      tag,
      summary: 'Copies the session into a new one',
      description:
        'The new session has the events up to a message or an event, or all of them. What was open there is closed; what waits in the queue, requests and permissions are not taken over. It belongs to nobody else: erasing the session that was copied leaves it as it is. The same request under the same `sessionId` or the same `Idempotency-Key` makes one session.',
      params: inSession,
      answers: { status: 201, bodies: ['Session'], description: 'The new session is there.' },
      refusals: [
        ...writesLog,
        'session_exists',
        'message_not_found',
        'message_superseded',
        'message_fixed',
        'event_not_found',
      ],
    },
    async ({ who, params, command, context }) => {
      const key = context.req.header('idempotency-key')
      const of = key && JSON.stringify([params.sessionId, key])
      const sessionId = command.sessionId ?? (of && sessionIdOf(await storage.instance(), who.id, of))
      return runtime.forkSession(who, params.sessionId, { ...command, ...(sessionId && { sessionId }) })
    },
  )

  app.openapi(
    described({
      method: 'get',
      path: '/sessions/{sessionId}/events',
      operationId: 'listEvents',
      tag,
      summary: 'Gives the events of a session after a cursor',
      description:
        'They come as server-sent events with `id:` = `seq`, and the stream stays open; `Last-Event-ID` or `after` resumes it. With `Accept: application/json` one page comes instead, and `next` is the `after` of the next one. With the `log` of the snapshot a cursor of another log (the session was made again, or put back from an older copy) is refused as `cursor_foreign`: load the session again.',
      params: inSession,
      query: z.object({
        after: wholeNumber(0, MAX_SEQ, 0, 'Gives the events after this `seq`').optional(),
        limit: wholeNumber(1, 1000, 1000, 'How many events a page of JSON has at most'),
        log: z.string().max(64).optional().openapi({ description: 'The `log` of the snapshot' }),
      }),
      answers: {
        status: 200,
        bodies: ['EventsPage', 'SessionEventStream'],
        description:
          'With `Accept: application/json`, and only then, one page of events. With any other `Accept`, also with none, a stream of server-sent events.',
      },
      refusals: [...reads, 'cursor_foreign', 'too_many_streams', 'stopping'],
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
        const page: Answer<'EventsPage'> = { events, next: events.length === limit ? events.at(-1)!.seq : null }
        return c.json(page, 200)
      }
      if (c.req.method === 'HEAD') return c.body(null, 200, headersOf(sessionDialect))
      return sessionStream({
        dialect: sessionDialect,
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
  if (!/^\d{1,15}$/.test(text)) {
    throw new Refusal('invalid_request', 'Last-Event-ID must be a seq.', { path: '/last-event-id' })
  }
  return Number(text)
}
