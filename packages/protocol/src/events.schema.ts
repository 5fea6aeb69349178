import { z } from 'zod'
import type { Json } from './json.ts'
import { MAX_ID, MAX_POINTER } from './limits.ts'

export { MAX_EVENT_BYTES } from './limits.ts'
export const MAX_PREVIEW_CHARS = 8 * 1024

export const id = z.string().min(1).max(MAX_ID)
const name = z.string().min(1).max(200)
const line = z.string().max(2_000)
const prose = z.string().max(32_768)
const preview = z.string().max(MAX_PREVIEW_CHARS)
/** Milliseconds since 1970, up to the last moment that a JavaScript date can hold. */
const time = z.int().min(0).max(8.64e15)
const count = z.int().min(0)

export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>
export const jsonObject = z.record(z.string(), json)

export const blobRef = z.object({ ref: id, size: count, digest: z.string().max(128), mediaType: z.string().max(200) })

export const runStatus = z.enum([
  'submitted',
  'queued',
  'routing',
  'preparing',
  'streaming',
  'tool',
  'waiting',
  'blocked',
  'retrying',
  'cancelling',
  'cancelled',
  'failed',
  'completed',
  'interrupted',
  'unknown',
])

/** Who did it, as a fact says it. `policy` is a remembered permission (its id and label), `system` is the runtime itself. */
export const actor = z.object({
  kind: z.enum(['local', 'person', 'guest', 'key', 'widget', 'policy', 'system']),
  id,
  name: line,
})

const reasonParams = z.record(z.string().max(100), z.union([z.string().max(2_000), z.number()]))

/** Why something is as it is. The interface translates the code; the message is for readers who do not know it. */
export const reason = z.object({
  code: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9_]*$/),
  params: reasonParams.optional(),
  message: line,
})

export const failure = z.object({
  code: name,
  params: reasonParams.optional(),
  message: prose,
  retryable: z.boolean().optional(),
  /** What a person can do next, in words. */
  next: line.optional(),
})

/** An action of a UI Schema document that goes to the server. */
export const uiSchemaAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('tool'), toolId: id, params: jsonObject.optional() }),
  z.object({ type: z.literal('payload'), payload: jsonObject, submitTo: z.string().max(2_000).optional() }),
])

/** What a person did in an interface that an agent drew. The agent's edge turns it into text, nobody else does. */
export const interaction = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('a2ui'),
    surfaceId: id,
    componentId: id,
    eventType: z.enum(['click', 'submit', 'change']),
    payload: json.optional(),
    name: z.string().max(200).optional(),
    context: jsonObject.optional(),
  }),
  z.object({
    kind: z.literal('ui_schema'),
    action: uiSchemaAction,
    toolCallId: id.optional(),
    values: jsonObject.optional(),
  }),
])

/** Of what was sent, with what was typed for it, so that the same id with other content is noticed for ever. */
const contentDigest = z.string().max(128)

export const turnInput = z.object({
  /** Empty when the turn is an interaction. */
  text: prose,
  interaction: interaction.optional(),
  /** The whole text or interaction when it is larger than what an event may carry; the field itself is then its beginning. */
  ref: blobRef.optional(),
  digest: contentDigest.optional(),
  context: z
    .array(z.object({ kind: name, ref: id, title: line.optional() }))
    .max(64)
    .optional(),
  mode: name.optional(),
})

export const queuePolicy = z.object({
  mode: z.enum(['serial', 'merge']),
  onFailure: z.enum(['hold', 'continue']),
})

export const queuedTurn = z.object({
  turnId: id,
  input: turnInput,
  preview: z.string().max(400),
  createdAt: time,
  by: actor.optional(),
})

export const actionKind = z.enum(['approval', 'choice', 'form', 'plan', 'correction', 'question'])
export const risk = z.enum(['low', 'medium', 'high'])

export const actionRequest = z.object({
  kind: actionKind,
  title: line,
  detail: prose.optional(),
  /** What an approval "for this scope" would cover, in words and as a stable key. */
  scope: z.object({ key: id, label: line }).optional(),
  risk: risk.optional(),
  /** The arguments an approver may look at and edit. */
  args: json.optional(),
  options: z
    .array(z.object({ value: id, label: line, detail: line.optional() }))
    .max(100)
    .optional(),
  multiple: z.boolean().optional(),
  /** JSON Schema of the answer. */
  schema: jsonObject.optional(),
  plan: z
    .array(z.object({ id, title: line, detail: prose.optional() }))
    .max(200)
    .optional(),
  expiresAt: time.optional(),
})

