import { z } from 'zod'
import {
  blobRef,
  bounded,
  digest,
  event,
  failure,
  fileRef,
  finishReason,
  id,
  inRun,
  json,
  jsonObject,
  line,
  MAX_PREVIEW_CHARS,
  metadata,
  name,
  prose,
  reason,
  usage,
} from './base.schema.ts'

/** JSON bytes of all tools that a client offers with one turn: they must fit into an event beside the text. */
const MAX_TOOLS_BYTES = 24 * 1024

export const runStatus = z
  .enum([
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
  .describe('What it is doing, in one word.')

/** An action of a UI Schema document that goes to the server. */
export const uiSchemaAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('tool'),
    toolId: id.describe('The tool that the button names.'),
    params: jsonObject.optional().describe('The arguments that the document gives for the tool.'),
  }),
  z.object({
    type: z.literal('payload'),
    payload: jsonObject.describe('What the button sends.'),
    submitTo: z.string().max(2_000).optional().describe('The internal path that the document wants it sent to.'),
  }),
])

/** Values that were typed hidden are masked in facts. The agent gets them as they were, as long as the server remembers them. */
const hidden = z.array(id).max(5_000).optional()

export const interaction = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('a2ui'),
      surfaceId: id.describe('The surface that was used.'),
      componentId: id.describe('The component of the surface.'),
      eventType: z.enum(['click', 'submit', 'change']).describe('What the person did.'),
      payload: json.optional().describe('What came with it, such as the values of a form.'),
      name: z.string().max(200).optional().describe('The name of the action that the component declares.'),
      context: jsonObject.optional().describe('The context that the component declares for the action.'),
      hidden: hidden.describe('The ids of the fields whose values were typed hidden.'),
    }),
    z.object({
      kind: z.literal('ui_schema'),
      action: uiSchemaAction.describe('The action that the button declares.'),
      toolCallId: id.optional().describe('The tool call whose result has the button.'),
      values: jsonObject.optional().describe('What the person has entered.'),
      hidden: hidden.describe('The names of the fields whose values were typed hidden.'),
    }),
  ])
  .describe('What a person did in an interface that an agent drew. Where an agent reads its turn it becomes text.')

const contentDigest = digest
  .optional()
  .describe('The digest of what was sent, so that the same id with other content is noticed for ever.')

const offeredTool = z.object({
  name: name.describe('The name by which the agent calls the tool.'),
  description: line.optional().describe('What the tool is for, in words for a model.'),
  inputSchema: jsonObject.optional().describe('The JSON Schema of its arguments.'),
})

export const turnInput = z
  .object({
    text: prose.describe('What was typed. It is empty when the turn is an interaction.'),
    interaction: interaction.optional(),
    ref: blobRef
      .optional()
      .describe(
        'The whole text or interaction, when it is larger than an event may be. The field itself is its beginning.',
      ),
    digest: contentDigest,
    context: z
      .array(
        z.object({
          kind: name.describe('What it is, such as an artifact.'),
          ref: id.describe('Its id.'),
          title: line.optional().describe('What people call it.'),
        }),
      )
      .max(64)
      .optional()
      .describe('What the turn is about, beside its words.'),
    mode: name.optional().describe('The mode that the person chose, if the agent offers several.'),
    files: z.array(fileRef).max(64).optional().describe('The files that came with the turn, in the blob store.'),
    tools: bounded(z.array(offeredTool).max(128), MAX_TOOLS_BYTES)
      .optional()
      .describe('The tools that the client offers for this turn. The client runs them itself.'),
    foreignId: id.optional().describe('The id that a client of another dialect gave to its message.'),
    metadata: metadata.optional().describe('What a client of another dialect wants to have kept with its message.'),
  })
  .describe('What a person or a client asks.')

const result = bounded(json, MAX_PREVIEW_CHARS)
  .optional()
  .describe('What the run returns beside its answer text, when its agent returns a value.')

