import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type AcceptedId,
  type Answer,
  type Checkpoint,
  type HiddenSession,
  LogDamaged,
  type NewSession,
  type RowChange,
  SeqConflict,
  SessionExists,
  type SessionRow,
  StaleLease,
  type StoredBlob,
} from '../storage.ts'
import { type Chunk, digestOf, digestOfText, NO_DIGEST, type StoredChunk } from './chain.ts'

/** Events as chunks of JSON: strings cross into the worker faster than object graphs. */
export interface AppendRequest {
  sessionId: string
  epoch: number
  chunks: Chunk[]
  row?: RowChange
  ids?: readonly AcceptedId[]
}

/** A JSON array of stored events that share one shape. */
export interface StoredEvents {
  shape: number
  events: string
}

interface SessionQuery {
  owner: string
  limit: number
  after?: { updatedAt: number; sessionId: string }
  search?: string
  only?: 'attention' | 'deleted'
}

/** Tables that belong to sessions know them by number. */
const OF_SESSION = 'session = (SELECT number FROM sessions WHERE session_id = ? AND erase_at IS NULL)'
/** The session and all tasks below it, hidden or not, parents first. */
const TREE = `WITH RECURSIVE tree (number, session_id, depth) AS (
    SELECT number, session_id, 0 FROM sessions WHERE session_id = ?
    UNION
    SELECT task.number, task.session_id, depth + 1 FROM sessions AS task
    JOIN tree ON task.parent_session_id = tree.session_id
  )
  SELECT sessions.* FROM tree JOIN sessions USING (number) ORDER BY depth`
const CHUNK = 'SELECT first, last, shape, events, digest FROM chunks'
const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000

export type Reads = ReturnType<typeof readsOf>
export type Writes = ReturnType<typeof writesOf>

