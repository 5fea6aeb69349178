import type { z } from 'zod'
import type { agentCapabilities } from './capabilities.schema.ts'

/** What an agent can do and how it presents itself. A field that is absent is not known. */
export type AgentCapabilities = z.infer<typeof agentCapabilities>
