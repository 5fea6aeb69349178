import { describe, expect, it } from 'vitest'
import type { ForkPiece } from './fork-store.ts'
import { deltas, eachWithStorage, row, type StorageUnderTest, stored } from './storage.fixture.ts'
import { ForkLost, SessionExists } from './storage.ts'

const LATER = 10_000
const piece = (sessionId: string, from: number, to: number, more: Partial<ForkPiece> = {}): ForkPiece => ({
  events: deltas(sessionId, from, to),
  ids: [],
  digests: [],
  ...more,
})

/** What every store of copies does, whatever it is made of. */
export function forkStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: copies of logs`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('P-8512 a copy is found when its last piece is there, and by nobody before', async () => {
      await started('s', 4)
      const token = await storage.beginFork(row('f'), 's', LATER)
      await storage.extendFork('f', token, piece('f', 1, 2, { ids: [{ kind: 'turn', id: 't', seq: 2 }] }))
      await reopen()
      expect(await storage.session('f')).toBeUndefined()
      expect(await storage.events('f', 0, 10)).toEqual([])
      expect(await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })).toEqual([])
      expect(await storage.restoreSession('f')).toEqual([])
      const last = row('f', { title: 'Whole', messageCount: 2, createdAt: 7 })
      expect(await storage.finishFork(last, token, piece('f', 3, 3))).toEqual(stored(last, 3))
      await reopen()
      expect(await storage.session('f')).toEqual(stored(last, 3))
      expect(await storage.events('f', 0, 10)).toEqual(deltas('f', 1, 3))
      expect(await storage.accepted('f', 'turn', 't')).toMatchObject({ seq: 2 })
      await storage.check('f', 1_000)
      const { epoch } = await storage.lease('f', 'test')
      await storage.append({ sessionId: 'f', epoch, events: deltas('f', 4, 4) })
    })

    it('P-8512 a copy that is begun again starts anew, and whoever made the first one is told', async () => {
      await started('s', 1)
      const first = await storage.beginFork(row('f'), 's', LATER)
      await storage.extendFork('f', first, piece('f', 1, 2))
      const second = await storage.beginFork(row('f'), 's', LATER)
      await expect(storage.extendFork('f', first, piece('f', 3, 3))).rejects.toThrow(ForkLost)
      await storage.finishFork(row('f'), second, piece('f', 1, 1))
      await expect(storage.finishFork(row('f'), second, piece('f', 2, 2))).rejects.toThrow(ForkLost)
      expect(await storage.events('f', 0, 10)).toEqual(deltas('f', 1, 1))
    })

    it('P-8510 an id that is taken is refused, and so is a source that is not there', async () => {
      await started('s', 1)
      await started('t', 1)
      await started('hidden', 1)
      await storage.hideSession('hidden', LATER)
      for (const taken of [row('t'), row('hidden'), row('t', { owner: 'bob' })]) {
        await expect(storage.beginFork(taken, 's', LATER)).rejects.toThrow(SessionExists)
      }
      for (const source of ['none', 'hidden']) {
        await expect(storage.beginFork(row('f'), source, LATER)).rejects.toThrow(ForkLost)
      }
      await storage.beginFork(row('f'), 's', LATER)
      await expect(storage.beginFork(row('f', { owner: 'bob' }), 's', LATER)).rejects.toThrow(SessionExists)
    })

    it('P-8512 a copy that is not finished is due at its time, and goes at once with the erasure of its source', async () => {
      await started('s', 1)
      await storage.beginFork(row('f'), 's', LATER)
      await storage.beginFork(row('g'), 's', LATER)
      expect(await storage.due(LATER - 1)).toEqual([])
      expect((await storage.due(LATER)).map(({ sessionId }) => sessionId).sort()).toEqual(['f', 'g'])
      await storage.eraseSession('f')
      const token = await storage.beginFork(row('f'), 's', LATER)
      expect((await storage.hideSession('s', 0)).map(({ sessionId }) => sessionId).sort()).toEqual(['f', 'g', 's'])
      await expect(storage.finishFork(row('f'), token, piece('f', 1, 1))).rejects.toThrow(ForkLost)
    })

    it('P-8512 hiding the source ends the copy, and bringing it back does not bring the copy', async () => {
      await started('s', 1)
      const token = await storage.beginFork(row('f'), 's', LATER)
      await storage.hideSession('s', LATER)
      await expect(storage.extendFork('f', token, piece('f', 1, 1))).rejects.toThrow(ForkLost)
      expect((await storage.restoreSession('s')).map(({ sessionId }) => sessionId)).toEqual(['s'])
      expect(await storage.session('f')).toBeUndefined()
    })

    it('P-8511 a copy refers to those blobs of its source that its events name, and keeps them', async () => {
      await started('s', 1)
      for (const digest of ['a', 'b']) await storage.addBlob('s', 'ada', { digest, size: 1, mediaType: 'text/plain' })
      const token = await storage.beginFork(row('f'), 's', LATER)
      await storage.finishFork(row('f'), token, piece('f', 1, 1, { digests: ['a', 'unknown'] }))
      expect(await storage.blob('f', 'a')).toMatchObject({ size: 1, mediaType: 'text/plain' })
      expect(await storage.blob('f', 'b')).toBeUndefined()
      await storage.hideSession('s', 0)
      expect(await storage.soleBlobs('s')).toEqual(['b'])
      await storage.eraseSession('s')
      expect(await storage.events('f', 0, 9)).toEqual(deltas('f', 1, 1))
    })
  })
}
