import type { Json, JsonObject, TurnInput } from '@vitrine/protocol'
import type { AgentContext, AgentTool } from '../agent.ts'

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

/** An error on its way through the port. */
export interface ErrorData {
  name: string
  message: string
  stack: string
  code?: string
  next?: string
  retryable?: boolean
}

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

const text = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return ''
  }
}

export function errorData(thrown: unknown): ErrorData {
  const read = (name: string): unknown => {
    try {
      return (thrown as JsonObject | null | undefined)?.[name]
    } catch {
      return undefined
    }
  }
  const line = (name: string): string | undefined => {
    const value = read(name)
    return typeof value === 'string' ? value : undefined
  }
  const message = line('message') ?? (thrown instanceof Error ? '' : text(thrown))
  const [code, next, retryable] = [line('code'), line('next'), read('retryable')]
  return {
    name: line('name') ?? 'Error',
    message,
    stack: line('stack') ?? message,
    ...(code !== undefined && { code }),
    ...(next !== undefined && { next }),
    ...(typeof retryable === 'boolean' && { retryable }),
  }
}

export function errorFrom({ name, message, stack, ...rest }: ErrorData): Error {
  if (name === 'AbortError') return new DOMException(message, name)
  return Object.assign(new Error(message), { name, stack, ...rest })
}