export function readsOf(db: DatabaseSync) {
  const instance = db.prepare('SELECT id, secret FROM instance')
  const session = db.prepare('SELECT * FROM sessions WHERE session_id = ? AND erase_at IS NULL')
  const hidden = db.prepare('SELECT * FROM sessions WHERE session_id = ? AND erase_at IS NOT NULL')
  const tree = db.prepare(TREE)
  const list = (also = 'AND erase_at IS NULL') =>
    db.prepare(
      `SELECT * FROM sessions
       WHERE owner = ? AND (updated_at, session_id) < (?, ?) AND instr(title_folded, ?) > 0 ${also}
       ORDER BY updated_at DESC, session_id DESC LIMIT ?`,
    )
  const all = list()
  const attention = list(
    `AND erase_at IS NULL AND (pinned = 1 OR unfinished = 1 OR status IN ('needs-input', 'failed'))`,
  )
  const deleted = list(
    `AND erase_at > 0 AND NOT EXISTS (SELECT 1 FROM sessions AS parent
       WHERE parent.session_id = sessions.parent_session_id AND parent.erase_at = sessions.erase_at)`,
  )
  const unfinished = db.prepare('SELECT * FROM sessions WHERE unfinished = 1 AND erase_at IS NULL ORDER BY session_id')
  const end = db.prepare('SELECT number, seq, head FROM sessions WHERE session_id = ? AND erase_at IS NULL')
  const chunksAfter = db.prepare(`${CHUNK} WHERE session = ? AND last > ? ORDER BY last`)
  const chunksBack = db.prepare(`${CHUNK} WHERE session = ? ORDER BY last DESC`)
  const chunkBefore = db.prepare(`${CHUNK} WHERE session = ? AND last <= ? ORDER BY last DESC LIMIT 1`)
  const accepted = db.prepare(`SELECT seq, digest FROM ids WHERE ${OF_SESSION} AND kind = ? AND id = ?`)
  const checkpoint = db.prepare(`SELECT seq, fold, state, digest FROM checkpoints WHERE ${OF_SESSION}`)
  const pages = db.prepare(
    `SELECT ordinal, page, digest FROM (
       SELECT ordinal, page, digest FROM message_pages WHERE ${OF_SESSION} AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
     ) ORDER BY ordinal`,
  )
  const readSeq = db.prepare(`SELECT seq FROM reads WHERE ${OF_SESSION} AND person = ?`)
  const answer = db.prepare('SELECT status, body FROM answers WHERE owner = ? AND key = ?')
  const blob = db.prepare(`SELECT digest, size, media_type AS mediaType FROM blobs WHERE ${OF_SESSION} AND digest = ?`)
  const erased = db.prepare('SELECT 1 FROM erased WHERE digest = ?')
  const soleBlobs = db.prepare(
    `SELECT digest FROM blobs AS own WHERE session = (SELECT number FROM sessions WHERE session_id = ?)
     AND NOT EXISTS (SELECT 1 FROM blobs AS other JOIN sessions ON number = other.session
       WHERE other.digest = own.digest AND other.session <> own.session AND erase_at IS NOT 0)`,
  )

  /** The whole answer comes from one state of the database: a commit in between would look like damage. */
  function atOnce<T>(read: () => T): T {
    db.exec('BEGIN')
    try {
      return read()
    } finally {
      db.exec('COMMIT')
    }
  }

  /** Follows the chain from the row before the first one that is read to the last one, or to the end of the log. */
  function eventsOf(sessionId: string, after: number, limit: number): StoredEvents[] {
    const [log] = find<{ number: number; seq: number; head: string }>(end, sessionId)
    if (!log || after >= log.seq || limit <= 0) return []
    const before = find<StoredChunk>(chunkBefore, log.number, after)[0]
    let last = before?.last ?? 0
    let digest = before?.digest ?? NO_DIGEST
    let wanted = limit
    const read: { shape: number; lines: string[] }[] = []
    for (const chunk of chunksAfter.iterate(log.number, after) as Iterable<StoredChunk & Record<string, never>>) {
      if (chunk.first !== last + 1 || digestOf(digest, chunk) !== chunk.digest) throw damaged(sessionId, last + 1)
      const lines = chunk.events.split('\n').slice(Math.max(0, after - last), Math.max(0, after - last) + wanted)
      const same = read.at(-1)
      if (same?.shape === chunk.shape) same.lines.push(...lines)
      else read.push({ shape: chunk.shape, lines })
      wanted -= lines.length
      ;({ last, digest } = chunk)
      if (wanted === 0) break
    }
    const atEnd = last === log.seq && digest === log.head
    if (!atEnd && (wanted > 0 || last >= log.seq)) throw damaged(sessionId, Math.min(last, log.seq) + 1)
    return read.map(({ shape, lines }) => ({ shape, events: `[${lines.join()}]` }))
  }

  /** Follows the chain back from the end of the log. */
  function checkBack(sessionId: string, characters: number): void {
    const [log] = find<{ number: number; seq: number; head: string }>(end, sessionId)
    if (!log) return
    let left = characters
    let newer: StoredChunk | undefined
    for (const chunk of chunksBack.iterate(log.number) as Iterable<StoredChunk & Record<string, never>>) {
      const follows = newer
        ? newer.first === chunk.last + 1 && digestOf(chunk.digest, newer) === newer.digest
        : chunk.last === log.seq && chunk.digest === log.head
      if (!follows) throw damaged(sessionId, newer?.first ?? chunk.first)
      if (left <= 0) return
      left -= chunk.events.length
      newer = chunk
    }
    const whole = newer ? newer.first === 1 && digestOf(NO_DIGEST, newer) === newer.digest : log.seq === 0
    if (!whole) throw damaged(sessionId, 1)
  }

  return {
    instance: () => instance.get() as { id: string; secret: string },
    session(sessionId: string): SessionRow | undefined {
      const [row] = find<Columns>(session, sessionId)
      return row && rowOf(row)
    },
    sessions({ owner, limit, after, search, only }: SessionQuery): SessionRow[] {
      const sessions = { all, attention, deleted }[only ?? 'all']
      const { updatedAt, sessionId } = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, sessionId: '' }
      return find<Columns>(sessions, owner, updatedAt, sessionId, folded(search ?? ''), atLeastZero(limit)).map(
        listedRow,
      )
    },
    /** One that is damaged must not keep the others from being taken up: whoever opens it is told. */
    unfinished: () => find<Columns>(unfinished).filter(isWhole).map(shown),
    hiddenSession(sessionId: string): HiddenSession | undefined {
      const [row] = find<Columns>(hidden, sessionId)
      return row && hiddenOf(row)
    },
    /** Also what is damaged can be deleted. */
    tree: (sessionId: string) =>
      find<Columns>(tree, sessionId)
        .filter(row => row.erase_at === null)
        .map(listedRow),
    bytesLeft: (owner: string, sessionId: string) => find(erased, erasedDigest(owner, sessionId)).length > 0,
    events: (sessionId: string, after: number, limit: number) => atOnce(() => eventsOf(sessionId, after, limit)),
    check: (sessionId: string, characters: number) => atOnce(() => checkBack(sessionId, characters)),
    accepted: (sessionId: string, kind: string, id: string) =>
      find<{ seq: number; digest: string | null }>(accepted, sessionId, kind, id)[0],
    /** One that is damaged is as good as none: the log has everything that it was made from. */
    checkpoint(sessionId: string): Omit<Checkpoint, 'messages'> | undefined {
      const [found] = find<Omit<Checkpoint, 'messages'> & { digest: string }>(checkpoint, sessionId)
      if (!found || digestOfText(found.seq, found.state) !== found.digest) return undefined
      const { seq, fold, state } = found
      return { seq, fold, state }
    },
    messagePages(sessionId: string, before: number, limit: number): { ordinal: number; page: string }[] | undefined {
      const found = find<{ ordinal: number; page: string; digest: string }>(
        pages,
        sessionId,
        before,
        atLeastZero(limit),
      )
      if (found.some(({ ordinal, page, digest }) => digestOfText(ordinal, page) !== digest)) return undefined
      return found.map(({ ordinal, page }) => ({ ordinal, page }))
    },
    readSeqs: (person: string, sessionIds: readonly string[]): [sessionId: string, seq: number][] =>
      sessionIds.flatMap(sessionId => {
        const [found] = find<{ seq: number }>(readSeq, sessionId, person)
        return found ? [[sessionId, found.seq] as [string, number]] : []
      }),
    answer: (owner: string, key: string) => find<Answer>(answer, owner, key)[0],
    blob: (sessionId: string, digest: string) => find<StoredBlob>(blob, sessionId, digest)[0],
    soleBlobs: (sessionId: string) => find<{ digest: string }>(soleBlobs, sessionId).map(({ digest }) => digest),
  }
}