export const actionOutcome = z.enum(['approved', 'approved-for-scope', 'denied', 'answered', 'expired', 'cancelled'])

export const planStep = z.object({
  id,
  title: line,
  status: z.enum(['pending', 'active', 'done', 'failed', 'skipped']),
  detail: line.optional(),
})

export const artifactFacts = z.object({
  kind: name,
  title: line.optional(),
  status: z.enum(['draft', 'generating', 'ready', 'saving', 'saved', 'conflict', 'exporting', 'failed', 'deleted']),
  version: z.object({ id, parent: id.optional(), createdAt: time.optional(), label: line.optional() }),
  preview: z.object({ text: preview.optional(), ref: blobRef.optional(), mediaType: name.optional() }),
  read_ref: id,
  diff_ref: id,
  source_refs: z.array(id).max(200),
  evidence_refs: z.array(id).max(200),
  write_capabilities: z.array(name).max(50),
  export: z.object({ id, format: name, state: z.enum(['running', 'done', 'failed']), ref: blobRef.optional() }),
  error: failure,
  metadata: jsonObject,
})

export const evidenceFacts = z.object({
  kind: name,
  title: line.optional(),
  state: z.enum(['collecting', 'ready', 'failed']).optional(),
  claims: z.array(jsonObject).max(200).optional(),
  sources: z.array(jsonObject).max(200).optional(),
  edges: z
    .array(z.object({ from: id, to: id, relation: z.enum(['supports', 'contradicts', 'qualifies', 'background']) }))
    .max(500)
    .optional(),
  verification: z
    .object({ verdict: z.enum(['pass', 'fail', 'inconclusive']), by: name, detail: line.optional() })
    .optional(),
  review: z
    .object({ verdict: z.enum(['accepted', 'rejected', 'changes-requested']), by: name, detail: line.optional() })
    .optional(),
  trace_ref: id.optional(),
  replay_ref: id.optional(),
  missing: z.array(line).max(100).optional(),
  ref: blobRef.optional(),
})

export const patchOperation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace', 'test']), path: z.string(), value: json }),
  z.object({ op: z.literal('remove'), path: z.string() }),
  z.object({ op: z.enum(['move', 'copy']), from: z.string(), path: z.string() }),
])

export const surfaceOp = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('create'),
    root: id,
    catalogId: z.string().max(2_000).optional(),
    theme: jsonObject.optional(),
    sendDataModel: z.boolean().optional(),
  }),
  z.object({ op: z.literal('upsert'), id, component: jsonObject }),
  z.object({ op: z.literal('delete'), id }),
  /** Writes into the data, or into the component `id`; without a value the path is removed. */
  z.object({ op: z.literal('set'), id: id.optional(), path: z.string().max(MAX_POINTER), value: json.optional() }),
  z.object({ op: z.literal('remove') }),
])

export const messageSnapshot = z.object({
  messageId: id,
  /** Its place in the session: an existing message keeps it, a new one takes the next. */
  ordinal: z.int().min(1),
  role: z.enum(['user', 'assistant', 'system']),
  at: time,
  runId: id.optional(),
  turnId: id.optional(),
  parts: z.array(z.object({ partId: id, kind: z.enum(['text', 'reasoning']), text: z.string() })).max(500),
  metadata: jsonObject.optional(),
})

/** What an event may carry beside the fields that its class requires. */
const common = {
  runId: id.optional(),
  turnId: id.optional(),
  taskId: id.optional(),
  agentId: id.optional(),
  messageId: id.optional(),
  partId: id.optional(),
  toolCallId: id.optional(),
  actionId: id.optional(),
  artifactId: id.optional(),
  evidenceId: id.optional(),
  surfaceId: id.optional(),
  /** The person, permission or part of the system that made it happen; absent for what an agent says. */
  by: actor.optional(),
}

/** A class requires some of the common fields: those override the optional ones. */
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => {
  const head = { seq: z.int().min(1), sessionId: id, at: time, type: z.literal(type) }
  return z.object({ ...head, ...common, ...shape } as typeof head & Omit<typeof common, keyof S> & S)
}

