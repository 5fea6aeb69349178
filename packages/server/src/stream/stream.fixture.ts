import type { SessionEvent, SessionSummary } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import { framesOf } from '../http/app.test.kit.ts'
import { Refusal } from '../refusal.ts'
import { person } from '../runtime/harness.fixture.ts'
import { browserDialect } from './browser-dialect.ts'
import { browserStream } from './browser-stream.ts'
import { createHub } from './hub.ts'
import { createStreams, type StreamLimits, streamLimits } from './streams.ts'

export const event = (seq: number, bytes = 10, sessionId = 's'): SessionEvent => ({
  seq,
  sessionId,
  at: seq,
  type: 'text.delta',
  runId: 'r',
  messageId: 'm',
  partId: 'p',
  delta: 'x'.repeat(bytes),
})

export const summary = (sessionId: string, seq: number, more: Partial<SessionSummary> = {}) =>
  ({ sessionId, seq, title: sessionId, ...more }) as SessionSummary

interface ListQuery {
  limit: number
  cursor?: string
  only?: 'attention'
}

/** Logs in memory behind the real hub; `append` makes durable first and publishes then, as the real log does. */
export function world(limits: Partial<StreamLimits> = {}) {
  const logs = new Map<string, SessionEvent[]>([['s', []]])
  const hub = createHub()
  const listeners = { events: 0, hints: 0, summaries: 0, folders: 0 }
  const counted = (kind: keyof typeof listeners, unsubscribe: () => void) => {
    listeners[kind] += 1
    return () => {
      listeners[kind] -= 1
      unsubscribe()
    }
  }
  const log = (sessionId: string): SessionEvent[] => logs.get(sessionId) ?? []
  const reads: number[] = []
  const sources = {
    hub: {
      onEvents: (...args: Parameters<typeof hub.onEvents>) => counted('events', hub.onEvents(...args)),
      onHint: (...args: Parameters<typeof hub.onHint>) => counted('hints', hub.onHint(...args)),
      onSummary: (...args: Parameters<typeof hub.onSummary>) => counted('summaries', hub.onSummary(...args)),
      onFolders: (...args: Parameters<typeof hub.onFolders>) => counted('folders', hub.onFolders(...args)),
    },
    runtime: {
      position: async (_: Principal, sessionId: string) => {
        if (!logs.has(sessionId)) throw new Refusal('session_not_found', 'There is no such session.')
        return { log: 'this-log', seq: log(sessionId).length }
      },
      listFolders: async () => ({ folders: [] }),
      listSessions: async (
        _: Principal,
        _query: ListQuery,
      ): Promise<{ sessions: SessionSummary[]; cursor: string | null }> => ({
        sessions: [...logs.keys()].map(id => summary(id, log(id).length)),
        cursor: null,
      }),
    },
    storage: {
      events: async (sessionId: string, after: number, limit: number) => {
        const page = log(sessionId).slice(after, after + limit)
        reads.push(page.length)
        await new Promise(resolve => setImmediate(resolve))
        return page
      },
    },
    report: (error: unknown) => reported.push(error),
  }
  const reported: unknown[] = []
  const streams = createStreams({ ...streamLimits, ...limits })
  const abort = new AbortController()
  const open = (cursors: Record<string, number> = { s: 0 }, list?: string) =>
    framesOf(
      browserStream({
        dialect: browserDialect,
        sources,
        streams,
        who: person('ann'),
        list,
        cursors: new Map(Object.entries(cursors).map(([id, seq]) => [id, { seq, log: 'this-log' }])),
        signal: abort.signal,
      }),
    )
  /** Makes events durable and tells nobody, as when another process has written them. */
  function write(events: readonly SessionEvent[], sessionId = 's') {
    logs.set(sessionId, [...log(sessionId), ...events])
  }
  return {
    hub,
    streams,
    sources,
    listeners,
    reads,
    reported,
    abort,
    open,
    logs,
    write,
    append(count: number, bytes = 10, sessionId = 's') {
      const events = Array.from({ length: count }, (_, index) =>
        event(log(sessionId).length + 1 + index, bytes, sessionId),
      )
      write(events, sessionId)
      hub.publish(sessionId, events)
    },
  }
}

export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
