import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { foldedText } from '@vitrine/protocol'
import type { HiddenSession, RowChange, SessionRow } from '../session-store.ts'
import { LogDamaged } from '../storage.ts'
import { digestOfText } from './chain.ts'
import { find, write } from './statements.ts'

/** A row of the table of sessions. */
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
  folder_id: string | null
  status: SessionRow['status']
  waits_for: string | null
  queued: number
  message_count: number
  unfinished: number
  erase_at: number | null
  row_digest: string
}

/** The end of a session's log and who may write behind it. */
export interface Position {
  number: number
  seq: number
  head: string
  epoch: number | null
  /** Who took the lease with this epoch. */
  holder: string | null
}

/** What every port needs to know and to change of the rows of sessions. */
export function sessionRows(db: DatabaseSync) {
  const bySession = db.prepare('SELECT * FROM sessions WHERE session_id = ?')
  const byNumber = db.prepare('SELECT * FROM sessions WHERE number = ?')
  const position = db.prepare(
    'SELECT number, seq, head, epoch, holder FROM sessions WHERE session_id = ? AND erase_at IS NULL',
  )
  const setDigest = db.prepare('UPDATE sessions SET row_digest = ? WHERE number = ?')
  const changes = new Map<string, StatementSync>()

  const positionOf = (sessionId: string): Position | undefined => find<Position>(position, sessionId)[0]
  const byNumberOf = (number: number) => byNumber.get(number) as unknown as Columns

  /** After every change of a row that people are shown: a bit that flips later is noticed. */
  function seal(number: number): void {
    setDigest.run(rowDigest(byNumberOf(number)), number)
  }

  return {
    seal,
    positionOf,
    byNumber: byNumberOf,
    /** Hidden or not. */
    any: (sessionId: string): Columns | undefined => find<Columns>(bySession, sessionId)[0],
    known(sessionId: string): Position {
      const found = positionOf(sessionId)
      if (!found) throw new Error(`There is no session ${sessionId}`)
      return found
    },
    /** One statement for each set of columns, so that an index is touched only when a column of it changes. */
    change(number: number, change: RowChange): void {
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
    },
  }
}

/** Short, because every cursor carries it. */
export const newLogId = (): string => randomBytes(12).toString('base64url')

/** How titles are compared in a search: without case, one form for each character. */
export const folded = (text: string) => foldedText(text).toWellFormed().replaceAll('\0', ' ')

/** What people are shown of a row. `seq` and `head` are checked by the chain, `epoch` and `holder` by whoever writes. */
export const rowDigest = (row: Columns): string =>
  digestOfText(
    row.number,
    JSON.stringify([
      [row.session_id, row.owner, row.log_id, row.title, row.agent_id, row.parent_session_id],
      [row.created_at, row.updated_at, row.pinned, row.archived, row.status, row.queued],
      [row.message_count, row.unfinished, row.erase_at],
      // Rows of older versions, which are in no folder or do not know of folders, keep their digest.
      ...(row.folder_id ? [[row.folder_id]] : []),
      // So do rows of sessions that ask nothing. It is named, so that it is never taken for a folder.
      ...(row.waits_for ? [{ waitsFor: row.waits_for }] : []),
    ]),
  )

export const isWhole = (row: Columns): boolean => rowDigest(row) === row.row_digest

export function rowOf(row: Columns): SessionRow {
  if (!isWhole(row)) {
    throw new LogDamaged(
      `The stored row of session ${row.session_id} is damaged: restore the data folder from a backup.`,
    )
  }
  return shown(row)
}

/** In a list a damaged row must not hide the others: it says that nothing is known of it. */
export function listedRow(row: Columns): SessionRow {
  return isWhole(row) ? shown(row) : { ...shown({ ...row, title: '""', waits_for: null }), status: 'unknown' }
}

export const shown = (row: Columns): SessionRow => ({
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
  folderId: row.folder_id,
  status: row.status,
  waitsFor: row.waits_for ? JSON.parse(row.waits_for) : null,
  queued: row.queued,
  messageCount: row.message_count,
  unfinished: row.unfinished === 1,
  ...(row.erase_at !== null && { eraseAt: row.erase_at }),
})

/** Unchecked: what is damaged must be erased, too. */
export const hiddenOf = (row: Columns): HiddenSession => ({ ...listedRow(row), eraseAt: row.erase_at! })

/** As JSON, as titles are. */
export const waitsForColumn = (asked: string | null): string | null => (asked === null ? null : JSON.stringify(asked))

/** Only what the change names; anything else in the object is not a column. */
function columnsOf(change: RowChange): Record<string, SQLInputValue> {
  const columns: Record<string, SQLInputValue | undefined> = {
    title: change.title === undefined ? undefined : JSON.stringify(change.title),
    title_folded: change.title === undefined ? undefined : folded(change.title),
    agent_id: change.agentId,
    pinned: change.pinned === undefined ? undefined : Number(change.pinned),
    archived: change.archived === undefined ? undefined : Number(change.archived),
    folder_id: change.folderId,
    status: change.status,
    waits_for: change.waitsFor === undefined ? undefined : waitsForColumn(change.waitsFor),
    queued: change.queued,
    message_count: change.messageCount,
    updated_at: change.updatedAt,
    unfinished: change.unfinished === undefined ? undefined : Number(change.unfinished),
  }
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, SQLInputValue] => entry[1] !== undefined),
  )
}
