import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CODES } from './codes.ts'
import { DataTree } from './data-tree.ts'
import { createState, type SessionState } from './entities.ts'
import type { EventDraft, SessionEvent } from './events.ts'
import { choices, fold, legalHistory } from './histories.fixture.ts'
import { illegal } from './illegal.fixture.ts'
import { apply } from './project/apply.ts'
import { rules } from './rules.ts'
import { sessionEvent } from './schema.ts'
import { trialOf } from './trial.ts'
import { verify, verifyAll } from './verify.ts'

const place = (draft: EventDraft & { seq?: number; sessionId?: string }, seq: number): SessionEvent =>
  ({ sessionId: 's', at: 1, seq, ...draft }) as SessionEvent

describe('each rule of legality has a fixture that breaks it alone', () => {
  it.each(Object.keys(illegal))('V-%s is refused with its own code', code => {
    const { before, event } = illegal[code]!
    const state = createState('s')
    for (const draft of before) {
      const legal = place(draft, state.seq + 1)
      expect(sessionEvent.safeParse(legal).error).toBeUndefined()
      expect(verify(state, legal)).toBeUndefined()
      apply(state, legal)
    }
    expect(verify(state, place(event, state.seq + 1))).toMatchObject({ code })
  })

  it('P-001 there is a fixture for every rule and a rule for every fixture', () => {
    expect(Object.keys(illegal).sort()).toEqual(rules.map(({ code }) => code).sort())
  })

  it('P-001 codes are written in snake_case, those of rules and those that people are told', () => {
    const codes = [...rules.map(({ code }) => code), ...CODES]
    expect(codes.filter(code => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code))).toEqual([])
  })

  it('P-002 checking an event does not change the state, even when a patch is tried for it', () => {
    const state = createState('s')
    const state0 = place({ type: 'state.snapshot', state: { list: [1] } }, 1)
    apply(state, state0)
    const patch = [
      { op: 'add', path: '/list/-', value: 2 },
      { op: 'remove', path: '/nowhere' },
    ] as const
    expect(verify(state, place({ type: 'state.delta', patch: [...patch] }, 2))).toMatchObject({ code: 'state_patch' })
    expect(state.shared.value).toEqual({ known: true, value: { list: [1] } })
  })
})

describe('legal histories', () => {
  it('P-003 random legal histories pass shape and legality, event by event', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const state = createState('s')
        for (const event of legalHistory(seed, 80)) {
          expect(sessionEvent.safeParse(event).error).toBeUndefined()
          expect(verify(state, event)).toBeUndefined()
          apply(state, event)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('P-003 the shortcut for deltas never accepts what a rule refuses', () => {
    const applies = ({ on }: (typeof rules)[number], { type, runId }: SessionEvent) =>
      on === 'all' || (on === 'in-run' ? runId !== undefined && type !== 'run.started' : on.includes(type))
    const refusal = (state: SessionState, event: SessionEvent) =>
      rules.find(rule => applies(rule, event) && rule.check(state, event as never))?.code
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const state = createState('s')
        const c = choices(seed)
        const history = legalHistory(seed, 120)
        const parts = history.flatMap(({ runId, messageId, partId }) =>
          runId && messageId && partId ? [{ runId, messageId, partId }] : [],
        )
        for (const event of history) {
          apply(state, event)
          if (parts.length === 0) continue
          const delta: EventDraft = { type: c.pick(['text.delta', 'reasoning.delta']), ...c.pick(parts), delta: 'x' }
          if (c.chance(0.1)) delta.runId = c.pick(parts).runId
          if (c.chance(0.1)) delta.messageId = c.pick(parts).messageId
          const wrong = { ...(c.chance(0.1) && { sessionId: 'other' }) }
          const given = place({ ...delta, ...wrong }, state.seq + (c.chance(0.1) ? c.int(4) : 1))
          expect(verify(state, given)?.code).toBe(refusal(state, given))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('P-003 a child run that is active too may not write into an open part of its parent', () => {
    const state = createState('s')
    const start = {
      type: 'run.started',
      turnId: 't',
      agentId: 'a',
      messageId: 'u',
      input: { text: '' },
      attempt: 1,
    } as const
    const delta = { type: 'text.delta', messageId: 'm', partId: 'p', delta: 'x' } as const
    apply(state, place({ ...start, runId: 'r1' }, 1))
    apply(state, place({ ...start, runId: 'r2', parentRunId: 'r1' }, 2))
    apply(state, place({ ...delta, runId: 'r1' }, 3))
    expect(verify(state, place({ ...delta, runId: 'r1' }, 4))).toBeUndefined()
    expect(verify(state, place({ ...delta, runId: 'r2' }, 4))).toMatchObject({ code: 'message_foreign' })
  })
})

describe('events that are written together', () => {
  /** All that a state holds, as data. */
  const plain = (state: SessionState): string =>
    JSON.stringify(state, (_key, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value instanceof DataTree ? value.root : value,
    )

  it('P-696 are tried on a copy: the state stays as it was, and the copy becomes what the fold makes of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 0, max: 119 }), (seed, at) => {
        const events = legalHistory(seed, 120)
        const state = fold(events.slice(0, at))
        const before = plain(state)
        expect(verifyAll(state, events.slice(at))).toBeUndefined()
        const trial = fold(events.slice(at), trialOf(state))
        expect(plain(state)).toBe(before)
        expect(plain(trial)).toBe(plain(fold(events)))
        // What the copy shared with the state is not written to by the state either.
        const after = plain(trial)
        fold(events.slice(at), state)
        expect(plain(trial)).toBe(after)
      }),
      { numRuns: 60 },
    )
  })

  it('P-696 are refused with the place of the first one that may not follow the others', () => {
    const state = createState('s')
    const queued = (turnId: string, seq: number) =>
      place(
        {
          type: 'queue.changed',
          change: 'added',
          turnId,
          turn: { turnId, input: { text: 'x' }, preview: 'x', createdAt: 1 },
        },
        seq,
      )
    expect(verifyAll(state, [queued('a', 1), queued('b', 2), queued('a', 3)])).toMatchObject({
      code: 'queue_added_twice',
      index: 2,
    })
    expect(state.queue.turns).toEqual([])
  })
})