export function writesOf(db: DatabaseSync) {
  const create = db.prepare(
    `INSERT INTO sessions (session_id, owner, log_id, title, title_folded, agent_id, parent_session_id, created_at,
       updated_at, seq, head, pinned, archived, status, queued, message_count, unfinished)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '${NO_DIGEST}', ?, ?, ?, ?, ?, ?)`,
  )
  const stored = db.prepare('SELECT * FROM sessions WHERE session_id = ?')
  const byNumber = db.prepare('SELECT * FROM sessions WHERE number = ?')
  const read = db.prepare(
    `INSERT INTO reads (session, person, seq) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq`,
  )
  const setDigest = db.prepare('UPDATE sessions SET row_digest = ? WHERE number = ?')
  const tree = db.prepare(TREE)
  const hide = db.prepare('UPDATE sessions SET erase_at = ?, epoch = NULL WHERE number = ?')
  const due = db.prepare('SELECT * FROM sessions WHERE erase_at <= ?')
  const remove = db.prepare('DELETE FROM sessions WHERE number = ?')
  const newSecret = db.prepare('UPDATE instance SET secret = ?')
  const noteErased = db.prepare('INSERT INTO erased (digest) VALUES (?) ON CONFLICT DO NOTHING')
  // One counter for all sessions: an epoch stays stale even when a deleted session's id is used again.
  const nextEpoch = db.prepare('UPDATE instance SET last_epoch = last_epoch + 1 RETURNING last_epoch AS epoch')
  const takeOver = db.prepare('UPDATE sessions SET epoch = ? WHERE number = ?')
  const position = db.prepare('SELECT number, seq, head, epoch FROM sessions WHERE session_id = ? AND erase_at IS NULL')
  const newest = db.prepare(`${CHUNK} WHERE session = ? ORDER BY last DESC LIMIT 2`)
  const insertChunk = db.prepare(
    'INSERT INTO chunks (session, first, last, shape, events, digest) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const advance = db.prepare('UPDATE sessions SET seq = ?, head = ? WHERE number = ?')
  const accept = db.prepare(
    'INSERT INTO ids (session, kind, id, seq, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const dropPages = db.prepare(
    `DELETE FROM message_pages WHERE session = ?1
     AND (SELECT fold FROM checkpoints WHERE session = ?1) IS NOT ?2`,
  )
  const saveState = db.prepare(
    `INSERT INTO checkpoints (session, seq, fold, state, digest) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state,
       digest = excluded.digest WHERE excluded.seq >= seq`,
  )
  const savePage = db.prepare(
    `INSERT INTO message_pages (session, ordinal, page, digest) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET page = excluded.page, digest = excluded.digest`,
  )
  const prune = db.prepare('DELETE FROM answers WHERE created_at < ?')
  const keep = db.prepare(
    `INSERT INTO answers (owner, key, status, body, created_at, session)
     VALUES (?, ?, ?, ?, ?, (SELECT number FROM sessions WHERE session_id = ?)) ON CONFLICT DO NOTHING`,
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
    seal(number)
  }

  /** After every change of a row that people are shown: a bit that flips later is noticed. */
  function seal(number: number): void {
    setDigest.run(rowDigest(byNumber.get(number) as unknown as Columns), number)
  }

  /** A row that is damaged stays so: sealed, it would look whole when it is brought back. */
  function setErasure(row: Columns, eraseAt: number | null): void {
    write(hide, eraseAt, row.number)
    if (isWhole(row)) seal(row.number)
  }

  /** Hidden or not. */
  const rowOfAny = (sessionId: string): Columns | undefined => find<Columns>(stored, sessionId)[0]

  function setEraseAt({ session_id, erase_at }: Columns, eraseAt: number | null): Columns[] {
    // Nothing survives its parent; otherwise it is about those that are hidden with the session, or not hidden like it.
    const rows = find<Columns>(tree, session_id).filter(row => eraseAt === 0 || row.erase_at === erase_at)
    // A damaged row does not come back as if it were whole.
    if (eraseAt === null) rows.forEach(rowOf)
    for (const row of rows) setErasure(row, eraseAt)
    return rows.map(({ number }) => byNumber.get(number) as unknown as Columns)
  }

  function positionOf(sessionId: string): Position | undefined {
    return find<Position>(position, sessionId)[0]
  }

  function known(sessionId: string): Position {
    const found = positionOf(sessionId)
    if (!found) throw new Error(`There is no session ${sessionId}`)
    return found
  }

  /** Writes chunks behind `log` and moves its end. */
  function extend(sessionId: string, log: Position, chunks: readonly Chunk[]): void {
    if (chunks.length === 0) return
    let { seq, head } = log
    for (const chunk of chunks) {
      const { first, last, shape, events } = chunk
      if (first !== seq + 1) throw new SeqConflict(`Session ${sessionId} is at seq ${seq}: the next is not ${first}`)
      head = digestOf(head, chunk)
      seq = last
      write(insertChunk, log.number, first, last, shape, events, head)
    }
    write(advance, seq, head, log.number)
  }

  /** Nothing may be written behind a log that lost its end: it would look whole again. */
  function checkEnd(sessionId: string, { number, seq, head }: Position): void {
    const [last, before] = find<StoredChunk>(newest, number)
    const whole = last
      ? last.last === seq && last.digest === head && digestOf(before?.digest ?? NO_DIGEST, last) === head
      : seq === 0
    if (!whole) throw damaged(sessionId, Math.min(last?.last ?? 0, seq) + 1)
  }

  return {
    rotateSecret(): string {
      const secret = randomBytes(32).toString('base64url')
      write(newSecret, secret)
      return secret
    },
    createSession(session: NewSession, chunks: Chunk[]): SessionRow {
      const { sessionId, owner, title } = session
      const there = rowOfAny(sessionId)
      if (there) {
        if (there.owner !== owner || there.erase_at !== null) {
          throw new SessionExists(`There is a session ${sessionId} already`)
        }
        return rowOf(there)
      }
      write(
        create,
        sessionId,
        owner,
        newLogId(),
        JSON.stringify(title),
        folded(title),
        session.agentId,
        session.parentSessionId,
        session.createdAt,
        session.updatedAt,
        Number(session.pinned),
        Number(session.archived),
        session.status,
        session.queued,
        session.messageCount,
        Number(session.unfinished),
      )
      const made = known(sessionId)
      seal(made.number)
      extend(sessionId, made, chunks)
      return rowOf(rowOfAny(sessionId)!)
    },
    markRead(sessionId: string, person: string, seq: number): void {
      write(read, known(sessionId).number, person, seq)
    },
    hideSession(sessionId: string, eraseAt: number): HiddenSession[] {
      const there = rowOfAny(sessionId)
      if (!there || (there.erase_at !== null && eraseAt !== 0)) return []
      return setEraseAt(there, eraseAt).map(hiddenOf)
    },
    restoreSession(sessionId: string): SessionRow[] {
      const there = rowOfAny(sessionId)
      return there?.erase_at ? setEraseAt(there, null).map(rowOf) : []
    },
    due(now: number): HiddenSession[] {
      return find<Columns>(due, now).map(row => {
        if (row.erase_at === 0) return hiddenOf(row)
        setErasure(row, 0)
        return hiddenOf({ ...row, erase_at: 0 })
      })
    },
    eraseSession(sessionId: string): void {
      const there = rowOfAny(sessionId)
      if (!there) return
      write(remove, there.number)
      write(noteErased, erasedDigest(there.owner, sessionId))
    },
    noteDamage(sessionId: string): SessionRow | undefined {
      const there = rowOfAny(sessionId)
      if (!there || !isWhole(there)) return undefined
      changeRow(there.number, { status: 'unknown', unfinished: false })
      return shown(rowOfAny(sessionId)!)
    },
    lease(sessionId: string): { epoch: number; seq: number } {
      const log = known(sessionId)
      checkEnd(sessionId, log)
      const { epoch } = nextEpoch.get() as { epoch: number }
      write(takeOver, epoch, log.number)
      return { epoch, seq: log.seq }
    },
    append({ sessionId, epoch, chunks, row, ids = [] }: AppendRequest): void {
      const log = positionOf(sessionId)
      if (log?.epoch !== epoch) {
        const now = log ? `epoch ${log.epoch ?? 'none'}` : 'deleted'
        throw new StaleLease(`Epoch ${epoch} no longer owns session ${sessionId} (now ${now})`)
      }
      extend(sessionId, log, chunks)
      const seq = chunks[0]?.first ?? log.seq
      for (const { kind, id, digest } of ids) write(accept, log.number, kind, id, seq, digest ?? null)
      if (row) changeRow(log.number, row)
    },
    saveCheckpoint(sessionId: string, { seq, fold, state, messages }: Checkpoint): void {
      const { number, seq: end } = known(sessionId)
      if (seq > end) throw new SeqConflict(`A checkpoint at seq ${seq} is ahead of the log at ${end}`)
      write(dropPages, number, fold)
      // One that is older than what is kept would bring old pages back.
      if (write(saveState, number, seq, fold, state, digestOfText(seq, state)) === 0) return
      for (const { ordinal, page } of messages) write(savePage, number, ordinal, page, digestOfText(ordinal, page))
    },
    keepAnswer(owner: string, key: string, { status, body }: Answer, sessionId?: string): Answer {
      const now = Date.now()
      write(prune, now - KEPT_FOR_MS)
      if (sessionId !== undefined && !rowOfAny(sessionId)) return { status, body }
      write(keep, owner, key, status, body, now, sessionId ?? null)
      const { status: first, body: text } = kept.get(owner, key) as unknown as Answer
      return { status: first, body: text }
    },
    addBlob(sessionId: string, owner: string, { digest, size, mediaType }: StoredBlob): void {
      write(addBlob, known(sessionId).number, owner, digest, size, mediaType)
    },
  }
}

/** How a session that was erased is known without a byte of it. */
const erasedDigest = (owner: string, sessionId: string) => digestOfText(0, JSON.stringify([owner, sessionId]))

/** Short, because every cursor carries it. */
export const newLogId = (): string => randomBytes(12).toString('base64url')

const damaged = (sessionId: string, seq: number): LogDamaged =>
  new LogDamaged(
    `The stored log of session ${sessionId} is damaged from event ${seq} on: restore the data folder from a backup, or delete this session.`,
  )

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
  head: string
  epoch: number | null
}

