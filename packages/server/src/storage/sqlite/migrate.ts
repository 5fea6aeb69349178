import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StorageRefused } from '../storage.ts'

/** 'VITR', in the file's header: tells our databases from those of other programs. */
export const APPLICATION_ID = 0x56495452

/**
 * Entry n brings a database of version n to version n + 1. An entry that was released is never edited.
 * Titles are JSON strings, so that any text a person or an agent chose comes back unchanged.
 * Events lie in the order of their arrival and have an index by session number: keyed WITHOUT ROWID, sessions that stream
 * at once split each other's pages, and a group commit writes twice as many.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE instance (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    id TEXT NOT NULL,
    secret TEXT NOT NULL,
    last_epoch INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    parent_session_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    read_seq INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    status TEXT NOT NULL,
    queued INTEGER NOT NULL,
    message_count INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    epoch INTEGER
  ) STRICT;
  CREATE INDEX sessions_newest ON sessions (owner, updated_at DESC, session_id DESC);
  CREATE INDEX sessions_unfinished ON sessions (session_id) WHERE unfinished = 1;

  CREATE TABLE events (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT;

  CREATE TABLE checkpoints (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;

  CREATE TABLE message_pages (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY (session, ordinal)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE answers (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE blobs (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    digest TEXT NOT NULL,
    owner TEXT NOT NULL,
    size INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    PRIMARY KEY (session, digest)
  ) STRICT, WITHOUT ROWID;
  `,
]

/** Refuses what is not ours or newer than this program, keeps a copy of what is older, and brings it up to date. */
export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  const version = versionOf(db, file)
  if (version > steps.length) {
    throw new StorageRefused(
      `${file} was written by a newer version of Vitrine (format ${version}, this one knows ${steps.length}): update Vitrine or choose another data folder.`,
    )
  }
  if (version > 0 && version < steps.length) backUp(db, file, version)
  for (let next = version; next < steps.length; next++) {
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(steps[next]!)
      // Both pragmas live in the file's header and roll back with it: a crash leaves the old version, never a mix.
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${next + 1}; COMMIT`)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

function versionOf(db: DatabaseSync, file: string): number {
  const { application_id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  if (application_id === 0 && user_version === 0 && tables === 0) return 0
  if (application_id === APPLICATION_ID) return user_version
  throw new StorageRefused(`${file} belongs to another program: choose another data folder.`)
}

/** A complete, durable copy beside the database; a failed attempt never leaves a half copy under the final name. */
function backUp(db: DatabaseSync, file: string, version: number): void {
  const copy = file.replace(/(\.db)?$/, `.v${version}.backup.db`)
  const partial = `${copy}.partial`
  rmSync(partial, { force: true })
  db.prepare('VACUUM INTO ?').run(partial)
  chmodSync(partial, 0o600)
  sync(partial)
  renameSync(partial, copy)
  sync(dirname(copy))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
