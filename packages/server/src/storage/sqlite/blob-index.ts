import type { DatabaseSync } from 'node:sqlite'
import type { StoredBlob } from '../blob-index.ts'
import { sessionRows } from './rows.ts'
import { find, OF_SESSION, write } from './statements.ts'

/** The reading part of BlobIndex. */
export function blobReads(db: DatabaseSync) {
  const blob = db.prepare(`SELECT digest, size, media_type AS mediaType FROM blobs WHERE ${OF_SESSION} AND digest = ?`)
  const soleBlobs = db.prepare(
    `SELECT digest FROM blobs AS own WHERE session = (SELECT number FROM sessions WHERE session_id = ?)
     AND NOT EXISTS (SELECT 1 FROM blobs AS other JOIN sessions ON number = other.session
       WHERE other.digest = own.digest AND other.session <> own.session AND erase_at IS NOT 0)
     AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.digest = own.digest AND expires_at > 0)`,
  )
  return {
    blob: (sessionId: string, digest: string) => find<StoredBlob>(blob, sessionId, digest)[0],
    soleBlobs: (sessionId: string) => find<{ digest: string }>(soleBlobs, sessionId).map(({ digest }) => digest),
  }
}

/** The writing part of BlobIndex. */
export function blobWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const addBlob = db.prepare(
    `INSERT INTO blobs (session, owner, digest, size, media_type) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  return {
    addBlob(sessionId: string, owner: string, { digest, size, mediaType }: StoredBlob): void {
      write(addBlob, rows.known(sessionId).number, owner, digest, size, mediaType)
    },
  }
}
