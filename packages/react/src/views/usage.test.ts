import { describe, expect, it } from 'vitest'
import { fakeSession, started } from '../fixtures/session.ts'
import { budgetOf } from './composer-context.tsx'
import { usesOf } from './tools-panel.tsx'
import { contextOfRun, paceOf } from './usage.ts'
import { daysUpTo, totalOf, type UsageItem } from './usage-sums.ts'

/** A run that speaks for a second: its events are a tenth of a second apart. */
function spoken(usage: object, call = false) {
  const session = fakeSession().add(started())
  const at = { runId: 'r1', messageId: 'm' } as const
  if (call) session.add({ type: 'tool.started', ...at, partId: 'c', toolCallId: 'c', name: 'look' })
  for (let piece = 0; piece < 10; piece++) session.add({ type: 'text.delta', ...at, partId: 'p', delta: 'word ' })
  session.add(
    { type: 'text.final', ...at, partId: 'p', length: 50, digest: '' },
    { type: 'metric.changed', scope: 'run', runId: 'r1', usage },
    { type: 'run.finished', runId: 'r1', outcome: 'completed' },
  )
  return { state: session.state, run: session.state.runs.byId.get('r1')! }
}

describe('how an answer came about', () => {
  it('P-9721 the first words and the speed follow from the facts, without thinking that nobody saw', () => {
    const { state, run } = spoken({ outputTokens: 60, reasoningTokens: 10 })
    expect(paceOf(state, run)).toEqual({ queuedMs: null, firstMs: 100, perSecond: 50 })
  })

  it('P-9721 what the facts do not tell is not known: the speed of a run with calls, or of one that counted nothing', () => {
    const calls = spoken({ outputTokens: 60 }, true)
    expect(paceOf(calls.state, calls.run)).toMatchObject({ perSecond: null, firstMs: 100 })
    const uncounted = spoken({})
    expect(paceOf(uncounted.state, uncounted.run).perSecond).toBeNull()
    const partly = spoken({ outputTokens: 60 })
    for (const message of partly.state.messages.byId.values()) message.partsFrom = 3
    expect(paceOf(partly.state, partly.run)).toMatchObject({ firstMs: null, perSecond: null })
  })

  it('P-9731 the context is as full as its run says, and unknown when nobody said it', () => {
    expect(contextOfRun({ contextUsed: 500, contextTokens: 8_000 })).toEqual({ used: 500, size: 8_000 })
    expect(contextOfRun({ contextUsed: '500', contextTokens: 0 })).toEqual({ used: null, size: null })
  })
})

describe('what goes along with a text', () => {
  const file = (name: string, size: number | null, mediaType = '') => ({ name, size, mediaType })

  it('P-9732 takes what its length says, and what cannot be measured before it is read is counted and not guessed', () => {
    const files = [file('a.csv', 4_000, 'text/csv'), file('b.png', 90_000, 'image/png'), file('c.docx', 9_000)]
    expect(budgetOf('x'.repeat(400), files, 1)).toEqual({ tokens: 1_100, unmeasured: 3 })
    expect(budgetOf('', [file('lost.txt', null, 'text/plain')], 0)).toEqual({ tokens: 0, unmeasured: 1 })
  })
})

describe('how often tools were used', () => {
  it('P-9705 counts calls by name with the time that they took, and says when not all are loaded', () => {
    const { state } = spoken({}, true)
    state.tools.byId.get('c')!.endedAt = state.tools.byId.get('c')!.startedAt + 700
    state.tools.byId.get('c')!.waitedMs = 200
    expect(usesOf(state).get('look')).toEqual({ count: 1, ms: 500, timed: 1, all: true })
    state.counts.messages += 5
    expect(usesOf(state).get('look')).toMatchObject({ all: false })
  })
})

describe('what was used', () => {
  const item = (change: Partial<UsageItem>): UsageItem => ({
    day: '2026-01-01',
    agentId: 'a',
    model: null,
    runs: 1,
    inputTokens: null,
    cachedInputTokens: null,
    outputTokens: null,
    reasoningTokens: null,
    totalTokens: null,
    cost: null,
    ...change,
  })

  it('P-9742 is added up by currency, and what nobody counted stays unknown', () => {
    const costs = [0.5, 0.25].map(amount => item({ cost: { amount, currency: 'EUR' } }))
    const dollars = item({ cost: { amount: 2, currency: 'USD' }, totalTokens: 7 })
    expect(totalOf([...costs, dollars])).toEqual({
      runs: 3,
      input: null,
      cached: null,
      output: null,
      tokens: 7,
      costs: [
        { amount: 2, currency: 'USD' },
        { amount: 0.75, currency: 'EUR' },
      ],
    })
  })

  it('P-9742 has a place for each day of the span, also across the end of a month', () => {
    expect(daysUpTo(new Date(2026, 2, 1, 23, 30).getTime(), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  })
})
