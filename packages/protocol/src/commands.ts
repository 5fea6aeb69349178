import type { z } from 'zod'
import type { commandSchemas } from './commands.schema.ts'

type Schemas = typeof commandSchemas
export type CommandName = keyof Schemas
/** A write that somebody asks the server for, by the id that its operation has in the OpenAPI document. */
export type Command<N extends CommandName> = z.infer<Schemas[N]>
