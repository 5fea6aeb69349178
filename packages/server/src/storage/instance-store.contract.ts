import { describe, expect, it } from 'vitest'
import { eachWithStorage, type StorageUnderTest } from './storage.fixture.ts'

/** What every store of the instance does, whatever it is made of. */
export function instanceStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: instance`, () => {
    const { storage, reopen } = eachWithStorage(subject)

    it('P-310 the instance is made once and keeps its id and secret', async () => {
      const made = await storage.instance()
      expect(made.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(Buffer.from(made.secret, 'base64url')).toHaveLength(32)
      await reopen()
      expect(await storage.instance()).toEqual(made)
      const other = await subject.open(await subject.fresh())
      expect((await other.instance()).secret).not.toBe(made.secret)
      await other.close()
    })

    it('P-447 a changed secret replaces the old one for good; the instance stays the same', async () => {
      const { id, secret } = await storage.instance()
      const changed = await storage.rotateSecret()
      expect(changed).not.toBe(secret)
      expect(Buffer.from(changed, 'base64url')).toHaveLength(32)
      expect(await storage.instance()).toEqual({ id, secret: changed })
      await reopen()
      expect(await storage.instance()).toEqual({ id, secret: changed })
    })
  })
}
