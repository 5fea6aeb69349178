import type { Blobs } from '../blobs/blobs.ts'
import type { BlobIndex } from './blob-index.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Removes a session that is hidden for good, and its blobs, from every file. Its row goes last: an erasure that a crash
 * cuts off is `due` when the server starts again.
 */
export async function erase(storage: SessionStore & BlobIndex, blobs: Blobs, sessionId: string): Promise<void> {
  for (const digest of await storage.soleBlobs(sessionId)) {
    await blobs.remove(digest, async () => !(await storage.soleBlobs(sessionId)).includes(digest))
  }
  await storage.eraseSession(sessionId)
}