export const runEvents = {
  'run.started': event(
    'run.started',
    {
      when: 'It comes when the runtime gives a turn to an agent, or when somebody calls a tool without an agent.',
      why: 'It opens the run, makes the turn active and puts the message of the person into the conversation. A call is no turn and has no such message.',
      order:
        'It comes before every other event of the run, and only while no other run of the session is active. A call may start beside the active run.',
    },
    {
      ...inRun,
      turnId: id.describe('The turn that the run answers. It is the idempotency key of whoever sent it.'),
      agentId: id.describe('The connected agent that runs.'),
      messageId: id.describe('The message of the person. A retry names the same one again.'),
      input: turnInput,
      attempt: z.int().min(1).describe('1 for the first run of the turn, one more for each retry.'),
      retryOf: id.optional().describe('The run that ended before and is tried again.'),
      kind: z
        .enum(['call'])
        .optional()
        .describe(
          'What the run is when it answers no turn: a call of one tool that no agent has made, such as by a button of a card. Such a run may start beside the active one and is never the active one.',
        ),
      parentRunId: id.optional().describe('The run inside which this one works. Such a run may start beside it.'),
      merged: z
        .array(
          z.object({
            turnId: id.describe('The id under which the turn was accepted.'),
            digest: contentDigest,
          }),
        )
        .max(500)
        .optional()
        .describe('Queued turns that became part of this one.'),
    },
  ),
  'run.status': event(
    'run.status',
    {
      when: 'It comes when a run goes over to something else: it prepares, streams, calls a tool, waits for a person or is being stopped.',
      why: 'People see what the agent is doing before and between its words.',
      order:
        'It comes between `run.started` and the end of the run. It never ends a run: a status that claims an end is shown as unknown.',
    },
    { ...inRun, status: runStatus, reason: reason.optional() },
  ),
  'run.resumed': event(
    'run.resumed',
    {
      when: 'It comes when the runtime goes on with a run whose process was cut off.',
      why: 'People see that the run was interrupted and continues. The event itself takes nothing back.',
      order:
        'It comes between `run.started` and the end of the run, at most twice without a step that was completed in between. What was streamed after the last complete step is retracted after it.',
    },
    {
      ...inRun,
      stepId: id
        .optional()
        .describe('The last complete step, after which the run goes on. It is absent when there is none.'),
      reason: reason.optional(),
    },
  ),
  'run.finished': event(
    'run.finished',
    {
      when: 'It comes when the agent has ended by itself or was stopped.',
      why: 'Only this event and `run.failed` end a run; without one of them nobody may call it a success.',
      order: 'It is the last event of the run. What the run left open is shown as incomplete or unknown.',
    },
    {
      ...inRun,
      outcome: z
        .enum(['completed', 'interrupted', 'cancelled'])
        .describe(
          'The agent completed its work, somebody or a crash interrupted it, or it was cancelled before it began.',
        ),
      reason: reason.optional(),
      result,
      finishReason: finishReason.optional(),
      usage: usage.optional(),
    },
  ),
  'run.failed': event(
    'run.failed',
    {
      when: 'It comes when the agent threw an error, broke a rule or stopped answering.',
      why: 'The failure has a code, words and a next step, so that people can do something about it.',
      order: 'It is the last event of the run, instead of `run.finished`.',
    },
    { ...inRun, error: failure, usage: usage.optional() },
  ),
  'step.started': event(
    'step.started',
    {
      when: 'It comes when an agent calls its model once more inside the run.',
      why: 'A step is what a run can be resumed from and what another dialect resets, so its bounds are facts.',
      order:
        'It comes inside a run, with an id that no open step of the run has. A subagent may have a step of its own at the same time.',
    },
    { ...inRun, stepId: id.describe('The id of the step, unique in its run.') },
  ),
  'step.finished': event(
    'step.finished',
    {
      when: 'It comes when the model has ended and all calls of the step have their results.',
      why: 'The step is complete: a run that is cut off later does not have to repeat it.',
      order:
        'It comes after `step.started` of the same step. A step that is still open when the run ends was not completed.',
    },
    {
      ...inRun,
      stepId: id.describe('The step that was started before.'),
      finishReason: finishReason.optional(),
      usage: usage.optional(),
    },
  ),
} as const
