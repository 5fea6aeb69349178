import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AcceptedId,
  type NewSession,
  type RowChange,
  SeqConflict,
  SessionExists,
  type SessionRow,
  StaleLease,
  type Storage,
} from './storage.ts'

export interface StorageUnderTest<Options> {
  /** Options of a storage that holds nothing yet. */
  fresh(): Promise<Options>
  open(options: Options): Promise<Storage>
  /** Where a process of its own finds `open`. */
  module: string
  export: string
}

export const row = (sessionId: string, change: Partial<NewSession> = {}): NewSession => ({
  sessionId,
  owner: 'ada',
  title: `Title of ${sessionId}`,
  agentId: 'guide',
  createdAt: 1_000,
  updatedAt: 1_000,
  pinned: false,
  archived: false,
  status: 'idle',
  queued: 0,
  messageCount: 0,
  parentSessionId: null,
  unfinished: false,
  ...change,
})

/** How a row is found again when its log has come to `seq`. */
const stored = (given: NewSession, seq = 0) => ({ ...given, seq, logId: expect.any(String) })

export const delta = (sessionId: string, seq: number, text = `${seq} `): SessionEvent => ({
  type: 'text.delta',
  seq,
  sessionId,
  at: 1_000 + seq,
  runId: 'run',
  messageId: 'message',
  partId: 'part',
  delta: text,
})

export const deltas = (sessionId: string, from: number, to: number): SessionEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => delta(sessionId, from + index))

const HOSTILE = [
  `quotes ' '' " \` ; DROP TABLE sessions; --`,
  'emoji 👩🏽‍🚀🏳️‍🌈 and \u202eright to left',
  '% _ \\ * ? [a-z]',
  'line\nbreak\r\n\ttab \u2028 \u2029',
  '__proto__',
  'é ≠ e\u0301',
]
/** No database keeps these as plain text: a lone surrogate has no UTF-8, NUL ends the text. */
const UNSTORABLE = ['high \ud83d', '\udc00 low', 'nul \0 inside']

