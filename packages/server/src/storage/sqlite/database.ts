import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageRefused } from '../storage.ts'
import { failureOf, SQLITE } from './failures.ts'
import { claimFolder, DATABASE } from './folder.ts'
import { newSecret } from './instance.ts'
import { lossOf, openMark } from './mark.ts'
import { migrate } from './migrate.ts'
import { type Columns, isWhole, newLogId, rowDigest } from './rows.ts'

/** An open database in a folder that this process holds. */
interface OpenDatabase {
  db: DatabaseSync
  close(): void
}

interface WritableDatabase extends OpenDatabase {
  /** Call it after each commit, with the number that the database now has. */
  committed(commits: number): void
}

export function openDatabase(folder: string, acceptLoss: boolean): WritableDatabase {
  const file = join(folder, DATABASE)
  let release = () => {}
  let db: DatabaseSync | undefined
  try {
    release = claimFolder(folder)
    const loss = lossOf(folder, acceptLoss)
    if (loss !== undefined && !acceptLoss) throw new StorageRefused(loss)
    // SQLite gives the WAL the permissions of the database, so the database is made private before it exists.
    closeSync(openSync(file, 'a', 0o600))
    db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true, defensive: true })
    prepareFile(db, file)
    // A position in a log that lost its end would be taken for one in what is written now.
    if (loss !== undefined) renewLogs(db)
    const opened = db
    const mark = openMark(folder, opened)
    return {
      db: opened,
      committed: mark.committed,
      close: () => {
        opened.close()
        mark.close()
        release()
      },
    }
  } catch (error) {
    db?.close()
    release()
    throw refusal(error as NodeJS.ErrnoException, folder, file)
  }
}

function renewLogs(db: DatabaseSync): void {
  const rows = db.prepare('SELECT * FROM sessions').all() as unknown as Columns[]
  const renew = db.prepare('UPDATE sessions SET log_id = ?, row_digest = ? WHERE number = ?')
  for (const row of rows) {
    const renewed = { ...row, log_id: newLogId() }
    // One that is damaged must not look whole now.
    renew.run(renewed.log_id, isWhole(row) ? rowDigest(renewed) : row.row_digest, row.number)
  }
}

/** Beside the connection that writes, in a thread of its own: who reads never waits for who writes, nor the reverse. */
export function openReader(folder: string): OpenDatabase {
  const db = new DatabaseSync(join(folder, DATABASE), { readOnly: true, timeout: 5_000, defensive: true })
  db.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY')
  return { db, close: () => db.close() }
}

function prepareFile(db: DatabaseSync, file: string): void {
  migrate(db, file)
  // Before the first WAL, so that the file itself always says whose it is.
  db.prepare('INSERT INTO instance (only_row, id, secret) VALUES (1, ?, ?) ON CONFLICT DO NOTHING').run(
    randomUUID(),
    newSecret(),
  )
  const { journal_mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
  if (journal_mode !== 'wal') {
    throw new StorageRefused(`${file} is on a file system without shared memory: choose a data folder on a local disk.`)
  }
  // FULL syncs the WAL at every commit: what was acknowledged survives a power cut (L1).
  db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY')
  // Rarer checkpoints write a page that many groups touched once; the limit keeps a burst from staying on the disk.
  db.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864')
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'])

function refusal(error: NodeJS.ErrnoException & { errcode?: number }, folder: string, file: string): Error {
  if (error instanceof StorageRefused) return error
  const { code } = failureOf(error, folder)
  if (code === 'disk_full') {
    return new StorageRefused(`${folder} has no space left: free some or choose another data folder.`)
  }
  if (UNWRITABLE.has(error.code ?? '')) return unwritable(folder, error.code!)
  switch ((error.errcode ?? 0) & 0xff) {
    case SQLITE.io:
      if (code === 'read_only') return unwritable(folder, error.message)
      return new StorageRefused(`${folder} is on a disk that fails (${error.message}): check it or choose another.`)
    case SQLITE.readonly:
    case SQLITE.cantOpen:
      return unwritable(folder, error.message)
    case SQLITE.busy:
      return new StorageRefused(`${file} is locked by another program: close that program and start again.`)
    case SQLITE.notADatabase:
      return new StorageRefused(`${file} is not a database of Vitrine: move it away or choose another data folder.`)
    case SQLITE.corrupt:
      return new StorageRefused(`${file} is damaged (${error.message}): restore it from a backup.`)
    default:
      return error
  }
}

const unwritable = (folder: string, why: string) =>
  new StorageRefused(`${folder} cannot be written (${why}): change its permissions or choose another data folder.`)
