import type { Json, TurnInput } from '@vitrine/protocol'
import type { Agent, AgentContext, AgentTool } from '../agent.ts'
import type { AgentCard } from '../agent-card.ts'
import type { ErrorData } from '../thrown.ts'

/** What a thread says of an agent. */
export type ThreadCard = AgentCard & Pick<Agent, 'resume'>

/** The fields of the context that are data. Its methods are called over the port. */
export type ContextData = Pick<AgentContext, 'sessionId' | 'runId' | 'turnId' | 'attempt' | 'principal' | 'resumed'> & {
  tools: Omit<AgentTool, 'call'>[]
}

/** The methods of the context that a thread calls over the port. */
export type Method =
  | 'steers.take'
  | 'steers.wait'
  | 'ask'
  | 'store'
  | 'storeFile'
  | 'readFile'
  | 'spawn'
  | 'surfaces.apply'
  | 'tools.call'
  | 'tools.list'
  | 'admit'
  | 'history'
  | 'memory.get'
  | 'memory.set'
  | 'memory.delete'
  | 'setTitle'
  | 'state'

export type ToThread =
  | { type: 'ping' }
  | { type: 'run'; run: number; agent: number; input: TurnInput; context: ContextData }
  | { type: 'abort'; run: number; reason: ErrorData }
  /** The log has taken outputs of this size, and the thread may send as much again. */
  | { type: 'credit'; run: number; size: number }
  /** The runtime takes no more outputs of this run. */
  | { type: 'stop'; run: number }
  | { type: 'answer'; run: number; call: number; value?: unknown; error?: ErrorData }

export type FromThread =
  /** The thread answers pings from here on. Its module is still being loaded. */
  | { type: 'up' }
  | { type: 'pong' }
  | { type: 'ready'; agents: ThreadCard[] }
  | { type: 'refused'; reason: string }
  | { type: 'begun'; run: number }
  | { type: 'output'; run: number; output: Json | undefined; size: number }
  | { type: 'unreadable'; run: number; reason: string }
  | { type: 'call'; run: number; call: number; method: Method; args: Json[] }
  | { type: 'ended'; run: number; error?: ErrorData }
  /** Something that an agent left running failed after the end of its run. */
  | { type: 'late'; error: ErrorData }

/** How many characters of output one run may have under way before the log has taken them. */
export const WINDOW = 256 * 1024

/** How many calls of one run may be under way at once. More calls wait in the thread. */
export const MAX_CALLS = 256