const inRun = { runId: id }
const inPart = { runId: id, messageId: id, partId: id }
const ofTool = { runId: id, toolCallId: id }
const ofArtifact = { artifactId: id, artifact: artifactFacts.partial() }

/** Every event class, declared once. Types, JSON Schema and validation all come from this table. */
export const eventSchemas = {
  'session.updated': event('session.updated', {
    title: z.string().max(300).optional(),
    agentId: id.optional(),
    queuePolicy: queuePolicy.optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    metadata: jsonObject.optional(),
    forkOf: z.object({ sessionId: id, seq: count }).optional(),
    parent: z.object({ sessionId: id, taskId: id.optional() }).optional(),
  }),
  'run.started': event('run.started', {
    ...inRun,
    turnId: id,
    agentId: id,
    /** The person's message of this turn; a retry names the same one again. */
    messageId: id,
    input: turnInput,
    attempt: z.int().min(1),
    retryOf: id.optional(),
    parentRunId: id.optional(),
    /** Queued turns that became part of this one; each was accepted under its own id. */
    merged: z
      .array(z.object({ turnId: id, digest: z.string().max(128).optional() }))
      .max(500)
      .optional(),
  }),
  'run.status': event('run.status', { ...inRun, status: runStatus, reason: reason.optional() }),
  'run.finished': event('run.finished', {
    ...inRun,
    outcome: z.enum(['completed', 'interrupted', 'cancelled']),
    reason: reason.optional(),
  }),
  'run.failed': event('run.failed', { ...inRun, error: failure }),
  'text.delta': event('text.delta', { ...inPart, delta: z.string().min(1) }),
  'text.final': event('text.final', {
    ...inPart,
    /** UTF-16 length and SHA-256 (hex, of UTF-8) of the whole text. */
    length: count,
    digest: z.string().max(128),
    text: preview.optional(),
    ref: blobRef.optional(),
  }),
  'reasoning.delta': event('reasoning.delta', { ...inPart, delta: z.string().min(1) }),
  'reasoning.summary': event('reasoning.summary', { ...inPart, text: prose.optional() }),
  'part.retracted': event('part.retracted', { ...inPart, reason, replacedBy: id.optional() }),
  'tool.started': event('tool.started', {
    ...inPart,
    toolCallId: id,
    name,
    title: line.optional(),
    summary: line.optional(),
    retryOf: id.optional(),
  }),
  'tool.args': event('tool.args', {
    ...ofTool,
    delta: z.string(),
    done: z.boolean().optional(),
    summary: line.optional(),
  }),
  'tool.progress': event('tool.progress', {
    ...ofTool,
    message: line.optional(),
    current: z.number().optional(),
    total: z.number().optional(),
  }),
  'tool.output.delta': event('tool.output.delta', {
    ...ofTool,
    stream: z.enum(['output', 'error']).optional(),
    delta: z.string().min(1),
  }),
  'tool.result': event('tool.result', {
    ...ofTool,
    preview: preview.optional(),
    value: json.optional(),
    ref: blobRef.optional(),
    /** A UI Schema 2.0 document compiled by the server, and the hints it came from. */
    ui: jsonObject.optional(),
    uiHints: jsonObject.optional(),
  }),
  'tool.failed': event('tool.failed', {
    ...ofTool,
    error: failure,
    preview: preview.optional(),
    ref: blobRef.optional(),
  }),
  'action.required': event('action.required', { ...inRun, actionId: id, request: actionRequest }),
  'action.resolved': event('action.resolved', {
    actionId: id,
    outcome: actionOutcome,
    by: actor,
    response: json.optional(),
  }),
  'queue.changed': event('queue.changed', {
    change: z.enum(['added', 'edited', 'moved', 'removed', 'started', 'held', 'released']),
    turnId: id.optional(),
    turn: queuedTurn.optional(),
    position: count.optional(),
    reason: reason.optional(),
  }),
  /** `text` is empty when the steer is an interaction. */
  'steer.accepted': event('steer.accepted', {
    ...inRun,
    steerId: id,
    text: prose,
    interaction: interaction.optional(),
    digest: contentDigest.optional(),
  }),
  'steer.rejected': event('steer.rejected', { steerId: id, reason }),
  'steer.consumed': event('steer.consumed', { ...inRun, steerId: id, messageId: id, partId: id }),
  'plan.delta': event('plan.delta', { ...inRun, title: line.optional(), steps: z.array(planStep).max(200) }),
  'plan.final': event('plan.final', { ...inRun, title: line.optional(), steps: z.array(planStep).max(200) }),
  'task.changed': event('task.changed', {
    taskId: id,
    title: line.optional(),
    status: runStatus,
    childSessionId: id.optional(),
    parentTaskId: id.optional(),
    progress: z.number().min(0).max(1).optional(),
    detail: line.optional(),
    attention: z.enum(['none', 'needs-input', 'failed']).optional(),
  }),
  'agent.spawned': event('agent.spawned', {
    ...inRun,
    agentId: id,
    messageId: id.optional(),
    partId: id.optional(),
    name,
    parentAgentId: id.optional(),
    input: line.optional(),
  }),
  'agent.completed': event('agent.completed', {
    ...inRun,
    agentId: id,
    outcome: z.enum(['completed', 'failed', 'interrupted']),
    summary: prose.optional(),
  }),
  'agent.handoff': event('agent.handoff', { ...inRun, agentId: id, to: id, reason: reason.optional() }),
  'context.compaction.started': event('context.compaction.started', {
    ...inRun,
    compactionId: id,
    reason: reason.optional(),
  }),
  'context.compaction.completed': event('context.compaction.completed', {
    ...inRun,
    compactionId: id,
    tokensBefore: count.optional(),
    tokensAfter: count.optional(),
    summary: prose.optional(),
  }),
  'permission.changed': event('permission.changed', {
    permissionId: id,
    state: z.enum(['granted', 'revoked']),
    scope: z.object({ key: id, label: line }).optional(),
    actionId: id.optional(),
  }),
  'metric.changed': event('metric.changed', {
    scope: z.enum(['message', 'run', 'session']),
    values: z.record(z.string().max(100), json),
  }),
  'diagnostic.changed': event('diagnostic.changed', {
    diagnosticId: id,
    state: z.enum(['open', 'cleared']),
    level: z.enum(['info', 'warning', 'error']).optional(),
    code: name.optional(),
    message: line.optional(),
  }),
  'artifact.created': event('artifact.created', {
    ...ofArtifact,
    artifact: artifactFacts.partial().required({ kind: true }),
  }),
  'artifact.updated': event('artifact.updated', ofArtifact),
  'artifact.preview.ready': event('artifact.preview.ready', ofArtifact),
  'artifact.version.created': event('artifact.version.created', {
    ...ofArtifact,
    artifact: artifactFacts.partial().required({ version: true }),
  }),
  'artifact.diff.ready': event('artifact.diff.ready', ofArtifact),
  'artifact.export.started': event('artifact.export.started', ofArtifact),
  'artifact.export.completed': event('artifact.export.completed', ofArtifact),
  'artifact.failed': event('artifact.failed', {
    ...ofArtifact,
    artifact: artifactFacts.partial().required({ error: true }),
  }),
  'artifact.deleted': event('artifact.deleted', { artifactId: id }),
  'artifact.changed': event('artifact.changed', ofArtifact),
  'evidence.changed': event('evidence.changed', { evidenceId: id, evidence: evidenceFacts.partial() }),
  'state.snapshot': event('state.snapshot', { state: json }),
  'state.delta': event('state.delta', { patch: z.array(patchOperation).min(1).max(500) }),
  'messages.snapshot': event('messages.snapshot', {
    snapshotId: id,
    page: count,
    last: z.boolean(),
    /** An agent repairs what agents said and never a person's words; the owner of the session repairs everything. */
    scope: z.enum(['agent', 'owner']),
    /** The repaired range: messages from this ordinal on that no page names are removed. */
    fromOrdinal: z.int().min(1),
    messages: z.array(messageSnapshot).max(200),
  }),
  'surface.changed': event('surface.changed', {
    surfaceId: id,
    ops: z.array(surfaceOp).min(1).max(10_000),
  }),
} as const

const schemas = Object.values(eventSchemas)
export const sessionEvent = z.discriminatedUnion('type', schemas as unknown as [(typeof schemas)[number]])