export interface Columns {
  number: number
  session_id: string
  owner: string
  log_id: string
  title: string
  agent_id: string
  parent_session_id: string | null
  created_at: number
  updated_at: number
  seq: number
  pinned: number
  archived: number
  status: SessionRow['status']
  queued: number
  message_count: number
  unfinished: number
  erase_at: number | null
  row_digest: string
}

/** What people are shown of a row. `seq` and `head` are checked by the chain, `epoch` by whoever writes. */
export const rowDigest = (row: Columns): string =>
  digestOfText(
    row.number,
    JSON.stringify([
      [row.session_id, row.owner, row.log_id, row.title, row.agent_id, row.parent_session_id],
      [row.created_at, row.updated_at, row.pinned, row.archived, row.status, row.queued],
      [row.message_count, row.unfinished, row.erase_at],
    ]),
  )

export const isWhole = (row: Columns): boolean => rowDigest(row) === row.row_digest

function rowOf(row: Columns): SessionRow {
  if (!isWhole(row)) {
    throw new LogDamaged(
      `The stored row of session ${row.session_id} is damaged: restore the data folder from a backup.`,
    )
  }
  return shown(row)
}

/** In a list a damaged row must not hide the others: it says that nothing is known of it. */
function listedRow(row: Columns): SessionRow {
  return isWhole(row) ? shown(row) : { ...shown({ ...row, title: '""' }), status: 'unknown' }
}

const shown = (row: Columns): SessionRow => ({
  sessionId: row.session_id,
  owner: row.owner,
  logId: row.log_id,
  title: JSON.parse(row.title),
  agentId: row.agent_id,
  parentSessionId: row.parent_session_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  seq: row.seq,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  status: row.status,
  queued: row.queued,
  messageCount: row.message_count,
  unfinished: row.unfinished === 1,
  ...(row.erase_at !== null && { eraseAt: row.erase_at }),
})

/** Unchecked: what is damaged must be erased, too. */
const hiddenOf = (row: Columns): HiddenSession => ({ ...listedRow(row), eraseAt: row.erase_at! })

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
    updated_at: change.updatedAt,
    unfinished: change.unfinished === undefined ? undefined : Number(change.unfinished),
  }
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, SQLInputValue] => entry[1] !== undefined),
  )
}
