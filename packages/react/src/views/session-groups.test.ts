import type { SessionSummary } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { filterSessions, groupSessions, isUnread, withFound } from './session-groups.ts'

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
  status: 'idle',
  queued: 0,
  messageCount: 2,
  parentSessionId: null,
  ...changes,
})
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
    const rows = groupSessions(all, now).map(row => (row.kind === 'heading' ? `# ${row.group}` : row.session.sessionId))
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
    expect(find('attention')).toEqual(['a', 'b'])
    expect(find('running')).toEqual(['c'])
    expect(find('unread')).toEqual(['d'])
    expect(find('all', 'REPORT quart')).toEqual(['a'])
  })

  it('P-270 the open session is never unread', () => {
    expect(isUnread(session('d', { seq: 9 }), 'd')).toBe(false)
    expect(isUnread(session('d', { seq: 9 }), 'x')).toBe(true)
  })
})
