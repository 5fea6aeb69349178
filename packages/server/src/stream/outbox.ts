import type { SessionEvent, SessionSummary } from '@vitrine/protocol'

/** How a stream puts its facts into server-sent events. */
export interface Frames {
  events(sessionId: string, events: readonly { seq: number; json: string }[]): string
  list(summaries: readonly string[]): string
}

export const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export interface OutboxOptions {
  frames: Frames
  /** More than this does not wait: `tooSlow` is called instead. */
  maxBytes: number
  tooSlow(): void
}

/** What waits to be written to one reader: bounded, and merged while it waits. */
export interface Outbox {
  /** Bytes that wait. */
  readonly bytes: number
  /** Since when the reader has taken nothing; infinitely late when it is waiting for us. */
  readonly idleSince: number
  /** By session: up to which event the reader has been given everything. */
  readonly cursors: Map<string, number>
  events(sessionId: string, events: readonly SessionEvent[]): void
  summary(summary: SessionSummary): void
  /** A frame of its own; what comes later is not merged with what came before it. */
  frame(text: string): void
  /** The last frame, written when it is taken; `drop` throws away what still waits before it. */
  last(text: () => string, drop: boolean): void
  /** Resolves when so little waits that a page of the backlog may follow. */
  room(): Promise<void>
  /** The next chunk, or null after the last one. */
  take(): Promise<string | null>
}

interface Waiting {
  bytes: number
  text(): string
  taken?(): void
}

interface Merged extends Waiting {
  items: Map<string | number, { seq: number; json: string }>
}

const CHUNK_BYTES = 64 * 1024
/** Names the open entry of the list; a session id is never empty. */
const LIST = ''

/** Every connection that follows a session sends the same event: it is serialised once. */
const serialised = new WeakMap<SessionEvent, string>()

export function jsonOf(event: SessionEvent): string {
  let json = serialised.get(event)
  if (json === undefined) {
    json = JSON.stringify(event)
    serialised.set(event, json)
  }
  return json
}

export function createOutbox({ frames, maxBytes, tooSlow }: OutboxOptions): Outbox {
  let waiting: Waiting[] = []
  let bytes = 0
  let idleSince = Date.now()
  let ending = false
  let ended = false
  /** Entries that later facts of the same session (or of the list) may still join. */
  const open = new Map<string, Merged>()
  const cursors = new Map<string, number>()
  let wakeReader: (() => void) | null = null
  /** Below this a page of the backlog may follow: with it, what waits stays well under the limit. */
  const little = Math.min(CHUNK_BYTES, maxBytes / 4)
  const wakeBacklog: (() => void)[] = []

  function add(entry: Waiting) {
    waiting.push(entry)
    bytes += entry.bytes
    wakeReader?.()
  }

  function merge(name: string, make: (items: Merged['items']) => Waiting, values: [string | number, number, string][]) {
    if (ending || values.length === 0) return
    let entry = open.get(name)
    if (!entry) {
      const items: Merged['items'] = new Map()
      entry = { ...make(items), items }
      open.set(name, entry)
      add(entry)
    }
    for (const [key, seq, json] of values) {
      const before = entry.items.get(key)
      const size = Buffer.byteLength(json) - (before ? Buffer.byteLength(before.json) : 0)
      entry.items.set(key, { seq, json })
      entry.bytes += size
      bytes += size
    }
    if (bytes > maxBytes) tooSlow()
  }

  return {
    get bytes() {
      return bytes
    },
    get idleSince() {
      return idleSince
    },
    cursors,
    events(sessionId, events) {
      const make = (items: Merged['items']): Waiting => ({
        bytes: 0,
        text: () => frames.events(sessionId, [...items.values()]),
        taken: () => cursors.set(sessionId, [...items.values()].at(-1)!.seq),
      })
      merge(
        sessionId,
        make,
        events.map(event => [event.seq, event.seq, jsonOf(event)]),
      )
    },
    summary(summary) {
      const make = (items: Merged['items']): Waiting => ({
        bytes: 0,
        text: () => frames.list([...items.values()].map(item => item.json)),
      })
      merge(LIST, make, [[summary.sessionId, 0, JSON.stringify(summary)]])
    },
    frame(text) {
      if (ending) return
      open.clear()
      add({ bytes: Buffer.byteLength(text), text: () => text })
    },
    last(text, drop) {
      if (ending) return
      ending = true
      open.clear()
      if (drop) {
        waiting = []
        bytes = 0
      }
      add({ bytes: 0, text })
      for (const wake of wakeBacklog.splice(0)) wake()
    },
    room() {
      if (bytes < little || ending) return Promise.resolve()
      return new Promise(resolve => wakeBacklog.push(resolve))
    },
    async take() {
      if (ended) return null
      if (waiting.length === 0) {
        idleSince = Number.POSITIVE_INFINITY
        await new Promise<void>(resolve => {
          wakeReader = resolve
        })
        wakeReader = null
      }
      idleSince = Date.now()
      let chunk = ''
      let size = 0
      let count = 0
      for (const entry of waiting) {
        chunk += entry.text()
        entry.taken?.()
        size += entry.bytes
        count += 1
        if (size >= CHUNK_BYTES) break
      }
      waiting = waiting.slice(count)
      bytes -= size
      // What has been taken can no longer be joined.
      for (const [name, entry] of open) if (!waiting.includes(entry)) open.delete(name)
      ended = ending && waiting.length === 0
      if (bytes < little) for (const wake of wakeBacklog.splice(0)) wake()
      return chunk
    },
  }
}
