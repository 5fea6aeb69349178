import type { AnswerName, CommandName, EventType } from '@vitrine/protocol'
import { answerSchemas, commandSchemas, eventSchemas, partSchemas, sessionEvent } from '@vitrine/protocol/schema'
import { z } from 'zod'

type Component = { description?: string; [keyword: string]: unknown }

/** Bodies that are not JSON. */
const plainSchemas = {
  BrowserStream: {
    type: 'string',
    description:
      'Server-sent events with the names `hello`, `events`, `caught-up`, `behind`, `gone`, `list` and `cut`; their data is JSON',
  },
  SessionEventStream: {
    type: 'string',
    description: 'Server-sent events: `id` is the `seq` of an event, `data` is a SessionEvent as JSON',
  },
  FileContent: { type: 'string', format: 'binary', description: 'The bytes of a file' },
  BlobContent: { type: 'string', format: 'binary', description: 'The bytes that an event refers to' },
  CatalogModule: { type: 'string', description: 'A module of JavaScript' },
  MediaContent: { type: 'string', format: 'binary', description: 'The bytes of an image, video or audio' },
} as const satisfies Record<string, Component>

/** JSON values under names of their own: generators cannot make a type of a union that holds itself without a name. */
const jsonValues = {
  Json: {
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
      { $ref: '#/components/schemas/JsonArray' },
      { $ref: '#/components/schemas/JsonObject' },
    ],
    description: 'Any JSON value',
  },
  JsonArray: { type: 'array', items: { $ref: '#/components/schemas/Json' }, description: 'A list of JSON values' },
  JsonObject: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/Json' },
    description: 'A JSON object with any fields',
  },
} as const satisfies Record<string, Component>

export type BodyName = AnswerName | keyof typeof plainSchemas

/** Descriptions for parts whose schema has none. */
const MEANINGS: { readonly [N in keyof typeof partSchemas]?: string } = {
  ActionRequest: 'What an agent asks a person for',
  Actor: 'Who did it: a person, a remembered permission (`policy`) or the runtime (`system`)',
  ArtifactFacts: 'What is known of an artifact',
  BlobRef: 'A reference to bytes that are too large for an event',
  EvidenceFacts: 'What is known of a piece of evidence',
  Failure: 'Why a run, a call or an artifact failed',
  Interaction: 'What a person did in an interface that an agent drew',
  MessageSnapshot: 'A message as a repair of the history has it',
  PatchOperation: 'An operation of a JSON Patch (RFC 6902)',
  PlanStep: 'A step of the plan of a run',
  QueuedTurn: 'A turn that waits',
  QueuePolicy: 'Whether turns run one after another or together, and what a failure does to those that wait',
  Reason: 'Why something is as it is. Translations go by the code; the message is for readers who have none',
  SurfaceOp: 'A change of a surface',
  TurnInput: 'What an agent is given with a turn',
  UiSchemaAction: 'An action of a card that goes to the server',
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
export const commandComponent = (name: CommandName): string => `${capital(name)}Command`
const eventComponent = (type: string): string => `${type.split('.').map(capital).join('')}Event`
export const refTo = (component: string): { $ref: string } => ({ $ref: `#/components/schemas/${component}` })

/** Every named schema of the OpenAPI document. They refer to each other by name, so that generated clients have these names. */
export function componentSchemas(): Record<string, Component> {
  const commands = Object.entries(commandSchemas).map(
    ([name, schema]) => [commandComponent(name as CommandName), schema] as const,
  )
  const events = Object.entries(eventSchemas).map(([type, schema]) => [eventComponent(type), schema] as const)
  const named = [
    ...Object.entries(answerSchemas),
    ...Object.entries(partSchemas),
    ...commands,
    ...events,
    ['SessionEvent', sessionEvent] as const,
  ]
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const uri = (id: string) => refTo(id).$ref
  const output = z.toJSONSchema(registry, { uri, io: 'output' }).schemas as Record<string, Component>
  // Commands as they are sent.
  const input = z.toJSONSchema(registry, { uri, io: 'input' }).schemas as Record<string, Component>
  const components: Record<string, Component> = { ...output, ...plainSchemas, ...jsonValues }
  for (const [id] of commands) components[id] = input[id]!
  for (const [name, meaning] of Object.entries(MEANINGS)) components[name]!.description ??= meaning
  for (const type of Object.keys(eventSchemas) as EventType[]) {
    components[eventComponent(type)]!.description ??= `The event \`${type}\``
  }
  const mapping = Object.fromEntries(Object.keys(eventSchemas).map(type => [type, uri(eventComponent(type))]))
  Object.assign(components.SessionEvent!, {
    description: 'One event of the log of a session',
    discriminator: { propertyName: 'type', mapping },
  })
  return Object.fromEntries(Object.entries(components).map(([id, { $schema, $id, ...schema }]) => [id, schema]))
}