/** What every storage does, whatever it is made of. */
export function storageContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: storage contract`, () => {
    let options: Options
    let storage: Storage
    beforeEach(async () => {
      options = await subject.fresh()
      storage = await subject.open(options)
    })
    afterEach(() => storage.close())

    async function reopen(): Promise<void> {
      await storage.close()
      storage = await subject.open(options)
    }

    /** A session that is owned and has events up to `seq`. */
    async function started(sessionId: string, seq = 0, change: Partial<NewSession> = {}): Promise<number> {
      await storage.createSession(row(sessionId, change), [])
      const { epoch } = await storage.lease(sessionId)
      if (seq > 0) await storage.append({ sessionId, epoch, events: deltas(sessionId, 1, seq) })
      return epoch
    }

    /** Changes the list row as the writer of the session would. */
    const changeRow = async (sessionId: string, change: RowChange): Promise<void> => {
      const { epoch } = await storage.lease(sessionId)
      await storage.append({ sessionId, epoch, events: [], row: change })
    }

    describe('sessions', () => {
      it('P-347 what somebody has read is their own, and never goes back', async () => {
        await storage.createSession(row('a'), deltas('a', 1, 5))
        await storage.createSession(row('b'), deltas('b', 1, 5))
        await storage.markRead('a', 'ada', 4)
        await storage.markRead('a', 'ada', 2)
        await storage.markRead('a', 'bo', 1)
        await reopen()
        expect([...(await storage.readSeqs('ada', ['a', 'b', 'none']))]).toEqual([['a', 4]])
        expect([...(await storage.readSeqs('bo', ['a']))]).toEqual([['a', 1]])
        await expect(storage.markRead('none', 'ada', 1)).rejects.toThrow(/none/)
      })

      it('P-301 a session row comes back as it was given', async () => {
        const given = row('s', {
          owner: 'grace',
          pinned: true,
          archived: true,
          status: 'needs-input',
          queued: 3,
          messageCount: 7,
          parentSessionId: 'parent',
          unfinished: true,
        })
        await storage.createSession(given, [])
        expect(await storage.session('s')).toEqual(stored(given))
        expect(await storage.session('other')).toBeUndefined()
      })

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
        const { epoch, seq } = await storage.lease('s')
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

      it('P-301 a change touches what it names and nothing else', async () => {
        await storage.createSession(row('s'), [])
        await changeRow('s', { title: 'new', pinned: true })
        await changeRow('s', {})
        const stray = { owner: 'eve', seq: 9, sessionId: 'x', createdAt: 5, archived: true }
        await changeRow('s', stray)
        expect(await storage.session('s')).toEqual(stored(row('s', { title: 'new', pinned: true, archived: true })))
        await expect(changeRow('none', { title: 'x' })).rejects.toThrow(/none/)
      })

      it('P-302 the list is newest first, of one owner, page by page without loss or repetition', async () => {
        // Many share a time: the id then decides, and a page may end between them.
        for (let index = 0; index < 25; index++) {
          await storage.createSession(
            row(`s${String(index).padStart(2, '0')}`, { updatedAt: Math.floor(index / 4) }),
            [],
          )
        }
        await storage.createSession(row('foreign', { owner: 'eve', updatedAt: 99 }), [])
        const listed: SessionRow[] = []
        for (;;) {
          const last = listed.at(-1)
          const page = await storage.sessions({ owner: 'ada', limit: 4, ...(last && { after: last }) })
          if (page.length === 0) break
          listed.push(...page)
        }
        expect(listed.map(item => item.sessionId)).toEqual(
          Array.from({ length: 25 }, (_, index) => `s${String(24 - index).padStart(2, '0')}`),
        )
        expect(await storage.sessions({ owner: 'nobody', limit: 10 })).toEqual([])
        expect(await storage.sessions({ owner: 'ada', limit: 0 })).toEqual([])
      })

      it('P-302 a session that changes moves to the top', async () => {
        await storage.createSession(row('a', { updatedAt: 1 }), [])
        await storage.createSession(row('b', { updatedAt: 2 }), [])
        await changeRow('a', { updatedAt: 3 })
        const ids = (await storage.sessions({ owner: 'ada', limit: 9 })).map(item => item.sessionId)
        expect(ids).toEqual(['a', 'b'])
      })

      it('P-303 a search takes every character as itself and no notice of case', async () => {
        const titles = ['100% done', '100 done', 'a_b', 'axb', 'back\\slash', "it's", 'ÉTÉ à Paris', 'ﬁne']
        for (const [index, title] of titles.entries()) await storage.createSession(row(`s${index}`, { title }), [])
        const find = async (search: string) =>
          (await storage.sessions({ owner: 'ada', limit: 99, search })).map(item => item.title).sort()
        expect(await find('%')).toEqual(['100% done'])
        expect(await find('a_b')).toEqual(['a_b'])
        expect(await find('\\')).toEqual(['back\\slash'])
        expect(await find("T'S")).toEqual(["it's"])
        expect(await find('été À')).toEqual(['ÉTÉ à Paris'])
        expect(await find('FINE')).toEqual(['ﬁne'])
        expect(await find('DONE')).toEqual(['100 done', '100% done'])
        expect(await find('nowhere')).toEqual([])
        expect(await find('')).toHaveLength(titles.length)
        await changeRow('s0', { title: 'renamed' })
        expect(await find('100%')).toEqual([])
        expect(await find('named')).toEqual(['renamed'])
      })

      it('P-303 a search keeps to its owner and its cursor', async () => {
        for (const [index, owner] of ['ada', 'ada', 'eve'].entries()) {
          await storage.createSession(row(`s${index}`, { owner, title: 'plan', updatedAt: index }), [])
        }
        const query = { owner: 'ada', limit: 1, search: 'plan' }
        const [first] = await storage.sessions(query)
        const [second] = await storage.sessions({ ...query, after: first! })
        expect([first?.sessionId, second?.sessionId]).toEqual(['s1', 's0'])
        expect(await storage.sessions({ ...query, after: second! })).toEqual([])
      })

      it('P-326 what needs attention is found behind any number of newer sessions', async () => {
        const changes: Partial<NewSession>[] = [
          { pinned: true },
          { status: 'needs-input' },
          { status: 'failed' },
          { status: 'interrupted', queued: 1, unfinished: true },
          { status: 'interrupted' },
          { pinned: true, owner: 'eve' },
        ]
        for (const [index, change] of changes.entries()) {
          await storage.createSession(row(`s${index}`, { title: `plan ${index}`, updatedAt: index, ...change }), [])
        }
        for (let index = 0; index < 9; index++) await storage.createSession(row(`new${index}`), [])
        const query = { owner: 'ada', limit: 9, only: 'attention' as const }
        const ids = async (more: object = {}) =>
          (await storage.sessions({ ...query, ...more })).map(item => item.sessionId)
        expect(await ids()).toEqual(['s3', 's2', 's1', 's0'])
        expect(await ids({ limit: 2 })).toEqual(['s3', 's2'])
        expect(await ids({ after: { updatedAt: 2, sessionId: 's2' } })).toEqual(['s1', 's0'])
        expect(await ids({ search: 'plan 1' })).toEqual(['s1'])
        await changeRow('s0', { pinned: false })
        await changeRow('s2', { status: 'idle' })
        expect(await ids()).toEqual(['s3', 's1'])
      })

      it('L12 unfinished sessions of every owner are found after a restart', async () => {
        await storage.createSession(row('a', { unfinished: true }), [])
        await storage.createSession(row('b', { owner: 'eve' }), [])
        await storage.createSession(row('c'), [])
        await changeRow('b', { unfinished: true })
        await reopen()
        expect((await storage.unfinished()).map(item => item.sessionId).sort()).toEqual(['a', 'b'])
        await changeRow('a', { unfinished: false })
        expect((await storage.unfinished()).map(item => item.sessionId)).toEqual(['b'])
        // Nothing is known of what was under way in a log that cannot be read.
        expect(await storage.noteDamage('b')).toMatchObject({ sessionId: 'b', status: 'unknown', unfinished: false })
        expect(await storage.noteDamage('nobody')).toBeUndefined()
        expect(await storage.unfinished()).toEqual([])
      })

      it('P-304 erasing a session removes everything of it and nothing of others', async () => {
        const blob = { digest: 'd'.repeat(64), size: 1, mediaType: 'text/plain' }
        for (const sessionId of ['gone', 'stays']) {
          const epoch = await started(sessionId, 2, { unfinished: true })
          const ids = [{ kind: 'turn', id: 't', digest: 'd' }]
          await storage.append({ sessionId, epoch, events: [delta(sessionId, 3)], ids })
          const messages = [{ ordinal: 1, page: '{}' }]
          await storage.saveCheckpoint(sessionId, { seq: 3, fold: 1, state: '{}', messages })
          await storage.addBlob(sessionId, 'ada', blob)
          await storage.keepAnswer('ada', sessionId, { status: 200, body: '' }, sessionId)
        }
        await storage.eraseSession('gone')
        await storage.eraseSession('gone')
        const left = async (sessionId: string) => [
          await storage.session(sessionId),
          (await storage.events(sessionId, 0, 10)).length,
          await storage.checkpoint(sessionId),
          (await storage.messagePages(sessionId, 10, 10))?.length,
          [
            await storage.accepted(sessionId, 'turn', 't'),
            await storage.blob(sessionId, blob.digest),
            await storage.answer('ada', sessionId),
          ],
        ]
        expect(await left('gone')).toEqual([undefined, 0, undefined, 0, [undefined, undefined, undefined]])
        expect(await left('stays')).toEqual([
          expect.anything(),
          3,
          { seq: 3, fold: 1, state: '{}' },
          1,
          [{ seq: 3, digest: 'd' }, blob, { status: 200, body: '' }],
        ])
        expect((await storage.unfinished()).map(item => item.sessionId)).toEqual(['stays'])
        expect(await storage.sessions({ owner: 'ada', limit: 9 })).toHaveLength(1)
      })
    })

    describe('log', () => {
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
        const { epoch, seq } = await storage.lease('s')
        expect(epoch).toBeGreaterThan(old)
        expect(seq).toBe(3)
        const late = storage.append({ sessionId: 's', epoch: old, events: [delta('s', 4, 'late')], row: { queued: 9 } })
        await expect(late).rejects.toBeInstanceOf(StaleLease)
        await storage.append({ sessionId: 's', epoch, events: [delta('s', 4)] })
        expect(await storage.events('s', 3, 9)).toEqual([delta('s', 4)])
        expect(await storage.session('s')).toMatchObject({ queued: 0, seq: 4 })
      })

      it('L2 nobody writes without a lease, with an invented one, or to a session that is not there', async () => {
        await storage.createSession(row('s'), [])
        for (const epoch of [0, 1, -1]) {
          const append = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)] })
          await expect(append).rejects.toBeInstanceOf(StaleLease)
        }
        const { epoch } = await storage.lease('s')
        const ahead = storage.append({ sessionId: 's', epoch: epoch + 1, events: [delta('s', 1)] })
        await expect(ahead).rejects.toBeInstanceOf(StaleLease)
        const missing = storage.append({ sessionId: 'none', epoch, events: [delta('none', 1)] })
        await expect(missing).rejects.toBeInstanceOf(StaleLease)
        await expect(storage.lease('none')).rejects.toThrow(/none/)
      })

      it('L2 a lease stays stale after a restart, and after its session was deleted and made again', async () => {
        const first = await started('s')
        await reopen()
        const { epoch: second } = await storage.lease('s')
        expect(second).toBeGreaterThan(first)
        await storage.eraseSession('s')
        await storage.createSession(row('s'), [])
        const { epoch: third } = await storage.lease('s')
        for (const epoch of [first, second]) {
          const append = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)] })
          await expect(append).rejects.toBeInstanceOf(StaleLease)
        }
        await storage.append({ sessionId: 's', epoch: third, events: [delta('s', 1)] })
      })

      it('L2 of two owners that append at once only the newer one writes', async () => {
        const old = await started('s')
        const { epoch } = await storage.lease('s')
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
    })

    describe('hostile text', () => {
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

      it('P-306 odd text is an id, an owner and a key like any other', async () => {
        for (const text of HOSTILE) {
          const epoch = await started(text, 0, { owner: text, agentId: text })
          await storage.append({ sessionId: text, epoch, events: [delta(text, 1)] })
          await storage.keepAnswer(text, text, { status: 200, body: text })
          await storage.addBlob(text, text, { digest: 'd', size: 1, mediaType: text })
        }
        await reopen()
        for (const text of HOSTILE) {
          expect(await storage.session(text)).toMatchObject({ sessionId: text, owner: text, agentId: text, seq: 1 })
          expect(await storage.sessions({ owner: text, limit: 9 })).toHaveLength(1)
          expect(await storage.answer(text, text)).toEqual({ status: 200, body: text })
          expect(await storage.blob(text, 'd')).toEqual({ digest: 'd', size: 1, mediaType: text })
        }
      })

      it('P-307 a lone surrogate or NUL is refused in an id, an owner or a key, and finds nothing', async () => {
        const epoch = await started('s')
        for (const text of UNSTORABLE) {
          await expect(storage.createSession(row(text), [])).rejects.toBeInstanceOf(TypeError)
          await expect(storage.createSession(row('t', { owner: text }), [])).rejects.toBeInstanceOf(TypeError)
          const bad = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)], row: { agentId: text } })
          await expect(bad).rejects.toBeInstanceOf(TypeError)
          await expect(storage.keepAnswer('ada', text, { status: 200, body: '' })).rejects.toBeInstanceOf(TypeError)
          expect(await storage.session(text)).toBeUndefined()
          expect(await storage.answer('ada', text)).toBeUndefined()
          await storage.sessions({ owner: 'ada', limit: 9, search: text })
        }
        expect(await storage.events('s', 0, 9)).toEqual([])
        expect(await storage.sessions({ owner: 'ada', limit: 9 })).toEqual([stored(row('s'))])
      })

      it('P-307 text that was repaired on the way never finds the row of somebody else', async () => {
        await started('\ufffd')
        expect(await storage.session('\ud800')).toBeUndefined()
        await storage.eraseSession('\ud800')
        expect(await storage.session('\ufffd')).toBeDefined()
      })
    })

    describe('checkpoints', () => {
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
    })

    describe('an older fold', () => {
      it('P-331 the first checkpoint of another fold drops every page that was saved before', async () => {
        await started('s', 9)
        const pages = [1, 2].map(ordinal => ({ ordinal, page: 'old' }))
        await storage.saveCheckpoint('s', { seq: 5, fold: 1, state: 'old', messages: pages })
        await storage.saveCheckpoint('s', { seq: 9, fold: 2, state: 'new', messages: [{ ordinal: 2, page: 'new' }] })
        expect(await storage.checkpoint('s')).toEqual({ seq: 9, fold: 2, state: 'new' })
        expect(await storage.messagePages('s', 9, 9)).toEqual([{ ordinal: 2, page: 'new' }])
      })
    })

    describe('hidden sessions', () => {
      it('P-329 a hidden session is found by nothing but what brings it back or erases it', async () => {
        const epoch = await started('s', 2, { unfinished: true, pinned: true })
        await started('t')
        await storage.addBlob('s', 'ada', { digest: 'd', size: 1, mediaType: 'text/plain' })
        const before = await storage.session('s')
        await storage.hideSession('s', 5_000)
        await reopen()
        const nothing = [
          storage.session('s'),
          storage.checkpoint('s'),
          storage.accepted('s', 'turn', 'x'),
          storage.blob('s', 'd'),
        ]
        expect(await Promise.all(nothing)).toEqual(nothing.map(() => undefined))
        expect(await storage.events('s', 0, 9)).toEqual([])
        expect(await storage.unfinished()).toEqual([])
        expect((await storage.sessions({ owner: 'ada', limit: 9 })).map(item => item.sessionId)).toEqual(['t'])
        expect(await storage.sessions({ owner: 'ada', limit: 9, only: 'attention' })).toEqual([])
        await expect(storage.lease('s')).rejects.toThrow(/no session s/)
        await expect(changeRow('s', { title: 'x' })).rejects.toThrow(/no session s/)
        const late = storage.append({ sessionId: 's', epoch, events: [delta('s', 3)] })
        await expect(late).rejects.toBeInstanceOf(StaleLease)
        await expect(storage.createSession(row('s'), [])).rejects.toBeInstanceOf(SessionExists)

        expect(await storage.hiddenSession('s')).toEqual({ ...before, eraseAt: 5_000 })
        expect(await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })).toEqual([
          { ...before, eraseAt: 5_000 },
        ])
        expect(await storage.sessions({ owner: 'eve', limit: 9, only: 'deleted' })).toEqual([])
        expect(await storage.hideSession('s', 9_000)).toEqual([])
        expect(await storage.due(4_999)).toEqual([])
        expect(await storage.restoreSession('s')).toEqual([before])
        expect(await storage.restoreSession('s')).toEqual([])
        expect(await storage.session('s')).toEqual(before)
        expect(await storage.hiddenSession('s')).toBeUndefined()
        expect(await storage.due(9_999)).toEqual([])
        expect(await storage.events('s', 0, 9)).toHaveLength(2)
      })

      it('P-349 what is due, or hidden for good, does not come back', async () => {
        for (const sessionId of ['due', 'later', 'now']) await started(sessionId)
        await storage.hideSession('due', 5_000)
        await storage.hideSession('later', 5_001)
        await storage.hideSession('now', 0)
        expect((await storage.due(5_000)).map(({ sessionId, eraseAt }) => [sessionId, eraseAt]).sort()).toEqual([
          ['due', 0],
          ['now', 0],
        ])
        for (const sessionId of ['due', 'now']) expect(await storage.restoreSession(sessionId)).toEqual([])
        const deleted = await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })
        expect(deleted.map(({ sessionId }) => sessionId)).toEqual(['later'])
        expect(await storage.hideSession('later', 0)).toMatchObject([{ sessionId: 'later', eraseAt: 0 }])
        await storage.eraseSession('due')
        expect((await storage.due(0)).map(({ sessionId }) => sessionId).sort()).toEqual(['later', 'now'])
      })

      it('P-349 the tasks below a session are hidden and restored with it, one that was hidden before is not', async () => {
        await started('top')
        for (const [parentSessionId, sessionId] of [
          ['top', 'a'],
          ['a', 'b'],
          ['top', 'c'],
          ['c', 'd'],
        ] as const)
          await storage.createSession(row(sessionId, { parentSessionId }), [])
        const ids = (rows: { sessionId: string }[]) => rows.map(({ sessionId }) => sessionId)
        expect(ids(await storage.tree('top'))).toEqual(['top', 'a', 'c', 'b', 'd'])
        expect(ids(await storage.hideSession('c', 1_000))).toEqual(['c', 'd'])
        expect(ids(await storage.tree('top'))).toEqual(['top', 'a', 'b'])
        expect(ids(await storage.hideSession('top', 2_000))).toEqual(['top', 'a', 'b'])
        expect(await storage.tree('top')).toEqual([])
        const deleted = await storage.sessions({ owner: 'ada', limit: 9, only: 'deleted' })
        expect(ids(deleted).sort()).toEqual(['c', 'top'])
        expect(ids(await storage.restoreSession('top'))).toEqual(['top', 'a', 'b'])
        // For good means all of them.
        expect(ids(await storage.hideSession('top', 0))).toEqual(['top', 'a', 'c', 'b', 'd'])
        expect(ids(await storage.due(0)).sort()).toEqual(['a', 'b', 'c', 'd', 'top'])
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

    describe('answers, blobs, instance', () => {
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

    describe('ending', () => {
      it('L1 closing waits for what was asked for, and everything is there after opening again', async () => {
        const epoch = await started('s')
        const writes = Array.from({ length: 50 }, (_, index) =>
          storage.append({ sessionId: 's', epoch, events: [delta('s', index + 1)] }),
        )
        await reopen()
        await Promise.all(writes)
        expect(await storage.events('s', 0, 99)).toEqual(deltas('s', 1, 50))
      })

      it('P-311 after closing every call is refused, and closing again is fine', async () => {
        await storage.close()
        await storage.close()
        await expect(storage.session('s')).rejects.toThrow(/closed/)
        storage = await subject.open(options)
      })

      it('L1 a writer killed at any moment loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
        const ids = ['a', 'b', 'c', 'd']
        for (const sessionId of ids) await storage.createSession(row(sessionId, { unfinished: true }), [])
        await storage.close()
        for (let round = 0; round < 10; round++) {
          const acknowledged = await runAndKill(subject, options)
          expect(acknowledged.size).toBeGreaterThan(0)
          storage = await subject.open(options)
          for (const sessionId of ids) await checkLog(sessionId, acknowledged.get(sessionId) ?? 0)
          await storage.close()
        }
        storage = await subject.open(options)
      })

      async function checkLog(sessionId: string, acknowledged: number): Promise<void> {
        const events = await storage.events(sessionId, 0, 1_000_000)
        expect(events.length).toBeGreaterThanOrEqual(acknowledged)
        expect(await storage.session(sessionId)).toMatchObject({ seq: events.length, messageCount: events.length })
        let end = 0
        for (const [index, event] of events.entries()) {
          const { first, size } = JSON.parse((event as { delta: string }).delta)
          if (event.seq > end) end = first + size - 1
          expect([event.seq, event.sessionId, first <= event.seq]).toEqual([index + 1, sessionId, true])
        }
        // The last append is there to its end or not at all.
        expect(end).toBe(events.length)
      }
    })
  })
}

/** The last acknowledged seq of each session when the process was killed. */
async function runAndKill<Options>(subject: StorageUnderTest<Options>, options: Options): Promise<Map<string, number>> {
  const script = fileURLToPath(new URL('./killed-writer.contract.ts', import.meta.url))
  const child = spawn(process.execPath, [script, subject.module, subject.export, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const acknowledged = new Map<string, number>()
  const lines = createInterface({ input: child.stdout })
  const began = once(lines, 'line')
  lines.on('line', line => {
    const [sessionId, seq] = line.split(' ')
    acknowledged.set(sessionId!, Number(seq))
  })
  const closed = once(lines, 'close')
  await Promise.race([began, exited])
  await delay(Math.random() * 120)
  child.kill('SIGKILL')
  await Promise.all([exited, closed])
  return acknowledged
}
