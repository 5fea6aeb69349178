import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { AgentFace } from '../kit/face.tsx'
import { SessionUsage, sessionUsage } from './session-usage.tsx'

const usage = (inputTokens: number, amount: number, currency = 'EUR') => ({
  usage: { inputTokens, outputTokens: 0 },
  cost: { amount, currency },
})

describe('P-8208 what a session used', () => {
  it('is what the agent counted for the session, and else the sum of its runs', () => {
    const session = fakeSession().add(started(), {
      type: 'metric.changed',
      scope: 'run',
      runId: 'r1',
      values: usage(900, 0.5),
    })
    expect(sessionUsage(session.state)).toEqual({ tokens: 900, cost: { amount: 0.5, currency: 'EUR' } })
    session.add({ type: 'metric.changed', scope: 'session', values: usage(41_300, 0.27) })
    expect(sessionUsage(session.state)).toMatchObject({ tokens: 41_300, cost: { amount: 0.27 } })
    expect(draw(<SessionUsage handle={session.handle} />)).toContain('41.3K tokens')
  })

  it('P-9358 a cost beside the tokens counts, in one currency, and nothing is added up to zero', () => {
    const session = fakeSession().add(started(), { type: 'run.finished', runId: 'r1', outcome: 'completed' })
    expect(sessionUsage(session.state)).toEqual({ tokens: null, cost: null })
    const spent = (runId: string, amount: number, currency = 'USD') =>
      ({ type: 'metric.changed', scope: 'run', runId, usage: { inputTokens: 5, cost: { amount, currency } } }) as const
    session.add(spent('r1', 0.25), started('r2', 't2'), spent('r2', 0.5))
    expect(sessionUsage(session.state)).toEqual({ tokens: 10, cost: { amount: 0.75, currency: 'USD' } })
    expect(draw(<SessionUsage handle={session.handle} />)).toContain('$0.75')
  })

  it('is not shown when nobody counted it, or when a part of the session is not loaded', () => {
    const session = fakeSession().add(started())
    expect(draw(<SessionUsage handle={session.handle} />)).not.toContain('v-usage')
    session.add({ type: 'metric.changed', scope: 'run', runId: 'r1', values: usage(900, 0.5) })
    session.state.counts.messages += 5
    expect(draw(<SessionUsage handle={session.handle} />)).not.toContain('v-usage')
  })
})

it('P-8207 the face of an agent is chosen by its id: always the same, and different for most others', () => {
  const face = (agentId: string) => draw(<AgentFace agentId={agentId} />)
  expect(face('guide')).toBe(face('guide'))
  const faces = new Set(Array.from({ length: 40 }, (_, n) => face(`agent-${n}`)))
  expect(faces.size).toBeGreaterThan(20)
})
