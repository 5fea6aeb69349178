import type { DatabaseSync } from 'node:sqlite'
import { StorageRefused } from '../storage.ts'
import { backUp } from './backups.ts'
import { bringUsage } from './bring-usage.ts'
import { chunksOf, digestOf, NO_DIGEST } from './chain.ts'
import { type Columns, folded, newLogId, rowDigest } from './rows.ts'

/** 'VITR', in the file's header: tells our databases from those of other programs. */
export const APPLICATION_ID = 0x56495452

/**
 * Entry n brings a database of version n to version n + 1. An entry that was released is never edited.
 * Titles are JSON strings, so that any text a person or an agent chose comes back unchanged.
 * Chunks lie in the order of their arrival and have an index by session number: keyed WITHOUT ROWID, sessions that stream
 * at once split each other's pages, and a group commit writes twice as many.
 */
export const migrations: readonly ((db: DatabaseSync) => void)[] = [
  sql(`
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
  `),

  // Each append is one row of a chain, ids that count for ever have an index, sessions can be hidden.
  db => {
    db.exec(`
      ALTER TABLE instance ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;

      -- Sessions that were erased and whose bytes are still in the file.
      CREATE TABLE erased (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

      ALTER TABLE sessions ADD COLUMN log_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE sessions ADD COLUMN head TEXT NOT NULL DEFAULT '';
      ALTER TABLE sessions ADD COLUMN erase_at INTEGER;
      ALTER TABLE sessions ADD COLUMN row_digest TEXT NOT NULL DEFAULT '';
      DROP INDEX sessions_newest;
      CREATE INDEX sessions_newest ON sessions (owner, updated_at DESC, session_id DESC) WHERE erase_at IS NULL;
      DROP INDEX sessions_unfinished;
      CREATE INDEX sessions_unfinished ON sessions (session_id) WHERE unfinished = 1 AND erase_at IS NULL;
      CREATE INDEX sessions_due ON sessions (erase_at) WHERE erase_at IS NOT NULL;
      CREATE INDEX sessions_tasks ON sessions (parent_session_id) WHERE parent_session_id IS NOT NULL;

      CREATE TABLE chunks (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        shape INTEGER NOT NULL,
        events TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (session, last)
      ) STRICT;

      CREATE TABLE reads (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        person TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (session, person)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO reads SELECT number, owner, read_seq FROM sessions WHERE read_seq > 0;
      ALTER TABLE sessions DROP COLUMN read_seq;

      CREATE TABLE ids (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        digest TEXT,
        PRIMARY KEY (session, kind, id)
      ) STRICT, WITHOUT ROWID;

      DELETE FROM message_pages;
      ALTER TABLE message_pages ADD COLUMN digest TEXT NOT NULL DEFAULT '';
      DELETE FROM checkpoints;
      ALTER TABLE checkpoints ADD COLUMN fold INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE checkpoints ADD COLUMN digest TEXT NOT NULL DEFAULT '';

      ALTER TABLE answers ADD COLUMN session INTEGER REFERENCES sessions ON DELETE CASCADE;
      CREATE INDEX answers_of_session ON answers (session) WHERE session IS NOT NULL;
      CREATE INDEX answers_oldest ON answers (created_at);
      CREATE INDEX blobs_by_digest ON blobs (digest);
    `)
    finishGhosts(db)
    for (const { number } of db.prepare('SELECT number FROM sessions').all() as { number: number }[]) chain(db, number)
    attributeAnswers(db)
    sealRows(db)
    db.exec('DROP TABLE events')
  },

  // Who took the newest lease of a session.
  sql('ALTER TABLE sessions ADD COLUMN holder TEXT'),

  // Files that people have uploaded and that no turn refers to yet.
  sql(`
  CREATE TABLE uploads (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_by_digest ON uploads (digest);
  CREATE INDEX uploads_by_time ON uploads (expires_at);
  `),

  // Folders of the session list, and the texts of messages by their words. What an older version wrote is brought later, session by session (indexing.ts).
  sql(`
  ALTER TABLE sessions ADD COLUMN folder_id TEXT;
  CREATE TABLE folders (
    owner TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (owner, folder_id)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE sessions ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX sessions_unindexed ON sessions (updated_at) WHERE indexed = 0 AND erase_at IS NULL;

  CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    part_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    digest TEXT NOT NULL
  ) STRICT;
  CREATE INDEX texts_of_part ON texts (session, part_id);
  CREATE INDEX texts_of_message ON texts (session, ordinal);

  CREATE VIRTUAL TABLE texts_index USING fts5 (owner, words, tokenize = 'ascii');
  -- Without this, words of deleted texts stay in the index until it is merged by chance.
  INSERT INTO texts_index (texts_index, rank) VALUES ('secure-delete', 1);
  CREATE TRIGGER texts_deleted AFTER DELETE ON texts BEGIN DELETE FROM texts_index WHERE rowid = old.id; END;
  `),
  // Very many words begin with the same two to four letters. With a list for each such beginning, a search reads that
  // list instead of merging those of all words, which held up the worker for a tenth of a second in 50,000 messages.
  sql(`
  DROP TRIGGER texts_deleted;
  CREATE VIRTUAL TABLE texts_anew USING fts5 (owner, words, tokenize = 'ascii', prefix = '2 3 4');
  INSERT INTO texts_anew (texts_anew, rank) VALUES ('secure-delete', 1);
  INSERT INTO texts_anew (rowid, owner, words) SELECT rowid, owner, words FROM texts_index;
  DROP TABLE texts_index;
  ALTER TABLE texts_anew RENAME TO texts_index;
  CREATE TRIGGER texts_deleted AFTER DELETE ON texts BEGIN DELETE FROM texts_index WHERE rowid = old.id; END;
  `),
  // Titles are found by the same words as messages: without accents.
  db => {
    const fold = db.prepare('UPDATE sessions SET title_folded = ? WHERE number = ?')
    const rows = db.prepare('SELECT number, title FROM sessions').all() as Record<'number' | 'title', never>[]
    for (const { number, title } of rows) if (typeof title === 'string') fold.run(folded(title), number)
  },
  // What a session waits for. Rows of older versions do not say it until their session moves on.
  sql('ALTER TABLE sessions ADD COLUMN waits_for TEXT'),
  // Words that agents draw can be found too. Those of older sessions are brought later, session by session (indexing.ts);
  // what could be found before stays found meanwhile.
  sql('UPDATE sessions SET indexed = 0'),
  // What people have set: providers, agents. The number is the order in which they were made.
  sql(`
  CREATE TABLE settings (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (owner, kind, id)
  ) STRICT;
  `),
  // What runs have used. Those of older versions are read from the logs once.
  db => {
    db.exec(`
      CREATE TABLE run_usage (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        run_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        agent_id TEXT NOT NULL,
        model TEXT NOT NULL,
        input INTEGER,
        output INTEGER,
        cached INTEGER,
        reasoning INTEGER,
        total INTEGER,
        cost REAL,
        currency TEXT NOT NULL,
        PRIMARY KEY (session, run_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX run_usage_by_time ON run_usage (at);
    `)
    bringUsage(db)
  },
]

