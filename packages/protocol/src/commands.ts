import type { z } from 'zod'
import type { commandSchemas } from './commands.schema.ts'

type Schemas = typeof commandSchemas
/** The names of all commands: the ids that their operations have in the OpenAPI document. */
export type CommandName = keyof Schemas
/** A write that somebody asks the server for, by the id that its operation has in the OpenAPI document. */
export type Command<N extends CommandName> = z.infer<Schemas[N]>
