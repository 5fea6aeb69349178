import type { z } from 'zod'
import type { agentCapabilities, agentCommand } from './capabilities.schema.ts'

/** What an agent can do and how it presents itself. A field that is absent is not known. */
export type AgentCapabilities = z.infer<typeof agentCapabilities>

/** A command that an agent understands at the beginning of a message, such as `/tour`. */
export type AgentCommand = z.infer<typeof agentCommand>
