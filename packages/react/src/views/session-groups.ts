import type { SessionSummary } from '@vitrine/protocol'

export type SessionFilter = 'all' | 'attention' | 'running' | 'unread'
export type SessionGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'older'
export type SessionRow =
  | { key: string; kind: 'heading'; group: SessionGroup }
  | { key: string; kind: 'session'; session: SessionSummary }

export const needsAttention = ({ status }: SessionSummary) => status === 'needs-input' || status === 'failed'
export const isRunning = ({ status }: SessionSummary) => status === 'running' || status === 'waiting'
/** The open session is being read, whatever the server was told so far. */
export const isUnread = (session: SessionSummary, openId: string | null) =>
  session.sessionId !== openId && session.seq > (session.readSeq ?? 0)

const DAY = 24 * 60 * 60 * 1000

export function filterSessions(
  sessions: readonly SessionSummary[],
  { filter, search, openId }: { filter: SessionFilter; search: string; openId: string | null },
): SessionSummary[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return sessions.filter(session => {
    if (session.deleted || session.archived) return false
    if (filter === 'attention' && !needsAttention(session)) return false
    if (filter === 'running' && !isRunning(session)) return false
    if (filter === 'unread' && !isUnread(session, openId)) return false
    const title = session.title.toLocaleLowerCase()
    return words.every(word => title.includes(word))
  })
}

/** What a search on the server found beyond the loaded rows. Where a row is live, it says how its session stands. */
export function withFound(
  matches: readonly SessionSummary[],
  live: readonly SessionSummary[],
  found: readonly SessionSummary[],
): SessionSummary[] {
  const shown = new Set(matches.map(({ sessionId }) => sessionId))
  const byId = new Map(live.map(session => [session.sessionId, session]))
  const more = found.flatMap(session => {
    if (shown.has(session.sessionId)) return []
    const now = byId.get(session.sessionId) ?? session
    // The session was renamed, so the found title is old.
    return now.title === session.title ? [now] : []
  })
  return [...matches, ...more]
}

export function groupSessions(sessions: readonly SessionSummary[], now: number): SessionRow[] {
  const startOfDay = new Date(now).setHours(0, 0, 0, 0)
  const yesterday = new Date(startOfDay - DAY / 2).setHours(0, 0, 0, 0)
  const groupOf = ({ pinned, updatedAt }: SessionSummary): SessionGroup => {
    if (pinned) return 'pinned'
    if (updatedAt >= startOfDay) return 'today'
    if (updatedAt >= yesterday) return 'yesterday'
    return updatedAt >= startOfDay - 6 * DAY ? 'week' : 'older'
  }
  const groups = Map.groupBy(
    [...sessions].sort((a, b) => b.updatedAt - a.updatedAt),
    groupOf,
  )
  return (['pinned', 'today', 'yesterday', 'week', 'older'] as const).flatMap(group => {
    const members = groups.get(group) ?? []
    if (members.length === 0) return []
    return [
      { key: group, kind: 'heading' as const, group },
      ...members.map(session => ({ key: session.sessionId, kind: 'session' as const, session })),
    ]
  })
}
