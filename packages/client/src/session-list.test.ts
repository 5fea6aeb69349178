import type { SessionSummary } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { createSessionList } from './session-list.ts'

const row = (sessionId: string, updatedAt: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId,
  title: sessionId,
  agentId: 'guide',
  createdAt: 0,
  updatedAt,
  seq: 0,
  readSeq: 0,
  pinned: false,
  archived: false,
  status: 'idle',
  queued: 0,
  messageCount: 0,
  parentSessionId: null,
  ...more,
})

describe('P-116 session list', () => {
  const setup = () => {
    const list = createSessionList()
    list.apply({ reset: true, sessions: [row('e', 5), row('d', 4)], cursor: 'after-d' })
    list.append([row('c', 3), row('b', 2)], 'after-b')
    return list
  }
  const ids = (list: ReturnType<typeof setup>) =>
    list
      .sorted()
      .map(({ sessionId }) => sessionId)
      .join('')

  it('is newest first through changes, additions and deletions', () => {
    const list = setup()
    list.apply({ sessions: [row('b', 9), row('f', 6), row('d', 4, { deleted: true })] })
    expect(ids(list)).toBe('bfec')
    list.remove('e')
    expect(ids(list)).toBe('bfc')
  })

  it('keeps older pages and their cursor when a new first page joins them', () => {
    const list = setup()
    list.apply({ reset: true, sessions: [row('f', 6), row('e', 5)], cursor: 'after-e' })
    expect(ids(list)).toBe('fedcb')
    expect(list.cursor).toBe('after-b')
  })

  it('drops what a new first page shows to be deleted', () => {
    const list = setup()
    list.apply({ reset: true, sessions: [row('e', 5), row('c', 3)], cursor: 'after-c' })
    expect(ids(list)).toBe('ecb')
  })

  it('starts anew when something may be missing in between, and when the page is all there is', () => {
    const list = setup()
    list.apply({ reset: true, sessions: [row('z', 20), row('y', 19)], cursor: 'after-y' })
    expect([ids(list), list.cursor]).toEqual(['zy', 'after-y'])
    const small = setup()
    small.apply({ reset: true, sessions: [row('e', 5)], cursor: null })
    expect([ids(small), small.cursor]).toEqual(['e', null])
  })

  it('P-122 has what needs attention beyond the page, and pages on from the page', () => {
    const list = createSessionList()
    const pinned = row('a', 1, { pinned: true })
    const failed = row('c', 3, { status: 'failed' })
    list.apply({ reset: true, sessions: [failed, pinned, row('f', 6), row('e', 5)], cursor: 'after-e' })
    expect([ids(list), list.cursor]).toEqual(['feca', 'after-e'])
    list.append([row('d', 4), failed], 'after-c')
    expect([ids(list), list.cursor]).toEqual(['fedca', 'after-c'])
    // A reconnect: d stays where it was loaded, and c, which is no longer told of, was deleted.
    list.apply({ reset: true, sessions: [pinned, row('g', 7), row('f', 6), row('e', 5)], cursor: 'after-e' })
    expect([ids(list), list.cursor]).toEqual(['gfeda', 'after-c'])
    // An old row alone that is known does not join two pages that may have others between them.
    list.apply({ reset: true, sessions: [pinned, row('z', 20)], cursor: 'after-z' })
    expect([ids(list), list.cursor]).toEqual(['za', 'after-z'])
  })

  it('prefers what the stream said over a page that was read earlier', () => {
    const list = setup()
    list.apply({ sessions: [row('a', 10, { title: 'new' })] })
    list.append([row('a', 1, { title: 'old' })], null)
    expect(list.sorted()[0]!.title).toBe('new')
    expect(list.cursor).toBeNull()
  })
})
