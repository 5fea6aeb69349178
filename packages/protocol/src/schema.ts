import { z } from 'zod'
import { commandSchemas } from './commands.schema.ts'
import { eventSchemas, sessionEvent } from './events.schema.ts'

export { commandSchemas } from './commands.schema.ts'
export { eventSchemas, MAX_EVENT_BYTES, MAX_PREVIEW_CHARS, reason, sessionEvent } from './events.schema.ts'

/** JSON Schemas of the wire by name: `event` (any), each event class, each command. */
export function jsonSchemas(): Record<string, object> {
  const schemas: Record<string, object> = { event: z.toJSONSchema(sessionEvent) }
  for (const [name, schema] of Object.entries(eventSchemas)) schemas[`event.${name}`] = z.toJSONSchema(schema)
  for (const [name, schema] of Object.entries(commandSchemas)) schemas[`command.${name}`] = z.toJSONSchema(schema)
  return schemas
}
