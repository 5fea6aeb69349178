import type { Failure } from '@vitrine/protocol'
import { errorData } from '../../agents/thrown.ts'
import { IllegalEvent } from '../../log/event-from.ts'
import { maskText } from '../../masking/mask-secrets.ts'

/** What a person is told of an error. An agent's error may bring a code, advice, and whether trying again can help. */
export function failureOf(error: Error): Failure {
  const given = errorData(error)
  const text = (value: string | undefined, fallback: string): string =>
    value ? maskText(value.slice(0, 2_000)).toWellFormed() : fallback
  const message = text(given.message, 'The agent failed without saying why.')
  if (error instanceof IllegalEvent) {
    const next = 'The agent broke the protocol; tell whoever maintains it.'
    // The same agent would break the same rule again.
    return { code: 'agent_broke_rule', params: { rule: error.code }, message, retryable: false, next }
  }
  const retryable = given.retryable !== false
  return {
    code: text(given.code, 'agent_error').slice(0, 200),
    message,
    retryable,
    next: text(given.next, retryable ? 'Try again.' : 'Tell whoever maintains the agent.'),
  }
}