function sql(statements: string): (db: DatabaseSync) => void {
  return db => db.exec(statements)
}

/** A session whose making was cut off in format 1 has a row and no event: it gets the event that it would have had. */
function finishGhosts(db: DatabaseSync): void {
  db.exec(`
    INSERT INTO events (session, seq, event) SELECT number, 1, json_object('type', 'session.updated', 'agentId', agent_id,
      'seq', 1, 'sessionId', session_id, 'at', created_at) FROM sessions WHERE seq = 0;
    UPDATE sessions SET seq = 1 WHERE seq = 0;
  `)
}

/** The events of format 1, one row each, become chunks of shape 1; the ids in them are indexed. */
function chain(db: DatabaseSync, session: number): void {
  const page = db.prepare('SELECT seq, event FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT 1000')
  const insert = db.prepare(
    'INSERT INTO chunks (session, first, last, shape, events, digest) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const index = db.prepare('INSERT INTO ids (session, kind, id, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  let head = NO_DIGEST
  let seq = 0
  for (;;) {
    const rows = page.all(session, seq) as { seq: number; event: string }[]
    if (rows.length === 0) break
    for (const chunk of chunksOf(
      seq + 1,
      rows.map(({ event }) => event),
      1,
    )) {
      head = digestOf(head, chunk)
      insert.run(session, chunk.first, chunk.last, chunk.shape, chunk.events, head)
    }
    for (const row of rows) {
      for (const [kind, id] of idsOf(JSON.parse(row.event))) if (id) index.run(session, kind, id, row.seq)
    }
    seq = rows.at(-1)!.seq
  }
  db.prepare('UPDATE sessions SET log_id = ?, head = ? WHERE number = ?').run(newLogId(), head, session)
}

/** What an event of format 1 accepted. */
function idsOf(event: Record<string, string>): [kind: string, id: string | undefined][] {
  switch (event.type) {
    case 'run.started':
      return [
        ['run', event.runId],
        ['turn', event.turnId],
      ]
    case 'queue.changed':
      return event.change === 'added' ? [['turn', event.turnId]] : []
    case 'steer.accepted':
    case 'steer.rejected':
      return [['steer', event.steerId]]
    case 'action.required':
      return [['action', event.actionId]]
    default:
      return []
  }
}

function sealRows(db: DatabaseSync): void {
  const seal = db.prepare('UPDATE sessions SET row_digest = ? WHERE number = ?')
  for (const row of db.prepare('SELECT * FROM sessions').all() as unknown as Columns[]) {
    seal.run(rowDigest(row), row.number)
  }
}

/** Keys of format 1 are `POST /api/sessions/…/turns <key>`; the answer to a new session names it in its body. */
function attributeAnswers(db: DatabaseSync): void {
  const answers = db.prepare('SELECT owner, key, body FROM answers').all() as Record<'owner' | 'key' | 'body', string>[]
  const attribute = db.prepare(
    `UPDATE answers SET session = (SELECT number FROM sessions WHERE session_id = ?) WHERE owner = ? AND key = ?`,
  )
  for (const { owner, key, body } of answers) {
    const path = /^[A-Z]+ \/api\/sessions\/([^/ ]+)/.exec(key)?.[1]
    const sessionId = path === undefined ? createdSession(body) : decodeURIComponent(path)
    if (sessionId !== undefined) attribute.run(sessionId, owner, key)
  }
}

function createdSession(body: string): string | undefined {
  try {
    return JSON.parse(JSON.parse(body).body).session?.sessionId
  } catch {
    return undefined
  }
}

/** Refuses what is not ours or newer than this program, keeps a copy of what is older, and brings it up to date. */
export function migrate(db: DatabaseSync, file: string, steps: typeof migrations = migrations): void {
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
      steps[next]!(db)
      // Both pragmas live in the file's header and roll back with it: a crash leaves the old version, never a mix.
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${next + 1}; COMMIT`)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  // What steps have dropped is gone from the file, too: it would outlive the erasure of its session.
  if (version > 0 && version < steps.length) db.exec('VACUUM')
}

function versionOf(db: DatabaseSync, file: string): number {
  const { application_id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  if (application_id === 0 && user_version === 0 && tables === 0) return 0
  if (application_id === APPLICATION_ID) return user_version
  throw new StorageRefused(`${file} belongs to another program: choose another data folder.`)
}
