import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choices, fold, legalHistory } from './histories.fixture.ts'
import { apply } from './project.ts'
import { addPage, hydrate, messagesPage, type Snapshot, snapshot, windowStart } from './snapshot.ts'

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const seeds = fc.integer({ min: 1, max: 2 ** 31 })

describe('L3 the fold is idempotent by seq', () => {
  it('L3 replay, overlap and reconnect change nothing', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const events = legalHistory(seed, 120)
        const c = choices(seed + 1)
        const undisturbed = fold(events)
        const disturbed = fold([])
        while (disturbed.seq < events.length) {
          // Each reconnect starts somewhere at or before the last folded event and is cut off somewhere after it.
          const from = c.int(disturbed.seq + 1)
          const to = Math.min(disturbed.seq + 1 + c.int(30), events.length)
          for (const event of events.slice(from, to)) apply(disturbed, event)
        }
        expect(wire(snapshot(disturbed, 1))).toEqual(wire(snapshot(undisturbed, 1)))
      }),
      { numRuns: 60 },
    )
  })

  it('L3 an event that leaves a gap is not applied', () => {
    const events = legalHistory(7, 40)
    const state = fold(events.slice(0, 10))
    expect(apply(state, events[12]!)).toBe('gap')
    expect(state.seq).toBe(10)
    expect(apply(state, events[3]!)).toBe('duplicate')
    expect(apply(state, events[10]!)).toBe('applied')
  })

  it('L3 interleaved sessions do not touch each other', () => {
    const a = legalHistory(11, 60, 'a')
    const b = legalHistory(12, 60, 'b')
    const apart = [fold(a, undefined), fold(b, undefined)]
    const mixed = [fold([]), fold([])]
    for (let i = 0; i < 60; i++) {
      if (a[i]) apply(mixed[0]!, a[i]!)
      if (b[i]) apply(mixed[1]!, b[i]!)
    }
    expect(mixed.map(state => wire(snapshot(state, 1)))).toEqual(apart.map(state => wire(snapshot(state, 1))))
  })
})

describe('L11 an old session opens without its full history', () => {
  it('L11 AU-85 a snapshot with the tail equals the fold of everything, restricted to the window and its summaries', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 150 }), fc.integer({ min: 1, max: 12 }), (seed, cut, messages) => {
        const events = legalHistory(seed, 150)
        const early = fold(events.slice(0, cut))
        const from = windowStart(early, messages)
        const late = fold(events.slice(cut), hydrate(wire(snapshot(early, from))))
        expect(comparable(wire(snapshot(late, from)))).toEqual(comparable(wire(snapshot(fold(events), from))))
      }),
      { numRuns: 150 },
    )
  })

  it('L11 pages of older history complete the window to the whole', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 4 }), (seed, cut, size) => {
        const events = legalHistory(seed, 120)
        const server = fold(events.slice(0, cut))
        const client = hydrate(wire(snapshot(server, windowStart(server, size))))
        // The stream goes on between the pages: each page is taken at its own seq.
        let at = cut
        while (client.windowFrom > 1) {
          const pageAt = Math.min(at + 5, events.length)
          const page = wire(
            messagesPage(fold(events.slice(0, pageAt)), Math.max(client.windowFrom - size, 1), client.windowFrom),
          )
          if (!addPage(client, page)) {
            at = pageAt
            fold(events.slice(client.seq, at), client)
            continue
          }
          fold(events.slice(client.seq, pageAt), client)
          at = pageAt
        }
        fold(events.slice(client.seq), client)
        expect(comparable(wire(snapshot(client, 1)))).toEqual(comparable(wire(snapshot(fold(events), 1))))
      }),
      { numRuns: 150 },
    )
  })

  it('L11 AU-62 a run that is still open is never cut by the window', () => {
    const events = legalHistory(99, 200)
    for (let at = 1; at <= events.length; at++) {
      const state = fold(events.slice(0, at))
      const from = windowStart(state, 1)
      for (const message of state.messages.byId.values()) {
        const open = message.runId !== null && state.runs.byId.get(message.runId)?.outcome === null
        if (open) expect(message.ordinal).toBeGreaterThanOrEqual(from)
      }
    }
  })
})

/**
 * Entities are keyed: only messages have an order that means something. `asOf` says how an entity came to be loaded.
 */
function comparable(whole: Snapshot): unknown {
  const plain = (name: string, list: unknown): unknown => {
    if (!Array.isArray(list)) return list
    const entities = (list as { key: string }[]).map(entity => ({ ...entity, asOf: 0 }))
    return name === 'messages' ? entities : entities.sort((a, b) => (a.key < b.key ? -1 : 1))
  }
  const entities = Object.entries(whole.entities).map(([name, list]) => [name, plain(name, list)])
  return { ...whole, entities: Object.fromEntries(entities) }
}
