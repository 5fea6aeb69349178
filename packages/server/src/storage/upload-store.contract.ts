import { describe, expect, it } from 'vitest'
import { eachWithStorage, HOSTILE, type StorageUnderTest } from './storage.fixture.ts'
import { UploadKeyTaken, UploadsFull } from './storage.ts'

const ROOM = { bytes: 1_000, files: 10 }
const upload = (digest: string, expiresAt = 100, size = 10) => ({ digest, size, mediaType: 'image/png', expiresAt })

/** What every store of uploads does, whatever it is made of. */
export function uploadStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: upload store`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('P-9101 an upload waits for its owner, outlives a restart, and belongs to the session that claims it', async () => {
      await started('s')
      expect(await storage.addUpload('ada', 'k', upload('a'), ROOM)).toEqual(upload('a'))
      await reopen()
      expect(await storage.waitingUploads('ada')).toEqual({ files: 1, bytes: 10 })
      expect(await storage.waitingUploads('bob')).toEqual({ files: 0, bytes: 0 })
      const { expiresAt: _, ...blob } = upload('a')
      expect(await storage.claimUploads('s', 'ada', ['a', 'a'], 50)).toEqual([blob, blob])
      expect(await storage.blob('s', 'a')).toEqual(blob)
      expect(await storage.waitingUploads('ada')).toEqual({ files: 0, bytes: 0 })
      // What the session refers to already needs no upload.
      expect(await storage.claimUploads('s', 'ada', ['a'], 50)).toEqual([blob])
    })

    it('P-9103 what is unknown, foreign or expired is not claimed, and nothing beside it is', async () => {
      await started('s')
      await storage.addUpload('ada', 'k', upload('mine'), ROOM)
      await storage.addUpload('bob', 'k', upload('theirs'), ROOM)
      await storage.addUpload('ada', 'old', upload('old', 20), ROOM)
      for (const digest of ['unknown', 'theirs', 'old', ...HOSTILE]) {
        expect(await storage.claimUploads('s', 'ada', ['mine', digest], 50)).toBeUndefined()
      }
      expect(await storage.blob('s', 'mine')).toBeUndefined()
      expect(await storage.claimUploads('s', 'ada', ['mine'], 50)).toHaveLength(1)
      await expect(storage.claimUploads('none', 'ada', ['mine'], 50)).rejects.toThrow(/none/)
    })

    it('P-9614 one upload belongs to the first session that refers to it, and the same bytes uploaded twice serve two', async () => {
      for (const sessionId of ['s', 't', 'u']) await started(sessionId)
      await storage.addUpload('ada', 'k', upload('a'), ROOM)
      const claims = await Promise.all(['s', 't'].map(sessionId => storage.claimUploads(sessionId, 'ada', ['a'], 50)))
      expect(claims.filter(Boolean)).toHaveLength(1)
      await storage.addUpload('ada', 'once more', upload('a'), ROOM)
      expect(await storage.claimUploads('u', 'ada', ['a'], 50)).toHaveLength(1)
    })

    it('P-9104 the same upload under its key is one, and other bytes under it are refused', async () => {
      await storage.addUpload('ada', 'k', upload('a', 100), ROOM)
      expect(await storage.addUpload('ada', 'k', upload('a', 900), ROOM)).toEqual(upload('a', 100))
      await expect(storage.addUpload('ada', 'k', upload('b'), ROOM)).rejects.toBeInstanceOf(UploadKeyTaken)
      await storage.addUpload('bob', 'k', upload('b'), ROOM)
      expect(await storage.waitingUploads('ada')).toEqual({ files: 1, bytes: 10 })
    })

    it('P-9105 a person has so many bytes and files that wait, and no more', async () => {
      const limits = { bytes: 25, files: 3 }
      for (const key of ['1', '2']) await storage.addUpload('ada', key, upload(key), limits)
      await expect(storage.addUpload('ada', '3', upload('3'), limits)).rejects.toBeInstanceOf(UploadsFull)
      await storage.addUpload('ada', '3', upload('3', 100, 0), limits)
      await expect(storage.addUpload('ada', '4', upload('4', 100, 0), limits)).rejects.toBeInstanceOf(UploadsFull)
      await storage.addUpload('bob', '1', upload('1'), limits)
    })

    it('P-9106 what is due is claimed by nobody, is needed by nobody, and is forgotten', async () => {
      await started('s')
      await storage.addUpload('ada', 'early', upload('a', 100), ROOM)
      await storage.addUpload('ada', 'late', upload('b', 200), ROOM)
      expect(await storage.isBlobNeeded('a')).toBe(true)
      expect(await storage.dueUploads(150)).toEqual(['a'])
      // It is gone although its row is still there: somebody is removing its bytes.
      expect(await storage.claimUploads('s', 'ada', ['a'], 50)).toBeUndefined()
      expect(await storage.isBlobNeeded('a')).toBe(false)
      expect(await storage.waitingUploads('ada')).toEqual({ files: 1, bytes: 10 })
      await storage.removeDueUploads('a')
      expect(await storage.dueUploads(150)).toEqual([])
      await storage.addUpload('ada', 'early', upload('a', 300), ROOM)
      expect(await storage.isBlobNeeded('a')).toBe(true)
    })

    it('P-9107 an upload that waits keeps its bytes from being erased with a session that has the same', async () => {
      await started('s')
      await storage.addBlob('s', 'ada', { digest: 'a', size: 10, mediaType: 'image/png' })
      expect(await storage.soleBlobs('s')).toEqual(['a'])
      await storage.addUpload('bob', 'k', upload('a'), ROOM)
      expect(await storage.soleBlobs('s')).toEqual([])
      await storage.dueUploads(100)
      expect(await storage.soleBlobs('s')).toEqual(['a'])
      expect(await storage.isBlobNeeded('a')).toBe(true)
      await storage.hideSession('s', 0)
      expect(await storage.isBlobNeeded('a')).toBe(false)
    })
  })
}
