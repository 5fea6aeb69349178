import { describe, expect, it } from 'vitest'
import { eachWithStorage, HOSTILE, row, type StorageUnderTest, stored } from './storage.fixture.ts'

/** What every FolderStore promises. */
export function folderStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: folders`, () => {
    const { storage, reopen, changeRow } = eachWithStorage(subject)

    it('P-9210 are made, renamed and removed, and belong to one person', async () => {
      await storage.saveFolder('ada', { folderId: 'b', name: 'Work' })
      await storage.saveFolder('ada', { folderId: 'a', name: 'Home' })
      await storage.saveFolder('eve', { folderId: 'a', name: 'Hers' })
      await storage.saveFolder('ada', { folderId: 'b', name: 'Office' })
      await reopen()
      expect(await storage.folders('ada')).toEqual([
        { folderId: 'a', name: 'Home' },
        { folderId: 'b', name: 'Office' },
      ])
      expect(await storage.removeFolder('eve', 'b')).toBe(false)
      expect(await storage.removeFolder('ada', 'a')).toBe(true)
      expect(await storage.removeFolder('ada', 'a')).toBe(false)
      expect(await storage.folders('ada')).toEqual([{ folderId: 'b', name: 'Office' }])
      expect(await storage.folders('eve')).toEqual([{ folderId: 'a', name: 'Hers' }])
      for (const text of HOSTILE) await storage.saveFolder(text, { folderId: text, name: text })
      for (const text of HOSTILE) expect(await storage.folders(text)).toEqual([{ folderId: text, name: text }])
    })

    it('P-9210 a session is in one folder at most, and stays when the folder goes', async () => {
      await storage.createSession(row('s'), [])
      await changeRow('s', { folderId: 'a' })
      await changeRow('s', { folderId: 'b' })
      await reopen()
      expect(await storage.session('s')).toEqual(stored(row('s', { folderId: 'b' })))
      await storage.removeFolder('ada', 'b')
      expect(await storage.sessions({ owner: 'ada', limit: 9 })).toHaveLength(1)
      await changeRow('s', { folderId: null })
      expect(await storage.session('s')).toEqual(stored(row('s')))
    })

    it('P-9211 the archived sessions can be listed', async () => {
      for (const sessionId of ['a', 'b', 'c']) await storage.createSession(row(sessionId), [])
      await changeRow('b', { archived: true })
      const found = await storage.sessions({ owner: 'ada', limit: 9, only: 'archived' })
      expect(found.map(({ sessionId }) => sessionId)).toEqual(['b'])
    })
  })
}
