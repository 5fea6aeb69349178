import { describe, expect, it } from 'vitest'
import type { SessionRow, SessionToStore } from './session-store.ts'
import { delta, deltas, eachWithStorage, row, type StorageUnderTest, stored } from './storage.fixture.ts'
import { SessionExists, StaleLease } from './storage.ts'

/** What every store of session rows does, whatever it is made of. */
export function sessionStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: sessions`, () => {
    const { storage, reopen, started, changeRow } = eachWithStorage(subject)

    it('P-301 P-9261 a session row comes back as it was given', async () => {
      const given = row('s', {
        owner: 'grace',
        pinned: true,
        archived: true,
        status: 'needs-input',
        waitsFor: 'Delete 2 backups?\0\ud800',
        queued: 3,
        messageCount: 7,
        parentSessionId: 'parent',
        unfinished: true,
      })
      await storage.createSession(given, [])
      expect(await storage.session('s')).toEqual(stored(given))
      expect(await storage.session('other')).toBeUndefined()
    })

    it('P-301 a change touches what it names and nothing else', async () => {
      await storage.createSession(row('s'), [])
      await changeRow('s', { title: 'new', pinned: true })
      await changeRow('s', {})
      const stray = { owner: 'eve', seq: 9, sessionId: 'x', createdAt: 5, archived: true }
      await changeRow('s', stray)
      expect(await storage.session('s')).toEqual(stored(row('s', { title: 'new', pinned: true, archived: true })))
      await expect(changeRow('none', { title: 'x' })).rejects.toThrow(/none/)
    })

    it('P-302 the list is newest first, of one owner, page by page without loss or repetition', async () => {
      // Many share a time: the id then decides, and a page may end between them.
      for (let index = 0; index < 25; index++) {
        await storage.createSession(row(`s${String(index).padStart(2, '0')}`, { updatedAt: Math.floor(index / 4) }), [])
      }
      await storage.createSession(row('foreign', { owner: 'eve', updatedAt: 99 }), [])
      const listed: SessionRow[] = []
      for (;;) {
        const last = listed.at(-1)
        const page = await storage.sessions({ owner: 'ada', limit: 4, ...(last && { after: last }) })
        if (page.length === 0) break
        listed.push(...page)
      }
      expect(listed.map(item => item.sessionId)).toEqual(
        Array.from({ length: 25 }, (_, index) => `s${String(24 - index).padStart(2, '0')}`),
      )
      expect(await storage.sessions({ owner: 'nobody', limit: 10 })).toEqual([])
      expect(await storage.sessions({ owner: 'ada', limit: 0 })).toEqual([])
    })

    it('P-302 a session that changes moves to the top', async () => {
      await storage.createSession(row('a', { updatedAt: 1 }), [])
      await storage.createSession(row('b', { updatedAt: 2 }), [])
      await changeRow('a', { updatedAt: 3 })
      const ids = (await storage.sessions({ owner: 'ada', limit: 9 })).map(item => item.sessionId)
      expect(ids).toEqual(['a', 'b'])
    })

    it('P-303 P-9257 P-9610 a search finds words by their beginnings and signs as they are, whatever the case and the accents', async () => {
      const titles = ['100% done', '100 done', 'a_b', 'axb', 'back\\slash', "it's", 'ÉTÉ à Paris', 'ﬁne']
      for (const [index, title] of titles.entries()) await storage.createSession(row(`s${index}`, { title }), [])
      const find = async (search: string) =>
        (await storage.sessions({ owner: 'ada', limit: 99, search })).map(item => item.title).sort()
      expect(await find('%')).toEqual(['100% done'])
      expect(await find('a_b')).toEqual(['a_b'])
      expect(await find('\\')).toEqual(['back\\slash'])
      expect(await find("IT'S")).toEqual(["it's"])
      expect(await find('slash')).toEqual(['back\\slash'])
      expect(await find('été À')).toEqual(['ÉTÉ à Paris'])
      expect(await find('ete a')).toEqual(['ÉTÉ à Paris'])
      expect(await find('FINE')).toEqual(['ﬁne'])
      expect(await find('DONE')).toEqual(['100 done', '100% done'])
      expect(await find('nowhere')).toEqual([])
      expect(await find('')).toHaveLength(titles.length)
      await changeRow('s0', { title: 'renamed' })
      expect(await find('%')).toEqual([])
      expect(await find('rena')).toEqual(['renamed'])
      expect(await find('named')).toEqual([])
    })

    it('P-303 a search keeps to its owner and its cursor', async () => {
      for (const [index, owner] of ['ada', 'ada', 'eve'].entries()) {
        await storage.createSession(row(`s${index}`, { owner, title: 'plan', updatedAt: index }), [])
      }
      const query = { owner: 'ada', limit: 1, search: 'plan' }
      const [first] = await storage.sessions(query)
      const [second] = await storage.sessions({ ...query, after: first! })
      expect([first?.sessionId, second?.sessionId]).toEqual(['s1', 's0'])
      expect(await storage.sessions({ ...query, after: second! })).toEqual([])
    })

    it('P-326 what needs attention is found behind any number of newer sessions', async () => {
      const changes: Partial<SessionToStore>[] = [
        { pinned: true },
        { status: 'needs-input' },
        { status: 'failed' },
        { status: 'interrupted', queued: 1, unfinished: true },
        { status: 'interrupted' },
        { pinned: true, owner: 'eve' },
      ]
      for (const [index, change] of changes.entries()) {
        await storage.createSession(row(`s${index}`, { title: `plan ${index}`, updatedAt: index, ...change }), [])
      }
      for (let index = 0; index < 9; index++) await storage.createSession(row(`new${index}`), [])
      const query = { owner: 'ada', limit: 9, only: 'attention' as const }
      const ids = async (more: object = {}) =>
        (await storage.sessions({ ...query, ...more })).map(item => item.sessionId)
      expect(await ids()).toEqual(['s3', 's2', 's1', 's0'])
      expect(await ids({ limit: 2 })).toEqual(['s3', 's2'])
      expect(await ids({ after: { updatedAt: 2, sessionId: 's2' } })).toEqual(['s1', 's0'])
      expect(await ids({ search: 'plan 1' })).toEqual(['s1'])
      await changeRow('s0', { pinned: false })
      await changeRow('s2', { status: 'idle' })
      expect(await ids()).toEqual(['s3', 's1'])
    })

    it('L12 unfinished sessions of every owner are found after a restart', async () => {
      await storage.createSession(row('a', { unfinished: true }), [])
      await storage.createSession(row('b', { owner: 'eve' }), [])
      await storage.createSession(row('c'), [])
      await changeRow('b', { unfinished: true })
      await reopen()
      expect((await storage.unfinished()).map(item => item.sessionId).sort()).toEqual(['a', 'b'])
      await changeRow('a', { unfinished: false })
      expect((await storage.unfinished()).map(item => item.sessionId)).toEqual(['b'])
      // Nothing is known of what was under way in a log that cannot be read.
      expect(await storage.noteDamage('b')).toMatchObject({ sessionId: 'b', status: 'unknown', unfinished: false })
      expect(await storage.noteDamage('nobody')).toBeUndefined()
      expect(await storage.unfinished()).toEqual([])
    })

    it('P-347 what somebody has read is their own, and never goes back', async () => {
      await storage.createSession(row('a'), deltas('a', 1, 5))
      await storage.createSession(row('b'), deltas('b', 1, 5))
      await storage.markRead('a', 'ada', 4)
      await storage.markRead('a', 'ada', 2)
      await storage.markRead('a', 'bo', 1)
      await reopen()
      expect([...(await storage.readSeqs('ada', ['a', 'b', 'none']))]).toEqual([['a', 4]])
      expect([...(await storage.readSeqs('bo', ['a']))]).toEqual([['a', 1]])
      await expect(storage.markRead('none', 'ada', 1)).rejects.toThrow(/none/)
    })

    it('P-329 a hidden session is found by nothing but what brings it back or erases it', async () => {
      const epoch = await started('s', 2, { unfinished: true, pinned: true })
      await started('t')
      await storage.addBlob('s', 'ada', { digest: 'd', size: 1, mediaType: 'text/plain' })
      const before = await storage.session('s')
      await storage.hideSession('s', 5_000)
      await reopen()
      const nothing = [
        storage.session('s'),
        storage.checkpoint('s'),
        storage.accepted('s', 'turn', 'x'),
        storage.blob('s', 'd'),
      ]
      expect(await Promise.all(nothing)).toEqual(nothing.map(() => undefined))
      expect(await storage.events('s', 0, 9)).toEqual([])
      expect(await storage.unfinished()).toEqual([])
      expect((await storage.sessions({ owner: 'ada', limit: 9 })).map(item => item.sessionId)).toEqual(['t'])
      expect(await storage.sessions({ owner: 'ada', limit: 9, only: 'attention' })).toEqual([])
      await expect(storage.lease('s', 'test')).rejects.toThrow(/no session s/)
      await expect(changeRow('s', { title: 'x' })).rejects.toThrow(/no session s/)
      const late = storage.append({ sessionId: 's', epoch, events: [delta('s', 3)] })
      await expect(late).rejects.toBeInstanceOf(StaleLease)
      await expect(storage.createSession(row('s'), [])).rejects.toBeInstanceOf(SessionExists)

      expect(await storage.hiddenSession('s')).toEqual({ ...before, eraseAt: 5_000 })
      expect(await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })).toEqual([
        { ...before, eraseAt: 5_000 },
      ])
      expect(await storage.sessions({ owner: 'eve', limit: 9, only: 'deleted' })).toEqual([])
      expect(await storage.hideSession('s', 9_000)).toEqual([])
      expect(await storage.due(4_999)).toEqual([])
      expect(await storage.restoreSession('s')).toEqual([before])
      expect(await storage.restoreSession('s')).toEqual([])
      expect(await storage.session('s')).toEqual(before)
      expect(await storage.hiddenSession('s')).toBeUndefined()
      expect(await storage.due(9_999)).toEqual([])
      expect(await storage.events('s', 0, 9)).toHaveLength(2)
    })

    it('P-349 what is due, or hidden for good, does not come back', async () => {
      for (const sessionId of ['due', 'later', 'now']) await started(sessionId)
      await storage.hideSession('due', 5_000)
      await storage.hideSession('later', 5_001)
      await storage.hideSession('now', 0)
      expect((await storage.due(5_000)).map(({ sessionId, eraseAt }) => [sessionId, eraseAt]).sort()).toEqual([
        ['due', 0],
        ['now', 0],
      ])
      for (const sessionId of ['due', 'now']) expect(await storage.restoreSession(sessionId)).toEqual([])
      const deleted = await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })
      expect(deleted.map(({ sessionId }) => sessionId)).toEqual(['later'])
      expect(await storage.hideSession('later', 0)).toMatchObject([{ sessionId: 'later', eraseAt: 0 }])
      await storage.eraseSession('due')
      expect((await storage.due(0)).map(({ sessionId }) => sessionId).sort()).toEqual(['later', 'now'])
    })

    it('P-349 the tasks below a session are hidden and restored with it, one that was hidden before is not', async () => {
      await started('top')
      for (const [parentSessionId, sessionId] of [
        ['top', 'a'],
        ['a', 'b'],
        ['top', 'c'],
        ['c', 'd'],
      ] as const)
        await storage.createSession(row(sessionId, { parentSessionId }), [])
      const ids = (rows: { sessionId: string }[]) => rows.map(({ sessionId }) => sessionId)
      expect(ids(await storage.tree('top'))).toEqual(['top', 'a', 'c', 'b', 'd'])
      expect(ids(await storage.hideSession('c', 1_000))).toEqual(['c', 'd'])
      expect(ids(await storage.tree('top'))).toEqual(['top', 'a', 'b'])
      expect(ids(await storage.hideSession('top', 2_000))).toEqual(['top', 'a', 'b'])
      expect(await storage.tree('top')).toEqual([])
      const deleted = await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })
      expect(ids(deleted).sort()).toEqual(['c', 'top'])
      expect(ids(await storage.restoreSession('top'))).toEqual(['top', 'a', 'b'])
      // For good means all of them.
      expect(ids(await storage.hideSession('top', 0))).toEqual(['top', 'a', 'c', 'b', 'd'])
      expect(ids(await storage.due(0)).sort()).toEqual(['a', 'b', 'c', 'd', 'top'])
    })

    it('P-307 text that was repaired on the way never finds the row of somebody else', async () => {
      await started('\ufffd')
      expect(await storage.session('\ud800')).toBeUndefined()
      await storage.eraseSession('\ud800')
      expect(await storage.session('\ufffd')).toBeDefined()
    })
  })
}
