import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import {
  type Answer,
  type AnswerName,
  type Command,
  type CommandName,
  type Problem,
  REFUSAL_CODES,
  type RefusalCode,
} from '@vitrine/protocol'
import { commandSchemas } from '@vitrine/protocol/schema'
import type { Context } from 'hono'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import { type BodyLimits, readCommand } from './body.ts'
import type { ApiEnv } from './env.ts'
import { answerExamples, commandExamples, plainExamples } from './examples.ts'
import { problemOf } from './problem.ts'
import { type RefusalStatus, refusals } from './refusals.ts'
import { type BodyName, commandComponent, refTo } from './schemas.ts'

/** The groups in which the OpenAPI document lists the operations. */
export const tags = {
  session: 'Sessions: the list, what they hold, and their log.',
  runtime:
    'What a person asks of the agent of a session: turns, the queue, runs, and requests that wait for a response.',
  stream: 'Everything that one browser follows, on one connection.',
  blobs: 'Bytes that are too large for events.',
  media: 'Images, video and audio from other hosts, and sandboxes for content from elsewhere.',
  agents: 'The agents that a session can have: those of the program, and those that people make.',
  models: 'Providers of models that people connect, and their models.',
  catalogs: 'What agents draw with, beside the basic catalog of A2UI.',
  server: 'The server itself and the description of its interface.',
} as const

const nothing = z.object({})
type Nothing = typeof nothing

export interface Operation<
  O extends string,
  B extends BodyName = never,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  /** Verb and noun. Its command, the method of the runtime and the method of the client have the same name. */
  operationId: O
  tag: keyof typeof tags
  /** One line that says what it does. */
  summary: string
  /** What a caller has to know, in sentences. */
  description: string
  params?: P
  query?: Q
  /** The status of the answer, its bodies by media type when there are several, and what it means. */
  answers: { status: 200 | 201 | 202 | 204; bodies: readonly B[]; description: string }
  /** The codes of the refusals that it can give beside those of `always`. */
  refusals: readonly RefusalCode[]
  /** The body is a file of any media type and not a command. */
  takesFile?: true
  /** False for a write whose answer must not be kept. */
  keyed?: false
}

const MEDIA_TYPES: Partial<Record<BodyName, string>> = {
  BrowserStream: 'text/event-stream',
  SessionEventStream: 'text/event-stream',
  BlobContent: 'application/octet-stream',
  MediaContent: 'application/octet-stream',
  CatalogModule: 'text/javascript',
  JsonSchema: 'application/schema+json',
}

/** What any operation of its kind can be refused with. */
function always({ method, params, keyed }: Operation<string, BodyName, z.ZodObject, z.ZodObject>): RefusalCode[] {
  const codes: RefusalCode[] = ['invalid_request', 'invalid_text', 'unauthenticated', 'cross_site', 'foreign_host']
  if (params) codes.push('not_found')
  if (method !== 'get' && keyed !== false) {
    codes.push('key_reused', 'storage_failed')
    if (method !== 'delete') codes.push('body_incomplete', 'too_large', 'unsupported_media_type')
  }
  return [...codes, 'internal']
}

const commandOf = (operationId: string): CommandName | undefined =>
  Object.hasOwn(commandSchemas, operationId) ? (operationId as CommandName) : undefined

function refusalResponses(codes: readonly RefusalCode[]) {
  const byStatus = new Map<RefusalStatus, RefusalCode[]>()
  for (const code of new Set(codes)) {
    const [status] = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].map(([status, given]) => {
    const examples = Object.fromEntries(given.map(code => [code, { $ref: `#/components/examples/${code}` }]))
    const content = { schema: refTo('Problem'), examples }
    const description = given.map(code => `\`${code}\`: ${refusals[code][1]}`).join('\n\n')
    return [status, { description, content: { 'application/problem+json': content } }] as const
  })
}

/** Every problem document once, by its code. */
export const problemExamples = (): Record<string, { summary: string; value: Problem }> =>
  Object.fromEntries(
    REFUSAL_CODES.map(code => {
      const [, summary] = refusals[code]
      return [code, { summary, value: problemOf(new Refusal(code, summary)) }]
    }),
  )

/** Every write but one takes it, beside the id in its body. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Chosen by the caller. The same request under the same key gets the first answer again; a different request under it is refused with `key_reused`.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 200 },
}

const exampleOf = (body: BodyName): unknown => ({ ...answerExamples, ...plainExamples })[body]

/** The operation as the OpenAPI document has it. */
export function described<
  O extends string,
  B extends BodyName,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
>(operation: Operation<O, B, P, Q>) {
  const { method, path, operationId, tag, summary, description, keyed, takesFile, answers } = operation
  const command = commandOf(operationId)
  const content = answers.bodies.map(body => {
    const mediaType = MEDIA_TYPES[body] ?? 'application/json'
    return [mediaType, { schema: refTo(body), example: exampleOf(body) }] as const
  })
  const success = {
    description: answers.description,
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  }
  const file = {
    required: true,
    content: { '*/*': { schema: refTo('FileContent'), example: exampleOf('FileContent') } },
  }
  const body = takesFile
    ? file
    : command && {
        required: true,
        content: {
          'application/json': { schema: refTo(commandComponent(command)), example: commandExamples[command] },
        },
      }
  // Typed loosely: `serve` says what an answer is.
  const responses: Record<string, { description: string }> = Object.fromEntries([
    [answers.status, success] as const,
    ...refusalResponses([...always(operation as never), ...operation.refusals]),
  ])
  return createRoute({
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    description,
    ...(method !== 'get' && keyed !== false && { parameters: [idempotencyKey] }),
    request: {
      params: (operation.params ?? nothing) as P,
      query: (operation.query ?? nothing) as Q,
      ...(body && { body }),
    },
    responses,
  })
}

/** What an operation is asked for. */
export interface Asked<O extends string, P extends z.ZodObject, Q extends z.ZodObject> {
  who: Principal
  params: z.infer<P>
  query: z.infer<Q>
  command: O extends CommandName ? Command<O> : undefined
  context: Context<ApiEnv>
}

/** Adds an operation that answers with JSON, or with nothing, to the app. */
export function serve<
  O extends string,
  A extends AnswerName = never,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
>(
  app: OpenAPIHono<ApiEnv>,
  limits: BodyLimits,
  operation: Operation<O, A, P, Q>,
  answer: (asked: Asked<O, P, Q>) => Promise<[A] extends [never] ? void : Answer<A>>,
): void {
  const command = commandOf(operation.operationId)
  const { status } = operation.answers
  app.openapi(described(operation), async context => {
    const valid = (target: string) => context.req.valid(target as never) as never
    const asked = {
      who: context.get('who'),
      params: valid('param'),
      query: valid('query'),
      command: (command && (await readCommand(context, commandSchemas[command], limits))) as never,
      context,
    }
    const body = await answer(asked)
    return status === 204 ? context.body(null, 204) : context.json(body as object, status)
  })
}

/** A path parameter. What no id can look like is answered like an id that does not exist. */
export const pathId = (name: string, example: string, description: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { name, in: 'path' }, example, description })

const sessionId = pathId('sessionId', 'ses_1', 'The id of the session')
export const inSession = z.object({ sessionId })

/** A whole number of the query. */
export const wholeNumber = (min: number, max: number, byDefault: number, description: string) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .default(`${byDefault}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .openapi({ type: 'integer', minimum: min, maximum: max, default: byDefault, description })
