import type {
  ActionOutcome,
  MessagesPage,
  Problem,
  QueuedTurn,
  SessionSnapshot,
  SessionSummary,
} from '@vitrine/protocol'
import { commandSchemas, reason, sessionEvent } from '@vitrine/protocol/schema'
import { z } from 'zod'
import type { QueueState } from '../runtime/runtime.ts'

const id = z.string()
const count = z.int().min(0)
const entity = z.record(z.string(), z.unknown())

const summary = z.object({
  sessionId: id,
  title: z.string(),
  agentId: id,
  createdAt: count,
  updatedAt: count,
  seq: count,
  readSeq: count.exactOptional(),
  pinned: z.boolean(),
  archived: z.boolean(),
  status: z.enum(['idle', 'running', 'waiting', 'needs-input', 'failed', 'interrupted', 'unknown']),
  queued: count,
  messageCount: count,
  parentSessionId: id.nullable(),
  deleted: z.boolean().exactOptional(),
  eraseAt: count.exactOptional(),
}) satisfies z.ZodType<SessionSummary>

const queuedTurn = z.object({
  turnId: id,
  input: z.looseObject({ text: z.string() }),
  preview: z.string(),
  createdAt: count,
})
const outcome = z.enum(['approved', 'approved-for-scope', 'denied', 'answered', 'expired', 'cancelled'])
const running = z.enum(['steered', 'queued', 'started'])

/** The bodies of the answers, declared once. A type that drifts from its owner in protocol does not compile. */
const answerSchemas = {
  Problem: z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    path: z.string().exactOptional(),
    errors: z.array(z.object({ path: z.string(), detail: z.string() })).exactOptional(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
    next: z.string().exactOptional(),
  }) satisfies z.ZodType<Problem>,
  Session: z.object({ session: summary, taskId: id.exactOptional() }),
  Sessions: z.object({ sessions: z.array(summary), cursor: z.string().nullable() }),
  Snapshot: z.object({
    format: z.literal(1),
    sessionId: id,
    seq: count,
    log: z.string(),
    windowFrom: z.int(),
    counts: z.record(z.string(), z.unknown()),
    repair: z.record(z.string(), z.unknown()).nullable(),
    entities: z.record(z.string(), z.union([entity, z.array(entity)])),
  }) satisfies z.ZodType<Pick<SessionSnapshot, 'format' | 'sessionId' | 'seq' | 'log' | 'windowFrom'>>,
  MessagesPage: z.object({
    sessionId: id,
    seq: count,
    from: z.int(),
    partsFrom: z.int().optional(),
    entities: z.record(z.string(), z.array(entity)),
  }) satisfies z.ZodType<Pick<MessagesPage, 'sessionId' | 'seq' | 'from'>>,
  Events: z.object({ events: z.array(sessionEvent), next: z.int().nullable() }),
  Agents: z.object({
    agents: z.array(z.object({ agentId: id, name: z.string(), description: z.string(), scripted: z.boolean() })),
  }),
  Started: z.object({ turnId: id, runId: id, state: z.literal('started') }),
  Queue: z.object({
    turns: z.array(queuedTurn) satisfies z.ZodType<Pick<QueuedTurn, 'turnId' | 'preview' | 'createdAt'>[]>,
    held: z.boolean(),
    reason: reason.nullable(),
    policy: z.object({ mode: z.enum(['serial', 'merge']), onFailure: z.enum(['hold', 'continue']) }),
  }) satisfies z.ZodType<Pick<QueueState, 'held' | 'reason' | 'policy'>>,
  Queued: z.object({ turnId: id, state: z.enum(['queued', 'started']), position: count }),
  QueueHeld: z.object({ held: z.boolean() }),
  QueuedPlace: z.object({ turnId: id, position: count }),
  Steered: z.object({ steerId: id, state: z.literal('accepted') }),
  Interrupted: z.object({ runIds: z.array(id) }),
  Retried: z.object({ runId: id }),
  Responded: z.object({ actionId: id, outcome: outcome satisfies z.ZodType<ActionOutcome>, first: z.boolean() }),
  SurfaceActed: z.object({ state: running, runId: id.exactOptional() }),
  UiActed: z.object({ state: running, runId: id.exactOptional() }),
  Health: z.object({ status: z.literal('ok'), bootId: id }),
  TokenRotated: z.object({ token: z.string(), url: z.string() }),
  Document: z.record(z.string(), z.unknown()),
  SchemaList: z.object({ schemas: z.array(z.object({ name: z.string(), url: z.string() })) }),
}

export const retryCommand = commandSchemas.retry.omit({ runId: true })

const schemas = { ...answerSchemas, ...commandSchemas, retry: retryCommand }
export type SchemaName = keyof typeof schemas

/** As components of the OpenAPI document: JSON Schema whose inner definitions are components too. */
export function componentSchemas(): Record<string, object> {
  const components: Record<string, object> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const {
      $schema,
      $defs = {},
      ...whole
    } = z.toJSONSchema(schema, { io: name in commandSchemas ? 'input' : 'output' })
    const moved = (part: object): object =>
      JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`))
    components[name] = moved(whole)
    for (const [inner, definition] of Object.entries($defs))
      components[`${name}.${inner}`] = moved(definition as object)
  }
  return components
}
