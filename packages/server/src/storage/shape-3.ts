import type { Code } from '@vitrine/protocol'
import type { StoredEvent } from './upcast.ts'

/** Codes that said the same as another one, or in other words than the glossary. */
const MERGED: Readonly<Record<string, Code>> = {
  agent_unknown: 'agent_not_found',
  content_lost: 'data_damaged',
  log_damaged: 'data_damaged',
  request_invalid: 'invalid_arguments',
  schema_invalid: 'invalid_arguments',
  waiting_for_answer: 'waiting_for_response',
  waiting_for_place: 'waiting_for_slot',
}

/** From shape 3: several codes stood for one thing, in why a run or a call failed and in why a queue is held. */
export function withMergedCodes(event: StoredEvent): StoredEvent {
  const error = told(event.error)
  const reason = told(event.reason)
  return error || reason ? { ...event, ...(error && { error }), ...(reason && { reason }) } : event
}

function told(given: unknown): object | undefined {
  const { code } = (given ?? {}) as { code?: unknown }
  const merged = typeof code === 'string' && Object.hasOwn(MERGED, code) ? MERGED[code] : undefined
  return merged && { ...(given as object), code: merged }
}
