import type { Feed } from '../feed.ts'
import { createKnownSessions, isPart, passOf } from '../known-sessions.ts'
import type { FromTab, FromWorker, Port } from './messages.ts'

export interface ServeOptions {
  /** Opens the connection, for the first tab that comes. */
  open(): Feed
  /** Settles when the lock's holder, a tab, is gone: closed, crashed or discarded. */
  released(lock: string): Promise<unknown>
}

/**
 * The worker's end: the one connection of a browser, handed out to its tabs. A tab that joins late with a lower cursor is one more
 * follower of the stream, which resumes from the lowest; the others get nothing twice.
 */
export function serveTabs({ open, released }: ServeOptions): { connect(port: Port): void } {
  const tabs = new Set<Port>()
  let feed: Feed | null = null
  let list = createKnownSessions()

  const begin = (): Feed => {
    list = createKnownSessions()
    const begun = open()
    begun.connection.subscribe(() => tell({ kind: 'connection', value: begun.connection.get() }))
    begun.onList(frame => {
      list.apply(frame)
      // A tab may have joined in the middle of a pass: the tabs get a pass as a whole, and the rows of the first at once.
      if (!isPart(frame) || !list.loaded) {
        const { sessions, folders } = frame
        tell({ kind: 'list', value: { sessions, ...(folders && { folders }) } })
      }
      if (frame.ends) for (const whole of passOf(list)) tell({ kind: 'list', value: whole })
    })
    return begun
  }

  const tell = (message: FromWorker) => {
    for (const tab of tabs) tab.postMessage(message)
  }

  return {
    connect(port) {
      feed ??= begin()
      const serving = feed
      const follows = new Map<number, () => void>()
      const post = (message: FromWorker) => port.postMessage(message)

      const leave = () => {
        if (!tabs.delete(port)) return
        for (const stop of follows.values()) stop()
        follows.clear()
        port.close()
        if (tabs.size > 0) return
        serving.close()
        feed = null
      }

      port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => {
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
