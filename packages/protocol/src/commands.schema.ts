import { z } from 'zod'
import { actionKind, id, json, jsonObject, queuePolicy, turnInput, uiSchemaAction } from './events.schema.ts'

/** An id that stands in addresses: of dots only it would be read as a way up, and nobody could reach what it names. */
const addressed = id.regex(/[^.]/, 'must not be of dots only')

/** Shorter than an id of an event: the runtime builds ids of messages, parts and calls from it. */
const key = addressed
  .max(100)
  .describe(
    'Idempotency key chosen by the caller, which names the turn, steer or run; the same key gets the first answer again',
  )
/** What a person may write. Longer texts than an event carries go to the blob store on acceptance. */
export const inputText = z
  .string()
  .min(1)
  .max(1_000_000)
  .refine(text => text.isWellFormed() && !text.includes('\0'), {
    message: 'must be well-formed Unicode without NUL',
  })
const input = turnInput.pick({ context: true, mode: true }).extend({ text: inputText })

/** Every write a person or an API client can ask the runtime for, declared once. */
export const commandSchemas = {
  createSession: z.object({
    sessionId: addressed.regex(/^[\w.-]+$/).optional(),
    agentId: id.optional(),
    title: z.string().max(300).optional(),
    queuePolicy: queuePolicy.optional(),
    metadata: jsonObject.optional(),
    /** A new task: the child works in the background and shows in the parent's task capsule. */
    parent: z.object({ sessionId: id, input: input, turnId: key }).optional(),
  }),
  updateSession: z.object({
    title: z.string().min(1).max(300).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    queuePolicy: queuePolicy.optional(),
    metadata: jsonObject.optional(),
  }),
  submitTurn: input.extend({ turnId: key }),
  queueTurn: input.extend({ turnId: key }),
  editQueued: z.object({
    text: inputText.optional(),
    position: z.int().min(0).optional(),
    /** Start this one next, also when the queue is held. */
    promote: z.boolean().optional(),
  }),
  releaseQueue: z.object({ held: z.boolean() }),
  steer: z.object({ steerId: key, text: inputText }),
  interrupt: z.object({ key: key.optional(), turnId: id.optional(), taskId: id.optional() }),
  retry: z.object({ runId: id, newRunId: key }),
  respond: z.object({
    key: key.optional(),
    decision: z.enum(['approve', 'approve-for-scope', 'deny', 'answer']),
    /** Edited arguments, the choice, the form's values, the answer in words. */
    value: json.optional(),
  }),
  surfaceAction: z.object({
    key,
    componentId: id,
    eventType: z.enum(['click', 'submit', 'change']),
    payload: json.optional(),
    name: z.string().max(200).optional(),
    context: jsonObject.optional(),
    /** What the person typed and has not sent before: it becomes part of the surface when this is accepted. */
    edits: jsonObject.optional(),
  }),
  uiAction: z.object({
    key,
    /** The call whose card has the button. */
    toolCallId: id,
    action: uiSchemaAction,
    values: jsonObject.optional(),
  }),
  markRead: z.object({ seq: z.int().min(0) }),
} as const

export { actionKind }
