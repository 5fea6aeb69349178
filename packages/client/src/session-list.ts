import type { SessionSummary } from '@vitrine/protocol'
import type { ListFrame } from './feed.ts'

export interface SessionList {
  readonly loaded: boolean
  readonly cursor: string | null
  /** Newest first. */
  sorted(): SessionSummary[]
  apply(frame: ListFrame): void
  /** A page of older sessions that was asked for. */
  append(sessions: SessionSummary[], cursor: string | null): void
  remove(sessionId: string): void
}

/** Does not fall off the list, however old it is. */
const stands = ({ pinned, status }: SessionSummary) => pinned || status === 'needs-input' || status === 'failed'

export function createSessionList(): SessionList {
  let rows = new Map<string, SessionSummary>()
  let loaded = false
  let cursor: string | null = null

  /**
   * A new first page comes with every connection. Older rows that were loaded on demand are kept when the page
   * reaches a row that we know unchanged: then nothing can be missing between the two. The page is the end of the
   * frame; before it come older rows that need attention, complete, so that another one we have was deleted meanwhile.
   */
  const reset = (page: SessionSummary[], pageCursor: string | null) => {
    const old = rows
    rows = new Map(page.map(row => [row.sessionId, row]))
    const oldest = page.at(-1)
    const joins =
      oldest &&
      page.some(row => row.updatedAt >= oldest.updatedAt && old.get(row.sessionId)?.updatedAt === row.updatedAt)
    if (pageCursor === null || !joins) {
      cursor = pageCursor
      return
    }
    let kept = false
    for (const row of old.values()) {
      if (rows.has(row.sessionId) || row.updatedAt >= oldest.updatedAt || stands(row)) continue
      rows.set(row.sessionId, row)
      kept = true
    }
    if (!kept) cursor = pageCursor
  }

  return {
    get loaded() {
      return loaded
    },
    get cursor() {
      return cursor
    },
    sorted: () => [...rows.values()].sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1)),
    apply({ reset: whole, sessions, cursor: pageCursor = null }) {
      if (whole) {
        reset(sessions, pageCursor)
        loaded = true
        return
      }
      for (const row of sessions) {
        if (row.deleted) rows.delete(row.sessionId)
        else rows.set(row.sessionId, row)
      }
    },
    append(sessions, pageCursor) {
      // What the stream has told meanwhile is newer than the page.
      for (const row of sessions) if (!rows.has(row.sessionId)) rows.set(row.sessionId, row)
      cursor = pageCursor
    },
    remove: sessionId => void rows.delete(sessionId),
  }
}
