import { type EventDraft, formatPointer, type SessionEvent, type SessionState } from '@vitrine/protocol'
import { eventSchemas, MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import { MAX_DELTA } from './merge.ts'

/** The event breaks a rule of the protocol, is malformed or too large. Nothing of it was written. */
export class IllegalEvent extends Error {
  override name = 'IllegalEvent'
  readonly code: string
  readonly runId: string | undefined

  constructor(code: string, detail: string, draft: EventDraft) {
    super(`${String(draft.type).slice(0, 100)}: ${detail}`)
    this.code = code
    this.runId = draft.runId
  }
}

/** The event with its seq. `ahead` counts the events that come before it in the same write. */
export function eventFrom({ seq, sessionId }: SessionState, at: number, draft: EventDraft, ahead = 0): SessionEvent {
  return checkShape({ ...draft, seq: seq + 1 + ahead, sessionId, at } as SessionEvent, draft)
}

type Delta = Extract<EventDraft, { type: 'text.delta' | 'reasoning.delta' }>
/** For each part a delta whose shape was checked, and the event that it became. */
export type CheckedDeltas = Map<string, { draft: Delta; event: SessionEvent }>

/** Deltas are many, and those of one part differ only in their text, so only the shape of the first one is checked. */
export function deltaFrom(
  checked: CheckedDeltas,
  state: SessionState,
  at: number,
  draft: EventDraft,
): SessionEvent | undefined {
  if (draft.type !== 'text.delta' && draft.type !== 'reasoning.delta') return undefined
  const { partId, delta } = draft
  const before = checked.get(partId)
  if (before && isShortText(delta) && sameButText(before.draft, draft)) {
    return { ...before.event, seq: state.seq + 1, at, delta } as SessionEvent
  }
  const event = eventFrom(state, at, draft)
  checked.set(partId, { draft, event })
  return event
}

const isShortText = (delta: unknown): boolean =>
  typeof delta === 'string' && delta.length > 0 && delta.length <= MAX_DELTA

function sameButText(a: Delta, b: Delta): boolean {
  let more = 0
  for (const name in a) {
    more--
    if (name !== 'delta' && a[name as keyof Delta] !== b[name as keyof Delta]) return false
  }
  for (const _ in b) more++
  return more === 0
}

function checkShape(event: SessionEvent, draft: EventDraft): SessionEvent {
  if (!Object.hasOwn(eventSchemas, event.type)) throw new IllegalEvent('shape', 'is not an event class', draft)
  try {
    return checked(event, draft)
  } catch (error) {
    if (error instanceof IllegalEvent) throw error
    // The value is cyclic, is nested without end, or throws when it is read.
    throw new IllegalEvent('shape', 'cannot be read', draft)
  }
}

function checked(event: SessionEvent, draft: EventDraft): SessionEvent {
  const parsed = eventSchemas[event.type].safeParse(event)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new IllegalEvent('shape', `${formatPointer(issue?.path.map(String) ?? [])}: ${issue?.message}`, draft)
  }
  const data = parsed.data as SessionEvent
  // A delta that merging keeps short cannot exceed the limit: only the others are measured. Node writes JSON in two thirds
  // of the time in which `jsonBytes` counts it.
  const short = (data.type === 'text.delta' || data.type === 'reasoning.delta') && isShortText(data.delta)
  if (!short && Buffer.byteLength(JSON.stringify(data)) > MAX_EVENT_BYTES) {
    throw new IllegalEvent('too_large', `is larger than ${MAX_EVENT_BYTES} bytes`, draft)
  }
  return data
}
