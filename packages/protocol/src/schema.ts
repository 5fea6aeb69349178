import { z } from 'zod'
import { answerSchemas } from './answers.schema.ts'
import { commandSchemas } from './commands.schema.ts'
import { eventSchemas, sessionEvent } from './events.schema.ts'

export { answerSchemas, partSchemas } from './answers.schema.ts'
export { agentCapabilities, agentCommand } from './capabilities.schema.ts'
export { commandSchemas } from './commands.schema.ts'
export {
  agentEventTypes,
  eventNotes,
  eventSchemas,
  MAX_EVENT_BYTES,
  MAX_PREVIEW_CHARS,
  reason,
  sessionEvent,
} from './events.schema.ts'
export { isText } from './is-text.ts'

/** JSON Schemas of the wire by name: `event` (any), each event class, each command, each answer. */
export function jsonSchemas(): Record<string, object> {
  const schemas: Record<string, object> = { event: published(sessionEvent) }
  for (const [name, schema] of Object.entries(eventSchemas)) schemas[`event.${name}`] = published(schema)
  for (const [name, schema] of Object.entries(commandSchemas)) schemas[`command.${name}`] = published(schema)
  for (const [name, schema] of Object.entries(answerSchemas)) schemas[`answer.${name}`] = published(schema)
  return schemas
}

/** What is taken, not what is left of it: events and answers may have fields that nobody knows, commands may not. */
const published = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: 'input' })
