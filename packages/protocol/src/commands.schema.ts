import { z } from 'zod'
import { id, json, jsonObject, prose } from './events/base.schema.ts'
import { turnInput, uiSchemaAction } from './events/run.schema.ts'
import { queuePolicy } from './events/session.schema.ts'
import { isText, NOT_TEXT } from './is-text.ts'
import { ADDRESSABLE, MAX_FILE_NAME, MAX_FILES, MAX_ID } from './limits.ts'
import {
  changedAgentFields,
  newAgentFields,
  providerCommand,
  providerTestCommand,
  toolPolicyChanges,
} from './settings.schema.ts'

const addressed = id.regex(ADDRESSABLE, 'must not be of dots only')

/** Shorter than an id of an event: the runtime builds ids of messages, parts and calls from it. */
const key = addressed.max(100)
const again = 'Chosen by the caller; sent again, the command gets its first answer again'
const turnId = key.describe(`The id of the turn. ${again}`)

/** What a person may write. Longer texts than an event carries go to the blob store on acceptance. */
const inputText = z.string().min(1).max(1_000_000).refine(isText, NOT_TEXT)
const ordinal = z.int().min(1)
const attachment = z
  .strictObject({
    digest: id.describe('The digest that `POST /blobs` gave for the bytes'),
    name: z.string().min(1).max(MAX_FILE_NAME).refine(isText, NOT_TEXT).describe('What people call the file'),
  })
  .describe('A file that was uploaded before, or that the session refers to already')
const files = z
  .array(attachment)
  .max(MAX_FILES)
  .optional()
  .describe('The files that come with it. They belong to the session from then on')
const newTurn = z
  .strictObject({
    text: inputText.describe('What the person says'),
    context: turnInput.shape.context.describe('What the person attached'),
    mode: turnInput.shape.mode.describe('How the agent shall work, by a name that the agent knows'),
    files,
  })
  .describe('What a person asks the agent for')
const newTask = z
  .strictObject({ sessionId: id.describe('The session that starts the task'), input: newTurn, turnId })
  .describe(
    'Makes the session a task: it works in the background on its first turn, and its parent shows how far it is',
  )
const pinned = z.boolean().describe('Whether the session stays at the top of the list')
const archived = z.boolean().describe('Whether the session is put away')
const title = z.string().max(300)
const folderName = z.string().trim().min(1).max(100).refine(isText, NOT_TEXT).describe('The name that people see')
const metadata = jsonObject.describe(
  'Data of the application about the session. The server keeps it and reads little of it',
)

/** Shapes that stand inside commands and have a name of their own. */
export const commandPartSchemas = { NewTurn: newTurn, NewTask: newTask, Attachment: attachment } as const

export const toolMode = z
  .enum(['ask', 'reads', 'all'])
  .describe(
    'What happens without a choice for the tool: `ask` asks about everything that reads or acts, `reads` allows what only reads and asks about the rest, `all` allows everything. Without a choice it is `reads`',
  )

/** Arguments that a prompt can have. */
const MAX_ARGUMENTS = 100

/**
 * Every write with a body that a person or an API client can ask the server for, declared once, by the id of its
 * operation. The methods of the runtime and of the client that carry it have the same name. Unlike events, which a newer
 * server may have written, a command with a field that nobody knows is refused: it asks for something that would not
 * happen.
 */
