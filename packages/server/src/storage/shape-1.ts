import { type Actor, type Code, isObject, type Reason } from '@vitrine/protocol'
import type { StoredEvent } from './upcast.ts'

/** The sentences that shape 1 kept where there is a code now. Others were an agent's own words. */
const SENTENCES: Readonly<Record<string, Code>> = {
  'Interrupted by a person.': 'interrupted_by_person',
  'The server was stopped.': 'server_stopped',
  'The server stopped while this run was working.': 'server_crashed',
  'The agent did not stop in time; what it still sends is refused.': 'agent_did_not_stop',
  'The log of this session could not be written.': 'log_unwritable',
  'The session is being deleted.': 'session_deleted',
  'Held by a person.': 'held_by_person',
  'The run before was failed.': 'held_after_failed',
  'The run before was interrupted.': 'held_after_interrupted',
  'The run before was cancelled.': 'held_after_cancelled',
  'The server stopped while a run was working.': 'held_after_crash',
  'The run is over.': 'run_over',
  'The run ended before it was taken up.': 'run_ended_first',
  'The agent has not taken up the steers before this one.': 'steers_full',
  'The text is too long to steer with.': 'steer_too_long',
}
const ACTORS: Readonly<Record<string, Actor>> = {
  person: { kind: 'local', id: 'local', name: '' },
  policy: { kind: 'policy', id: 'policy', name: '' },
  system: { kind: 'system', id: 'system', name: '' },
}
const MARKS = { a2ui: '[a2ui.action]', 'ui-schema': '[ui.action]' } as const

/** From shape 1: who acted was a word, reasons were sentences, and interactions were texts with a mark. */
export function withActorsAndReasons(event: StoredEvent): StoredEvent {
  const { detail, by, reason, input, turn, turns: _, source, error, ...rest } = event
  const words = event.type === 'run.status' || event.type === 'run.finished' ? detail : reason
  const upcast: StoredEvent = { ...rest }
  if (typeof words === 'string') upcast.reason = reasonOf(words)
  // A task's detail stays what it was: prose.
  if (event.type === 'task.changed' && detail !== undefined) upcast.detail = detail
  if (by !== undefined) upcast.by = typeof by === 'string' ? ACTORS[by] : by
  if (isObject(input)) upcast.input = inputOf(input)
  if (isObject(turn)) upcast.turn = { ...turn, input: isObject(turn.input) ? inputOf(turn.input) : turn.input }
  if (event.type === 'steer.accepted') Object.assign(upcast, inputOf({ text: event.text, source }))
  // An agent's repair covered what people said as well, and this is how it was folded.
  if (event.type === 'messages.snapshot') upcast.scope = 'owner'
  if (isObject(error)) upcast.error = { ...error, code: String(error.code).replaceAll('-', '_') }
  return upcast
}

function reasonOf(message: string): Reason {
  const code = Object.hasOwn(SENTENCES, message) ? SENTENCES[message] : undefined
  return { code: code ?? 'agent_said', message, ...(code?.endsWith('_by_person') && { params: { name: '' } }) }
}

function inputOf({ source, ...input }: Record<string, unknown>): Record<string, unknown> {
  const { text } = input
  if ((source !== 'a2ui' && source !== 'ui-schema') || typeof text !== 'string') return input
  const said = parsed(text.slice(MARKS[source].length))
  if (!said) return input
  if (source === 'a2ui') return { ...input, text: '', interaction: { kind: 'a2ui', ...said } }
  const { toolCallId, values, ...action } = said
  const also = { ...(toolCallId !== undefined && { toolCallId }), ...(values !== undefined && { values }) }
  return { ...input, text: '', interaction: { kind: 'ui_schema', action, ...also } }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
