import { z } from 'zod'
import {
  blobRef,
  bounded,
  count,
  digest,
  event,
  failure,
  fileRef,
  id,
  inPart,
  json,
  jsonObject,
  line,
  MAX_PREVIEW_CHARS,
  name,
  preview,
  prose,
  reason,
  time,
  url,
} from './base.schema.ts'

export const source = z
  .object({
    sourceId: id.optional().describe('The id by which citations name the source. The agent chooses it.'),
    url: url.optional().describe('Where the source is found.'),
    title: line.optional().describe('What the source is called.'),
    mediaType: name.optional().describe('What the source is, such as `text/html` or `application/pdf`.'),
    file: fileRef.optional().describe('The source itself, when it is a document in the blob store.'),
  })
  .describe('Something that an answer is based on.')

export const citation = z.object({
  start: count.describe('Where the cited passage of the text begins, in UTF-16 units.'),
  end: count.describe('Where the cited passage ends.'),
  sourceId: id.optional().describe('The source that supports it, as `source.added` names it.'),
  url: url.optional().describe('The address of the source, when it has no part of its own.'),
  title: line.optional().describe('What the source is called.'),
  quote: line.optional().describe('The words of the source.'),
})

export const activity = z
  .object({
    type: name.describe('What kind of activity it is. The agent chooses the word.'),
    content: bounded(jsonObject, MAX_PREVIEW_CHARS).describe('What there is to say about it, as data.'),
  })
  .describe('Something that an agent shows beside its answer and that no other class fits.')

const delta = z.string().min(1).describe('The text to append.')
const partId = id.describe('The part. It is taken from wherever it stood before.')

/** What a repair says of one message. */
export const messageSnapshot = z.object({
  messageId: id.describe('The message. One that is there is replaced, another one is added.'),
  ordinal: z.int().min(1).describe('Its place in the session: an existing message keeps it, a new one takes the next.'),
  role: z.enum(['user', 'assistant', 'system']).describe('Who speaks.'),
  at: time.describe('When it was said.'),
  runId: id.optional().describe('The run in which it was said.'),
  turnId: id.optional().describe('The turn that it belongs to.'),
  parts: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({
          partId,
          kind: z.enum(['text', 'reasoning']).describe('Answer text, or the reasoning beside it.'),
          text: z.string().describe('The whole text.'),
        }),
        z.object({ partId, kind: z.literal('file'), file: fileRef.describe('The file that the part shows.') }),
        z.object({
          partId,
          kind: z.literal('tool'),
          toolCallId: id.describe('The tool call that the part shows. It has ended.'),
          name: name.describe('The tool that was called.'),
          title: line.optional().describe('What people call the tool.'),
          args: preview.optional().describe('The arguments, as JSON text.'),
          preview: preview.optional().describe('The result, or the beginning of it, as text.'),
          value: json.optional().describe('The result as data.'),
          ref: blobRef.optional().describe('The whole result, when it is larger than its preview.'),
          error: failure.optional().describe('Why the call failed. Without it the call succeeded.'),
        }),
      ]),
    )
    .max(500)
    .describe('Its parts, in order.'),
  metadata: jsonObject.optional().describe('Usage, model and timing of the message.'),
})

export const messageEvents = {
  'text.delta': event(
    'text.delta',
    {
      when: 'It comes while an agent writes its answer, a few words at a time.',
      why: 'People read along. Text that is shown here is answer text and nothing else.',
      order: 'The first one opens the part; `text.final` closes it.',
    },
    { ...inPart, delta },
  ),
  'text.final': event(
    'text.final',
    {
      when: 'It comes when the text of a part is complete, at the latest when its run ends.',
      why: 'It says what the text must be, so that nothing is lost or doubled. It never appends.',
      order:
        'It comes after the deltas of the part, or alone for a text that was not streamed. Nothing follows it in the part.',
    },
    {
      ...inPart,
      length: count.describe('The length of the whole text, in UTF-16 units.'),
      digest: digest.describe('The SHA-256 digest of the whole text in UTF-8, in hex.'),
      text: preview.optional().describe('The text, when it differs from what was streamed and is short.'),
      ref: blobRef.optional().describe('The text, when it differs from what was streamed and is long.'),
      citations: z.array(citation).max(100).optional().describe('Which passages of the text rest on which sources.'),
    },
  ),
  'reasoning.delta': event(
    'reasoning.delta',
    {
      when: 'It comes while an agent thinks aloud.',
      why: 'Reasoning is shown apart from the answer and never becomes part of it.',
      order: 'The first one opens the part; `reasoning.summary` closes it.',
    },
    { ...inPart, delta },
  ),
  'reasoning.summary': event(
    'reasoning.summary',
    {
      when: 'It comes when a reasoning is complete.',
      why: 'It may replace the reasoning by a summary, and it keeps what a model needs to go on from it.',
      order: 'It comes after the deltas of the part, or alone. Nothing follows it in the part.',
    },
    {
      ...inPart,
      text: prose.optional().describe('A summary that takes the place of what was streamed.'),
      signature: z
        .string()
        .max(16_384)
        .optional()
        .describe('What the provider wants back with the next turn. It is opaque and never shown.'),
    },
  ),
  'file.added': event(
    'file.added',
    {
      when: 'It comes when an agent gives a file with its answer, such as an image that a model made.',
      why: 'The file is part of the message; its bytes are in the blob store. A document to work on is an artifact instead.',
      order: 'It opens a part of its own, which is complete with it.',
    },
    { ...inPart, file: fileRef.describe('The file and where its bytes are.') },
  ),
  'source.added': event(
    'source.added',
    {
      when: 'It comes when an agent names something that its answer rests on.',
      why: 'People can follow a source from the message in which it is used; citations of a text name it.',
      order: 'It opens a part of its own, which is complete with it.',
    },
    { ...inPart, source },
  ),
  'activity.changed': event(
    'activity.changed',
    {
      when: 'It comes when an agent shows an activity that has no event class of its own, and again when it changes.',
      why: 'Agents of other dialects can say what they do without losing it on the way.',
      order: 'The first one opens a part. Later ones for the same part replace its content.',
    },
    { ...inPart, activity },
  ),
  'part.retracted': event(
    'part.retracted',
    {
      when: 'It comes when a step is tried again and what it had streamed does not count any more.',
      why: 'What people have seen does not vanish: it is shown as withdrawn, with the reason.',
      order: 'It comes after the part began. Nothing follows it in the part.',
    },
    {
      ...inPart,
      reason,
      replacedBy: id.optional().describe('The part that takes its place.'),
    },
  ),
  'messages.snapshot': event(
    'messages.snapshot',
    {
      when: 'It comes when an agent or the owner repairs the conversation, in pages.',
      why: 'In the range that it covers messages are replaced by id and absent ones are removed; the repair is shown as a diagnostic.',
      order: 'Pages come in order from 0 on. The range counts when the last page has come.',
    },
    {
      snapshotId: id.describe('The repair that the page belongs to.'),
      page: count.describe('The number of the page.'),
      last: z.boolean().describe('Whether it is the last page.'),
      scope: z
        .enum(['agent', 'owner'])
        .describe('An agent repairs what agents said and never the words of a person; the owner repairs everything.'),
      fromOrdinal: z
        .int()
        .min(1)
        .describe('Where the range begins: messages from this ordinal on that no page names are removed.'),
      messages: z.array(messageSnapshot).max(200).describe('The messages as they should be.'),
    },
  ),
} as const
