import type { DatabaseSync } from 'node:sqlite'
import type { AcceptedId, Lease } from '../log-store.ts'
import type { TextChange } from '../search-store.ts'
import type { RowChange, SessionRow, SessionToStore } from '../session-store.ts'
import { LogDamaged, SeqConflict, SessionExists, StaleLease } from '../storage.ts'
import type { RunUsage } from '../usage-store.ts'
import { type Chunk, digestOf, NO_DIGEST, type StoredChunk } from './chain.ts'
import { folded, isWhole, newLogId, type Position, rowOf, sessionRows, shown, waitsForColumn } from './rows.ts'
import { find, OF_SESSION, write } from './statements.ts'
import { sessionTexts } from './texts.ts'
import { usageWriter } from './usage.ts'

/** Events as chunks of JSON: strings cross into the worker faster than object graphs. */
export interface AppendRequest {
  sessionId: string
  epoch: number
  chunks: Chunk[]
  row?: RowChange
  ids?: readonly AcceptedId[]
  texts?: TextChange
  usage?: readonly RunUsage[]
}

/** A JSON array of stored events that share one shape. */
export interface StoredEvents {
  shape: number
  events: string
}

const CHUNK = 'SELECT first, last, shape, events, digest FROM chunks'

const damaged = (sessionId: string, seq: number): LogDamaged =>
  new LogDamaged(
    `The stored log of session ${sessionId} is damaged from event ${seq} on: restore the data folder from a backup, or delete this session.`,
  )

type LogEnd = Pick<Position, 'number' | 'seq' | 'head'>

/** The reading part of LogStore. */
export function logReads(db: DatabaseSync) {
  const end = db.prepare('SELECT number, seq, head FROM sessions WHERE session_id = ? AND erase_at IS NULL')
  const chunksAfter = db.prepare(`${CHUNK} WHERE session = ? AND last > ? ORDER BY last`)
  const chunksBack = db.prepare(`${CHUNK} WHERE session = ? ORDER BY last DESC`)
  const chunkBefore = db.prepare(`${CHUNK} WHERE session = ? AND last <= ? ORDER BY last DESC LIMIT 1`)
  const accepted = db.prepare(`SELECT seq, digest FROM ids WHERE ${OF_SESSION} AND kind = ? AND id = ?`)

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
    const [log] = find<LogEnd>(end, sessionId)
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
    const [log] = find<LogEnd>(end, sessionId)
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
    events: (sessionId: string, after: number, limit: number) => atOnce(() => eventsOf(sessionId, after, limit)),
    check: (sessionId: string, characters: number) => atOnce(() => checkBack(sessionId, characters)),
    accepted: (sessionId: string, kind: string, id: string) =>
      find<{ seq: number; digest: string | null }>(accepted, sessionId, kind, id)[0],
  }
}

/** Makes the row of a session and writes chunks behind its log. */
export function logEnds(db: DatabaseSync) {
  const rows = sessionRows(db)
  const create = db.prepare(
    `INSERT INTO sessions (session_id, owner, log_id, title, title_folded, agent_id, parent_session_id, created_at,
       updated_at, seq, head, pinned, archived, status, queued, message_count, unfinished, folder_id, waits_for, indexed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '${NO_DIGEST}', ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  )
  const insertChunk = db.prepare(
    'INSERT INTO chunks (session, first, last, shape, events, digest) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const advance = db.prepare('UPDATE sessions SET seq = ?, head = ? WHERE number = ?')
  const accept = db.prepare(
    'INSERT INTO ids (session, kind, id, seq, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )

  return {
    /** A session without events. */
    create(session: SessionToStore): Position {
      const { sessionId, owner, title } = session
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
        session.folderId,
        waitsForColumn(session.waitsFor),
      )
      const made = rows.known(sessionId)
      rows.seal(made.number)
      return made
    },
    /** Writes chunks behind `log` and moves its end. */
    extend(sessionId: string, log: LogEnd, chunks: readonly Chunk[]): void {
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
    },
    accept({ number }: LogEnd, { kind, id, digest }: AcceptedId, seq: number): void {
      write(accept, number, kind, id, seq, digest ?? null)
    },
  }
}

/** The writing part of LogStore. */
export function logWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const { create, extend, accept } = logEnds(db)
  const sessionText = sessionTexts(db)
  const putUsage = usageWriter(db)
  // One counter for all sessions: an epoch stays stale even when a deleted session's id is used again.
  const nextEpoch = db.prepare('UPDATE instance SET last_epoch = last_epoch + 1 RETURNING last_epoch AS epoch')
  const takeOver = db.prepare('UPDATE sessions SET epoch = ?, holder = ? WHERE number = ?')
  const newest = db.prepare(`${CHUNK} WHERE session = ? ORDER BY last DESC LIMIT 2`)

  /** Nothing may be written behind a log that lost its end: it would look whole again. */
  function checkEnd(sessionId: string, { number, seq, head }: LogEnd): void {
    const [last, before] = find<StoredChunk>(newest, number)
    const whole = last
      ? last.last === seq && last.digest === head && digestOf(before?.digest ?? NO_DIGEST, last) === head
      : seq === 0
    if (!whole) throw damaged(sessionId, Math.min(last?.last ?? 0, seq) + 1)
  }

  return {
    createSession(session: SessionToStore, chunks: Chunk[]): SessionRow {
      const { sessionId, owner } = session
      const there = rows.any(sessionId)
      if (there) {
        if (there.owner !== owner || there.erase_at !== null) {
          throw new SessionExists(`There is a session ${sessionId} already`)
        }
        return rowOf(there)
      }
      const made = create(session)
      extend(sessionId, made, chunks)
      return rowOf(rows.any(sessionId)!)
    },
    lease(sessionId: string, holder: string): Lease {
      const log = rows.known(sessionId)
      checkEnd(sessionId, log)
      const { epoch } = nextEpoch.get() as { epoch: number }
      write(takeOver, epoch, holder, log.number)
      return { epoch, seq: log.seq }
    },
    append({ sessionId, epoch, chunks, row, ids = [], texts, usage = [] }: AppendRequest): void {
      const log = rows.positionOf(sessionId)
      if (log?.epoch !== epoch) {
        const holder = log?.holder ?? null
        const now = !log ? 'it is deleted' : holder === null ? 'nobody holds it' : `${holder} holds epoch ${log.epoch}`
        throw new StaleLease(`Epoch ${epoch} may not write to session ${sessionId}: ${now}`, holder)
      }
      extend(sessionId, log, chunks)
      const seq = chunks[0]?.first ?? log.seq
      for (const id of ids) accept(log, id, seq)
      if (row) rows.change(log.number, row)
      if (texts) sessionText.change(log.number, texts)
      for (const used of usage) putUsage(log.number, used)
    },
    noteDamage(sessionId: string): SessionRow | undefined {
      const there = rows.any(sessionId)
      if (!there || !isWhole(there)) return undefined
      rows.change(there.number, { status: 'unknown', unfinished: false })
      return shown(rows.any(sessionId)!)
    },
  }
}
