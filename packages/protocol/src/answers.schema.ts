import { z } from 'zod'
import { agentCapabilities, agentCommand } from './capabilities.schema.ts'
import { commandPartSchemas, toolMode } from './commands.schema.ts'
import { COLLECTIONS, PAGED, SINGLES } from './entities.ts'
import { actionOutcome, actionRequest } from './events/action.schema.ts'
import { artifactFacts } from './events/artifact.schema.ts'
import { actor, blobRef, failure, id, json, reason } from './events/base.schema.ts'
import { evidenceFacts } from './events/evidence.schema.ts'
import { messageSnapshot } from './events/message.schema.ts'
import { queuedTurn } from './events/queue.schema.ts'
import { interaction, turnInput, uiSchemaAction } from './events/run.schema.ts'
import { queuePolicy } from './events/session.schema.ts'
import { patchOperation, surfaceOp } from './events/state.schema.ts'
import { planStep } from './events/task.schema.ts'
import { sessionEvent } from './events.schema.ts'
import {
  agentConfig,
  listedModel,
  modelInfo,
  providerInfo,
  providerKind,
  providerTest,
  toolPolicy,
} from './settings.schema.ts'

const count = z.int().min(0)
const time = count.describe('Milliseconds since 1970')
const seq = count.describe('The number of the newest event that this answer knows of')

const sessionStatus = z
  .enum(['idle', 'running', 'waiting', 'needs-input', 'failed', 'interrupted', 'unknown'])
  .describe('What the session is doing, as its newest run says')

const sessionSummary = z
  .object({
    sessionId: id,
    title: z.string().describe('Empty until the session has a title'),
    agentId: id.describe('The agent that works on the turns of this session'),
    createdAt: time,
    updatedAt: time,
    seq,
    readSeq: count
      .exactOptional()
      .describe(
        'The number of the newest event that the person who asks has read. A change that is not about reading leaves it out',
      ),
    pinned: z.boolean().describe('Whether a person pinned the session to the top of the list'),
    archived: z.boolean().describe('Whether a person put the session away'),
    folderId: id
      .nullable()
      .describe(
        'The folder that the session is in, or null. A folder that is not in the list of folders counts as none',
      ),
    status: sessionStatus,
    waitsFor: z
      .string()
      .nullable()
      .describe(
        'What the session asks a person and waits for, in one line: the oldest request. Null when it asks nothing',
      ),
    queued: count.describe('How many turns wait in the queue'),
    messageCount: count.describe('How many messages the session has'),
    parentSessionId: id.nullable().describe('The session that started this one as a task, or null'),
    deleted: z.boolean().exactOptional().describe('True when the session was deleted: it leaves the list'),
    eraseAt: time
      .exactOptional()
      .describe('For a deleted session that can still be brought back: the time after which nothing of it is left'),
  })
  .describe('A row of the session list')

const folder = z
  .object({ folderId: id, name: z.string() })
  .describe('A folder of the session list. A session is in one at most')

const snippet = z
  .object({
    text: z.string().describe('A few words around the first place, in one line and without marks of Markdown'),
    ranges: z
      .array(z.object({ start: count, end: count }))
      .describe('Where the words stand in `text`, in UTF-16 units, in order'),
    begins: z.boolean().describe('Whether the text begins here: nothing was cut off before'),
    ends: z.boolean().describe('Whether the text ends here: nothing was cut off behind'),
  })
  .describe('The part of a message in which words were found')

const foundMessage = z
  .object({
    session: sessionSummary,
    messageId: id,
    ordinal: z.int().min(1).describe('The place of the message in its session'),
    role: z.enum(['user', 'assistant', 'system']).describe('Who speaks'),
    at: time,
    snippet,
  })
  .describe('A message in which the words were found')

const foundSession = z
  .object({
    session: sessionSummary,
    messages: z
      .array(foundMessage.omit({ session: true }))
      .describe(
        'The newest messages of the session that have the words, at most two. None when only its title has them',
      ),
    count: count.describe('How many messages of the session have the words'),
  })
  .describe('A session in which the words were found')

