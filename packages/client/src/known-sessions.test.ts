import type { ListFrame, SessionSummary } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { createKnownSessions, type KnownSessions, passOf } from './known-sessions.ts'

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
  folderId: null,
  waitsFor: null,
  status: 'idle',
  queued: 0,
  messageCount: 0,
  parentSessionId: null,
  ...more,
})

/** A pass in frames of one row each: the newest sessions, then those beyond that need attention. */
function pass(list: KnownSessions, newest: SessionSummary[], cursor: string | null, attention: SessionSummary[] = []) {
  for (const frame of framesOf(newest, cursor, attention)) list.apply(frame)
}

function framesOf(newest: SessionSummary[], cursor: string | null, attention: SessionSummary[] = []): ListFrame[] {
  const frames: ListFrame[] = [...newest, ...attention].map((row, index) => ({ sessions: [row], at: `${index}` }))
  frames[0]!.begins = true
  frames[newest.length - 1]!.cursor = cursor
  delete frames.at(-1)!.at
  frames.at(-1)!.ends = true
  return frames
}

describe('P-116 session list', () => {
  const setup = () => {
    const list = createKnownSessions()
    pass(list, [row('e', 5), row('d', 4)], 'after-d')
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
    pass(list, [row('f', 6), row('e', 5)], 'after-e')
    expect(ids(list)).toBe('fedcb')
    expect(list.cursor).toBe('after-b')
  })

  it('drops sessions that are missing in a new first page, because they were deleted', () => {
    const list = setup()
    pass(list, [row('e', 5), row('c', 3)], 'after-c')
    expect(ids(list)).toBe('ecb')
  })

  it('forgets older pages when sessions may be missing in between, and when the new first page is the whole list', () => {
    const list = setup()
    pass(list, [row('z', 20), row('y', 19)], 'after-y')
    expect([ids(list), list.cursor]).toEqual(['zy', 'after-y'])
    const small = setup()
    pass(small, [row('e', 5)], null)
    expect([ids(small), small.cursor]).toEqual(['e', null])
  })

  it('P-122 also has older sessions that need attention, and loads the next page from the end of the last page', () => {
    const list = createKnownSessions()
    const pinned = row('a', 1, { pinned: true })
    const failed = row('c', 3, { status: 'failed' })
    pass(list, [row('f', 6), row('e', 5)], 'after-e', [failed, pinned])
    expect([ids(list), list.cursor]).toEqual(['feca', 'after-e'])
    list.append([row('d', 4), failed], 'after-c')
    expect([ids(list), list.cursor]).toEqual(['fedca', 'after-c'])
    // A reconnect: d stays where it was loaded, and c, which is no longer told of, was deleted.
    pass(list, [row('g', 7), row('f', 6), row('e', 5)], 'after-e', [pinned])
    expect([ids(list), list.cursor]).toEqual(['gfeda', 'after-c'])
    // An old row alone that is known does not join two pages that may have others between them.
    pass(list, [row('z', 20)], 'after-z', [pinned])
    expect([ids(list), list.cursor]).toEqual(['za', 'after-z'])
  })

  it('keeps what the stream said when an older answer says something else', () => {
    const list = setup()
    list.apply({ sessions: [row('a', 10, { title: 'new' })] })
    list.append([row('a', 1, { title: 'old' })], null)
    expect(list.sorted()[0]!.title).toBe('new')
    expect(list.cursor).toBeNull()
  })

  it('P-124 keeps its rows until the server has sent all of them again, over several connections and with changes in between', () => {
    const list = setup()
    const [first, ...rest] = framesOf([row('g', 7), row('f', 6), row('e', 5)], 'after-e', [
      row('a', 1, { pinned: true }),
    ])
    list.apply(first!)
    expect([ids(list), list.cursor]).toEqual(['gedcb', 'after-b'])
    list.apply({ sessions: [row('h', 8), row('d', 4, { deleted: true })] })
    for (const frame of rest) list.apply(frame)
    expect([ids(list), list.cursor]).toEqual(['hgfecba', 'after-b'])
  })

  it('P-124 does not join older rows to the new ones because of a transfer that was broken off', () => {
    const list = setup()
    const newest = [row('z', 30), row('y', 29)]
    list.apply(framesOf(newest, 'after-y')[0]!)
    pass(list, newest, 'after-y')
    expect([ids(list), list.cursor]).toEqual(['zy', 'after-y'])
  })

  it('P-124 gives a tab that joins the same frames that a server would send', () => {
    const one = setup()
    pass(one, [row('g', 7), row('f', 6)], 'after-f', [row('a', 1, { pinned: true })])
    const two = createKnownSessions()
    for (const frame of passOf(one)) two.apply(frame)
    expect([ids(two), two.cursor, two.loaded]).toEqual([ids(one), 'after-f', true])
  })
})
