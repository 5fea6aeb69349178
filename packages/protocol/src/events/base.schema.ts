import { z } from 'zod'
import { type Json, jsonBytes } from '../json.ts'
import { MAX_ID } from '../limits.ts'

// What event classes are made of. A description is part of the published JSON Schema: it is written for somebody who
// has only that.

/** Characters of a preview. What is longer goes to the blob store, and the event has its beginning. */
export const MAX_PREVIEW_CHARS = 8 * 1024
/** Foreign data that is kept beside facts: every reader of the session is given it, so it has to be small. */
const MAX_METADATA_BYTES = 4 * 1024

export const id = z.string().min(1).max(MAX_ID)
export const name = z.string().min(1).max(200)
export const line = z.string().max(2_000)
export const prose = z.string().max(32_768)
export const preview = z.string().max(MAX_PREVIEW_CHARS)
export const url = z.string().min(1).max(2_000)
/** Milliseconds since 1970, up to the last moment that a JavaScript date can hold. */
export const time = z.int().min(0).max(8.64e15)
export const count = z.int().min(0)
/** UTF-16 length limits what a text costs; a digest is SHA-256 in hex of the text in UTF-8. */
export const digest = z.string().max(128)

export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>
export const jsonObject = z.record(z.string(), json)

/** A value whose JSON is at most so large. */
export const bounded = <S extends z.ZodType>(schema: S, bytes: number): S =>
  schema.refine(value => jsonBytes(value) <= bytes, { message: `must be at most ${bytes} bytes as JSON` })

export const metadata = bounded(jsonObject, MAX_METADATA_BYTES)

export const blobRef = z.object({
  ref: id.describe('The address of the bytes in the blob store of the session.'),
  size: count.describe('The number of bytes.'),
  digest: digest.describe('The SHA-256 digest of the bytes in hex. Blobs are read by it.'),
  mediaType: z.string().max(200).describe('What the bytes are, such as `text/plain` or `image/png`.'),
})

export const fileRef = blobRef.extend({
  name: line.optional().describe('The name of the file, as the person or the agent called it.'),
})

export const actor = z
  .object({
    kind: z
      .enum(['local', 'person', 'guest', 'key', 'widget', 'policy', 'system'])
      .describe('What acted. `policy` is a permission that was remembered, `system` is the runtime itself.'),
    id: id.describe('The id of the person, key, widget or permission.'),
    name: line.describe('The name to show. It is empty when none is known.'),
  })
  .describe('Who did it, as a fact says it.')

const params = z
  .record(z.string().max(100), z.union([z.string().max(2_000), z.number()]))
  .optional()
  .describe('Values for the words that a language has for the code.')

/** The shape of a reason: a code for programs and translations, and a message for everybody else. */
export const reason = z
  .object({
    code: z
      .string()
      .max(100)
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('A stable code in snake_case, which the interface translates.'),
    params,
    message: line.describe('The reason in words, for readers who do not know the code.'),
  })
  .describe('Why something is as it is.')

export const failure = z
  .object({
    code: name.describe('A stable code. The codes of an agent and of its tools are their own.'),
    params,
    message: prose.describe('What happened, in words.'),
    retryable: z.boolean().optional().describe('Whether the same thing may succeed when it is tried again.'),
    next: line.optional().describe('What a person can do next, in words.'),
  })
  .describe('What went wrong.')

export const finishReason = z
  .enum(['stop', 'length', 'tool-calls', 'content-filter', 'error', 'other', 'unknown'])
  .describe('Why the model stopped writing. `unknown` means that the model did not say.')

export const usage = z
  .object({
    inputTokens: count.optional().describe('Tokens that the model read, those from its cache included.'),
    outputTokens: count.optional().describe('Tokens that the model wrote, those of its reasoning included.'),
    totalTokens: count.optional().describe('All tokens that are charged. It need not be the sum of the others.'),
    reasoningTokens: count.optional().describe('Those of the written tokens that were reasoning.'),
    cachedInputTokens: count.optional().describe('Those of the read tokens that came from the cache of the provider.'),
    cacheWriteTokens: count.optional().describe('Those of the read tokens that were written to the cache.'),
    cost: z
      .object({
        amount: z.number().min(0).describe('How much, in whole units of the currency.'),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .describe('The currency as ISO 4217 spells it, such as `USD`.'),
      })
      .optional()
      .describe('What it cost. It is absent when the price is not known, and never zero for that.'),
  })
  .describe('What a model has used. A number that is not known is absent.')

/** What an event may carry beside the fields that its class requires. */
const common = {
  runId: id.optional().describe('The run that the event belongs to.'),
  turnId: id.optional().describe('The turn that the run answers.'),
  taskId: id.optional().describe('The background task that the event is about.'),
  subagentId: id
    .optional()
    .describe('The subagent that says it or that it is about. It is absent when the agent of the run speaks itself.'),
  messageId: id
    .optional()
    .describe('The message that the event belongs to. A message begins with the first event that names it.'),
  partId: id
    .optional()
    .describe('The part of the message that shows it. A part begins with the first event that names it.'),
  toolCallId: id.optional().describe('The tool call that the event is about.'),
  actionId: id.optional().describe('The action that the event is about.'),
  artifactId: id.optional().describe('The artifact that the event is about.'),
  evidenceId: id.optional().describe('The evidence that the event is about.'),
  surfaceId: id.optional().describe('The surface that the event is about.'),
  by: actor
    .optional()
    .describe('The person, permission or part of the system that made it happen. What an agent says has none.'),
}

/** The same field, required. */
const required = <N extends keyof typeof common>(name: N) => id.describe(common[name].description!)

export const inRun = { runId: required('runId') }
export const inPart = { ...inRun, messageId: required('messageId'), partId: required('partId') }
export const ofTool = { ...inRun, toolCallId: required('toolCallId') }
export const toolCallId = required('toolCallId')
export const subagentId = required('subagentId')
export const artifactId = required('artifactId')
export const evidenceId = required('evidenceId')
export const surfaceId = required('surfaceId')
export const actionId = required('actionId')
export const taskId = required('taskId')

/** What a reader wants to know of an event class, each in one or two sentences. */
export interface EventNote {
  when: string
  why: string
  order: string
}

/** The notes by schema; the guide to the events is made of them. */
export const eventNotes = z.registry<EventNote>()

/** Declares an event class. A field that the class requires overrides the optional one that every class has. */
export function event<T extends string, S extends z.ZodRawShape>(type: T, note: EventNote, shape: S) {
  const head = {
    seq: z.int().min(1).describe('The place of the event in the log of its session, from 1 on without gaps.'),
    sessionId: id.describe('The session whose log this is.'),
    at: time.describe('When the log took the event, in milliseconds since 1970.'),
    type: z.literal(type),
  }
  const schema = z.object({ ...head, ...common, ...shape } as typeof head & Omit<typeof common, keyof S> & S)
  return schema.describe(`${note.when} ${note.why} ${note.order}`).register(eventNotes, note)
}
