import { CODES, type EventDraft, formatPointer, own } from '@vitrine/protocol'
import { agentEventTypes, eventSchemas } from '@vitrine/protocol/schema'
import type { z } from 'zod'
import type { AgentOutput } from '../../agents/agent.ts'
import { asJson, NotJson } from '../../agents/as-json.ts'
import { MAX_DELTA } from '../../log/merge.ts'
import { RUNTIME } from './writer.ts'

/** Why an output is not taken, in words for a person. It becomes a diagnostic, and the run goes on. */
export interface Finding {
  code: 'output_unreadable' | 'output_unknown' | 'output_not_for_agents' | 'output_invalid'
  message: string
  /** The call or artifact that would have begun with the output. */
  opens?: string | undefined
}

/** The ids that an output may carry; they are local to the run. */
export type LocalOutput = AgentOutput & {
  messageId?: string
  partId?: string
  toolCallId?: string
  subagentId?: string
  artifactId?: string
}

const AGENTS_MAY_SAY: ReadonlySet<string> = new Set(agentEventTypes)
const DELTAS = new Set(['text.delta', 'reasoning.delta', 'tool.output.delta', 'tool.args'])
const IDS = ['messageId', 'partId', 'toolCallId', 'subagentId', 'artifactId', 'replacedBy', 'retryOf'] as const

/** Reads whatever an agent yielded as JSON, or says why it cannot be used. */
export function readOutput(given: unknown): { output: LocalOutput } | { finding: Finding } {
  let value: unknown
  try {
    // The agent lives in a thread, which has tried to read this output and could not.
    if (given instanceof NotJson) throw given
    const delta = plainDelta(given)
    if (delta?.delta !== undefined) return { output: delta as unknown as LocalOutput }
    value = delta ?? asJson(given).value
  } catch (error) {
    const why = error instanceof NotJson ? error.message : 'reading it throws an error'
    return finding('output_unreadable', `The agent sent something that cannot be read: ${why}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return finding('output_unreadable', `The agent sent something that is not an event: ${excerpt(value)}`)
  }
  const fields = value as Record<string, unknown>
  const { type } = fields
  if (typeof type !== 'string') {
    return finding('output_unreadable', `The agent sent an event without a type: ${excerpt(value)}`)
  }
  if (!Object.hasOwn(eventSchemas, type)) {
    return finding('output_unknown', `The agent sent an event of a class that does not exist: ${excerpt(value)}`)
  }
  if (!AGENTS_MAY_SAY.has(type)) {
    return finding('output_not_for_agents', `The agent sent what only the runtime says: ${excerpt(value)}`)
  }
  for (const name of Object.keys(fields)) if (fields[name] === null && meansAbsent(type, name)) delete fields[name]
  if (type === 'evidence.changed' && (fields.evidence as { review?: unknown } | null)?.review !== undefined) {
    return finding('output_not_for_agents', `The agent sent a review, which only a person gives: ${excerpt(value)}`)
  }
  if (type === 'diagnostic.changed' && isOurs(fields)) {
    return finding('output_not_for_agents', `The agent sent a diagnostic of the runtime's: ${excerpt(value)}`)
  }
  const wrong =
    IDS.find(name => fields[name] !== undefined && typeof fields[name] !== 'string') ??
    (DELTAS.has(type) && typeof fields.delta !== 'string' ? 'delta' : undefined)
  const output = value as unknown as LocalOutput
  if (!wrong) return { output }
  const message = `The agent sent an event whose ${wrong} is not a text: ${excerpt(value)}`
  return { finding: { code: 'output_invalid', message, opens: opened(output) } }
}

/** Whether null in a field says that there is nothing: the field may be absent, and null is none of its values. */
function meansAbsent(type: string, name: string): boolean {
  const shape: Readonly<Record<string, z.ZodType>> = eventSchemas[type as EventDraft['type']].shape
  const field = own(shape, name)
  return field?.safeParse(undefined).success === true && !field.safeParse(null).success
}

/** Whether a diagnostic has a name or a code of the runtime or of the fold. An agent may not speak in their name. */
function isOurs({ diagnosticId, code }: Record<string, unknown>): boolean {
  const codes: readonly unknown[] = CODES
  return codes.includes(code) || codes.includes(diagnosticId) || String(diagnosticId).startsWith(RUNTIME)
}

/** A copy of a delta that has nothing but plain texts. Nearly all outputs are such deltas, so this way has to be quick. */
function plainDelta(given: unknown): Record<string, string> | undefined {
  if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype) return undefined
  const copy: Record<string, string> = { ...(given as Record<string, string>) }
  if (!DELTAS.has(copy.type!) || copy.toJSON !== undefined) return undefined
  for (const name in copy) {
    const text: unknown = copy[name]
    if (typeof text !== 'string' || text.length > MAX_DELTA || text.includes('\0')) return undefined
    if (name !== 'delta' && !text.isWellFormed()) return undefined
  }
  return copy
}

