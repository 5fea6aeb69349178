import { z } from 'zod'
import {
  blobRef,
  event,
  failure,
  id,
  inPart,
  json,
  jsonObject,
  line,
  metadata,
  name,
  ofTool,
  preview,
  toolCallId,
  url,
} from './base.schema.ts'

export const executor = z
  .enum(['runtime', 'agent', 'client', 'provider'])
  .describe(
    'Who runs the tool: the runtime behind its boundary, the agent itself, the client that offered it, or the provider of the model.',
  )

const blob = blobRef.describe('The bytes, in the blob store.')

export const toolContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: preview.describe('The text.') }),
  z.object({ kind: z.literal('image'), ref: blob }),
  z.object({ kind: z.literal('audio'), ref: blob }),
  z.object({
    kind: z.literal('resource'),
    uri: url.describe('The address of the resource, as its server names it.'),
    title: line.optional().describe('What the resource is called.'),
    mediaType: name.optional().describe('What the resource is.'),
    text: preview.optional().describe('The resource, when it is a short text.'),
    ref: blob.optional(),
  }),
])

const preview_ = preview.optional().describe('The result, or the beginning of it, as text.')
const tail = preview.optional().describe('The end of the result, when its preview is only the beginning.')
const ref = blobRef.optional().describe('The whole result, when it is larger than its preview.')

export const toolEvents = {
  'tool.started': event(
    'tool.started',
    {
      when: 'It comes when an agent decides to call a tool, before anything is done.',
      why: 'The call is durable before it acts, so that a crash never hides that something may have happened.',
      order: 'It opens the call and its part. Arguments, progress, output and the result follow.',
    },
    {
      ...inPart,
      toolCallId,
      name: name.describe('The tool that is called.'),
      title: line.optional().describe('What people call the tool.'),
      summary: line.optional().describe('What the call is about, in one line and without secrets.'),
      retryOf: id.optional().describe('The call that failed before and is tried again.'),
      executor: executor.optional(),
      metadata: metadata.optional().describe('What the dialect of the agent wants to have kept with the call.'),
    },
  ),
  'tool.args': event(
    'tool.args',
    {
      when: 'It comes while the arguments of the call are written.',
      why: 'People see what the agent is about to do while it still writes it.',
      order: 'It comes after `tool.started`. After the one with `done` there are no more.',
    },
    {
      ...ofTool,
      delta: z.string().describe('JSON text to append to the arguments.'),
      done: z.boolean().optional().describe('Whether the arguments are complete.'),
      summary: line.optional().describe('What the call is about, as far as it is known now.'),
    },
  ),
  'tool.progress': event(
    'tool.progress',
    {
      when: 'It comes when a call is allowed to run, and while a tool works and knows how far it is.',
      why: 'A long call is seen to go on. `by` says who or what has allowed the call: a person, a permission that was remembered, or a policy.',
      order: 'It comes between `tool.started` and the end of the call. A field that it leaves out stays as it was.',
    },
    {
      ...ofTool,
      message: line.optional().describe('What the tool is doing.'),
      current: z.number().optional().describe('How far it is.'),
      total: z.number().optional().describe('How far it has to go.'),
    },
  ),
  'tool.output.delta': event(
    'tool.output.delta',
    {
      when: 'It comes while a tool writes output, such as the lines of a program.',
      why: 'Output is shown with the call as it appears and never becomes answer text.',
      order: 'It comes between `tool.started` and the end of the call.',
    },
    {
      ...ofTool,
      stream: z.enum(['output', 'error']).optional().describe('Which stream of a program it comes from.'),
      delta: z.string().min(1).describe('The text to append.'),
    },
  ),
  'tool.result': event(
    'tool.result',
    {
      when: 'It comes when a call has succeeded, and before that for each result that is not yet the last one.',
      why: 'The result is kept with the call in a form for people and in a form for programs; large ones are in the blob store.',
      order: 'It comes after `tool.started`. It ends the call, unless it is preliminary.',
    },
    {
      ...ofTool,
      preview: preview_,
      tail,
      value: json.optional().describe('The result as data.'),
      ref,
      ui: jsonObject.optional().describe('A UI Schema 2.0 document that shows the result. The server has compiled it.'),
      uiHints: jsonObject.optional().describe('The hints from which the document was compiled.'),
      uiProblems: z
        .array(line)
        .max(10)
        .optional()
        .describe(
          'What is not legal in the hints or the document. What is shown may then lack something. The server says it.',
        ),
      content: z
        .array(toolContent)
        .max(100)
        .optional()
        .describe('The result as pieces for a model and for people: texts, images, audio and resources.'),
      structured: json.optional().describe('The result in the form that the output schema of the tool declares.'),
      app: z
        .object({
          server: id.describe('The MCP server that has the resource.'),
          resourceUri: url.describe('The page of the app.'),
        })
        .optional()
        .describe('An app that shows the result.'),
      meta: metadata.optional().describe('What the tool says about its result and no model is given.'),
      preliminary: z.boolean().optional().describe('Whether another result follows. The call is not over then.'),
    },
  ),
  'tool.failed': event(
    'tool.failed',
    {
      when: 'It comes when a call has failed, was refused, or was cut off with its run.',
      why: 'A call without a result has an end that says why.',
      order: 'It comes after `tool.started` and ends the call.',
    },
    {
      ...ofTool,
      error: failure,
      preview: preview_,
      tail,
      value: json.optional().describe('What the tool gave with its failure, as data.'),
      ref,
    },
  ),
} as const
