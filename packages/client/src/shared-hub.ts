import type { Cursor, Feed, ListFrame, Sink } from './feed.ts'
import { createSessionList, isPart, passOf } from './session-list.ts'
import type { Connection } from './types.ts'

/** The worker's name carries the base URL: tabs of one server share one worker. */
export const WORKER_NAME = 'vitrine:'

/** What a tab says. `sub` numbers its subscriptions, so that frames of one it has given up are told apart. */
export type ToHub =
  | { kind: 'alive'; lock: string }
  | { kind: 'follow'; sub: number; sessionId: string; after: Cursor }
  | { kind: 'unfollow'; sub: number }
  | { kind: 'wake' | 'reconnect' | 'leave' }

export type ToTab =
  | { kind: 'connection'; value: Connection }
  | { kind: 'list'; value: ListFrame }
  | { [K in keyof Sink]: { kind: K; sub: number; value?: Parameters<Sink[K]>[0] } }[keyof Sink]

/** What is needed of a MessagePort. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  start(): void
  close(): void
}

export interface HubOptions {
  open(): Feed
  /** Settles when the lock's holder, a tab, is gone: closed, crashed or discarded. */
  released(lock: string): Promise<unknown>
}

/**
 * The one connection of a browser, handed out to its tabs. A tab that joins late with a lower cursor is one more
 * follower of the stream, which resumes from the lowest; the others get nothing twice.
 */
export function createHub({ open, released }: HubOptions): { connect(port: Port): void } {
  const tabs = new Set<Port>()
  let feed: Feed | null = null
  let list = createSessionList()

  const begin = (): Feed => {
    list = createSessionList()
    const begun = open()
    begun.connection.subscribe(() => tell({ kind: 'connection', value: begun.connection.get() }))
    begun.onList(frame => {
      list.apply(frame)
      // A tab may have joined in the middle of a pass: the tabs get a pass as a whole, and the rows of the first at once.
      if (!isPart(frame) || !list.loaded) tell({ kind: 'list', value: { sessions: frame.sessions } })
      if (frame.ends) for (const whole of passOf(list)) tell({ kind: 'list', value: whole })
    })
    return begun
  }

  const tell = (message: ToTab) => {
    for (const tab of tabs) tab.postMessage(message)
  }

  return {
    connect(port) {
      feed ??= begin()
      const serving = feed
      const follows = new Map<number, () => void>()
      const post = (message: ToTab) => port.postMessage(message)

      const leave = () => {
        if (!tabs.delete(port)) return
        for (const stop of follows.values()) stop()
        follows.clear()
        port.close()
        if (tabs.size > 0) return
        serving.close()
        feed = null
      }

      port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => {
        if (!tabs.has(port)) return
        if (data.kind === 'follow') {
          const { sub } = data
          follows.set(
            sub,
            serving.follow(data.sessionId, data.after, {
              events: value => post({ kind: 'events', sub, value }),
              gone: value => post({ kind: 'gone', sub, value }),
              hole: () => post({ kind: 'hole', sub }),
              live: value => post({ kind: 'live', sub, value }),
            }),
          )
        } else if (data.kind === 'unfollow') {
          follows.get(data.sub)?.()
          follows.delete(data.sub)
        } else if (data.kind === 'alive') released(data.lock).then(leave, leave)
        else if (data.kind === 'wake') serving.wake()
        else if (data.kind === 'reconnect') serving.reconnect()
        else leave()
      })
      tabs.add(port)
      port.start()
      post({ kind: 'connection', value: serving.connection.get() })
      if (list.loaded) for (const value of passOf(list)) post({ kind: 'list', value })
    },
  }
}
