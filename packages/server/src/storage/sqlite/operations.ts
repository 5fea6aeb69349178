import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type Answer,
  type Checkpoint,
  type RowChange,
  SeqConflict,
  type SessionRow,
  StaleLease,
  type StoredBlob,
} from '../storage.ts'

/** Events as JSON, the first of them at `first`: strings cross into the worker faster than object graphs. */
export interface AppendRequest {
  sessionId: string
  epoch: number
  first: number
  events: string[]
  row?: RowChange
}

interface SessionQuery {
  owner: string
  limit: number
  after?: { updatedAt: number; sessionId: string }
  search?: string
  only?: 'attention'
}

/** Tables that belong to sessions know them by number. */
const OF_SESSION = 'session = (SELECT number FROM sessions WHERE session_id = ?)'

export type Operations = ReturnType<typeof readsOf> & ReturnType<typeof writesOf>

export function readsOf(db: DatabaseSync) {
  const instance = db.prepare('SELECT id, secret FROM instance')
  const session = db.prepare('SELECT * FROM sessions WHERE session_id = ?')
  const list = (also = '') =>
    db.prepare(
      `SELECT * FROM sessions WHERE owner = ? AND (updated_at, session_id) < (?, ?) AND instr(title_folded, ?) > 0 ${also}
       ORDER BY updated_at DESC, session_id DESC LIMIT ?`,
    )
  const all = list()
  const attention = list(`AND (pinned = 1 OR unfinished = 1 OR status IN ('needs-input', 'failed'))`)
  const unfinished = db.prepare('SELECT * FROM sessions WHERE unfinished = 1 ORDER BY session_id')
  const events = db.prepare(`SELECT event FROM events WHERE ${OF_SESSION} AND seq > ? ORDER BY seq LIMIT ?`)
  const checkpoint = db.prepare(`SELECT seq, state FROM checkpoints WHERE ${OF_SESSION}`)
  const pages = db.prepare(
    `SELECT ordinal, page FROM (
       SELECT ordinal, page FROM message_pages WHERE ${OF_SESSION} AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
     ) ORDER BY ordinal`,
  )
  const answer = db.prepare('SELECT status, body FROM answers WHERE owner = ? AND key = ?')
  const blob = db.prepare(`SELECT digest, size, media_type AS mediaType FROM blobs WHERE ${OF_SESSION} AND digest = ?`)
  return {
    instance: () => instance.get() as { id: string; secret: string },
    session(sessionId: string): SessionRow | undefined {
      const [row] = find<Columns>(session, sessionId)
      return row && rowOf(row)
    },
    sessions({ owner, limit, after, search, only }: SessionQuery): SessionRow[] {
      const sessions = only === 'attention' ? attention : all
      const { updatedAt, sessionId } = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, sessionId: '' }
      return find<Columns>(sessions, owner, updatedAt, sessionId, folded(search ?? ''), atLeastZero(limit)).map(rowOf)
    },
    unfinished: () => find<Columns>(unfinished).map(rowOf),
    /** A JSON array, parsed once on the other side. */
    events(sessionId: string, after: number, limit: number): string {
      const rows = find<{ event: string }>(events, sessionId, after, atLeastZero(limit))
      return `[${rows.map(row => row.event).join()}]`
    },
    checkpoint: (sessionId: string) => find<{ seq: number; state: string }>(checkpoint, sessionId)[0],
    messagePages: (sessionId: string, before: number, limit: number) =>
      find<{ ordinal: number; page: string }>(pages, sessionId, before, atLeastZero(limit)),
    answer: (owner: string, key: string) => find<Answer>(answer, owner, key)[0],
    blob: (sessionId: string, digest: string) => find<StoredBlob>(blob, sessionId, digest)[0],
  }
}

