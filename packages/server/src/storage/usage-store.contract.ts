import { describe, expect, it } from 'vitest'
import { delta, eachWithStorage, type StorageUnderTest } from './storage.fixture.ts'
import type { RunUsage } from './usage-store.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

const used = (runId: string, at: number, change: Partial<RunUsage> = {}): RunUsage => ({
  runId,
  at,
  agentId: 'guide',
  model: 'm',
  input: 10,
  output: 5,
  cached: null,
  reasoning: null,
  total: 15,
  cost: null,
  currency: '',
  ...change,
})

/** What every UsageStore promises. */
export function usageStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: usage`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)
    const asked = { owner: 'ada', from: 0, to: 100 * DAY, ahead: 0, limit: 100 }
    const append = async (sessionId: string, epoch: number, seq: number, usage: RunUsage[]) =>
      storage.append({ sessionId, epoch, events: [delta(sessionId, seq)], usage })

    it('P-9750 is summed by day, agent and model, and what nobody said is no number', async () => {
      const epoch = await started('s', 1)
      await append('s', epoch, 2, [used('a', DAY), used('b', DAY + HOUR, { cached: 4, cost: 0.5, currency: 'EUR' })])
      await append('s', epoch, 3, [used('c', DAY + 2 * HOUR), used('d', 3 * DAY, { agentId: 'scout', model: '' })])
      await reopen()
      const sums = await storage.usage(asked)
      expect(sums.map(({ day, agentId, model, currency, runs }) => [day, agentId, model, currency, runs])).toEqual([
        [3, 'scout', '', '', 1],
        [1, 'guide', 'm', '', 2],
        [1, 'guide', 'm', 'EUR', 1],
      ])
      expect(sums[1]).toMatchObject({ input: 20, output: 10, total: 30, cached: null, cost: null })
      expect(sums[2]).toMatchObject({ cached: 4, cost: 0.5 })
    })

    it('P-9750 is asked for by time, by session and by where a day begins', async () => {
      const epoch = await started('s', 1)
      const other = await started('t', 1)
      await append('s', epoch, 2, [used('a', 2 * DAY - HOUR), used('b', 5 * DAY)])
      await append('t', other, 2, [used('a', 2 * DAY - HOUR)])
      expect((await storage.usage({ ...asked, to: 5 * DAY }))[0]).toMatchObject({ day: 1, runs: 2 })
      expect((await storage.usage({ ...asked, to: 5 * DAY, ahead: 2 * HOUR }))[0]).toMatchObject({ day: 2 })
      expect((await storage.usage({ ...asked, from: 3 * DAY })).map(({ day }) => day)).toEqual([5])
      expect(await storage.usage({ ...asked, sessionId: 't' })).toMatchObject([{ day: 1, runs: 1 }])
      expect(await storage.usage({ ...asked, limit: 1 })).toHaveLength(1)
    })

    it("P-9751 counts a run once, is nobody else's, and goes with its session", async () => {
      const epoch = await started('s', 1)
      await append('s', epoch, 2, [used('a', DAY)])
      await append('s', epoch, 3, [used('a', DAY, { input: 99 })])
      expect(await storage.usage(asked)).toMatchObject([{ runs: 1, input: 10 }])
      expect(await storage.usage({ ...asked, owner: 'eve' })).toEqual([])
      await storage.hideSession('s', 1)
      expect(await storage.usage(asked)).toEqual([])
      await storage.eraseSession('s')
      await reopen()
      expect(await storage.usage(asked)).toEqual([])
    })
  })
}
