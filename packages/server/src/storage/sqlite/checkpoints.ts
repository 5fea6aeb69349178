import type { DatabaseSync } from 'node:sqlite'
import type { Checkpoint } from '../checkpoint-store.ts'
import { SeqConflict } from '../storage.ts'
import { digestOfText } from './chain.ts'
import { sessionRows } from './rows.ts'
import { atLeastZero, find, OF_SESSION, write } from './statements.ts'

/** The reading part of CheckpointStore. */
export function checkpointReads(db: DatabaseSync) {
  const checkpoint = db.prepare(`SELECT seq, fold, state, digest FROM checkpoints WHERE ${OF_SESSION}`)
  const pages = db.prepare(
    `SELECT ordinal, page, digest FROM (
       SELECT ordinal, page, digest FROM message_pages WHERE ${OF_SESSION} AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
     ) ORDER BY ordinal`,
  )
  return {
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
  }
}

/** The writing part of CheckpointStore. */
export function checkpointWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
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
  return {
    saveCheckpoint(sessionId: string, { seq, fold, state, messages }: Checkpoint): void {
      const { number, seq: end } = rows.known(sessionId)
      if (seq > end) throw new SeqConflict(`A checkpoint at seq ${seq} is ahead of the log at ${end}`)
      write(dropPages, number, fold)
      // One that is older than what is kept would bring old pages back.
      if (write(saveState, number, seq, fold, state, digestOfText(seq, state)) === 0) return
      for (const { ordinal, page } of messages) write(savePage, number, ordinal, page, digestOfText(ordinal, page))
    },
  }
}
