import type { z } from 'zod'
import type { commandSchemas } from './commands.schema.ts'

type Schemas = typeof commandSchemas
export type CommandName = keyof Schemas
export type Command<N extends CommandName> = z.infer<Schemas[N]>

/** A row of the session list. */
export interface SessionSummary {
  sessionId: string
  title: string
  agentId: string
  createdAt: number
  updatedAt: number
  seq: number
  /** How far the person who asks has read. Changes of a session that are not about it leave it out. */
  readSeq?: number
  pinned: boolean
  archived: boolean
  /** What the session is doing, as its newest run says. */
  status: 'idle' | 'running' | 'waiting' | 'needs-input' | 'failed' | 'interrupted' | 'unknown'
  queued: number
  messageCount: number
  parentSessionId: string | null
  /** It was deleted: it leaves the list. */
  deleted?: boolean
  /** Of a deleted one that can still be brought back: the time after which nothing of it is left. */
  eraseAt?: number
}

/** The body of every error answer (RFC 9457) with a stable code. */
export interface Problem {
  type: string
  title: string
  status: number
  code: string
  detail: string
  /** JSON pointer into the request where it applies. */
  path?: string
  /** Every place that is wrong, when several can be, such as the fields of a form. */
  errors?: readonly { path: string; detail: string }[]
  /** Values for the words that a reader's language has for the code. */
  params?: { [name: string]: string | number }
  /** What the caller can do next. */
  next?: string
}
