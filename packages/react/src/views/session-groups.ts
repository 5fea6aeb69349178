import { type Folder, type FoundMessage, type SessionSummary, searchTest } from '@vitrine/protocol'

export type SessionFilter = 'all' | 'attention' | 'running' | 'unread'
type Day = 'today' | 'yesterday' | 'week' | 'older'
export type SessionGroup = 'attention' | 'pinned' | 'folders' | 'found' | 'messages' | Day
export type SessionRow =
  | ({ kind: 'heading' } & RowPlace)
  | ({ kind: 'folder'; folder: Folder; count: number; open: boolean } & RowPlace)
  | ({ kind: 'session'; session: SessionSummary; folderId: string | null } & RowPlace)
  | ({ kind: 'message'; found: FoundMessage } & RowPlace)

/** What tells a row apart, and the group in which it stands: a session that waits has a row in two of them. */
interface RowPlace {
  key: string
  group: SessionGroup
}

/** A row before it is put under its heading. */
type Loose<T> = T extends unknown ? Omit<T, 'group'> : never

/** A session that waits for an answer. One that failed does not wait: its mark says that it failed. */
export const needsYou = ({ status }: SessionSummary) => status === 'needs-input'
export const isRunning = ({ status }: SessionSummary) => status === 'running' || status === 'waiting'
/** The open session is being read, whatever the server was told so far. */
export const isUnread = (session: SessionSummary, openId: string | null) =>
  session.sessionId !== openId && session.seq > (session.readSeq ?? 0)

const DAY = 24 * 60 * 60 * 1000

/** The sessions that a filter shows. What was put away is shown only when it is searched for. */
export function filterSessions(
  sessions: readonly SessionSummary[],
  { filter, search, openId }: { filter: SessionFilter; search: string; openId: string | null },
): SessionSummary[] {
  const searched = search.trim() !== ''
  const hasAll = searchTest(search)
  return sessions.filter(session => {
    if (session.deleted || (session.archived && !searched)) return false
    if (filter === 'attention' && !needsYou(session)) return false
    if (filter === 'running' && !isRunning(session)) return false
    if (filter === 'unread' && !isUnread(session, openId)) return false
    return hasAll(session.title)
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

const newestFirst = (sessions: readonly SessionSummary[]) => [...sessions].sort((a, b) => b.updatedAt - a.updatedAt)

/** What a person finds: sessions by their title, and messages by their words. */
export function foundRows(sessions: readonly SessionSummary[], messages: readonly FoundMessage[]): SessionRow[] {
  return [
    ...under('found', newestFirst(sessions).map(sessionRow)),
    ...under(
      'messages',
      messages.map(found => ({
        key: `message:${found.session.sessionId}/${found.messageId}/${found.snippet.text}`,
        kind: 'message' as const,
        found,
      })),
    ),
  ]
}

/** What there is of folders, and which of them are open. */
export interface FolderView {
  folders: readonly Folder[]
  isOpen: (folderId: string) => boolean
}

const NO_FOLDERS: FolderView = { folders: [], isOpen: () => false }

/**
 * The list in groups. What needs an answer comes first and stands in its usual place too. A pinned session stands among
 * the pinned ones, whatever its folder.
 */
export function groupSessions(
  sessions: readonly SessionSummary[],
  now: number,
  { folders, isOpen }: FolderView = NO_FOLDERS,
): SessionRow[] {
  const ordered = newestFirst(sessions)
  const known = new Set(folders.map(({ folderId }) => folderId))
  const folderOf = ({ folderId }: SessionSummary) => (folderId !== null && known.has(folderId) ? folderId : null)
  const plain = ordered.filter(({ pinned }) => !pinned)
  const members = Map.groupBy(plain, folderOf)
  const days = Map.groupBy(members.get(null) ?? [], dayOf(now))
  const waiting = ordered
    .filter(needsYou)
    .map(session => ({ ...sessionRow(session), key: `attention:${session.sessionId}` }))
  const pinned = ordered.filter(session => session.pinned).map(sessionRow)
  const foldersByName = [...folders].sort((a, b) => a.name.localeCompare(b.name))
  return [
    ...under('attention', waiting),
    ...under('pinned', pinned),
    ...under(
      'folders',
      foldersByName.flatMap((folder): Loose<SessionRow>[] => {
        const { folderId } = folder
        const inside = members.get(folderId) ?? []
        const open = isOpen(folderId)
        const head = { key: folderKey(folderId), kind: 'folder' as const, folder, count: inside.length, open }
        return [head, ...(open ? inside.map(session => ({ ...sessionRow(session), folderId })) : [])]
      }),
    ),
    ...(['today', 'yesterday', 'week', 'older'] as const).flatMap(day =>
      under(day, (days.get(day) ?? []).map(sessionRow)),
    ),
  ]
}

/** The row that stands for a session where one of it is wanted: what needs an answer has two rows. */
export const firstRowOf = (rows: readonly SessionRow[], sessionId: string | null): string | undefined =>
  rows.find(row => row.kind === 'session' && row.session.sessionId === sessionId)?.key

const sessionRow = (session: SessionSummary) => ({
  key: session.sessionId,
  kind: 'session' as const,
  session,
  folderId: null as string | null,
})

/** The rows of a group below its heading; nothing when there are none. */
const under = (group: SessionGroup, rows: readonly Loose<SessionRow>[]): SessionRow[] =>
  rows.length === 0 ? [] : [{ key: `# ${group}`, kind: 'heading', group }, ...rows.map(row => ({ ...row, group }))]

/** What a folder is called where a session or a folder is meant, such as what is being renamed. */
export const folderKey = (folderId: string): string => `folder:${folderId}`

function dayOf(now: number): (session: SessionSummary) => Day {
  const startOfDay = new Date(now).setHours(0, 0, 0, 0)
  const yesterday = new Date(startOfDay - DAY / 2).setHours(0, 0, 0, 0)
  return ({ updatedAt }) => {
    if (updatedAt >= startOfDay) return 'today'
    if (updatedAt >= yesterday) return 'yesterday'
    return updatedAt >= startOfDay - 6 * DAY ? 'week' : 'older'
  }
}