const entity = z
  .object({ key: z.string().describe('Names the entity within its session, such as `message:msg_1`') })
  .catchall(json)
  .describe('One entity of the projection, with the fields that its kind has')

const each = <N extends string, S extends z.ZodType>(names: readonly N[], schema: S) =>
  Object.fromEntries(names.map(name => [name, schema])) as Record<N, S>

const snapshotFields = {
  format: z.literal(1).describe('The version of this shape'),
  sessionId: id,
  seq,
  windowFrom: z.int().describe('The ordinal of the first message that is part of the window'),
  counts: z
    .object({ messages: count, ordinals: count, runs: count, tools: count, unknownEvents: count })
    .describe('How many there are in the whole session, inside and outside the window'),
  repair: z
    .object({ snapshotId: id, page: count, fromOrdinal: z.int(), named: z.array(id) })
    .nullable()
    .describe('A `messages.snapshot` of which not all pages have come, or null'),
  entities: z
    .object({ ...each(SINGLES, entity), ...each(COLLECTIONS, z.array(entity)) })
    .describe('The projection, by the name of the collection'),
}

/** The session at `seq` as a window of recent messages with everything they need, and summaries of the rest (L11). */
export const snapshot = z.object(snapshotFields)

const agentInfo = z
  .object({
    agentId: id,
    name: z.string(),
    description: z.string(),
    scripted: z.boolean().describe('True when no model answers'),
    capabilities: agentCapabilities.exactOptional(),
    commands: z
      .array(agentCommand)
      .max(100)
      .exactOptional()
      .describe('What a message to the agent can begin with, in the order in which it is offered'),
    madeBy: z
      .enum(['program', 'person'])
      .describe('Who has made it: the program that runs the server, or the person who asks'),
    editable: z.boolean().describe('Whether the person can change and delete it'),
    model: z
      .object({
        providerId: id,
        providerName: z.string().exactOptional().describe('Absent when the provider is not connected'),
        modelId: z.string(),
        name: z.string().exactOptional().describe('What people call the model'),
        contextTokens: count.exactOptional().describe('How many tokens its context window holds'),
        effort: z.string().exactOptional().describe('How much it is asked to think'),
        isLocal: z.boolean().exactOptional().describe('Whether it runs on the machine of the server'),
      })
      .exactOptional()
      .describe('What it answers with, when the server knows'),
    avatar: agentConfig.shape.avatar.unwrap().exactOptional(),
    greeting: z.string().exactOptional().describe('What a new session begins with'),
    suggestedActions: z.array(z.string()).exactOptional().describe('What people can ask for with one click'),
    problem: z
      .object({ code: z.string(), message: z.string(), next: z.string().exactOptional() })
      .exactOptional()
      .describe('Why it cannot answer now, such as a key that is missing or was refused'),
  })
  .describe('An agent that a session can have')

const names = z.array(z.string())
const schemaOfCatalog = z.record(z.string(), json)
/** What is only for people and tools that look at a catalog: pages draw without it. */
const catalogEntry = <K extends string>(key: K, about: string) =>
  ({
    [key]: schemaOfCatalog.exactOptional().describe(about),
    description: z.string().exactOptional().describe('What it is, in words for agents'),
  }) as Record<K, z.ZodExactOptional<typeof schemaOfCatalog>> & { description: z.ZodExactOptional<z.ZodString> }
