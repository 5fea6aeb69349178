import type { DatabaseSync } from 'node:sqlite'
import { phrasesOf, searchTest } from '@vitrine/protocol'
import type { HiddenSession, SessionQuery, SessionRow } from '../session-store.ts'
import { digestOfText } from './chain.ts'
import { type Columns, folded, hiddenOf, isWhole, listedRow, rowOf, sessionRows, shown } from './rows.ts'
import { find, OF_SESSION, write } from './statements.ts'

/** The session and all tasks below it, hidden or not, parents first. */
const TREE = `WITH RECURSIVE tree (number, session_id, depth) AS (
    SELECT number, session_id, 0 FROM sessions WHERE session_id = ?
    UNION
    SELECT task.number, task.session_id, depth + 1 FROM sessions AS task
    JOIN tree ON task.parent_session_id = tree.session_id
  )
  SELECT sessions.* FROM tree JOIN sessions USING (number) ORDER BY depth`

/**
 * How a session that was erased is known without a byte of it. The table `erased` has these digests until the file is
 * written anew (`scrub.ts`): till then bytes of the session may still be in the file, and when its owner deletes it once more
 * the file is written anew. A digest, because the id itself would be a byte of the session that stays.
 */
const erasedDigest = (owner: string, sessionId: string) => digestOfText(0, JSON.stringify([owner, sessionId]))

type Titled = Columns & { title_folded: string }

/** A piece of text that everything has that a search finds. */
const anyOf = (search: string): string => phrasesOf(search)[0]?.[0] ?? search.trim().split(/\s+/)[0] ?? ''

/** The reading part of SessionStore. */
export function sessionReads(db: DatabaseSync) {
  const session = db.prepare('SELECT * FROM sessions WHERE session_id = ? AND erase_at IS NULL')
  const hidden = db.prepare('SELECT * FROM sessions WHERE session_id = ? AND erase_at IS NOT NULL')
  const tree = db.prepare(TREE)
  const list = (also = 'AND erase_at IS NULL') =>
    db.prepare(
      `SELECT * FROM sessions
       WHERE owner = ? AND (updated_at, session_id) < (?, ?) AND instr(title_folded, ?) > 0 ${also}
       ORDER BY updated_at DESC, session_id DESC`,
    )
  const all = list()
  const attention = list(
    `AND erase_at IS NULL AND (pinned = 1 OR unfinished = 1 OR status IN ('needs-input', 'failed'))`,
  )
  const archived = list('AND erase_at IS NULL AND archived = 1')
  const deleted = list(
    `AND erase_at > 0 AND NOT EXISTS (SELECT 1 FROM sessions AS parent
       WHERE parent.session_id = sessions.parent_session_id AND parent.erase_at = sessions.erase_at)`,
  )
  const unfinished = db.prepare('SELECT * FROM sessions WHERE unfinished = 1 AND erase_at IS NULL ORDER BY session_id')
  const readSeq = db.prepare(`SELECT seq FROM reads WHERE ${OF_SESSION} AND person = ?`)
  const erased = db.prepare('SELECT 1 FROM erased WHERE digest = ?')

  return {
    session(sessionId: string): SessionRow | undefined {
      const [row] = find<Columns>(session, sessionId)
      return row && rowOf(row)
    },
    sessions({ owner, limit, after, search, only }: SessionQuery): SessionRow[] {
      const sessions = { all, attention, archived, deleted }[only ?? 'all']
      const { updatedAt, sessionId } = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, sessionId: '' }
      const hasAll = searchTest(search ?? '')
      const found: SessionRow[] = []
      if (limit < 1) return found
      // The statement leaves out most of the others; the rule of all searches decides.
      for (const row of sessions.iterate(
        owner,
        updatedAt,
        sessionId,
        folded(anyOf(search ?? '')),
      ) as Iterable<Titled>) {
        if (!hasAll(row.title_folded)) continue
        found.push(listedRow(row))
        if (found.length >= limit) break
      }
      return found
    },
    /** One that is damaged must not keep the others from being taken up: whoever opens it is told. */
    unfinished: () => find<Columns>(unfinished).filter(isWhole).map(shown),
    readSeqs: (person: string, sessionIds: readonly string[]): [sessionId: string, seq: number][] =>
      sessionIds.flatMap(sessionId => {
        const [found] = find<{ seq: number }>(readSeq, sessionId, person)
        return found ? [[sessionId, found.seq] as [string, number]] : []
      }),
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
  }
}

/** The writing part of SessionStore. */
export function sessionWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const read = db.prepare(
    `INSERT INTO reads (session, person, seq) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq`,
  )
  const tree = db.prepare(TREE)
  const hide = db.prepare('UPDATE sessions SET erase_at = ?, epoch = NULL, holder = NULL WHERE number = ?')
  // A copy that is being made has a time below zero: nobody can bring it back.
  const due = db.prepare('SELECT * FROM sessions WHERE erase_at <= ? AND erase_at >= -?')
  const remove = db.prepare('DELETE FROM sessions WHERE number = ?')
  const noteErased = db.prepare('INSERT INTO erased (digest) VALUES (?) ON CONFLICT DO NOTHING')

  /** A row that is damaged stays so: sealed, it would look whole when it is brought back. */
  function setErasure(row: Columns, eraseAt: number | null): void {
    write(hide, eraseAt, row.number)
    if (isWhole(row)) rows.seal(row.number)
  }

  function setEraseAt({ session_id, erase_at }: Columns, eraseAt: number | null): Columns[] {
    // Erasing takes the whole tree; hiding and restoring take only rows with the same erase time.
    const found = find<Columns>(tree, session_id).filter(row => eraseAt === 0 || row.erase_at === erase_at)
    // A damaged row does not come back as if it were whole.
    if (eraseAt === null) found.forEach(rowOf)
    for (const row of found) setErasure(row, eraseAt)
    return found.map(({ number }) => rows.byNumber(number))
  }

  return {
    markRead(sessionId: string, person: string, seq: number): void {
      write(read, rows.known(sessionId).number, person, seq)
    },
    hideSession(sessionId: string, eraseAt: number): HiddenSession[] {
      const there = rows.any(sessionId)
      if (!there || (there.erase_at !== null && eraseAt !== 0)) return []
      return setEraseAt(there, eraseAt).map(hiddenOf)
    },
    restoreSession(sessionId: string): SessionRow[] {
      const there = rows.any(sessionId)
      return there?.erase_at && there.erase_at > 0 ? setEraseAt(there, null).map(rowOf) : []
    },
    due(now: number): HiddenSession[] {
      return find<Columns>(due, now, now).map(row => {
        if (row.erase_at === 0) return hiddenOf(row)
        setErasure(row, 0)
        return hiddenOf({ ...row, erase_at: 0 })
      })
    },
    eraseSession(sessionId: string): void {
      const there = rows.any(sessionId)
      if (!there) return
      write(remove, there.number)
      write(noteErased, erasedDigest(there.owner, sessionId))
    },
  }
}
