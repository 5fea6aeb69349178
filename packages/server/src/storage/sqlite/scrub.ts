import type { DatabaseSync } from 'node:sqlite'
import { StorageFailed } from '../storage.ts'

/** Something was erased and its bytes are still in the file. */
export function needsScrub(db: DatabaseSync): boolean {
  return (db.prepare('SELECT scrub FROM instance').get() as { scrub: number } | undefined)?.scrub === 1
}

/**
 * Writes the database anew from what is in it, and empties the WAL. Deleting alone leaves copies of the rows: in free
 * pages, and in the unused space of pages that once held them (which `secure_delete` does not reach). It takes about a
 * second for each 100 MB, during which writers wait.
 */
export function scrub(db: DatabaseSync): void {
  // The new copy is made in a file: in memory it would be as large as the database.
  db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY')
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  if (busy !== 0)
    throw new StorageFailed('unknown', 'The WAL of the database is in use and still holds what was erased')
  // Only now: a crash before this makes the next start do it again.
  db.exec('UPDATE instance SET scrub = 0')
}