export const commandSchemas = {
  createSession: z
    .strictObject({
      sessionId: addressed
        .regex(/^[\w.-]+$/)
        .optional()
        .describe('The id of the new session; without it the server chooses one'),
      agentId: id.optional().describe('The agent that works in the session; without it the first one of the server'),
      title: title.optional().describe('Without it the first message gives the session its title'),
      queuePolicy: queuePolicy.optional(),
      metadata: metadata.optional(),
      turn: newTurn
        .extend({ turnId })
        .optional()
        .describe('The first turn of the session, which starts at once. A task has it in `parent`'),
      parent: newTask.optional(),
    })
    .describe('Makes a session'),
  updateSession: z
    .strictObject({
      title: title.min(1).optional().describe('The new title'),
      pinned: pinned.optional(),
      archived: archived.optional(),
      folderId: id.nullable().optional().describe('Moves the session into this folder; null takes it out'),
      queuePolicy: queuePolicy.optional(),
      metadata: metadata.optional(),
    })
    .describe('Changes the fields that it has and leaves the others as they are'),
  updateTools: z
    .strictObject({
      mode: toolMode.optional(),
      policies: toolPolicyChanges
        .optional()
        .describe('What counts for tools in this session, by their ids. Null takes a choice back'),
    })
    .describe('Says what tools may do in this session. What it leaves out stays as it is'),
  saveProvider: providerCommand.describe('Connects a provider of models, or changes one'),
  testProvider: providerTestCommand,
  createAgent: z
    .strictObject({
      agentId: addressed
        .regex(/^[\w.-]{1,100}$/)
        .optional()
        .describe('The id of the new agent; without it the server chooses one'),
      ...newAgentFields,
    })
    .describe('Makes an agent that answers with a model. What is left out has its default'),
  updateAgent: z
    .strictObject({
      ...changedAgentFields,
      version: z
        .int()
        .min(0)
        .optional()
        .describe('The version that is changed: another one is refused with `settings_changed`'),
    })
    .describe('Changes the fields that it has and leaves the others as they are'),
  fillPrompt: z
    .strictObject({
      sourceId: z.string().min(1).max(MAX_ID).describe('The source that has the prompt'),
      name: z.string().min(1).max(500).refine(isText, NOT_TEXT).describe('The name of the prompt'),
      arguments: z
        .record(z.string().min(1).max(500), z.string().max(100_000).refine(isText, NOT_TEXT))
        .refine(given => Object.keys(given).length <= MAX_ARGUMENTS, `at most ${MAX_ARGUMENTS} arguments`)
        .optional()
        .describe('What the person gave for the arguments of the prompt, by their names'),
    })
    .describe('Has a source fill a prompt with its arguments'),
  readResource: z
    .strictObject({
      sourceId: z.string().min(1).max(MAX_ID).describe('The source that has the resource'),
      uri: z.string().min(1).max(2_000).refine(isText, NOT_TEXT).describe('The address of the resource'),
    })
    .describe('Reads a resource of a source'),
  saveFolder: z.strictObject({ name: folderName }).describe('Makes a folder, or gives one another name'),
  markSessionRead: z
    .strictObject({ seq: z.int().min(0).describe('The number of the newest event that the person has read') })
    .describe('Notes how far the person has read'),

  forkSession: z
    .strictObject({
      sessionId: addressed
        .regex(/^[\w.-]+$/)
        .optional()
        .describe('The id of the new session; without it the server chooses one'),
      ordinal: ordinal
        .optional()
        .describe('Copies up to this message: of an answer its whole run, of a message of a person that message'),
      seq: z.int().min(1).optional().describe('Copies up to this event, when no message is named'),
      title: title
        .min(1)
        .optional()
        .describe('The title of the new session; without it that of the session that is copied'),
    })
    .describe('Makes a new session that begins as a copy of this one'),

  editMessage: newTurn
    .extend({
      turnId,
      keepFiles: z
        .array(id)
        .max(64)
        .optional()
        .describe('The digests of those files of the edited message that stay; without it all of them stay'),
    })
    .describe(
      'What the person says instead. Context and mode stay as they were when they are left out; `files` are added to those that stay',
    ),
  regenerateMessage: z
    .strictObject({ newRunId: key.describe(`The id of the new run. ${again}`) })
    .describe('Asks for another answer to the same turn'),
  giveFeedback: z
    .strictObject({
      rating: z.enum(['up', 'down', 'none']).describe('`none` takes back what the person said before'),
      reason: z.string().max(2_000).refine(isText, NOT_TEXT).optional().describe('Why, in words'),
    })
    .describe('Says what the person thinks of an answer'),

  submitTurn: newTurn.extend({ turnId }).describe('A turn that starts now'),
  queueTurn: newTurn.extend({ turnId }).describe('A turn that waits until those before it have ended'),
  editQueuedTurn: z
    .strictObject({
      text: inputText.optional().describe('The new text of the turn'),
      position: z.int().min(0).optional().describe('How many turns shall wait before it'),
      promote: z.boolean().optional().describe('True starts this turn next, also when the queue is held'),
    })
    .describe('Changes a turn that waits'),
  updateQueue: z
    .strictObject({ held: z.boolean().describe('True holds the queue: no turn starts by itself. False releases it') })
    .describe('Holds or releases the queue'),

  steerRun: z
    .strictObject({
      steerId: key.describe(`The id of the steer. ${again}`),
      text: inputText.describe('What the run is told'),
      files,
      turnId: id
        .optional()
        .describe('The turn of the queue whose place the steer takes: it leaves the queue in the same commit'),
    })
    .describe('Says something to a run while it works'),
  interruptSession: z
    .strictObject({
      turnId: id.optional().describe('Stops the run of this turn only, or takes the turn out of the queue'),
      taskId: id.optional().describe('Stops this task only'),
    })
    .describe('Names what is to be stopped; without a name it is everything in the session'),
  retryRun: z
    .strictObject({ newRunId: key.describe(`The id of the new run. ${again}`) })
    .describe('Tries a run again as a new attempt'),
  respondToAction: z
    .strictObject({
      decision: z
        .enum(['approve', 'approve-for-scope', 'deny', 'answer'])
        .describe(
          '`deny` belongs to every request. `approve` allows an approval, a plan or a correction, and `approve-for-scope` also grants later requests of the same scope. `answer` gives the choice, the form, the correction or the words that were asked for; it never answers an approval',
        ),
      value: json
        .optional()
        .describe('The edited arguments, the choice, the values of the form, or the answer in words'),
      text: prose
        .min(1)
        .refine(isText, NOT_TEXT)
        .optional()
        .describe(
          'What the person wrote: with `deny` the instructions that go with the refusal, with `answer` their own words instead of an option or of a decision about the plan. Words never approve',
        ),
    })
    .describe('What a person responds to a request of an agent'),

  sendSurfaceInteraction: z
    .strictObject({
      key: key.describe(`The id of the turn or the steer that the interaction becomes. ${again}`),
      componentId: id.describe('The component that the person used'),
      eventType: z.enum(['click', 'submit', 'change']).describe('What the person did with it'),
      payload: json.optional().describe('The data of the event, such as the current values of the surface'),
      name: z.string().max(MAX_ID).optional().describe('The name of the event, when the component declares one'),
      context: jsonObject.optional().describe('The context of the event, when the component declares one'),
      edits: jsonObject
        .optional()
        .describe(
          'What the person typed and has not sent before, by the JSON pointer that its field is bound to, or by `#` and the id of a field that is bound to nothing. It becomes part of the surface when the interaction is accepted',
        ),
    })
    .describe('What a person did on a surface that an agent drew'),
  sendUiAction: z
    .strictObject({
      key: key.describe(`The id of the turn, the steer or the call that the action becomes. ${again}`),
      toolCallId: id.describe('The call whose card has the button'),
      action: uiSchemaAction,
      values: jsonObject.optional().describe('The values of the form, by the name of the field'),
      through: z
        .enum(['call', 'agent'])
        .optional()
        .describe(
          'What the person was told that the button of a tool does: run the tool itself, or ask the agent to run it. Without it, a tool that is offered in the session is run itself',
        ),
    })
    .describe('A button that a person pressed on a card of the agent'),
} as const
