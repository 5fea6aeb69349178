import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { ForkPiece } from '../fork-store.ts'
import type { SessionRow, SessionToStore } from '../session-store.ts'
import { ForkLost, SessionExists } from '../storage.ts'
import type { Chunk } from './chain.ts'
import { logEnds } from './logs.ts'
import { type Columns, rowOf, sessionRows } from './rows.ts'
import { find, write } from './statements.ts'

/** A piece whose events are chunks of JSON. */
export type ForkRequest = Omit<ForkPiece, 'events'> & { chunks: Chunk[] }

type UnfinishedFork = Columns & { head: string; holder: string | null }

/**
 * The writing part of ForkStore. While a copy is made, its row has the time of its erasure below zero, its token as its
 * holder and its source as its parent: whoever erases a session erases the tasks below it, and this copy with them.
 */
export function forkWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const { create, extend, accept } = logEnds(db)
  const unfinished = db.prepare('SELECT * FROM sessions WHERE session_id = ? AND erase_at < 0 AND holder = ?')
  const remove = db.prepare('DELETE FROM sessions WHERE number = ?')
  const begin = db.prepare('UPDATE sessions SET parent_session_id = ?, erase_at = ?, holder = ? WHERE number = ?')
  const finish = db.prepare(
    'UPDATE sessions SET parent_session_id = ?, created_at = ?, erase_at = NULL, holder = NULL, indexed = 0 WHERE number = ?',
  )
  const refer = db.prepare(
    `INSERT INTO blobs (session, owner, digest, size, media_type)
     SELECT ?, owner, digest, size, media_type FROM blobs
     WHERE session = (SELECT number FROM sessions WHERE session_id = ?) AND digest = ? ON CONFLICT DO NOTHING`,
  )

  function forkOf(sessionId: string, token: string): UnfinishedFork {
    const [fork] = find<UnfinishedFork>(unfinished, sessionId, token)
    // A session that is deleted is not copied any more: its owner wants less of it, not more.
    if (!fork || !rows.positionOf(fork.parent_session_id ?? ''))
      throw new ForkLost(`The copy ${sessionId} was given up`)
    return fork
  }

  function add(sessionId: string, fork: UnfinishedFork, { chunks, ids, digests }: ForkRequest): void {
    extend(sessionId, fork, chunks)
    for (const { seq, ...id } of ids) accept(fork, id, seq)
    for (const digest of digests) write(refer, fork.number, fork.parent_session_id, digest)
  }

  return {
    beginFork(session: SessionToStore, source: string, eraseAt: number): string {
      const { sessionId, owner } = session
      const there = rows.any(sessionId)
      if (there) {
        if (there.owner !== owner || there.erase_at === null || there.erase_at >= 0) {
          throw new SessionExists(`There is a session ${sessionId} already`)
        }
        write(remove, there.number)
      }
      if (!rows.positionOf(source)) throw new ForkLost(`There is no session ${source} to copy`)
      const { number } = create(session)
      const token = randomUUID()
      write(begin, source, -eraseAt, token, number)
      rows.seal(number)
      return token
    },
    extendFork(sessionId: string, token: string, piece: ForkRequest): void {
      add(sessionId, forkOf(sessionId, token), piece)
    },
    finishFork(session: SessionToStore, token: string, piece: ForkRequest): SessionRow {
      const { sessionId, owner: _, ...row } = session
      const fork = forkOf(sessionId, token)
      add(sessionId, fork, piece)
      write(finish, session.parentSessionId, session.createdAt, fork.number)
      rows.change(fork.number, row)
      return rowOf(rows.any(sessionId)!)
    },
  }
}
