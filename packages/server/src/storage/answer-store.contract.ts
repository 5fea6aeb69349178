import { describe, expect, it } from 'vitest'
import { eachWithStorage, type StorageUnderTest } from './storage.fixture.ts'

/** What every store of answers does, whatever it is made of. */
export function answerStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: answers`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('P-308 the first answer under a key stays, also when many come at once', async () => {
      expect(await storage.answer('ada', 'k')).toBeUndefined()
      const given = await Promise.all(
        Array.from({ length: 10 }, (_, index) => storage.keepAnswer('ada', 'k', { status: 200 + index, body: 'b' })),
      )
      expect(given).toEqual(given.map(() => ({ status: 200, body: 'b' })))
      await storage.keepAnswer('eve', 'k', { status: 409, body: 'hers' })
      await reopen()
      expect(await storage.answer('ada', 'k')).toEqual({ status: 200, body: 'b' })
      expect(await storage.answer('eve', 'k')).toEqual({ status: 409, body: 'hers' })
    })

    it('P-349 an answer about a session that has been erased is not kept', async () => {
      await started('s')
      await storage.keepAnswer('ada', 'before', { status: 200, body: 'b' }, 's')
      await storage.hideSession('s', 0)
      await storage.eraseSession('s')
      expect(await storage.keepAnswer('ada', 'late', { status: 200, body: 'b' }, 's')).toEqual({
        status: 200,
        body: 'b',
      })
      expect(await storage.answer('ada', 'late')).toBeUndefined()
      expect(await storage.answer('ada', 'before')).toBeUndefined()
    })
  })
}
