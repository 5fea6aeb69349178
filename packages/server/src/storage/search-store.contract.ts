import { describe, expect, it } from 'vitest'
import { MOST_FOUND, type SearchableText } from './search-store.ts'
import { delta, eachWithStorage, HOSTILE, row, type StorageUnderTest } from './storage.fixture.ts'

/** What every SearchStore promises. */
export function searchStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: texts that can be found`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    const said = (ordinal: number, text: string, change: Partial<SearchableText> = {}): SearchableText => ({
      messageId: `m${ordinal}`,
      ordinal,
      partId: `m${ordinal}/text`,
      role: 'assistant',
      at: 1_000 + ordinal,
      text,
      ...change,
    })

    /** A session whose messages say these texts. */
    async function told(sessionId: string, texts: readonly string[], owner = 'ada'): Promise<number> {
      const epoch = await started(sessionId, 0, { owner })
      const put = texts.map((text, index) => said(index + 1, text))
      await storage.append({ sessionId, epoch, events: [delta(sessionId, 1)], texts: { put } })
      return epoch
    }

    async function find(text: string, owner = 'ada'): Promise<string[]> {
      const found = await storage.searchTexts({ owner, text, limit: 50 })
      return found.map(({ session, ordinal }) => `${session.sessionId}/${ordinal}`)
    }

    it('P-9201 finds every text that has all words, the newest first, by beginnings and in any script', async () => {
      await told('s', [
        'The checkout latency is high',
        'Latency budgets: Café',
        '请为明天创建一个会议',
        'x'.repeat(300),
      ])
      expect(await find('latency')).toEqual(['s/2', 's/1'])
      expect(await find('LATEN check')).toEqual(['s/1'])
      expect(await find('cafe')).toEqual(['s/2'])
      expect(await find('创建')).toEqual(['s/3'])
      expect(await find('会议')).toEqual(['s/3'])
      expect(await find('会')).toEqual(['s/3'])
      expect(await find('议会')).toEqual([])
      expect(await find('latency tomorrow')).toEqual([])
      expect(await find('...')).toEqual([])
      expect(await find('x'.repeat(300))).toEqual(['s/4'])
      await reopen()
      expect(await find('checkout latency')).toEqual(['s/1'])
    })

    it('P-9202 gives a page at a time, each result with its session and the place of the words', async () => {
      await told(
        's',
        Array.from({ length: 7 }, (_, index) => `walrus number ${index + 1}`),
      )
      const seen: number[] = []
      let before: number | undefined
      for (;;) {
        const page = await storage.searchTexts({
          owner: 'ada',
          text: 'walrus',
          limit: 3,
          ...(before !== undefined && { before }),
        })
        if (page.length === 0) break
        seen.push(...page.map(({ ordinal }) => ordinal))
        before = page.at(-1)!.place
      }
      expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
      const [found] = await storage.searchTexts({ owner: 'ada', text: 'number 7', limit: 1 })
      expect(found).toMatchObject({
        session: { sessionId: 's', title: 'Title of s' },
        messageId: 'm7',
        role: 'assistant',
        at: 1_007,
        snippet: { text: 'walrus number 7', begins: true, ends: true },
      })
      expect(found!.snippet.ranges).toEqual([
        { start: 7, end: 13 },
        { start: 14, end: 15 },
      ])
    })

    it('A03 P-9203 finds nothing of somebody else, whatever the owner is called', async () => {
      await told('s', ['walrus'])
      for (const [index, owner] of HOSTILE.entries()) await told(`h${index}`, ['walrus of mine'], owner)
      expect(await find('walrus')).toEqual(['s/1'])
      for (const [index, owner] of HOSTILE.entries()) expect(await find('walrus', owner)).toEqual([`h${index}/1`])
      expect(await find('walrus', 'nobody')).toEqual([])
      for (const text of HOSTILE) await find(text)
    })

    it('P-9203 finds nothing of a deleted session until it is brought back, and nothing of an erased one', async () => {
      await told('s', ['walrus'])
      await storage.hideSession('s', 5)
      expect(await find('walrus')).toEqual([])
      await storage.restoreSession('s')
      expect(await find('walrus')).toEqual(['s/1'])
      await storage.hideSession('s', 0)
      await storage.eraseSession('s')
      expect(await find('walrus')).toEqual([])
      await told('s', ['another'])
      expect(await find('walrus')).toEqual([])
    })

    it('P-9204 a text that is said again takes the place of its part; what left the path or was taken back is gone', async () => {
      const epoch = await told('s', ['first walrus', 'second walrus', 'third walrus'])
      const change = (seq: number, texts: Parameters<typeof storage.append>[0]['texts']) =>
        storage.append({ sessionId: 's', epoch, events: [delta('s', seq)], ...(texts && { texts }) })
      await change(2, { put: [said(1, 'first seal')] })
      expect(await find('first')).toEqual(['s/1'])
      expect(await find('walrus')).toEqual(['s/3', 's/2'])
      await change(3, { leaveFrom: 3, put: [said(4, 'fourth walrus')] })
      expect(await find('walrus')).toEqual(['s/4', 's/2'])
      await change(4, { remove: ['m2/text'] })
      expect(await find('walrus')).toEqual(['s/4'])
      expect(await storage.unindexed(9)).toEqual([])
      await change(5, { anew: true })
      expect(await find('walrus')).toEqual([])
      expect(await storage.unindexed(9)).toEqual(['s'])
    })

    it('P-9204 an append that is refused changes nothing of what is found', async () => {
      const epoch = await told('s', ['walrus'])
      const events = [delta('s', 9)]
      await expect(
        storage.append({ sessionId: 's', epoch, events, texts: { put: [said(2, 'walrus')] } }),
      ).rejects.toThrow()
      expect(await find('walrus')).toEqual(['s/1'])
    })

    it('P-9250 finds by session: what was said and what titles say, counted, with the newest messages of each', async () => {
      const updatedAt = (at: number) => ({ row: { updatedAt: at } })
      for (const [index, sessionId] of ['first', 'second', 'third'].entries()) {
        const epoch = await started(sessionId, 0, { agentId: sessionId === 'second' ? 'scout' : 'guide' })
        const texts = { first: ['walrus', 'no', 'walrus', 'a walrus'], second: ['walrus'], third: ['none'] }[sessionId]!
        const put = texts.map((text, at) => said(at + 1, text, { at: 1_000 * (index + 1) + at }))
        const events = [delta(sessionId, 1)]
        await storage.append({ sessionId, epoch, events, texts: { put }, ...updatedAt(1_000 * (index + 1) + 10) })
      }
      await started('titled', 0, { title: 'The Walrus, again', archived: true, updatedAt: 9_000 })
      await started('hidden', 0, { title: 'walrus' })
      await storage.hideSession('hidden', 5)
      await started('other', 0, { title: 'walrus', owner: 'bob' })
      const search = async (more: { agentId?: string; since?: number } = {}, text = 'walrus') => {
        const { found, ...counts } = await storage.findSessions({ owner: 'ada', text, ...more })
        const sessions = found.map(({ session, messages, places }) => [session.sessionId, messages, places.length])
        return { sessions, ...counts }
      }
      expect(await search()).toEqual({
        sessions: [
          ['titled', 0, 0],
          ['second', 1, 1],
          ['first', 3, 2],
        ],
        messages: 4,
        searched: 4,
        bounded: false,
      })
      expect((await search({ agentId: 'scout' })).sessions).toEqual([['second', 1, 1]])
      expect((await search({ since: 1_002 })).sessions).toEqual([
        ['titled', 0, 0],
        ['second', 1, 1],
        ['first', 2, 2],
      ])
      expect((await search({ since: 9_001 })).sessions).toEqual([])
      expect(await search({}, ' … ')).toMatchObject({ sessions: [], messages: 0 })
      expect(await storage.searchTexts({ owner: 'ada', text: 'walrus', limit: 9, agentId: 'scout' })).toHaveLength(1)
      expect(await storage.searchTexts({ owner: 'ada', text: 'walrus', limit: 9, since: 1_003 })).toHaveLength(2)

      const { found } = await storage.findSessions({ owner: 'ada', text: 'walrus' })
      const { places } = found.at(-1)!
      const texts = await storage.textsAt({ owner: 'ada', text: 'walrus' }, places)
      expect(texts.map(({ ordinal, snippet }) => [ordinal, snippet.text])).toEqual([
        [4, 'a walrus'],
        [3, 'walrus'],
      ])
      expect(await storage.textsAt({ owner: 'bob', text: 'walrus' }, places)).toEqual([])
      expect(await storage.textsAt({ owner: 'ada', text: 'walrus' }, [1, -1, 2 ** 52])).toEqual([])
    })

    it('P-9250 counts up to a bound and says so, and a long message counts once', async () => {
      const epoch = await started('s', 0)
      const many = Array.from({ length: MOST_FOUND + 1 }, (_, index) => said(index + 1, 'walrus', { at: 1_000 }))
      await storage.append({ sessionId: 's', epoch, events: [delta('s', 1)], texts: { put: many } })
      const found = await storage.findSessions({ owner: 'ada', text: 'walrus' })
      expect(found).toMatchObject({ messages: MOST_FOUND, bounded: true })
      const long = said(5_000, `seal ${'filler words '.repeat(5_000)} seal`)
      await storage.append({ sessionId: 's', epoch, events: [delta('s', 2)], texts: { put: [long] } })
      expect(await storage.findSessions({ owner: 'ada', text: 'seal' })).toMatchObject({ messages: 1, bounded: false })
    })

    it('P-9205 a copy is found when its texts were brought, and only while its log is where it was', async () => {
      await told('s', ['walrus'])
      const token = await storage.beginFork(row('copy'), 's', 9_000)
      await storage.finishFork(row('copy'), token, { events: [delta('copy', 1)], ids: [], digests: [] })
      expect(await storage.unindexed(9)).toEqual(['copy'])
      expect(await storage.indexTexts('copy', 7, [said(1, 'walrus')], true)).toBe(false)
      expect(await storage.indexTexts('copy', 1, [said(1, 'walrus')], false)).toBe(true)
      expect(await storage.unindexed(9)).toEqual(['copy'])
      expect(await storage.indexTexts('copy', 1, [], true)).toBe(true)
      expect(await storage.unindexed(9)).toEqual([])
      expect((await find('walrus')).sort()).toEqual(['copy/1', 's/1'])
      expect(await storage.indexTexts('nobody', 1, [], true)).toBe(false)
    })

    it('P-9205 a long text is found from its beginning to its end', async () => {
      await told('s', [`alpha ${'filler words '.repeat(20_000)} omega`])
      expect(await find('alpha')).toEqual(['s/1'])
      expect(await find('omega')).toEqual(['s/1'])
    })
  })
}
