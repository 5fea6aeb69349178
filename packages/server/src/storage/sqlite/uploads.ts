import type { DatabaseSync } from 'node:sqlite'
import type { StoredBlob } from '../blob-index.ts'
import { UploadKeyTaken, UploadsFull } from '../storage.ts'
import type { Upload, UploadLimits } from '../upload-store.ts'
import { sessionRows } from './rows.ts'
import { find, write } from './statements.ts'

const UPLOAD = 'digest, size, media_type AS mediaType, expires_at AS expiresAt'
/** An upload that is due has the time 0. */
const WAITING =
  'SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM uploads WHERE owner = ? AND expires_at > 0'

type Waiting = StoredBlob & { key: string }

/** The reading part of UploadStore. */
export function uploadReads(db: DatabaseSync) {
  const waiting = db.prepare(WAITING)
  const needed = db.prepare(
    `SELECT 1 FROM uploads WHERE digest = ? AND expires_at > 0
     UNION ALL SELECT 1 FROM blobs JOIN sessions ON number = session WHERE digest = ? AND erase_at IS NOT 0 LIMIT 1`,
  )
  return {
    waitingUploads: (owner: string): UploadLimits => find<UploadLimits>(waiting, owner)[0] ?? { files: 0, bytes: 0 },
    isBlobNeeded: (digest: string): boolean => find(needed, digest, digest).length > 0,
  }
}

/** The writing part of UploadStore. */
export function uploadWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const byKey = db.prepare(`SELECT ${UPLOAD} FROM uploads WHERE owner = ? AND key = ?`)
  const waiting = db.prepare(WAITING)
  const add = db.prepare(
    `INSERT INTO uploads (owner, key, digest, size, media_type, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
  )
  const ofSession = db.prepare(
    'SELECT digest, size, media_type AS mediaType FROM blobs WHERE session = ? AND digest = ?',
  )
  const ofOwner = db.prepare(
    `SELECT key, digest, size, media_type AS mediaType FROM uploads
     WHERE owner = ? AND digest = ? AND expires_at > ? ORDER BY expires_at LIMIT 1`,
  )
  const refer = db.prepare(
    'INSERT INTO blobs (session, owner, digest, size, media_type) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const use = db.prepare('DELETE FROM uploads WHERE owner = ? AND key = ?')
  const setDue = db.prepare('UPDATE uploads SET expires_at = 0 WHERE expires_at <= ?')
  const due = db.prepare('SELECT DISTINCT digest FROM uploads WHERE expires_at = 0')
  const forget = db.prepare('DELETE FROM uploads WHERE digest = ? AND expires_at = 0')

  return {
    addUpload(owner: string, key: string, upload: Upload, limits: UploadLimits): Upload {
      const { digest, size, mediaType, expiresAt } = upload
      const [before] = find<Upload>(byKey, owner, key)
      if (before && (before.digest !== digest || before.mediaType !== mediaType)) {
        throw new UploadKeyTaken('This key was used for other bytes')
      }
      if (before && before.expiresAt > 0) return before
      const there = find<UploadLimits>(waiting, owner)[0]!
      if (there.files >= limits.files || there.bytes + size > limits.bytes) {
        throw new UploadsFull(`${there.files} files of ${there.bytes} bytes wait already`)
      }
      write(add, owner, key, digest, size, mediaType, expiresAt)
      return upload
    },
    claimUploads(sessionId: string, owner: string, digests: readonly string[], now: number): StoredBlob[] | undefined {
      const { number } = rows.known(sessionId)
      const claimed: StoredBlob[] = []
      for (const digest of digests) {
        const [there] = [...find<StoredBlob>(ofSession, number, digest), ...find<Waiting>(ofOwner, owner, digest, now)]
        if (!there) return undefined
        claimed.push({ digest, size: there.size, mediaType: there.mediaType })
      }
      for (const blob of claimed) {
        write(refer, number, owner, blob.digest, blob.size, blob.mediaType)
        // Also when the session has the blob already: an upload that stays would keep the bytes after the session is erased.
        const [upload] = find<Waiting>(ofOwner, owner, blob.digest, now)
        if (upload) write(use, owner, upload.key)
      }
      return claimed
    },
    dueUploads(now: number): string[] {
      write(setDue, now)
      return find<{ digest: string }>(due).map(({ digest }) => digest)
    },
    removeDueUploads(digest: string): void {
      write(forget, digest)
    },
  }
}
