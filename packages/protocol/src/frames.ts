import type { Folder, SessionSummary } from './answers.ts'
import type { Code } from './codes.ts'
import type { SessionEvent } from './events.ts'
import type { JsonObject } from './json.ts'

/** What the stream of a browser sends: the data of each frame, by the name of the frame. */
export interface StreamFrames {
  /** The first frame of every connection. */
  hello: { streamId: string; bootId: string; heartbeatMs: number }
  events: EventsFrame
  /** The reader has everything of the session that is durable. */
  'caught-up': { sessionId: string; seq: number }
  /** The reader is too slow, and is sent the session from the log until it has caught up again. */
  behind: { sessionId: string }
  /** The session cannot be followed, or not any more. */
  gone: { sessionId: string; code: Code }
  list: ListFrame
  /** The last frame when the server ends the connection. For each session it says after which event to resume. */
  cut: { reason: 'slow' | 'stopping' | 'signed_out'; resume: Record<string, number> }
}

/** One frame with its name, as server-sent events carry the two. */
export type StreamFrame = {
  [Name in keyof StreamFrames]: { readonly event: Name; readonly data: StreamFrames[Name] }
}[keyof StreamFrames]

/**
 * Rows of the session list: a change, or a part of a pass over the whole list. A pass goes from a frame that `begins` it
 * to one that `ends` it, over several connections if need be.
 */
export interface ListFrame {
  sessions: readonly SessionSummary[]
  /** All folders, when a pass begins and when they changed. */
  folders?: readonly Folder[]
  begins?: true
  /** Where the next connection goes on when this one is cut off here. */
  at?: string
  /** Comes with the last of the newest sessions: older ones are paged from here. What needs attention follows. */
  cursor?: string | null
  ends?: true
}

/** Consecutive events of one session, as a browser is sent them. */
export interface EventsFrame {
  sessionId: string
  /** The seq of the first event. Each of the others has the next seq. */
  from: number
  events: PackedEvent[]
}

type PackedEvent = [
  /** The type and the ids, or the index of the event in this frame that has the same ones and says them. */
  head: JsonObject | number,
  /** The time of the first event; then what has passed since the event before. */
  at: number,
  /** The other fields, or a text that stands for `{delta: text}`. */
  body: JsonObject | string,
]

export interface PackedEvents {
  /** An `EventsFrame`, as JSON. */
  json: string
  /** The seq of its last event. */
  upTo: number
}

/** Makes frames of about so many bytes at most; a larger event is a frame of its own. A gap begins a new frame. */
export function packEvents(
  sessionId: string,
  events: readonly SessionEvent[],
  most = Number.POSITIVE_INFINITY,
): PackedEvents[] {
  const frames: PackedEvents[] = []
  for (let start = 0; start < events.length; ) {
    const from = events[start]!.seq
    const { rows, next } = packRows(events, start, most)
    const json = `{"sessionId":${JSON.stringify(sessionId)},"from":${from},"events":[${rows}]}`
    frames.push({ json, upTo: from + next - start - 1 })
    start = next
  }
  return frames
}

/** The events of a frame as they are in the log: the reverse of `packEvents`. */
export function unpackEvents({ sessionId, from, events }: EventsFrame): SessionEvent[] {
  let time = 0
  return events.map(([head, at, body], index) => {
    time += at
    return {
      seq: from + index,
      sessionId,
      at: time,
      ...((typeof head === 'number' ? events[head]![0] : head) as JsonObject),
      ...(typeof body === 'string' ? { delta: body } : body),
    } as unknown as SessionEvent
  })
}

type Fields = Record<string, unknown>

interface Head {
  readonly index: number
  readonly fields: Fields
  readonly size: number
}

/** The JSON is written piece by piece, because that takes less time than making objects of the pieces first. */
function packRows(events: readonly SessionEvent[], start: number, most: number): { rows: string; next: number } {
  const heads: Head[] = []
  const from = events[start]!.seq
  let rows = ''
  let at = 0
  let room = most
  let next = start
  for (; next < events.length; next++) {
    const event = events[next]!
    const index = next - start
    if (event.seq !== from + index) break
    // A frame has few heads, because they fill it: looking through them is cheaper than a key for each event.
    let known = heads.length - 1
    while (known >= 0 && !hasHead(event, heads[known]!)) known--
    const head = heads[known] ?? headOf(event, index)
    const row = `[${known < 0 ? JSON.stringify(head.fields) : head.index},${event.at - at},${bodyOf(event)}]`
    room -= bytesOf(row, room) + 1
    if (room < 0 && index > 0) break
    if (known < 0) heads.push(head)
    rows += index > 0 ? `,${row}` : row
    at = event.at
  }
  return { rows, next }
}

const isHead = (key: string, value: unknown): boolean =>
  typeof value === 'string' && (key === 'type' || (key.endsWith('Id') && key !== 'sessionId'))

function headOf(event: Fields, index: number): Head {
  const fields: Fields = {}
  let size = 0
  for (const key in event) {
    const value = event[key]
    if (!isHead(key, value)) continue
    fields[key] = value
    size++
  }
  return { index, fields, size }
}

function hasHead(event: Fields, { fields, size }: Head): boolean {
  let same = 0
  for (const key in event) {
    const value = event[key]
    if (!isHead(key, value)) continue
    if (fields[key] !== value) return false
    same++
  }
  return same === size
}

function bodyOf(event: Fields): string {
  let body = ''
  let fields = 0
  for (const key in event) {
    const value = event[key]
    if (key === 'seq' || key === 'sessionId' || key === 'at' || value === undefined || isHead(key, value)) continue
    body += `${fields++ ? ',' : ''}${JSON.stringify(key)}:${JSON.stringify(value)}`
  }
  const { delta } = event
  return fields === 1 && typeof delta === 'string' ? JSON.stringify(delta) : `{${body}}`
}

/** Bytes of the text in UTF-8, or more than `enough` when there are more. */
function bytesOf(text: string, enough: number): number {
  let bytes = text.length
  for (let index = 0; index < text.length && bytes <= enough; index++) {
    const code = text.charCodeAt(index)
    // Half of a pair counts as two, because a pair is four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
