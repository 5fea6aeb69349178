import { describe, expect, it } from 'vitest'
import { eachWithStorage, HOSTILE, type StorageUnderTest, UNSTORABLE } from './storage.fixture.ts'

/** What every SettingsStore promises. */
export function settingsStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: settings`, () => {
    const { storage, reopen } = eachWithStorage(subject)
    const agent = (id: string, name: string) => ({ kind: 'agent', id, data: { name } })

    it('SE-1 are made, changed and removed, in the order in which they were made', async () => {
      expect(await storage.saveSetting('ada', agent('b', 'Forge'))).toBe(1)
      expect(await storage.saveSetting('ada', agent('a', 'Scout'))).toBe(1)
      expect(await storage.saveSetting('ada', agent('b', 'Smith'))).toBe(2)
      await reopen()
      expect(await storage.settings('ada', 'agent')).toEqual([
        { ...agent('b', 'Smith'), version: 2 },
        { ...agent('a', 'Scout'), version: 1 },
      ])
      expect(await storage.removeSetting('ada', 'agent', 'b')).toBe(true)
      expect(await storage.removeSetting('ada', 'agent', 'b')).toBe(false)
      expect(await storage.setting('ada', 'agent', 'b')).toBeUndefined()
      expect(await storage.setting('ada', 'agent', 'a')).toEqual({ ...agent('a', 'Scout'), version: 1 })
    })

    it('SE-1 belong to one person and are of one kind', async () => {
      await storage.saveSetting('ada', agent('a', 'Hers'))
      await storage.saveSetting('eve', agent('a', 'Mine'))
      await storage.saveSetting('ada', { kind: 'provider', id: 'a', data: { kind: 'ollama' } })
      expect(await storage.settings('eve', 'agent')).toEqual([{ ...agent('a', 'Mine'), version: 1 }])
      expect(await storage.settings('eve', 'provider')).toEqual([])
      await storage.removeSetting('eve', 'agent', 'a')
      expect(await storage.setting('ada', 'agent', 'a')).toMatchObject({ data: { name: 'Hers' } })
      expect(await storage.setting('ada', 'provider', 'a')).toMatchObject({ data: { kind: 'ollama' } })
    })

    it('SE-2 a write that expects another version changes nothing, and of two at once one counts', async () => {
      expect(await storage.saveSetting('ada', agent('a', 'One'), 1)).toBeUndefined()
      expect(await storage.saveSetting('ada', agent('a', 'One'), 0)).toBe(1)
      expect(await storage.saveSetting('ada', agent('a', 'Two'), 0)).toBeUndefined()
      const both = [
        storage.saveSetting('ada', agent('a', 'Two'), 1),
        storage.saveSetting('ada', agent('a', 'Other'), 1),
      ]
      expect(await Promise.all(both)).toEqual([2, undefined])
      expect(await storage.setting('ada', 'agent', 'a')).toEqual({ ...agent('a', 'Two'), version: 2 })
    })

    it('SE-1 odd text is kept as it is, and what cannot be stored is refused and finds nothing', async () => {
      for (const text of HOSTILE) {
        await storage.saveSetting(text, { kind: text, id: text, data: { text } })
        expect(await storage.settings(text, text)).toEqual([{ kind: text, id: text, data: { text }, version: 1 }])
      }
      for (const text of UNSTORABLE) {
        await expect(storage.saveSetting(text, agent('a', 'x'))).rejects.toBeInstanceOf(TypeError)
        await expect(storage.saveSetting('ada', agent(text, 'x'))).rejects.toBeInstanceOf(TypeError)
        expect(await storage.setting('ada', 'agent', text)).toBeUndefined()
        expect(await storage.settings(text, 'agent')).toEqual([])
        // JSON has a form for each of them.
        await storage.saveSetting('ada', { kind: 'agent', id: 'odd', data: { text } })
        expect(await storage.setting('ada', 'agent', 'odd')).toMatchObject({ data: { text } })
      }
    })
  })
}
