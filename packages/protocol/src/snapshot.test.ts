import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from './answers.ts'
import type { EventDraft, SessionEvent } from './events.ts'
import { choices, fold, legalHistory } from './histories.fixture.ts'
import { apply } from './project/apply.ts'
import {
  addPage,
  addParts,
  hydrate,
  messagesPage,
  partsPage,
  partsStart,
  snapshot,
  trim,
  windowStart,
} from './snapshot.ts'

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
const upTo = (messages: number) => ({ messages, bytes: Number.POSITIVE_INFINITY })
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

  it('L3 events stay as they were logged, whatever later ones change', () => {
    const repaired = {
      messageId: 'm',
      ordinal: 1,
      role: 'assistant' as const,
      at: 1,
      parts: [],
      metadata: { model: 'x' },
    }
    const page = { snapshotId: 'x', page: 0, last: true, scope: 'owner' as const, fromOrdinal: 1 }
    const plan = { runId: 'r', steps: [{ id: 'a', title: 'a', status: 'active' as const }] }
    const drafts: EventDraft[] = [
      { type: 'messages.snapshot', ...page, messages: [repaired] },
      { type: 'metric.changed', scope: 'message', messageId: 'm', values: { tokens: 1 } },
      { type: 'plan.final', ...plan },
      { type: 'plan.delta', ...plan, steps: [{ id: 'b', title: 'b', status: 'pending' }] },
    ]
    const events = drafts.map((draft, i) => ({ ...draft, seq: i + 1, sessionId: 's', at: 1 }) as SessionEvent)
    expect(() => fold(frozen(events))).not.toThrow()
    fc.assert(
      fc.property(seeds, seed => void fold(frozen(wire(legalHistory(seed, 120))))),
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
        const from = windowStart(early, upTo(messages))
        const late = fold(events.slice(cut), hydrate(wire(snapshot(early, from))))
        expect(comparable(wire(snapshot(late, from)))).toEqual(comparable(wire(snapshot(fold(events), from))))
      }),
      { numRuns: 150, examples: [[1808063175, 45, 1]] },
    )
  })

  it('L11 pages of older history complete the window to the whole', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 4 }), (seed, cut, size) => {
        const events = legalHistory(seed, 120)
        const server = fold(events.slice(0, cut))
        const client = hydrate(wire(snapshot(server, windowStart(server, upTo(size)))))
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

  it('L11 P-693 a snapshot that leaves parts out, with the tail and pages of parts, equals the fold of everything', () => {
    const bytes = fc.integer({ min: 1, max: 4_000 })
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 150 }), bytes, fc.boolean(), (seed, cut, budget, early) => {
        const events = legalHistory(seed, 150)
        const client = hydrate(wire(snapshot(fold(events.slice(0, cut)), 1, budget)))
        const server = fold(events.slice(0, early ? cut : events.length))
        const earlier = (): void => {
          for (const message of [...client.messages.byId.values()]) {
            const whole = server.messages.byId.get(message.messageId)!
            while (message.partsFrom > 0) {
              const from = partsStart(server, whole, message.partsFrom, budget)
              if (!addParts(client, wire(partsPage(server, whole, from, message.partsFrom)))) break
            }
          }
        }
        const all = fold(events)
        if (early) earlier()
        fold(events.slice(cut), client)
        // What is loaded is as it is in the whole, and only what is left out is missing.
        for (const message of client.messages.byId.values()) {
          const { parts } = all.messages.byId.get(message.messageId)!
          expect(message.parts.slice(message.loose)).toEqual(parts.slice(message.partsFrom))
          expect(parts.slice(0, message.partsFrom)).toEqual(
            expect.arrayContaining(message.parts.slice(0, message.loose)),
          )
        }
        const whole = wire(snapshot(all, 1)).entities
        const loaded = wire(snapshot(client, 1)).entities
        for (const name of ['parts', 'tools', 'actions'] as const) {
          const by = new Map(whole[name].map(entity => [entity.key, entity]))
          expect(loaded[name]).toEqual(loaded[name].map(({ key }) => by.get(key)))
        }
        if (!early) earlier()
        expect([...client.messages.byId.values()].every(({ partsFrom }) => partsFrom === 0)).toBe(true)
        expect(comparable(wire(snapshot(client, 1)))).toEqual(comparable(wire(snapshot(all, 1))))
      }),
      { numRuns: 150 },
    )
  })

  it('P-693 the bytes of a snapshot do not grow with the parts of a message, and what is open is in it', () => {
    const events = [...giant(3_000)]
    const state = fold(events)
    const sent = wire(snapshot(state, 1, 50_000))
    expect(JSON.stringify(sent).length).toBeLessThan(100_000)
    const message = sent.entities.messages.find(({ key }) => key === 'message:m')!
    expect(message).toMatchObject({ loose: 1, parts: expect.arrayContaining(['first']) })
    expect(sent.entities.tools.map(({ key }) => key)).toContain('tool:first')
    expect(messagesPage(state, 1, 3, 50_000).entities.parts.length).toBeLessThan(500)
    trim(state, 1, 50_000)
    expect(state.parts.byId.size).toBeLessThan(500)
    expect(comparable(wire(snapshot(state, 1)))).toEqual(comparable(sent))
  })

  it('P-694 the newest 200 diagnostics are kept', () => {
    const state = fold([])
    for (let seq = 1; seq <= 300; seq++) {
      apply(state, { type: 'diagnostic.changed', sessionId: 's', seq, at: seq, diagnosticId: `d${seq}`, state: 'open' })
    }
    expect([state.diagnostics.byId.size, state.diagnostics.byId.has('d300')]).toEqual([200, true])
  })

  it('L11 AU-62 a run that is still open is never cut by the window', () => {
    const events = legalHistory(99, 200)
    for (let at = 1; at <= events.length; at++) {
      const state = fold(events.slice(0, at))
      const from = windowStart(state, upTo(1))
      for (const message of state.messages.byId.values()) {
        const open = message.runId !== null && state.runs.byId.get(message.runId)?.outcome === null
        if (open) expect(message.ordinal).toBeGreaterThanOrEqual(from)
      }
    }
  })
})

/** A run with many calls, of which the first is still open. */
function* giant(calls: number): Iterable<SessionEvent> {
  let seq = 1
  const place = (event: object): SessionEvent =>
    ({ sessionId: 's', at: seq, seq: seq++, runId: 'r', turnId: 't', ...event }) as SessionEvent
  yield place({ type: 'run.started', agentId: 'a', messageId: 'u', input: { text: 'go' }, attempt: 1 })
  for (let call = 0; call <= calls; call++) {
    const id = call === 0 ? 'first' : `c${call}`
    yield place({ type: 'tool.started', messageId: 'm', partId: id, toolCallId: id, name: 'search' })
    if (call > 0) yield place({ type: 'tool.result', toolCallId: id, preview: 'found' })
  }
}

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
