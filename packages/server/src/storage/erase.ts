import type { Blobs } from '../blobs/blobs.ts'
import type { Storage } from './storage.ts'

/**
 * Removes a session and its blobs from every file. The session is hidden first and its row goes last: an erasure that a
 * crash cuts off is `due` when the server starts again.
 */
export async function erase(storage: Storage, blobs: Blobs, sessionId: string): Promise<void> {
  await storage.hideSession(sessionId, 0)
  for (const digest of await storage.soleBlobs(sessionId)) {
    await blobs.remove(digest, async () => !(await storage.soleBlobs(sessionId)).includes(digest))
  }
  await storage.eraseSession(sessionId)
}
