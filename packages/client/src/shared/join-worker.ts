import { newId } from '../commands.ts'
import type { Feed } from '../feed.ts'
import { WORKER_NAME } from './messages.ts'
import { createTabFeed } from './tab-feed.ts'

const WORKER_ANSWER_MS = 4_000

/**
 * The connection that this browser's tabs share, or null where it cannot be had. `onFail` is called when the worker
 * turns out not to work (blocked, failed to load): the caller then connects by itself.
 */
export function joinWorker(baseUrl: string, onFail: () => void): Feed | null {
  // Without locks a closed tab would be followed for ever.
  if (!globalThis.navigator?.locks) return null
  let worker: SharedWorker
  try {
    // The name of the built file: bundlers find the source by it, and the published package has it.
    worker = new SharedWorker(new URL('./worker.js', import.meta.url), {
      type: 'module',
      name: WORKER_NAME + baseUrl,
    })
  } catch {
    return null
  }
  /** Held as a lock for as long as this tab uses the worker, so that the worker notices when the tab is gone. */
  const held = Promise.withResolvers<void>()
  let over = false
  const close = () => {
    over = true
    clearTimeout(timer)
    held.resolve()
    feed.close()
  }
  const fail = () => {
    // A worker that answers after all must not serve us twice.
    if (over) return
    close()
    onFail()
  }
  const timer = setTimeout(fail, WORKER_ANSWER_MS)
  worker.addEventListener('error', fail)
  const feed = createTabFeed(worker.port, () => clearTimeout(timer))
  const lock = `vitrine-tab:${newId()}`
  navigator.locks
    .request(lock, () => {
      feed.alive(lock)
      return held.promise
    })
    .catch(fail)
  return { ...feed, close }
}