export function writesOf(db: DatabaseSync) {
  const create = db.prepare(
    `INSERT INTO sessions (session_id, owner, title, title_folded, agent_id, parent_session_id, created_at, updated_at,
       seq, read_seq, pinned, archived, status, queued, message_count, unfinished)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('DELETE FROM sessions WHERE number = ?')
  // One counter for all sessions: an epoch stays stale even when a deleted session's id is used again.
  const nextEpoch = db.prepare('UPDATE instance SET last_epoch = last_epoch + 1 RETURNING last_epoch AS epoch')
  const takeOver = db.prepare('UPDATE sessions SET epoch = ? WHERE number = ?')
  const position = db.prepare('SELECT number, seq, epoch FROM sessions WHERE session_id = ?')
  const insertEvent = db.prepare('INSERT INTO events (session, seq, event) VALUES (?, ?, ?)')
  const advance = db.prepare('UPDATE sessions SET seq = ? WHERE number = ?')
  const saveState = db.prepare(
    `INSERT INTO checkpoints (session, seq, state) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, state = excluded.state WHERE excluded.seq >= seq`,
  )
  const savePage = db.prepare(
    `INSERT INTO message_pages (session, ordinal, page) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET page = excluded.page`,
  )
  const keep = db.prepare(
    'INSERT INTO answers (owner, key, status, body, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const kept = db.prepare('SELECT status, body FROM answers WHERE owner = ? AND key = ?')
  const addBlob = db.prepare(
    `INSERT INTO blobs (session, owner, digest, size, media_type) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const changes = new Map<string, StatementSync>()

  /** One statement for each set of columns, so that an index is touched only when a column of it changes. */
  function changeRow(number: number, change: RowChange): void {
    const columns = columnsOf(change)
    const names = Object.keys(columns)
    if (names.length === 0) return
    const key = names.join(' = ?, ')
    let statement = changes.get(key)
    if (!statement) {
      statement = db.prepare(`UPDATE sessions SET ${key} = ? WHERE number = ?`)
      changes.set(key, statement)
    }
    write(statement, ...Object.values(columns), number)
  }

  function positionOf(sessionId: string): Position | undefined {
    return find<Position>(position, sessionId)[0]
  }

  function known(sessionId: string): Position {
    const found = positionOf(sessionId)
    if (!found) throw new Error(`There is no session ${sessionId}`)
    return found
  }

  return {
    createSession(row: SessionRow): void {
      if (row.seq !== 0) throw new SeqConflict(`A new session begins at seq 0, not ${row.seq}`)
      if (positionOf(row.sessionId)) throw new Error(`There is a session ${row.sessionId} already`)
      write(
        create,
        row.sessionId,
        row.owner,
        JSON.stringify(row.title),
        folded(row.title),
        row.agentId,
        row.parentSessionId,
        row.createdAt,
        row.updatedAt,
        row.seq,
        row.readSeq,
        Number(row.pinned),
        Number(row.archived),
        row.status,
        row.queued,
        row.messageCount,
        Number(row.unfinished),
      )
    },
    updateSession(sessionId: string, change: RowChange): void {
      changeRow(known(sessionId).number, change)
    },
    deleteSession(sessionId: string): void {
      const stored = positionOf(sessionId)
      if (stored) write(remove, stored.number)
    },
    lease(sessionId: string): { epoch: number; seq: number } {
      const { number, seq } = known(sessionId)
      const { epoch } = nextEpoch.get() as { epoch: number }
      write(takeOver, epoch, number)
      return { epoch, seq }
    },
    append({ sessionId, epoch, first, events, row }: AppendRequest): void {
      const stored = positionOf(sessionId)
      if (stored?.epoch !== epoch) {
        const now = stored ? `epoch ${stored.epoch ?? 'none'}` : 'deleted'
        throw new StaleLease(`Epoch ${epoch} no longer owns session ${sessionId} (now ${now})`)
      }
      if (events.length > 0 && first !== stored.seq + 1) {
        throw new SeqConflict(`Session ${sessionId} is at seq ${stored.seq}: the next is not ${first}`)
      }
      const { number } = stored
      let { seq } = stored
      for (const event of events) write(insertEvent, number, ++seq, event)
      if (events.length > 0) write(advance, seq, number)
      if (row) changeRow(number, row)
    },
    saveCheckpoint(sessionId: string, { seq, state, messages }: Checkpoint): void {
      const stored = known(sessionId)
      if (seq > stored.seq) throw new SeqConflict(`A checkpoint at seq ${seq} is ahead of the log at ${stored.seq}`)
      // One that is older than what is kept would bring old pages back.
      if (write(saveState, stored.number, seq, state) === 0) return
      for (const { ordinal, page } of messages) write(savePage, stored.number, ordinal, page)
    },
    keepAnswer(owner: string, key: string, { status, body }: Answer): Answer {
      write(keep, owner, key, status, body, Date.now())
      const { status: first, body: text } = kept.get(owner, key) as unknown as Answer
      return { status: first, body: text }
    },
    addBlob(sessionId: string, owner: string, { digest, size, mediaType }: StoredBlob): void {
      write(addBlob, known(sessionId).number, owner, digest, size, mediaType)
    },
  }
}

/** UTF-8 has no form for a lone surrogate: SQLite would keep another text than it was given. NUL ends text in C. */
const isExact = (value: SQLInputValue) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))

function write(statement: StatementSync, ...values: SQLInputValue[]): number {
  if (!values.every(isExact)) throw new TypeError('Text with a lone surrogate or NUL cannot be stored here')
  return Number(statement.run(...values).changes)
}

/** What cannot have been stored is not looked for: its repaired form could be the key of somebody else. */
function find<T>(statement: StatementSync, ...values: SQLInputValue[]): T[] {
  return values.every(isExact) ? (statement.all(...values) as T[]) : []
}

/** A negative LIMIT means none at all. */
const atLeastZero = (limit: number) => Math.max(0, limit)

/** How titles are compared in a search: without case, one form for each character. */
const folded = (text: string) => text.normalize('NFKC').toLowerCase().toWellFormed().replaceAll('\0', ' ')

interface Position {
  number: number
  seq: number
  epoch: number | null
}

interface Columns {
  session_id: string
  owner: string
  title: string
  agent_id: string
  parent_session_id: string | null
  created_at: number
  updated_at: number
  seq: number
  read_seq: number
  pinned: number
  archived: number
  status: SessionRow['status']
  queued: number
  message_count: number
  unfinished: number
}

const rowOf = (row: Columns): SessionRow => ({
  sessionId: row.session_id,
  owner: row.owner,
  title: JSON.parse(row.title),
  agentId: row.agent_id,
  parentSessionId: row.parent_session_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  seq: row.seq,
  readSeq: row.read_seq,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  status: row.status,
  queued: row.queued,
  messageCount: row.message_count,
  unfinished: row.unfinished === 1,
})

/** Only what the change names; anything else in the object is not a column. */
function columnsOf(change: RowChange): Record<string, SQLInputValue> {
  const columns: Record<string, SQLInputValue | undefined> = {
    title: change.title === undefined ? undefined : JSON.stringify(change.title),
    title_folded: change.title === undefined ? undefined : folded(change.title),
    agent_id: change.agentId,
    pinned: change.pinned === undefined ? undefined : Number(change.pinned),
    archived: change.archived === undefined ? undefined : Number(change.archived),
    status: change.status,
    queued: change.queued,
    message_count: change.messageCount,
    read_seq: change.readSeq,
    updated_at: change.updatedAt,
    unfinished: change.unfinished === undefined ? undefined : Number(change.unfinished),
  }
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, SQLInputValue] => entry[1] !== undefined),
  )
}
