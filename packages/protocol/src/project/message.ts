import type { Message, Part, PartKind, SessionState } from '../entities.ts'
import type { EventOf, SessionEvent } from '../events.ts'
import { Text } from '../text.ts'
import { add, changed, fill, find, type Handlers, outside, seen } from './changes.ts'
import { diagnose } from './diagnostic.ts'

type InPart = Pick<SessionEvent, 'type' | 'seq' | 'at' | 'turnId' | 'subagentId'> & {
  runId: string
  messageId: string
  partId: string
}

/** What may come with the event that completes a part. */
type Finishing = InPart &
  Partial<Pick<EventOf<'text.final'>, 'text' | 'ref' | 'length' | 'citations'>> &
  Partial<Pick<EventOf<'reasoning.summary'>, 'signature'>> &
  Partial<Pick<EventOf<'file.added'>, 'file'>> &
  Partial<Pick<EventOf<'source.added'>, 'source'>> &
  Partial<Pick<EventOf<'activity.changed'>, 'activity'>>

function append(state: SessionState, event: EventOf<'text.delta' | 'reasoning.delta'>): void {
  let part = state.parts.byId.get(event.partId)
  // It came with a page of older history that holds this delta already.
  if (part && event.seq <= part.v) return
  part ??= partOf(state, event)
  if (part?.state !== 'streaming') return
  part.text.append(event.delta)
  changed(state, part)
}

/** The part is complete with this event. */
export function finish(state: SessionState, event: Finishing, kind?: PartKind): void {
  const part = partOf(state, event, kind)
  if (!part || part.state === 'retracted') return
  // A copy of the event without its text would be an object of a new shape for each class of event, which is slow to make.
  const { ref, citations, signature, file, source, activity } = event
  fill(part, { ref, citations, signature, file, source, activity })
  if (part.kind === 'text' && part.text.length > 0 && (event.text !== undefined || event.ref)) part.replaced = true
  if (event.text !== undefined) part.text.replace(event.text)
  else if (event.ref) part.fallback = 'loading'
  else if (event.length !== undefined && part.text.length !== event.length) {
    part.fallback = 'stale'
    diagnose(state, 'final_mismatch', part.partId)
  }
  closePart(state, part)
}

/** Messages and their parts. Every other entity that a conversation shows comes in as a part, through `showIn`. */
export const messageHandlers = {
  'text.delta': append,
  'text.final': finish,
  'reasoning.delta': append,
  'reasoning.summary': finish,
  'file.added': finish,
  'source.added': finish,
  'activity.changed': finish,

  'part.retracted': (state, event) => {
    const part = find(state.parts, event.partId)
    if (!part) return outside(state)
    if (seen(state, part.messageId) || event.seq <= part.v) return
    fill(part, event)
    closePart(state, part, 'retracted')
  },

  'feedback.changed': (state, { messageId, rating, reason = null, by }) => {
    const message = find(state.messages, messageId)
    if (!message) return outside(state)
    message.feedback = { ...message.feedback, [by.id]: { rating, reason, by } }
    changed(state, message)
  },
} satisfies Partial<Handlers>

/** The event names a part, so that what it speaks of is shown there. */
export const inPart = <E extends { [K in keyof InPart]?: unknown }>(event: E): event is E & InPart =>
  Boolean(event.runId && event.messageId && event.partId)

/** Most parts are named like the classes that speak of them. */
const kindOf = ({ type }: { type: string }): PartKind => type.slice(0, type.indexOf('.')) as PartKind

/** The part an event speaks of, created with its message when new; undefined when outside the loaded window. */
export function partOf(state: SessionState, event: InPart, kind = kindOf(event)): Part | undefined {
  const found = find(state.parts, event.partId)
  if (found) return seen(state, found.messageId) ? undefined : found
  let message = find(state.messages, event.messageId)
  if (!message) {
    // Runs that are still open are always loaded: an unknown run in a windowed state lies before the window.
    if (state.windowFrom > 1 && !find(state.runs, event.runId)) return void outside(state)
    message = addMessage(state, event, 'assistant')
    message.subagentId = event.subagentId ?? null
  } else if (event.seq <= message.asOf) return undefined
  const run = find(state.runs, message.runId)
  const part: Part = {
    key: `part:${event.partId}`,
    v: state.seq,
    partId: event.partId,
    messageId: message.messageId,
    runId: message.runId,
    kind,
    state: 'streaming',
    text: new Text(),
    ref: null,
    replaced: false,
    fallback: null,
    refId: null,
    reason: null,
    replacedBy: null,
    file: null,
    source: null,
    activity: null,
    citations: null,
    signature: null,
    startedAt: state.at,
    endedAt: null,
  }
  // Nobody follows the list of all parts: its message says that there is one more.
  state.parts.byId.set(event.partId, part)
  message.parts.push(event.partId)
  run?.openParts.add(event.partId)
  state.touch(part)
  changed(state, message)
  return part
}

/** Shows it in the part that the event names, if it names one. */
export function showIn(
  state: SessionState,
  event: Pick<SessionEvent, keyof InPart>,
  refId: string,
  kind?: PartKind,
): Part | undefined {
  const part = inPart(event) ? partOf(state, event, kind) : undefined
  if (!part) return undefined
  part.refId = refId
  closePart(state, part)
  return part
}

export function addMessage(
  state: SessionState,
  event: { at: number; messageId: string; runId?: string | undefined; turnId?: string | undefined },
  role: Message['role'],
): Message {
  state.counts.messages++
  return add(state, state.messages, {
    messageId: event.messageId,
    ordinal: ++state.counts.ordinals,
    role,
    runId: event.runId ?? null,
    turnId: event.turnId ?? find(state.runs, event.runId)?.turnId ?? null,
    subagentId: null,
    at: state.at,
    parts: [],
    partsFrom: 0,
    loose: 0,
    metadata: {},
    rewindId: null,
    feedback: {},
    asOf: 0,
  })
}

export function closePart(state: SessionState, part: Part, to: 'final' | 'incomplete' | 'retracted' = 'final'): void {
  part.state = to
  part.endedAt ??= state.at
  // Reading joins the pieces: a text that has ended is one string, which takes much less memory.
  part.text.toString()
  find(state.runs, part.runId)?.openParts.delete(part.partId)
  changed(state, part)
}

/** The run ended before the part did. */
export function leavePart(state: SessionState, partId: string): void {
  const part = find(state.parts, partId)
  if (part?.state === 'streaming') closePart(state, part, 'incomplete')
}

export function dropParts(state: SessionState, { parts }: Message): void {
  for (const partId of parts) state.parts.byId.delete(partId)
}
