import { createClient, type SessionHandle, type VitrineClient } from '@vitrine/client'
import {
  createState,
  packEvents,
  type SessionEvent,
  type SessionState,
  type StreamFrames,
  snapshot,
} from '@vitrine/protocol'
import { SESSION } from './events.ts'

/** What the server says live to a stream that begins after `seq`; then the connection breaks or stays open. */
export type Answer = (seq: number) => { events: readonly SessionEvent[]; end: 'break' | 'open' }

const FRAME = 64

/** Our client as an application uses it, with one open session and a server that says what it is told to. */
export function oneSession(answer: Answer): {
  client: VitrineClient
  handle: SessionHandle
  until(what: (state: SessionState) => boolean): Promise<void>
} {
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(input))
    if (!url.pathname.endsWith('/stream')) return Response.json({ ...snapshot(createState(SESSION), 1), log: 'log' })
    const followed = url.searchParams.get('s')
    const given = followed === null ? undefined : answer(Number(followed.split(':')[1]))
    return new Response(frames(given, init?.signal), { headers: { 'content-type': 'text/event-stream' } })
  }
  const client = createClient({ baseUrl: 'http://bench/api', fetch, timing: { base: 1, cap: 5 } })
  const handle = client.open(SESSION)
  return {
    client,
    handle,
    async until(what) {
      const patience = Date.now() + 20_000
      while (!what(handle.state)) {
        if (Date.now() > patience) throw new Error(`The session stayed at ${handle.state.seq}`)
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    },
  }
}

function frames(given: ReturnType<Answer> | undefined, signal: AbortSignal | null | undefined) {
  const encoder = new TextEncoder()
  let from = -1
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const write = (event: keyof StreamFrames, json: string) =>
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${json}\n\n`))
      const say = <Name extends keyof StreamFrames>(event: Name, data: StreamFrames[Name]) =>
        write(event, JSON.stringify(data))
      if (from < 0) {
        signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
        from = 0
        say('hello', { streamId: 'stream', bootId: 'boot', heartbeatMs: 15_000 })
        say('list', { begins: true, sessions: [], cursor: null, ends: true })
        if (given) say('caught-up', { sessionId: SESSION, seq: 0 })
        return
      }
      const events = given?.events.slice(from, from + FRAME) ?? []
      if (events.length > 0) {
        from += FRAME
        for (const { json } of packEvents(SESSION, events)) write('events', json)
        return
      }
      if (given?.end === 'break') return controller.close()
      // Open and silent until the client lets go; what was said is the client's alone now.
      given = undefined
      return new Promise<void>(() => {})
    },
  })
}