const catalogInfo = z
  .object({
    ids: names.describe('The ids by which a surface names the catalog'),
    module: z
      .string()
      .nullable()
      .describe('The path of the module that draws it, from the root of the server on; null when there is none'),
    components: z
      .record(
        z.string(),
        z.object({
          refs: names.exactOptional().describe('Properties that name other components'),
          input: z.string().exactOptional().describe('The property that a person edits'),
          hides: z
            .union([z.literal(true), z.object({ property: z.string(), values: z.array(json) })])
            .exactOptional()
            .describe('What a person types is hidden: always, or with one of these values of the property'),
          pressed: z
            .literal(true)
            .exactOptional()
            .describe('A person presses it, and it is disabled while its checks fail'),
          urls: z
            .record(z.string(), z.enum(['image', 'video', 'audio', 'link']))
            .exactOptional()
            .describe('Properties that hold addresses, and what the addresses are for'),
          records: names.exactOptional().describe('Properties that hold lists of plain records'),
          aliases: z.record(z.string(), z.string()).exactOptional().describe('Other names of properties'),
          ...catalogEntry('schema', 'The JSON Schema of the component, unless it is that of the basic catalog'),
        }),
      )
      .describe('What a page has to know to run a component, by its type'),
    functions: z
      .record(
        z.string(),
        z.object({
          returnType: z.enum(['string', 'number', 'boolean', 'array', 'object', 'any', 'void']),
          effect: z.boolean().describe('It runs when a person acts, and never while something is drawn'),
          ...catalogEntry('parameters', 'The JSON Schema of its arguments, unless it is that of the basic catalog'),
        }),
      )
      .describe('The functions, by their names. The module of the catalog has their code'),
    definitions: schemaOfCatalog.exactOptional().describe('What references of the schemas lead to'),
  })
  .describe('A catalog of components and functions that agents draw with')

const schemaLink = z
  .object({ name: z.string(), url: z.string().describe('The path from which the schema can be read') })
  .describe('A published JSON Schema')

const fieldError = z
  .object({ path: z.string().describe('JSON pointer into the request'), detail: z.string() })
  .describe('One place of the request that is wrong')

const document = z.record(z.string(), z.unknown())

/** Shapes that stand inside answers, commands and events and have a name of their own. */
export const partSchemas = {
  ...commandPartSchemas,
  SessionSummary: sessionSummary,
  Folder: folder,
  FoundMessage: foundMessage,
  FoundSession: foundSession,
  Snippet: snippet,
  Entity: entity,
  AgentInfo: agentInfo,
  AgentConfig: agentConfig,
  ProviderKind: providerKind,
  ProviderInfo: providerInfo,
  ProviderTest: providerTest,
  ModelInfo: modelInfo,
  ListedModel: listedModel,
  CatalogInfo: catalogInfo,
  AgentCommand: agentCommand,
  SchemaLink: schemaLink,
  FieldError: fieldError,
  ActionRequest: actionRequest,
  Actor: actor,
  ArtifactFacts: artifactFacts,
  BlobRef: blobRef,
  EvidenceFacts: evidenceFacts,
  Failure: failure,
  Interaction: interaction,
  Json: json,
  MessageSnapshot: messageSnapshot,
  PatchOperation: patchOperation,
  PlanStep: planStep,
  QueuedTurn: queuedTurn,
  QueuePolicy: queuePolicy,
  Reason: reason,
  SurfaceOp: surfaceOp,
  TurnInput: turnInput,
  UiSchemaAction: uiSchemaAction,
} as const

const ofSource = z
  .object({ sourceId: id, name: z.string().describe('What people call the source') })
  .describe('The source that has it')
const problems = z
  .array(
    z.object({
      sourceId: id,
      name: z.string().describe('What people call the source'),
      message: z.string().describe('What is wrong, in words'),
    }),
  )
  .describe('The sources that could not say what they have')
const words = {
  title: z.string().describe('What people call it'),
  description: z.string().describe('What it is for; empty when that is not known'),
}
const mediaTypeOf = z.string().exactOptional().describe('What its bytes are, when that is known')
const resource = { source: ofSource, name: z.string().describe('Its name'), ...words, mediaType: mediaTypeOf }

const sessionTool = z
  .object({
    toolId: id.describe('The id by which policies, grants and buttons name the tool'),
    name: z.string().describe('The name by which a model calls it'),
    title: z.string().describe('What people call it'),
    description: z.string().describe('What it is for; empty when that is not known'),
    effects: z
      .enum(['none', 'reads', 'writes', 'outside'])
      .describe('What it does to the world. A tool that does not say counts as `outside`'),
    source: z
      .object({
        sourceId: id,
        name: z.string().describe('What people call it'),
        kind: z.enum(['runtime', 'host', 'mcp', 'agent']).describe('Who offers the tool'),
        health: z
          .object({
            state: z.enum(['ready', 'starting', 'failed', 'stopped']),
            message: z.string().exactOptional().describe('What is wrong, and what to do'),
          })
          .describe('How the source is'),
      })
      .describe('Who offers the tool'),
    policy: toolPolicy,
    policyFrom: z.enum(['session', 'agent', 'source', 'mode', 'default']).describe('Who has said so'),
    governed: z
      .boolean()
      .describe(
        'Whether its calls go through the boundary. False: the agent runs it by itself, and the policy is not asked',
      ),
  })
  .describe('A tool of a session')

