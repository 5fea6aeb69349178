import { describe, expect, it } from 'vitest'
import { eachWithStorage, type StorageUnderTest } from './storage.fixture.ts'
import { SeqConflict } from './storage.ts'

/** What every store of checkpoints does, whatever it is made of. */
export function checkpointStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: checkpoints`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('L11 the newest checkpoint and the pages around it come back', async () => {
      await started('s', 20)
      expect(await storage.checkpoint('s')).toBeUndefined()
      const page = (ordinal: number, text: string) => ({ ordinal, page: text })
      const first = [1, 2, 3, 4].map(ordinal => page(ordinal, `old ${ordinal}`))
      await storage.saveCheckpoint('s', { seq: 10, fold: 1, state: 'at 10', messages: first })
      await storage.saveCheckpoint('s', {
        seq: 20,
        fold: 1,
        state: 'at 20',
        messages: [page(4, 'new 4'), page(5, 'new 5')],
      })
      await reopen()
      expect(await storage.checkpoint('s')).toEqual({ seq: 20, fold: 1, state: 'at 20' })
      expect(await storage.messagePages('s', 6, 3)).toEqual([page(3, 'old 3'), page(4, 'new 4'), page(5, 'new 5')])
      expect(await storage.messagePages('s', 3, 9)).toEqual([page(1, 'old 1'), page(2, 'old 2')])
      expect(await storage.messagePages('s', 1, 9)).toEqual([])
      expect(await storage.messagePages('s', 6, 0)).toEqual([])
    })

    it('L11 an older checkpoint changes nothing, one ahead of the log is refused', async () => {
      await started('s', 5)
      const messages = [{ ordinal: 1, page: 'at 5' }]
      await storage.saveCheckpoint('s', { seq: 5, fold: 1, state: 'at 5', messages })
      await storage.saveCheckpoint('s', { seq: 4, fold: 1, state: 'at 4', messages: [{ ordinal: 1, page: 'at 4' }] })
      const ahead = storage.saveCheckpoint('s', { seq: 6, fold: 1, state: 'at 6', messages: [] })
      await expect(ahead).rejects.toBeInstanceOf(SeqConflict)
      expect(await storage.checkpoint('s')).toEqual({ seq: 5, fold: 1, state: 'at 5' })
      expect(await storage.messagePages('s', 9, 9)).toEqual(messages)
      const missing = storage.saveCheckpoint('none', { seq: 0, fold: 1, state: '', messages: [] })
      await expect(missing).rejects.toThrow(/none/)
    })

    it('P-331 the first checkpoint of another fold drops every page that was saved before', async () => {
      await started('s', 9)
      const pages = [1, 2].map(ordinal => ({ ordinal, page: 'old' }))
      await storage.saveCheckpoint('s', { seq: 5, fold: 1, state: 'old', messages: pages })
      await storage.saveCheckpoint('s', { seq: 9, fold: 2, state: 'new', messages: [{ ordinal: 2, page: 'new' }] })
      expect(await storage.checkpoint('s')).toEqual({ seq: 9, fold: 2, state: 'new' })
      expect(await storage.messagePages('s', 9, 9)).toEqual([{ ordinal: 2, page: 'new' }])
    })
  })
}
