import { describe, expect, it } from 'vitest'
import { eachWithStorage, type StorageUnderTest } from './storage.fixture.ts'

/** What every index of blobs does, whatever it is made of. */
export function blobIndexContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: blob index`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('P-309 a blob is found through the session that refers to it, and only through that', async () => {
      await started('s')
      await started('t')
      const blob = { digest: 'a'.repeat(64), size: 12, mediaType: 'image/png' }
      await storage.addBlob('s', 'ada', blob)
      await storage.addBlob('s', 'ada', blob)
      await reopen()
      expect(await storage.blob('s', blob.digest)).toEqual(blob)
      expect(await storage.blob('t', blob.digest)).toBeUndefined()
      await expect(storage.addBlob('none', 'ada', blob)).rejects.toThrow(/none/)
    })

    it('P-330 the blobs that only one session refers to are known, hidden or not', async () => {
      for (const sessionId of ['s', 't']) {
        await started(sessionId)
        await storage.addBlob(sessionId, 'ada', { digest: 'both', size: 1, mediaType: 'text/plain' })
        await storage.addBlob(sessionId, 'ada', { digest: `of ${sessionId}`, size: 1, mediaType: 'text/plain' })
      }
      expect(await storage.soleBlobs('s')).toEqual(['of s'])
      await storage.hideSession('t', 1)
      // The hidden one can still come back and needs it.
      expect(await storage.soleBlobs('s')).toEqual(['of s'])
      expect(await storage.soleBlobs('t')).toEqual(['of t'])
      await storage.hideSession('t', 0)
      expect((await storage.soleBlobs('s')).sort()).toEqual(['both', 'of s'])
      await storage.eraseSession('t')
      expect((await storage.soleBlobs('s')).sort()).toEqual(['both', 'of s'])
      expect(await storage.soleBlobs('none')).toEqual([])
    })
  })
}
