import { type Dialect, rememberingNothing } from './dialect.ts'
import { SSE_HEARTBEAT, sseFrame, sseHeaders } from './sse.ts'

/** What API clients read: each event as it is, with `id:` = `seq`, so that Last-Event-ID resumes. */
export const sessionDialect: Dialect = {
  headers: sseHeaders,
  heartbeat: SSE_HEARTBEAT,
  encoder: rememberingNothing((_, events) =>
    events.map(event => ({ text: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`, upTo: event.seq })),
  ),
  say({ event, data }) {
    // Headers and a first byte leave at once, also when the session is silent.
    if (event === 'hello') return ': open\n\n'
    return event === 'gone' || event === 'cut' ? sseFrame(event, JSON.stringify(data)) : undefined
  },
}
