import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { phrasesOf, type SearchPhrase, searchTest, wordsOf } from '@vitrine/protocol'
import type { FoundText, SearchableText, TextChange, TextQuery, TextSearch } from '../search-store.ts'
import type { SessionRow } from '../session-store.ts'
import { snippetOf } from '../snippet.ts'
import { digestOfText } from './chain.ts'
import { type Columns, listedRow, sessionRows } from './rows.ts'
import { find, write } from './statements.ts'

/** A long text is kept in pieces, so that one result costs little. */
const PIECE = 32 * 1024
/** Texts of one millisecond have places of their own. */
const PLACES = 1024
/** Times beyond would not fit into a place. */
const LATEST = 2 ** 42

type TextColumns = Omit<SearchableText, 'partId' | 'messageId'> & {
  id: number
  message_id: string
  part_id: string
  digest: string
}

/** Every owner has a word of their own, so that the texts of others cost nothing and are never looked at. */
const wordOfOwner = (owner: string): string => `o${hash('sha256', owner).slice(0, 24)}`

const digestOf = (id: number, { message_id, ordinal, role, at, text }: Omit<TextColumns, 'digest'>): string =>
  digestOfText(id, JSON.stringify([message_id, ordinal, role, at, text]))

/** A search gives up its turn after this long, so that other reads wait no longer than that. */
const STEP_MS = 15

/** A part of a search, and where the next part begins; null after the last one. */
export interface Step<T, Place> {
  found: T[]
  next: Place | null
}

/** A text that has the words. */
type Match = { id: number; session: number; ordinal: number } & Pick<Columns, 'owner' | 'agent_id' | 'erase_at'>

/** A session that a search looks at, and where it stands among the others. */
type Looked = Pick<Columns, 'number' | 'session_id' | 'updated_at' | 'agent_id'> & { title_folded: string }
export type SessionPlace = Pick<SessionRow, 'updatedAt' | 'sessionId'>

/** The reading part of SearchStore, in steps. */
export function textReads(db: DatabaseSync) {
  const matching = db.prepare(
    `SELECT texts.id, texts.session, ordinal, sessions.owner, agent_id, erase_at
     FROM texts_index CROSS JOIN texts ON texts.id = texts_index.rowid CROSS JOIN sessions ON number = texts.session
     WHERE texts_index MATCH ? AND texts_index.rowid < ? AND texts_index.rowid >= ?
     ORDER BY texts_index.rowid DESC`,
  )
  const one = db.prepare(
    `SELECT texts.*, owner, erase_at FROM texts JOIN sessions ON number = texts.session WHERE texts.id = ?`,
  )
  const newest = db.prepare(
    `SELECT number, session_id, updated_at, agent_id, title_folded FROM sessions
     WHERE owner = ? AND (updated_at, session_id) < (?, ?) AND erase_at IS NULL
     ORDER BY updated_at DESC, session_id DESC`,
  )
  const unindexed = db.prepare(
    'SELECT session_id FROM sessions WHERE indexed = 0 AND erase_at IS NULL ORDER BY updated_at DESC LIMIT ?',
  )
  const rows = sessionRows(db)

  /** Every text is looked at here and not in the statement: a filter that nothing passes would keep the statement busy. */
  function step<T>({ limit, before = Number.MAX_SAFE_INTEGER, ...search }: TextQuery, take: (match: Match) => T[]) {
    const { owner, agentId, since = 0 } = search
    const step: Step<T, number> = { found: [], next: null }
    const words = matchOf(search)
    if (words === null || limit < 1) return step
    const first = Math.min(Math.max(0, since), LATEST) * PLACES
    // The time counts from the first match on: before it the index is read, which each step does anew.
    let until = 0
    for (const match of matching.iterate(words, before, first) as Iterable<Match>) {
      until ||= performance.now() + STEP_MS
      const counts = match.owner === owner && match.erase_at === null && (agentId ?? match.agent_id) === match.agent_id
      if (counts) step.found.push(...take(match))
      if (step.found.length >= limit) break
      if (performance.now() < until) continue
      step.next = match.id
      break
    }
    return step
  }

  function textAt(place: number, owner: string, phrases: readonly SearchPhrase[]): FoundText[] {
    const [row] = find<TextColumns & Pick<Columns, 'owner' | 'erase_at'> & { session: number }>(one, place)
    if (row?.owner !== owner || row.erase_at !== null || digestOf(row.id, row) !== row.digest) return []
    const { message_id: messageId, ordinal, role, at } = row
    const session = listedRow(rows.byNumber(row.session))
    return [{ place, session, messageId, ordinal, role, at, snippet: snippetOf(row.text, phrases) }]
  }

  return {
    searchTexts(query: TextQuery): Step<FoundText, number> {
      const phrases = phrasesOf(query.text)
      return step(query, ({ id }) => textAt(id, query.owner, phrases))
    },
    matches: (query: TextQuery) => step(query, ({ id, session, ordinal }) => [{ place: id, session, ordinal }]),
    /** Looks at the sessions of a person, and gives those that have a match or whose title has all words. */
    matched(search: TextSearch, numbers: readonly number[], after?: SessionPlace) {
      const { owner, text, agentId, since = 0 } = search
      const step: Step<{ number: number; session: SessionRow }, SessionPlace> & { looked: number } = {
        found: [],
        next: null,
        looked: 0,
      }
      const wanted = new Set(numbers)
      const hasAll = text.trim() === '' ? () => false : searchTest(text)
      const until = performance.now() + STEP_MS
      const { updatedAt, sessionId } = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, sessionId: '' }
      for (const row of newest.iterate(owner, updatedAt, sessionId) as Iterable<Looked>) {
        if ((agentId ?? row.agent_id) === row.agent_id) {
          step.looked++
          const titled = row.updated_at >= since && hasAll(row.title_folded)
          const { number } = row
          if (titled || wanted.has(number)) step.found.push({ number, session: listedRow(rows.byNumber(number)) })
        }
        if (performance.now() < until) continue
        step.next = { updatedAt: row.updated_at, sessionId: row.session_id }
        break
      }
      return step
    },
    textsAt({ owner, text }: Pick<TextSearch, 'owner' | 'text'>, places: readonly number[]): Step<FoundText, number> {
      const phrases = phrasesOf(text)
      const until = performance.now() + STEP_MS
      const found: FoundText[] = []
      for (const [index, place] of places.entries()) {
        found.push(...textAt(place, owner, phrases))
        if (performance.now() >= until && index + 1 < places.length) return { found, next: index + 1 }
      }
      return { found, next: null }
    },
    unindexed: (limit: number) => find<Pick<Columns, 'session_id'>>(unindexed, limit).map(row => row.session_id),
  }
}

