import type { SessionSummary } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { filterSessions, firstRowOf, groupSessions, isUnread, type SessionRow, withFound } from './session-groups.ts'

const now = new Date(2026, 5, 15, 12).getTime()
const day = 24 * 60 * 60 * 1000
const session = (sessionId: string, changes: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId,
  title: sessionId,
  agentId: 'guide',
  createdAt: now,
  updatedAt: now,
  seq: 5,
  readSeq: 5,
  pinned: false,
  archived: false,
  folderId: null,
  waitsFor: null,
  status: 'idle',
  queued: 0,
  messageCount: 2,
  parentSessionId: null,
  ...changes,
})
const named = (row: SessionRow): string => {
  if (row.kind === 'heading') return `# ${row.group}`
  if (row.kind === 'folder') return `[${row.folder.name}] ${row.count}`
  return row.kind === 'session' ? row.session.sessionId : row.found.messageId
}
const ids = (list: readonly SessionSummary[]) => list.map(({ sessionId }) => sessionId)

describe('the session list', () => {
  const all = [
    session('Old', { updatedAt: now - 30 * day }),
    session('Pinned', { pinned: true, updatedAt: now - 40 * day }),
    session('Today'),
    session('Newer', { updatedAt: now + 1 }),
    session('Week', { updatedAt: now - 3 * day }),
    session('Yesterday', { updatedAt: now - day }),
  ]

  it('AU-38 pinned first, then by day, newest first', () => {
    const rows = groupSessions(all, now).map(named)
    expect(rows).toEqual([
      '# pinned',
      'Pinned',
      '# today',
      'Newer',
      'Today',
      '# yesterday',
      'Yesterday',
      '# week',
      'Week',
      '# older',
      'Old',
    ])
  })

  it('P-9234 what needs the person comes first and stands in its place too; folders come before the days', () => {
    const folders = [
      { folderId: 'w', name: 'Work' },
      { folderId: 'a', name: 'A first one' },
    ]
    const some = [
      session('Asks', { status: 'needs-input', folderId: 'w' }),
      session('Failed', { status: 'failed' }),
      session('In work', { folderId: 'w', updatedAt: now - 2 }),
      session('Pinned', { pinned: true, folderId: 'w' }),
      session('Lost folder', { folderId: 'deleted', updatedAt: now - 1 }),
    ]
    const rows = groupSessions(some, now, { folders, isOpen: folderId => folderId === 'w' })
    expect(rows.map(named)).toEqual([
      '# attention',
      'Asks',
      '# pinned',
      'Pinned',
      '# folders',
      '[A first one] 0',
      '[Work] 2',
      'Asks',
      'In work',
      '# today',
      'Failed',
      'Lost folder',
    ])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    // One of the two is the current one, and one is renamed.
    expect([firstRowOf(rows, 'Asks'), firstRowOf(rows, 'In work')]).toEqual(['attention:Asks', 'In work'])
    expect([firstRowOf(rows, null), firstRowOf(rows, 'w')]).toEqual([undefined, undefined])
    expect(groupSessions(some, now, { folders, isOpen: () => false }).map(named)).not.toContain('In work')
  })

  it('P-9232 what was put away is shown only when it is searched for', () => {
    const some = [session('Here'), session('Away', { archived: true })]
    const find = (search: string) => ids(filterSessions(some, { filter: 'all', search, openId: null }))
    expect(find('')).toEqual(['Here'])
    expect(find('away')).toEqual(['Away'])
  })

  it('P-9257 a title is found without its accents', () => {
    const some = [session('Über uns'), session('Other')]
    expect(ids(filterSessions(some, { filter: 'all', search: 'uber', openId: null }))).toEqual(['Über uns'])
  })

  it('P-274 adds what the server found, each session once and as it stands now', () => {
    const live = [
      session('Plan A'),
      session('b', { title: 'ﬁne plan', pinned: true }),
      session('c', { title: 'New name' }),
    ]
    const found = [
      session('Plan A', { status: 'failed' }),
      session('b', { title: 'ﬁne plan' }),
      session('c', { title: 'Plan C' }),
      session('Plan D'),
    ]
    const merged = withFound([live[0]!], live, found)
    expect(ids(merged)).toEqual(['Plan A', 'b', 'Plan D'])
    expect(merged).toMatchObject([{ status: 'idle' }, { pinned: true }, {}])
  })

  it('AU-38 finds what needs attention, runs or is unread, and by words of the title', () => {
    const some = [
      session('a', { status: 'needs-input', title: 'Quarterly report' }),
      session('b', { status: 'failed' }),
      session('c', { status: 'running' }),
      session('d', { seq: 9 }),
      session('e', { deleted: true, status: 'failed' }),
    ]
    const find = (filter: 'all' | 'attention' | 'running' | 'unread', search = '') =>
      ids(filterSessions(some, { filter, search, openId: null }))
    expect(find('attention')).toEqual(['a'])
    expect(find('running')).toEqual(['c'])
    expect(find('unread')).toEqual(['d'])
    expect(find('all', 'REPORT quart')).toEqual(['a'])
  })

  it('P-270 the open session is never unread', () => {
    expect(isUnread(session('d', { seq: 9 }), 'd')).toBe(false)
    expect(isUnread(session('d', { seq: 9 }), 'x')).toBe(true)
  })
})
