import type { Blobs } from '../blobs/blobs.ts'
import { summaryOf } from '../log/list-row.ts'
import { sessionNotFound } from '../refusal.ts'
import type { BlobIndex } from '../storage/blob-index.ts'
import { erase } from '../storage/erase.ts'
import type { HiddenSession, SessionStore } from '../storage/session-store.ts'
import type { Hub } from '../stream/hub.ts'
import type { OpenSessions } from './open-sessions.ts'
import * as reasons from './reasons.ts'
import type { Runtime } from './runtime.ts'
import type { Uploads } from './uploads.ts'

export interface DeletingOptions {
  storage: SessionStore & BlobIndex
  blobs: Blobs
  uploads: Pick<Uploads, 'prune'>
  hub: Pick<Hub, 'publishSummary'>
  open: OpenSessions
  /** How long a deleted session can be brought back. */
  eraseAfterMs: number
  now(): number
  report(line: string, error: unknown): void
}

/** How often it is looked for sessions whose time to be brought back is over, and for uploads that nobody used. */
const SWEEP_MS = 60_000

export interface Deleting extends Pick<Runtime, 'deleteSession' | 'restoreSession' | 'eraseSession'> {
  /** Erases what is due, again and again until `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Deleting hides a session with its tasks; after a time, or at once when a person wants it, they are erased. */
export function createDeleting(options: DeletingOptions): Deleting {
  const { storage, blobs, uploads, hub, open, eraseAfterMs, now } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let sweeping = Promise.resolve()
  let stopped = false

  /** Stops the runs before their sessions are hidden, so that a session that comes back says why its run ended. */
  async function hide(sessionId: string, eraseAt: number): Promise<HiddenSession[]> {
    const tree = await storage.tree(sessionId)
    // Tasks come before their parents, which then still hear what became of them.
    const ids = tree.map(row => row.sessionId).reverse()
    const hidden = await open.remove(ids, reasons.sessionDeleted, () => storage.hideSession(sessionId, eraseAt))
    for (const row of hidden) hub.publishSummary(row.owner, summaryOf(row))
    return hidden
  }

  /** Unlike `storage.session` it finds what is damaged as well: that can be deleted, too. */
  const here = async (sessionId: string) => (await storage.tree(sessionId)).find(row => row.sessionId === sessionId)

  const failed = (error: unknown) => options.report('an erasure failed and will be tried again', error)

  /** All at once: the storage then writes its file anew once. */
  async function sweep(): Promise<void> {
    const due = await storage.due(now())
    await Promise.all(due.map(({ sessionId }) => erase(storage, blobs, sessionId).catch(failed)))
    // What an earlier erasure had to leave, because the disk was full.
    await storage.scrub()
    await uploads.prune()
  }

  function sweepAgain(): Promise<void> {
    sweeping = sweep()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(sweepAgain, Math.min(SWEEP_MS, Math.max(eraseAfterMs, 50))).unref()
      })
    return sweeping
  }

  return {
    async deleteSession(who, sessionId) {
      const row = await here(sessionId)
      if (row?.owner !== who.id) throw sessionNotFound()
      await hide(sessionId, now() + eraseAfterMs)
    },

    async restoreSession(who, sessionId) {
      const row = (await storage.hiddenSession(sessionId)) ?? (await storage.session(sessionId))
      if (row?.owner !== who.id) throw sessionNotFound()
      const restored = await storage.restoreSession(sessionId)
      for (const one of restored) hub.publishSummary(one.owner, summaryOf(one))
      // What waits in a queue, or was cut off while it was being deleted, goes on as after a restart.
      for (const one of restored) if (one.unfinished) open.takeUp(one.sessionId)
      const back = await storage.session(sessionId)
      if (!back) throw sessionNotFound()
      return { session: summaryOf(back) }
    },

    async eraseSession(who, sessionId) {
      const row = (await here(sessionId)) ?? (await storage.hiddenSession(sessionId))
      if (!row && (await storage.bytesLeft(who.id, sessionId))) return storage.scrub()
      if (row?.owner !== who.id) throw sessionNotFound()
      const hidden = await hide(sessionId, 0)
      await Promise.all(hidden.map(one => erase(storage, blobs, one.sessionId)))
    },

    start: sweepAgain,

    async stop() {
      stopped = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
