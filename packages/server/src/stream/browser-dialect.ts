import { packEvents } from '@vitrine/protocol'
import { type Dialect, FRAME_BYTES, rememberingNothing } from './dialect.ts'
import { SSE_HEARTBEAT, sseFrame, sseHeaders } from './sse.ts'

/** What our own pages read: packed frames of several events each, of several sessions on one connection. */
export const browserDialect: Dialect = {
  headers: sseHeaders,
  heartbeat: SSE_HEARTBEAT,
  encoder: rememberingNothing((sessionId, events) =>
    packEvents(sessionId, events, FRAME_BYTES).map(({ json, upTo }) => ({
      text: sseFrame('events', json),
      upTo,
    })),
  ),
  say: ({ event, data }) => (event === 'broken' ? undefined : sseFrame(event, JSON.stringify(data))),
}