/** Every body that the HTTP interface answers with, declared once, by the name that it has in the OpenAPI document. */
export const answerSchemas = {
  Problem: z
    .object({
      type: z.string().describe('A URN that ends in the code'),
      title: z.string().describe('The words that HTTP has for the status'),
      status: z.int().describe('The HTTP status'),
      code: z.string().describe('Stable. Programs and translations go by it'),
      detail: z.string().describe('What happened, in English'),
      path: z.string().exactOptional().describe('JSON pointer to the first place of the request that is wrong'),
      errors: z
        .array(fieldError)
        .exactOptional()
        .describe('Every place that is wrong, when several can be, such as the fields of a form'),
      params: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .exactOptional()
        .describe('Values for the words that a language has for the code'),
      next: z.string().exactOptional().describe('What the caller can do next, in English'),
    })
    .describe('Why a request was refused (RFC 9457)'),

  Session: z.object({ session: sessionSummary }).describe('The session as it is now'),
  SessionCreated: z
    .object({
      session: sessionSummary,
      taskId: id.exactOptional().describe('The task of the parent session, when the session was made with `parent`'),
    })
    .describe('The session that was made'),
  SessionList: z
    .object({
      sessions: z.array(sessionSummary).describe('Those that changed last come first'),
      cursor: z.string().nullable().describe('The `cursor` of the next page, or null when this is the last one'),
    })
    .describe('A page of the session list'),
  FolderSaved: z.object({ folder }).describe('The folder as it is now'),
  FolderList: z.object({ folders: z.array(folder) }).describe('All folders of the person'),
  SearchResults: z
    .object({
      results: z.array(foundMessage).describe('The newest messages come first'),
      cursor: z.string().nullable().describe('The `cursor` of the next page, or null when this is the last one'),
    })
    .describe('A page of the messages in which words were found'),
  FoundSessions: z
    .object({
      sessions: z.array(foundSession).describe('Those that changed last come first'),
      cursor: z.string().nullable().describe('The `cursor` of the next page, or null when this is the last one'),
      total: count.describe('How many sessions were found, on all pages together'),
      messages: count.describe('How many messages were found'),
      searched: count.describe('How many sessions of the person were looked through'),
      bounded: z
        .boolean()
        .describe(
          'Whether the search ended at its bound: there is more than these numbers say, and older than these sessions',
        ),
    })
    .describe('A page of the sessions in which words were found, and how much there is in all'),
  SessionSnapshot: snapshot
    .extend({
      log: z
        .string()
        .describe('Names the log that `seq` is a place in. A session that is made again under its id has another log'),
    })
    .describe('The session as a window of recent messages with everything that they need'),
  MessagesPage: z
    .object({
      sessionId: id,
      seq,
      from: z.int().describe('The ordinal of the first message of this page'),
      partsFrom: z
        .int()
        .exactOptional()
        .describe(
          'For a page of older parts: the place of its first part in the message, and the `before` of the next page',
        ),
      next: z
        .int()
        .nullable()
        .exactOptional()
        .describe('For a page of an earlier version: the `after` of the next page, or null when this is the last one'),
      entities: z.object(each(PAGED, z.array(entity))).describe('The messages and what they need, by collection'),
    })
    .describe('Older messages, older parts of a long message, or messages of an earlier version'),
  EventsPage: z
    .object({
      events: z.array(sessionEvent),
      next: z.int().nullable().describe('The `after` of the next page, or null when this is the last one'),
    })
    .describe('A page of the log of a session'),

  TurnStarted: z
    .object({ turnId: id, runId: id.describe('The run that works on the turn'), state: z.literal('started') })
    .describe('The turn has started'),
  Queue: z
    .object({
      turns: z.array(queuedTurn).describe('The next one to start comes first'),
      held: z.boolean().describe('Whether the queue is held: no turn starts by itself'),
      reason: reason.nullable().describe('Why the queue is held, or null'),
      policy: queuePolicy,
    })
    .describe('The turns that wait'),
  SessionTools: z
    .object({
      mode: toolMode,
      items: z
        .array(sessionTool)
        .describe('The tools of the runtime first, then those of the sources, then those that the agent has used'),
    })
    .describe('The tools of a session, and what they may do'),
  SessionPrompts: z
    .object({
      items: z
        .array(
          z
            .object({
              source: ofSource,
              name: z.string().describe('The name by which the source knows it'),
              ...words,
              arguments: z
                .array(
                  z.object({
                    name: z.string().describe('The name of the argument'),
                    ...words,
                    required: z.boolean().describe('Whether the prompt cannot be filled without it'),
                  }),
                )
                .describe('What the person gives'),
            })
            .describe('A prompt of a source'),
        )
        .describe('The prompts, source by source'),
      problems,
    })
    .describe('The prompts that a person may choose in a session'),
  FilledPrompt: z
    .object({
      description: z.string().describe('What it is for; empty when that is not known'),
      messages: z
        .array(
          z.object({
            role: z.enum(['user', 'assistant']).describe('Who says it'),
            text: z.string().describe('What is said. Bytes are named and not included'),
          }),
        )
        .describe('The messages in their order'),
    })
    .describe('What a source made of a prompt'),
  SessionResources: z
    .object({
      items: z
        .array(
          z
            .object({
              ...resource,
              uri: z.string().describe('Its address'),
              size: count.exactOptional().describe('How many bytes it has, when the source says so'),
            })
            .describe('A resource of a source'),
        )
        .describe('The resources, source by source'),
      templates: z
        .array(
          z
            .object({ ...resource, uriTemplate: z.string().describe('A template for addresses (RFC 6570)') })
            .describe('Resources whose addresses are made by filling in a template'),
        )
        .describe('The templates, source by source'),
      problems,
    })
    .describe('The resources that a person may read in a session'),
  ResourceContents: z
    .object({
      contents: z
        .array(
          z.object({
            uri: z.string().describe('Its address'),
            mediaType: mediaTypeOf,
            text: z.string().exactOptional().describe('The text, when it is one'),
            base64: z.string().exactOptional().describe('The bytes in base64, when it is no text'),
          }),
        )
        .describe('What the resource has; often one content'),
    })
    .describe('What a resource has now'),
  Usage: z
    .object({
      items: z
        .array(
          z
            .object({
              day: z.string().describe('The day in the local time that was asked for, such as `2026-01-31`'),
              agentId: id,
              model: z.string().nullable().describe('The model that answered, or null when nobody said it'),
              runs: count.describe('How many runs ended that counted something'),
              inputTokens: count.nullable().describe('Tokens that the model read, those from its cache included'),
              cachedInputTokens: count.nullable().describe('Those of the read tokens that came from a cache'),
              outputTokens: count.nullable().describe('Tokens that the model wrote, those of its reasoning included'),
              reasoningTokens: count.nullable().describe('Those of the written tokens that were reasoning'),
              totalTokens: count.nullable().describe('All tokens'),
              cost: z
                .object({ amount: z.number().describe('How much'), currency: z.string().describe('Of which currency') })
                .nullable()
                .describe('What it cost, or null when nobody said it'),
            })
            .describe('What runs of one day, agent, model and currency have used. Null where nobody counted'),
        )
        .describe('The newest day first'),
      bounded: z.boolean().describe('There are more sums than an answer has: ask for a shorter span of time'),
    })
    .describe('What runs have used'),
  TurnQueued: z
    .object({
      turnId: id,
      state: z.enum(['queued', 'started']).describe('A turn starts at once when nothing runs and nothing waits'),
      position: count.describe('How many turns wait before it'),
    })
    .describe('The turn waits or has started'),
  QueueHeld: z.object({ held: z.boolean() }).describe('Whether the queue is held now'),
  QueuedTurnPlace: z
    .object({ turnId: id, position: count.describe('How many turns wait before it') })
    .describe('Where the queued turn is now'),

  SteerAccepted: z
    .object({ steerId: id, state: z.literal('accepted') })
    .describe('The steer is in the log and the agent can take it up'),
  RunsInterrupted: z
    .object({ runIds: z.array(id).describe('Empty when nothing was running any more') })
    .describe('The runs that are being stopped'),
  RunRetried: z.object({ runId: id.describe('The new run') }).describe('The new attempt has started'),
  ActionResolved: z
    .object({
      actionId: id,
      outcome: actionOutcome,
      first: z.boolean().describe('False when the request had its outcome before this response came'),
    })
    .describe('What became of the request'),
  InteractionAccepted: z
    .object({
      state: z
        .enum(['steered', 'queued', 'started', 'called'])
        .describe(
          'It reached the run that is active, it waits in the queue, it started a turn, or it called a tool without the agent',
        ),
      runId: id.exactOptional().describe('The run that it reached, or the run that is the call'),
    })
    .describe('How the interaction reaches the agent, or that it called a tool'),

  FileUploaded: z
    .object({
      digest: id.describe('The SHA-256 digest of the bytes in hex. A turn refers to the file by it'),
      size: count.describe('The number of bytes'),
      mediaType: z.string().describe('What the bytes are, as the request said'),
      expiresAt: z.int().describe('When the bytes are removed unless a turn refers to them. Milliseconds since 1970'),
    })
    .describe('The file is stored and waits for a turn that refers to it'),
  AgentList: z.object({ agents: z.array(agentInfo) }).describe('The first agent is the one that a new session gets'),
  AgentDetails: z
    .object({
      agent: agentInfo,
      config: agentConfig.exactOptional().describe('What it is made of. Absent when the program has made it'),
      version: count.exactOptional().describe('Rises with each change. Absent when the program has made it'),
    })
    .describe('An agent, and what it is made of'),
  ProviderList: z
    .object({
      kinds: z.array(providerKind).describe('What can be connected. Empty when the server has no source of models'),
      providers: z.array(providerInfo).describe('What is connected'),
      keyProblem: z
        .string()
        .exactOptional()
        .describe('Why keys cannot be stored or opened now, and what to do. Absent when all is well'),
    })
    .describe('Providers of models'),
  ProviderSaved: z.object({ provider: providerInfo }).describe('The provider as it is now'),
  ProviderTested: providerTest
    .extend({
      models: z.array(modelInfo).exactOptional().describe('The models that the provider offers, when it lists them'),
    })
    .describe('What came of the test, in words that say what is wrong and what to do'),
  ModelList: z
    .object({
      models: z.array(listedModel).describe('The models of all connected providers, in the order of the providers'),
      problems: z
        .array(z.object({ providerId: id, code: z.string(), message: z.string(), next: z.string().exactOptional() }))
        .describe('The providers that did not list their models, and why'),
    })
    .describe('The models that agents can answer with'),
  CatalogList: z
    .object({ catalogs: z.array(catalogInfo) })
    .describe('The A2UI catalogs of this server beside the basic one, which every page knows'),
  MediaHosts: z
    .object({ hosts: z.array(z.string()).describe('Names of hosts; `*.example.org` stands for all below example.org') })
    .describe('The hosts whose media are shown without a click'),
  Sandbox: z
    .object({
      url: z.string().describe('The path of the document, from the root of the server on'),
      expiresAt: time.describe('When the path stops to count, in milliseconds since 1970'),
    })
    .describe('A document in which content from elsewhere is shown'),
  Health: z
    .object({ status: z.literal('ok'), bootId: id.describe('Another one after each start of the server') })
    .describe('The server answers'),
  NewToken: z
    .object({ token: z.string(), url: z.string().describe('The address that signs a browser in') })
    .describe('The token that counts from now on'),
  OpenApiDocument: document.describe('An OpenAPI 3.1 document'),
  JsonSchema: document.describe('A JSON Schema (2020-12)'),
  SchemaList: z.object({ schemas: z.array(schemaLink) }).describe('The names of all published JSON Schemas'),
} as const
