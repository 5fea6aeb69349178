import { newId } from './commands.ts'
import type { Feed } from './feed.ts'
import { createSharedFeed } from './shared-feed.ts'
import { WORKER_NAME } from './shared-hub.ts'

const WORKER_ANSWER_MS = 4_000

/**
 * The connection that this browser's tabs share, or null where it cannot be had. `onFail` is called when the worker
 * turns out not to work (blocked, failed to load): the caller then connects by itself.
 */
export function joinShared(baseUrl: string, onFail: () => void): Feed | null {
  // Without locks a closed tab would be followed for ever.
  if (typeof SharedWorker !== 'function' || !globalThis.navigator?.locks) return null
  let worker: SharedWorker
  try {
    // The name of the built file: bundlers find the source by it, and the published package has it.
    worker = new SharedWorker(new URL('./shared-worker.js', import.meta.url), {
      type: 'module',
      name: WORKER_NAME + baseUrl,
    })
  } catch {
    return null
  }
  let release = () => {}
  let over = false
  const end = () => {
    over = true
    clearTimeout(timer)
    release()
  }
  const fail = () => {
    if (over) return
    end()
    // A worker that answers after all must not serve us twice.
    feed.close()
    onFail()
  }
  const timer = setTimeout(fail, WORKER_ANSWER_MS)
  worker.addEventListener('error', fail)
  const feed = createSharedFeed(worker.port, () => clearTimeout(timer))
  const lock = `vitrine-tab:${newId()}`
  navigator.locks
    .request(lock, () => {
      if (over) return
      feed.alive(lock)
      return new Promise<void>(resolve => {
        release = resolve
      })
    })
    .catch(fail)
  return {
    ...feed,
    close() {
      feed.close()
      end()
    },
  }
}