/** The call, artifact, subagent or compaction that an output is about. */
export function subjectOf({ type, toolCallId, artifactId, subagentId, ...output }: LocalOutput): string | undefined {
  if (typeof toolCallId === 'string') return `tool ${toolCallId}`
  if (typeof artifactId === 'string') return `artifact ${artifactId}`
  if (type.startsWith('agent.')) return `subagent ${subagentId}`
  return 'compactionId' in output ? `compaction ${output.compactionId}` : undefined
}

const OPENS = new Set(['tool.started', 'artifact.created', 'agent.spawned', 'context.compaction.started'])

/** The call, artifact, subagent or compaction that begins with this output. */
export const opened = (output: LocalOutput): string | undefined =>
  OPENS.has(output.type) ? subjectOf(output) : undefined

/** Fields by which something is found again. They are never cut, because a shorter id is another id. */
const NOT_CLIPPED =
  /(^|_)(id|ids|ref|refs)$|Id$|Ref$|^(digest|mediaType|value|path|from|to|key|parent|type|replacedBy|retryOf)$/

/**
 * The event with its labels cut to their limits, or why the event does not have the shape of its class. `said` is what
 * the agent sent: its author reads about that, and not about what the runtime made of it.
 */
export function shaped(
  event: EventDraft,
  said: object,
): { event: EventDraft; clipped: string[] } | { finding: Finding } {
  let draft = event
  const clipped: string[] = []
  const parse = () => eventSchemas[event.type].safeParse({ ...draft, seq: 1, sessionId: 'session', at: 0 })
  let parsed = parse()
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.map(String)
    if (issue.code !== 'too_big' || issue.origin !== 'string' || NOT_CLIPPED.test(path.at(-1) ?? '')) continue
    if (draft === event) draft = structuredClone(event)
    if (clip(draft, path, Number(issue.maximum))) clipped.push(path.join('.'))
  }
  if (clipped.length > 0) parsed = parse()
  if (parsed.success) return { event: draft, clipped }
  return finding(
    'output_invalid',
    `The agent sent an event that is not one (${whyNot(event, parsed.error)}): ${excerpt(said)}`,
  )
}

function whyNot(event: EventDraft, { issues }: z.ZodError): string {
  // The runtime makes the id of the message from that of the part, so that the part is what is missing.
  const issue = issues.find(({ path }) => path[0] !== 'messageId') ?? issues[0]
  const path = issue?.path.map(String) ?? []
  const place = formatPointer(path)
  return issue?.code === 'invalid_type' && valueAt(event, path) === undefined
    ? `${event.type} needs ${path.length === 1 ? path[0] : place}`
    : `${place}: ${issue?.message}`
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)
}

function clip(draft: object, path: readonly string[], length: number): boolean {
  let holder = draft as Record<string, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>
  const last = path.at(-1)!
  const text = holder?.[last]
  if (typeof text !== 'string') return false
  holder[last] = `${text.slice(0, length - 1).toWellFormed()}…`
  return true
}

const finding = (code: Finding['code'], message: string): { finding: Finding } => ({ finding: { code, message } })

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 500 ? `${text.slice(0, 500).toWellFormed()}…` : text
}
