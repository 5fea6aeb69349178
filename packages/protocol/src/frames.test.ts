import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from './events.ts'
import { packEvents, unpackEvents } from './frames.ts'
import { choices, legalHistory } from './histories.fixture.ts'

const unpacked = (events: readonly SessionEvent[], most?: number): SessionEvent[] =>
  packEvents('s', events, most).flatMap(({ json }) => unpackEvents(JSON.parse(json)))

const delta = (seq: number, more: object): SessionEvent =>
  ({ seq, sessionId: 's', at: 1_000 + seq, type: 'text.delta', runId: 'r', messageId: 'm', ...more }) as SessionEvent

describe('P-010 a frame of events', () => {
  it('P-010 unpacks to the events that were packed, wherever it begins and however large it may be', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const c = choices(seed)
        const events = legalHistory(seed, 120).slice(c.int(60))
        expect(unpacked(events)).toEqual(events)
        expect(unpacked(events, 1 + c.int(2_000))).toEqual(events)
      }),
      { numRuns: 100 },
    )
  })

  it('P-010 keeps events of unknown classes with any fields, and times in any order', () => {
    const id = fc.string({ unit: 'binary', maxLength: 4 })
    const key = fc.oneof(fc.constantFrom('type', 'delta', 'runId', 'newId', '__proto__', 'constructor'), id)
    const value = fc.oneof(id, fc.jsonValue({ maxDepth: 2 }))
    const fields = fc.dictionary(key, value, { maxKeys: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fields, fc.nat(), fc.string()), { maxLength: 8 }), fc.nat(), (drafts, from) => {
        const events = drafts.map(([own, at, type], index) => {
          const { seq: _, sessionId: __, at: ___, ...rest } = JSON.parse(JSON.stringify(own))
          return { type, ...rest, seq: from + index, sessionId: 's', at } as SessionEvent
        })
        // The comparison of vitest takes a field that is called `constructor` for the class.
        expect(isDeepStrictEqual(unpacked(events), events)).toBe(true)
        expect(isDeepStrictEqual(unpacked(events, 60), events)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('P-010 says the type and the ids of similar events once, also when two parts are written by turns', () => {
    const events = [1, 2, 3, 4].map(seq => delta(seq, { partId: `p${seq % 2}`, delta: `${seq}` }))
    const head = (partId: string) => ({ type: 'text.delta', runId: 'r', messageId: 'm', partId })
    const [frame] = packEvents('s', events)
    expect(JSON.parse(frame!.json)).toEqual({
      sessionId: 's',
      from: 1,
      events: [
        [head('p1'), 1_001, '1'],
        [head('p0'), 1, '2'],
        [0, 1, '3'],
        [1, 1, '4'],
      ],
    })
    expect(frame!.upTo).toBe(4)
  })

  it('P-010 keeps ids apart that would look the same if they were joined to one text', () => {
    const ids = [{ partId: 'a' }, { partId: 'a', turnId: 'b' }, { turnId: 'a' }, {}, { partId: 'a","turnId":"b' }]
    const events = ids.map((own, index) => delta(index + 1, { ...own, delta: 'x' }))
    expect(unpacked(events)).toEqual(events)
  })

  it('P-010 is about as large as asked, in bytes of UTF-8, unless one event is larger', () => {
    for (const text of ['word ', '字字字', 'é', '😀😀']) {
      const events = Array.from({ length: 2_000 }, (_, index) => delta(index + 1, { partId: 'p', delta: text }))
      const frames = packEvents('s', events, 4_096)
      const sizes = frames.map(({ json }) => new TextEncoder().encode(json).length)
      for (const size of sizes.slice(0, -1)) expect([size > 3_500, size < 4_300]).toEqual([true, true])
      expect(frames.at(-1)!.upTo).toBe(2_000)
    }
    const large = [1, 2, 3].map(seq => delta(seq, { partId: 'p', delta: '字'.repeat(5_000) }))
    expect(packEvents('s', large, 4_096).map(({ upTo }) => upTo)).toEqual([1, 2, 3])
  })

  it('P-010 ends before a gap: the event after it begins another frame', () => {
    const events = [1, 2, 4, 5, 9].map(seq => delta(seq, { partId: 'p', delta: `${seq}` }))
    expect(packEvents('s', events).map(({ upTo }) => upTo)).toEqual([2, 5, 9])
    expect(unpacked(events)).toEqual(events)
  })
})
