import type { Json, TurnInput } from '@vitrine/protocol'
import type { AgentContext, AgentTool } from '../agent.ts'
import type { ErrorData } from '../thrown.ts'

/** What an agent says of itself. */
export interface AgentCard {
  agentId: string
  name: string
  description: string
  scripted: boolean
}

/** The part of the context that is data; the rest is asked for over the port. */
export type ContextData = Pick<AgentContext, 'sessionId' | 'runId' | 'turnId' | 'attempt'> & {
  tools: Omit<AgentTool, 'call'>[]
}

/** What of the context is asked for over the port. */
export type Method =
  | 'steers.take'
  | 'steers.wait'
  | 'ask'
  | 'store'
  | 'spawn'
  | 'surfaces.apply'
  | 'tools.call'
  | 'history'
  | 'state'

export type ToThread =
  | { type: 'ping' }
  | { type: 'run'; run: number; agent: number; input: TurnInput; context: ContextData }
  | { type: 'abort'; run: number; reason: ErrorData }
  /** The log has taken outputs of this size: as much may follow. */
  | { type: 'credit'; run: number; size: number }
  /** Nobody takes outputs of this run any more. */
  | { type: 'stop'; run: number }
  | { type: 'answer'; run: number; call: number; value?: unknown; error?: ErrorData }

export type FromThread =
  /** It can hear a ping from here on; the module is being loaded. */
  | { type: 'up' }
  | { type: 'pong' }
  | { type: 'ready'; agents: AgentCard[] }
  | { type: 'refused'; reason: string }
  | { type: 'begun'; run: number }
  | { type: 'output'; run: number; output: Json | undefined; size: number }
  | { type: 'unreadable'; run: number; reason: string }
  | { type: 'call'; run: number; call: number; method: Method; args: Json[] }
  | { type: 'ended'; run: number; error?: ErrorData }
  /** Something that an agent left behind failed after the end of its run. */
  | { type: 'late'; error: ErrorData }

/** Characters of output that may be under way from one run before the log has taken them. */
export const WINDOW = 256 * 1024

/** Asks of one run that may be under way at once; more wait in the thread. */
export const MAX_CALLS = 256
