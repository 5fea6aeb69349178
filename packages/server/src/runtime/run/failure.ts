import type { Failure } from '@vitrine/protocol'
import { IllegalEvent } from '../../log/session-log.ts'

/** Whatever was thrown, as an error; some values cannot even be turned into text. */
export function errorOf(thrown: unknown): Error {
  try {
    // Also this question can throw, when what was thrown is a proxy.
    if (thrown instanceof Error) return thrown
    return new Error(String(thrown))
  } catch {
    return new Error()
  }
}

/** What a person is told. An agent's error may bring its own code, advice and whether trying again can help. */
export function failureOf(error: Error): Failure {
  const read = (name: string): unknown => {
    try {
      return (error as unknown as Record<string, unknown>)[name]
    } catch {
      return undefined
    }
  }
  const text = (name: string, fallback: string): string => {
    const value = read(name)
    return typeof value === 'string' && value ? value.slice(0, 2_000).toWellFormed() : fallback
  }
  const message = text('message', 'The agent failed without saying why.')
  if (error instanceof IllegalEvent) {
    const next = 'The agent broke the protocol; tell whoever maintains it.'
    // The same agent would break the same rule again.
    return { code: 'agent_broke_rule', params: { rule: error.code }, message, retryable: false, next }
  }
  return {
    code: text('code', 'agent_error').slice(0, 200),
    message,
    retryable: read('retryable') !== false,
    next: text('next', 'Try again.'),
  }
}
