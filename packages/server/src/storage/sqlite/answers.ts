import type { DatabaseSync } from 'node:sqlite'
import type { KeptAnswer } from '../answer-store.ts'
import { sessionRows } from './rows.ts'
import { find, write } from './statements.ts'

const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000

/** The reading part of AnswerStore. */
export function answerReads(db: DatabaseSync) {
  const answer = db.prepare('SELECT status, body FROM answers WHERE owner = ? AND key = ?')
  return {
    answer: (owner: string, key: string) => find<KeptAnswer>(answer, owner, key)[0],
  }
}

/** The writing part of AnswerStore. */
export function answerWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const prune = db.prepare('DELETE FROM answers WHERE created_at < ?')
  const keep = db.prepare(
    `INSERT INTO answers (owner, key, status, body, created_at, session)
     VALUES (?, ?, ?, ?, ?, (SELECT number FROM sessions WHERE session_id = ?)) ON CONFLICT DO NOTHING`,
  )
  const kept = db.prepare('SELECT status, body FROM answers WHERE owner = ? AND key = ?')
  return {
    keepAnswer(owner: string, key: string, { status, body }: KeptAnswer, sessionId?: string): KeptAnswer {
      const now = Date.now()
      write(prune, now - KEPT_FOR_MS)
      if (sessionId !== undefined && !rows.any(sessionId)) return { status, body }
      write(keep, owner, key, status, body, now, sessionId ?? null)
      const { status: first, body: text } = kept.get(owner, key) as unknown as KeptAnswer
      return { status: first, body: text }
    },
  }
}
