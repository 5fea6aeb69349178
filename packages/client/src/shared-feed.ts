import type { Feed, ListFrame, Sink } from './feed.ts'
import { readable, safely } from './readable.ts'
import type { Port, ToHub, ToTab } from './shared-hub.ts'
import type { Connection } from './types.ts'

export interface SharedFeed extends Feed {
  /** Tells the hub how to notice that this tab is gone. */
  alive(lock: string): void
}

/** A tab's end of the shared connection. */
export function createSharedFeed(port: Port, onHeard: () => void = () => {}): SharedFeed {
  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const listListeners = new Set<(frame: ListFrame) => void>()
  const sinks = new Map<number, Sink>()
  const post = (message: ToHub) => port.postMessage(message)
  let subs = 0

  port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => {
    onHeard()
    if (data.kind === 'connection') return connection.set(data.connection)
    if (data.kind === 'list') {
      for (const listener of listListeners) safely(() => listener(data.frame))
      return
    }
    // Late frames of a subscription that was given up have no sink any more.
    const sink = sinks.get(data.sub)
    if (!sink) return
    if (data.kind === 'events') return safely(() => sink.events(data.events))
    if (data.kind === 'live') return safely(() => sink.live(data.live))
    sinks.delete(data.sub)
    safely(() => (data.kind === 'gone' ? sink.gone(data.problem) : sink.hole()))
  })
  port.start()

  return {
    connection,
    alive: lock => post({ kind: 'alive', lock }),
    follow(sessionId, after, sink) {
      const sub = ++subs
      sinks.set(sub, sink)
      post({ kind: 'follow', sub, sessionId, after })
      return () => {
        if (sinks.delete(sub)) post({ kind: 'unfollow', sub })
      }
    },
    onList: listener => void listListeners.add(listener),
    wake: () => post({ kind: 'wake' }),
    reconnect: () => post({ kind: 'reconnect' }),
    close() {
      post({ kind: 'leave' })
      port.close()
      sinks.clear()
    },
  }
}
