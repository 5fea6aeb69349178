import type { ListFrame } from '@vitrine/protocol'
import type { Feed, Sink } from '../feed.ts'
import { createListeners, readable, safely } from '../readable.ts'
import type { Connection } from '../types.ts'
import type { FromTab, FromWorker, Port } from './messages.ts'

export interface TabFeed extends Feed {
  /** Tells the worker how to notice that this tab is gone. */
  alive(lock: string): void
}

/** The tab's end: the shared connection, as this tab sees it through its port to the worker. */
export function createTabFeed(port: Port, onHeard: () => void = () => {}): TabFeed {
  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const listListeners = createListeners<ListFrame>()
  const sinks = new Map<number, Sink>()
  const post = (message: FromTab) => port.postMessage(message)
  let subs = 0

  port.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    onHeard()
    if (data.kind === 'connection') return connection.set(data.value)
    if (data.kind === 'list') return listListeners.tell(data.value)
    const { sub, kind, value } = data
    const sink = sinks.get(sub)
    if (kind === 'gone' || kind === 'hole') sinks.delete(sub)
    // Late frames of a subscription that was given up have no sink any more.
    if (sink) safely(() => sink[kind](value as never))
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
    onList: listListeners.add,
    wake: () => post({ kind: 'wake' }),
    reconnect: () => post({ kind: 'reconnect' }),
    close() {
      post({ kind: 'leave' })
      port.close()
      sinks.clear()
    },
  }
}
