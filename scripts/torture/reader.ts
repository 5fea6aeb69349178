import { type EventsFrame, type SessionEvent, unpackEvents } from '@vitrine/protocol'
import type { World } from './world.ts'

export interface Reading {
  after?: number
  /** The reader stops after this seq. Without it, the reader stays until the connection ends. */
  upTo?: number
  through?: URL
}

/** Reads the stream of a session and notes what it shows. Resolves with the last seq. */
export async function readSession(world: World, sessionId: string, reading: Reading = {}): Promise<number> {
  const { after = 0, upTo = Number.POSITIVE_INFINITY, through } = reading
  let last = after
  for await (const { data } of frames(world, `/sessions/${sessionId}/events?after=${after}`, through)) {
    const event = data as SessionEvent
    if (typeof event.seq !== 'number') continue
    world.show(sessionId, event)
    last = event.seq
    if (last >= upTo) break
  }
  return last
}

/** Does the same with the stream of a browser. */
export async function readBrowser(world: World, sessionId: string, reading: Reading = {}): Promise<number> {
  const { after = 0, upTo = Number.POSITIVE_INFINITY, through } = reading
  let last = after
  for await (const { name, data } of frames(world, `/stream?s=${sessionId}:${after}`, through)) {
    if (name !== 'events') continue
    for (const event of unpackEvents(data as EventsFrame)) {
      world.show(sessionId, event)
      last = event.seq
    }
    if (last >= upTo) break
  }
  return last
}

/** Gives only whole frames, as a browser does. */
async function* frames({ server }: World, path: string, through: URL | undefined) {
  try {
    const response = await server.open('GET', path, { headers: { accept: 'text/event-stream' }, through })
    if (response.statusCode !== 200) return
    let rest = ''
    for await (const chunk of response.setEncoding('utf8')) {
      rest += chunk
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const fields = new Map(
          rest
            .slice(0, end)
            .split('\n')
            .map(line => line.split(/: (.*)/s, 2) as [string, string]),
        )
        rest = rest.slice(end + 2)
        const data = fields.get('data')
        if (data !== undefined) yield { name: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown }
      }
    }
  } catch {
    // The connection was cut or its server was killed. The harness does that on purpose.
  }
}
