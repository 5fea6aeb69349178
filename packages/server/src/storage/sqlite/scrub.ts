import type { DatabaseSync } from 'node:sqlite'
import { StorageFailed } from '../storage.ts'

/**
 * Nothing to do when nothing was erased since the last time. Otherwise it writes the database anew from what is in it,
 * and empties the WAL. Deleting alone leaves copies of the rows: in free pages, and in the unused space of pages that
 * once held them (which `secure_delete` does not reach). It takes about a second for each 100 MB, during which writers
 * wait.
 */
export function scrub(db: DatabaseSync): void {
  if (!db.prepare('SELECT 1 FROM erased LIMIT 1').get()) return
  // The new copy is made in a file: in memory it would be as large as the database.
  db.exec('PRAGMA temp_store = FILE')
  try {
    db.exec('VACUUM')
  } finally {
    db.exec('PRAGMA temp_store = MEMORY')
  }
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  if (busy !== 0)
    throw new StorageFailed('unknown', 'The WAL of the database is in use and still holds what was erased')
  // Only now: a crash or a full disk before this makes somebody do it again.
  db.exec('DELETE FROM erased')
}