/** What the index is asked for; null when the search has no word. */
function matchOf({ owner, text }: TextSearch): string | null {
  const phrases = phrasesOf(text)
  if (phrases.length === 0) return null
  const wanted = phrases.map(phrase => `"${phrase.join(' ')}"${isPrefix(phrase.at(-1)!) ? ' *' : ''}`)
  return `owner : ${wordOfOwner(owner)} AND words : (${wanted.join(' AND ')})`
}

/** One letter of a script with spaces would be the beginning of nearly everything. */
const isPrefix = (word: string): boolean => word.length > 1 || word.charCodeAt(0) > 0x2e80

/** Writes the texts of a session. */
export function sessionTexts(db: DatabaseSync) {
  const owner = db.prepare('SELECT owner FROM sessions WHERE number = ?')
  const free = db.prepare('SELECT max(id) AS last FROM texts WHERE id >= ? AND id < ?')
  const insert = db.prepare(
    `INSERT INTO texts (id, session, message_id, part_id, ordinal, role, at, text, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const index = db.prepare('INSERT INTO texts_index (rowid, owner, words) VALUES (?, ?, ?)')
  const removePart = db.prepare('DELETE FROM texts WHERE session = ? AND part_id = ?')
  const removeFrom = db.prepare('DELETE FROM texts WHERE session = ? AND ordinal >= ?')
  const setIndexed = db.prepare('UPDATE sessions SET indexed = ? WHERE number = ?')

  /** The first place of this time that nobody has. */
  function placeAt(at: number): number {
    for (let first = Math.min(Math.max(0, at), LATEST) * PLACES; ; first += PLACES) {
      const { last } = free.get(first, first + PLACES) as { last: number | null }
      if (last === null) return first
      if (last < first + PLACES - 1) return last + 1
    }
  }

  function put(session: number, word: string, { text, ...given }: SearchableText): void {
    write(removePart, session, given.partId)
    for (const piece of piecesOf(text)) {
      const words = Array.from(wordsOf(piece), one => one.word).join(' ')
      if (words === '') continue
      const id = placeAt(given.at)
      const row = { ...given, id, message_id: given.messageId, part_id: given.partId, text: piece }
      const { message_id, part_id, ordinal, role, at } = row
      write(insert, id, session, message_id, part_id, ordinal, role, at, piece, digestOf(id, row))
      write(index, id, word, words)
    }
  }

  return {
    setIndexed: (session: number, indexed: boolean) => write(setIndexed, Number(indexed), session),
    change(session: number, { anew, leaveFrom, remove = [], put: texts = [] }: TextChange): void {
      if (anew) {
        write(removeFrom, session, 0)
        write(setIndexed, 0, session)
      }
      if (leaveFrom !== undefined) write(removeFrom, session, leaveFrom)
      for (const partId of remove) write(removePart, session, partId)
      if (texts.length === 0) return
      const word = wordOfOwner((owner.get(session) as Pick<Columns, 'owner'>).owner)
      for (const text of texts) put(session, word, text)
    },
  }
}

/** The writing part of SearchStore. */
export function textWrites(db: DatabaseSync) {
  const rows = sessionRows(db)
  const texts = sessionTexts(db)
  return {
    indexTexts(sessionId: string, seq: number, put: readonly SearchableText[], last: boolean): boolean {
      const log = rows.positionOf(sessionId)
      if (log?.seq !== seq) return false
      texts.change(log.number, { put })
      if (last) texts.setIndexed(log.number, true)
      return true
    },
  }
}

/** Cut behind white space where there is some. What cannot be stored as text is replaced. */
function* piecesOf(text: string): Generator<string> {
  const whole = text.toWellFormed().replaceAll('\0', '\ufffd')
  for (let from = 0; from < whole.length; ) {
    const end = from + PIECE
    const space = end < whole.length ? whole.lastIndexOf(' ', end) : whole.length
    const to = space > from + PIECE / 2 ? space : Math.min(end, whole.length)
    yield whole.slice(from, to).toWellFormed()
    from = to
  }
}
