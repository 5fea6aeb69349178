import { describe, expect, it } from 'vitest'
import type { AcceptedId } from './log-store.ts'
import {
  delta,
  deltas,
  eachWithStorage,
  HOSTILE,
  row,
  type StorageUnderTest,
  stored,
  UNSTORABLE,
} from './storage.fixture.ts'
import { SeqConflict, SessionExists, StaleLease } from './storage.ts'

/** What every store of logs does, whatever it is made of. */
export function logStoreContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: logs`, () => {
    const { storage, reopen, started } = eachWithStorage(subject)

    it('P-301 an id is given once: the same owner gets the session that is there, somebody else is refused', async () => {
      const first = await storage.createSession(row('s', { title: 'first' }), deltas('s', 1, 2))
      expect(await storage.createSession(row('s', { title: 'second' }), [delta('s', 1, 'other')])).toEqual(first)
      const foreign = storage.createSession(row('s', { title: 'third', owner: 'eve' }), [])
      await expect(foreign).rejects.toBeInstanceOf(SessionExists)
      expect(await storage.session('s')).toEqual(stored(row('s', { title: 'first' }), 2))
      expect(await storage.events('s', 0, 9)).toEqual(deltas('s', 1, 2))
    })

    it('L2 the row of a session and its first events are one commit', async () => {
      const bad = storage.createSession(row('s'), [delta('s', 2)])
      await expect(bad).rejects.toBeInstanceOf(SeqConflict)
      expect(await storage.session('s')).toBeUndefined()
      const made = await storage.createSession(row('s'), deltas('s', 1, 3))
      expect(made).toEqual(stored(row('s'), 3))
      const { epoch, seq } = await storage.lease('s', 'test')
      expect(seq).toBe(3)
      await storage.append({ sessionId: 's', epoch, events: [delta('s', 4)] })
      expect(await storage.events('s', 0, 9)).toEqual(deltas('s', 1, 4))
    })

    it('P-327 each log has an identity of its own, which stays', async () => {
      const [a, b] = [await storage.createSession(row('a'), []), await storage.createSession(row('b'), [])]
      expect(a.logId).toMatch(/^[\w-]{16}$/)
      expect(a.logId).not.toBe(b.logId)
      await reopen()
      expect((await storage.session('a'))?.logId).toBe(a.logId)
    })

    it('L2 events are read in order, strictly after the cursor, at most as many as asked for', async () => {
      await started('s', 10)
      await started('t', 2)
      const read = async (after: number, limit: number) => (await storage.events('s', after, limit)).map(e => e.seq)
      expect(await read(0, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(await read(0, 3)).toEqual([1, 2, 3])
      expect(await read(3, 3)).toEqual([4, 5, 6])
      expect(await read(9, 3)).toEqual([10])
      expect(await read(10, 3)).toEqual([])
      expect(await read(999, 3)).toEqual([])
      expect(await read(0, 0)).toEqual([])
      expect(await storage.events('s', 4, 1)).toEqual([delta('s', 5)])
      expect(await storage.events('none', 0, 9)).toEqual([])
    })

    it('L2 an append and its change of the row are one', async () => {
      const epoch = await started('s', 2)
      const change = { status: 'running', updatedAt: 5_000, unfinished: true } as const
      await storage.append({ sessionId: 's', epoch, events: deltas('s', 3, 4), row: change })
      expect(await storage.session('s')).toEqual(stored(row('s', change), 4))
      await storage.append({ sessionId: 's', epoch, events: [], row: { status: 'idle' } })
      expect(await storage.session('s')).toMatchObject({ status: 'idle', seq: 4 })
    })

    it.each([
      ['a gap', [6]],
      ['a repetition', [4]],
      ['an overlap', [4, 5]],
      ['a hole inside', [5, 7]],
      ['a reversed order', [6, 5]],
      ['a repeated one inside', [5, 5]],
    ])('L2 %s is refused and nothing of it is written', async (_, seqs) => {
      const epoch = await started('s', 4)
      const events = seqs.map(seq => delta('s', seq, 'wrong'))
      const append = storage.append({ sessionId: 's', epoch, events, row: { title: 'wrong' } })
      await expect(append).rejects.toBeInstanceOf(SeqConflict)
      expect(await storage.events('s', 0, 100)).toEqual(deltas('s', 1, 4))
      expect(await storage.session('s')).toEqual(stored(row('s'), 4))
      await storage.append({ sessionId: 's', epoch, events: [delta('s', 5)] })
    })

    it('L2 an event of another session is refused', async () => {
      const epoch = await started('s')
      const append = storage.append({ sessionId: 's', epoch, events: [delta('t', 1)] })
      await expect(append).rejects.toBeInstanceOf(SeqConflict)
      expect(await storage.events('s', 0, 9)).toEqual([])
    })

    it('L2 a newer lease makes every older one stale, and the new owner goes on where the log ends', async () => {
      const old = await started('s', 3)
      const { epoch, seq } = await storage.lease('s', 'test')
      expect(epoch).toBeGreaterThan(old)
      expect(seq).toBe(3)
      const late = storage.append({ sessionId: 's', epoch: old, events: [delta('s', 4, 'late')], row: { queued: 9 } })
      await expect(late).rejects.toBeInstanceOf(StaleLease)
      await storage.append({ sessionId: 's', epoch, events: [delta('s', 4)] })
      expect(await storage.events('s', 3, 9)).toEqual([delta('s', 4)])
      expect(await storage.session('s')).toMatchObject({ queued: 0, seq: 4 })
    })

    it('P-340 a writer whose lease is stale is told who holds the session now', async () => {
      await storage.createSession(row('s'), [])
      const refused = (epoch: number) =>
        storage.append({ sessionId: 's', epoch, events: [delta('s', 1)] }).then(
          () => expect.unreachable(),
          (error: StaleLease) => error,
        )
      expect((await refused(1)).holder).toBe(null)
      const { epoch } = await storage.lease('s', 'first')
      await storage.lease('s', 'second')
      await reopen()
      const told = await refused(epoch)
      expect(told).toBeInstanceOf(StaleLease)
      expect([told.holder, told.message]).toEqual(['second', expect.stringContaining('second')])
      // The same holder may take a newer lease of its own.
      const { epoch: newest } = await storage.lease('s', 'second')
      await storage.append({ sessionId: 's', epoch: newest, events: [delta('s', 1)] })
      await storage.hideSession('s', 5_000)
      expect((await refused(newest)).holder).toBe(null)
      await storage.restoreSession('s')
      expect((await refused(newest)).holder).toBe(null)
    })

    it('L2 nobody writes without a lease, with an invented one, or to a session that is not there', async () => {
      await storage.createSession(row('s'), [])
      for (const epoch of [0, 1, -1]) {
        const append = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)] })
        await expect(append).rejects.toBeInstanceOf(StaleLease)
      }
      const { epoch } = await storage.lease('s', 'test')
      const ahead = storage.append({ sessionId: 's', epoch: epoch + 1, events: [delta('s', 1)] })
      await expect(ahead).rejects.toBeInstanceOf(StaleLease)
      const missing = storage.append({ sessionId: 'none', epoch, events: [delta('none', 1)] })
      await expect(missing).rejects.toBeInstanceOf(StaleLease)
      await expect(storage.lease('none', 'test')).rejects.toThrow(/none/)
    })

    it('L2 a lease stays stale after a restart, and after its session was deleted and made again', async () => {
      const first = await started('s')
      await reopen()
      const { epoch: second } = await storage.lease('s', 'test')
      expect(second).toBeGreaterThan(first)
      await storage.eraseSession('s')
      await storage.createSession(row('s'), [])
      const { epoch: third } = await storage.lease('s', 'test')
      for (const epoch of [first, second]) {
        const append = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)] })
        await expect(append).rejects.toBeInstanceOf(StaleLease)
      }
      await storage.append({ sessionId: 's', epoch: third, events: [delta('s', 1)] })
    })

    it('L2 of two owners that append at once only the newer one writes', async () => {
      const old = await started('s')
      const { epoch } = await storage.lease('s', 'test')
      const outcomes = await Promise.allSettled([
        storage.append({ sessionId: 's', epoch: old, events: [delta('s', 1, 'old')] }),
        storage.append({ sessionId: 's', epoch, events: [delta('s', 1, 'new')] }),
        storage.append({ sessionId: 's', epoch: old, events: [delta('s', 2, 'old')] }),
      ])
      expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'fulfilled', 'rejected'])
      expect(await storage.events('s', 0, 9)).toEqual([delta('s', 1, 'new')])
    })

    it('L2 many sessions append at once: each log is whole, and one that fails harms no other', async () => {
      const ids = Array.from({ length: 60 }, (_, index) => `s${index}`)
      const epochs = await Promise.all(ids.map(sessionId => started(sessionId)))
      const work: Promise<void>[] = []
      for (let seq = 1; seq <= 40; seq += 2) {
        for (const [index, sessionId] of ids.entries()) {
          const epoch = epochs[index]!
          // Not awaited: the next append of a session is under way before this one is durable.
          work.push(storage.append({ sessionId, epoch, events: deltas(sessionId, seq, seq + 1) }))
          const bad = { sessionId, epoch: index % 2 ? epoch : epoch + 1_000_000, events: [delta(sessionId, 999)] }
          work.push(expect(storage.append(bad)).rejects.toThrow())
        }
      }
      await Promise.all(work)
      for (const sessionId of ids) {
        expect(await storage.events(sessionId, 0, 999)).toEqual(deltas(sessionId, 1, 40))
        expect((await storage.session(sessionId))?.seq).toBe(40)
      }
    })

    it('P-305 a read that is asked for after a write has resolved sees it', async () => {
      const epoch = await started('s')
      for (let seq = 1; seq <= 200; seq++) {
        await storage.append({
          sessionId: 's',
          epoch,
          events: [delta('s', seq)],
          ids: [{ kind: 'turn', id: `${seq}` }],
        })
        const reads = [storage.events('s', seq - 1, 9), storage.accepted('s', 'turn', `${seq}`)] as const
        expect(await Promise.all(reads)).toEqual([[delta('s', seq)], { seq, digest: null }])
      }
    })

    it('L2 a log that was written in appends of any size is read from any place in any portions', async () => {
      const epoch = await started('s')
      let end = 0
      for (const size of [1, 7, 1, 2_500, 3, 999, 1, 40]) {
        await storage.append({ sessionId: 's', epoch, events: deltas('s', end + 1, end + size) })
        end += size
      }
      for (const [after, limit] of [
        [0, 1],
        [3, 2],
        [8, 1],
        [8, 1_001],
        [1_500, 1_000],
        [2_508, 3],
        [0, 99_999],
        [end - 1, 5],
      ] as const) {
        const events = await storage.events('s', after, limit)
        expect(events).toEqual(deltas('s', after + 1, Math.min(after + limit, end)))
      }
    })

    it('P-328 an id that an append accepts is found for ever, at its first place', async () => {
      const epoch = await started('s', 2)
      const append = (seq: number, ids: AcceptedId[]) =>
        storage.append({ sessionId: 's', epoch, events: deltas('s', seq, seq + 1), ids })
      await append(3, [
        { kind: 'turn', id: 'a', digest: 'x' },
        { kind: 'run', id: 'a' },
      ])
      await append(5, [{ kind: 'turn', id: 'a', digest: 'y' }])
      await storage.append({ sessionId: 's', epoch, events: [], ids: [{ kind: 'steer', id: 'later' }] })
      await expect(append(9, [{ kind: 'turn', id: 'never' }])).rejects.toBeInstanceOf(SeqConflict)
      await reopen()
      expect(await storage.accepted('s', 'turn', 'a')).toEqual({ seq: 3, digest: 'x' })
      expect(await storage.accepted('s', 'run', 'a')).toEqual({ seq: 3, digest: null })
      expect(await storage.accepted('s', 'steer', 'later')).toEqual({ seq: 6, digest: null })
      expect(await storage.accepted('s', 'turn', 'never')).toBeUndefined()
      expect(await storage.accepted('other', 'turn', 'a')).toBeUndefined()
    })

    it('L2 a large event comes back byte for byte', async () => {
      const epoch = await started('s')
      const event = delta('s', 1, '🧵x'.repeat(20_000))
      await storage.append({ sessionId: 's', epoch, events: [event] })
      expect(await storage.events('s', 0, 1)).toEqual([event])
    })

    it('P-306 any text in an event or a title comes back exactly', async () => {
      const texts = [...HOSTILE, ...UNSTORABLE]
      for (const [index, text] of texts.entries()) {
        const sessionId = `s${index}`
        const epoch = await started(sessionId, 0, { title: text })
        expect((await storage.session(sessionId))?.title).toBe(text)
        await storage.append({ sessionId, epoch, events: [delta(sessionId, 1, text)], row: { title: `${text}!` } })
      }
      await reopen()
      for (const [index, text] of texts.entries()) {
        expect(await storage.events(`s${index}`, 0, 1)).toEqual([delta(`s${index}`, 1, text)])
        expect((await storage.session(`s${index}`))?.title).toBe(`${text}!`)
      }
    })
  })
}
