import type { Folder, ListFrame, SessionSummary } from '@vitrine/protocol'

export interface KnownSessions {
  loaded: boolean
  cursor: string | null
  folders: readonly Folder[]
  /** Newest first. */
  sorted(): SessionSummary[]
  /** When the oldest of the newest sessions of the last pass changed, and the cursor from which older ones are paged. */
  page: { oldest: number; cursor: string | null }
  apply(frame: ListFrame): void
  /** A page of older sessions that was asked for. */
  append(sessions: SessionSummary[], cursor: string | null): void
  remove(sessionId: string): void
}

/** Does not fall off the list, however old it is. */
const stands = ({ pinned, status }: SessionSummary) => pinned || status === 'needs-input' || status === 'failed'

/** Part of a pass, not a change. */
export const isPart = ({ begins, at, ends }: ListFrame): boolean => begins || ends || at !== undefined

/** A pass that gives another list what this one has. */
export function passOf({ page, sorted, folders }: KnownSessions): ListFrame[] {
  const all = sorted()
  const end = all.findIndex(row => row.updatedAt < page.oldest)
  return [
    { begins: true, folders, sessions: end < 0 ? all : all.slice(0, end), cursor: page.cursor },
    { sessions: end < 0 ? [] : all.slice(end), ends: true },
  ]
}

/** A pass over the list that is under way. */
interface Pass {
  seen: Set<string>
  /**
   * True when the pass contained a row that we already had unchanged; then no session is missing between its rows and
   * ours.
   */
  joins: boolean
}

export function createKnownSessions(): KnownSessions {
  const rows = new Map<string, SessionSummary>()
  let pass: Pass | null = null
  let inPage = false
  /** Rows of a pass that never ended: knowing them does not say that everything older is known too. */
  const unsure = new Set<string>()

  const put = (row: SessionSummary) => {
    if (row.deleted) rows.delete(row.sessionId)
    // Only what is about reading says how far somebody has read.
    else rows.set(row.sessionId, { readSeq: rows.get(row.sessionId)?.readSeq ?? 0, ...row })
  }

  /**
   * A pass comes with every connection. What it does not have is gone, except for older rows that were loaded on demand:
   * they are kept when the pass reached a row that we know unchanged. Older rows that need attention are in the pass,
   * so that another one we have was deleted meanwhile.
   */
  const sweep = ({ seen, joins }: Pass) => {
    let kept = false
    for (const row of [...rows.values()]) {
      if (seen.has(row.sessionId)) continue
      const isOlder = known.page.cursor !== null && row.updatedAt < known.page.oldest
      if (joins && isOlder && !stands(row)) kept = true
      else rows.delete(row.sessionId)
    }
    if (!kept) known.cursor = known.page.cursor
    known.loaded = true
  }

  const known: KnownSessions = {
    loaded: false,
    cursor: null,
    page: { oldest: 0, cursor: null },
    folders: [],
    sorted: () => [...rows.values()].sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1)),
    apply(frame) {
      if (frame.folders) known.folders = frame.folders
      if (frame.begins) {
        for (const sessionId of pass?.seen ?? []) unsure.add(sessionId)
        pass = { seen: new Set(), joins: false }
        inPage = true
      }
      for (const row of frame.sessions) {
        const { sessionId } = row
        const same = rows.get(sessionId)?.updatedAt === row.updatedAt && !unsure.has(sessionId)
        if (pass && inPage && isPart(frame) && same && !pass.seen.has(sessionId)) pass.joins = true
        pass?.seen.add(sessionId)
        put(row)
      }
      if (frame.cursor !== undefined) {
        inPage = false
        known.page = { oldest: frame.sessions.at(-1)?.updatedAt ?? 0, cursor: frame.cursor }
      }
      if (!frame.ends || !pass) return
      sweep(pass)
      pass = null
      unsure.clear()
    },
    append(sessions, pageCursor) {
      // What the stream has told meanwhile is newer than the page.
      for (const row of sessions) if (!rows.has(row.sessionId)) rows.set(row.sessionId, row)
      known.cursor = pageCursor
    },
    remove: sessionId => void rows.delete(sessionId),
  }
  return known
}
