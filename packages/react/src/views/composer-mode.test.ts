import type { RunStatus } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { type ComposerFacts, composerPlan } from './composer-mode.ts'

const facts = (changes: Partial<ComposerFacts>): ComposerFacts => ({
  phase: 'ready',
  connection: 'live',
  active: null,
  preferred: 'queue',
  ...changes,
})

describe('what Enter will do', () => {
  it('P-220 idle: it sends, and there is nothing to choose', () => {
    expect(composerPlan(facts({}))).toEqual({
      action: 'send',
      blocked: null,
      modes: [],
      hint: 'composer.hint.send',
    })
  })

  it.each(['queue', 'steer', 'new-task'] as const)('P-221 busy: %s is what was chosen and what the hint says', mode => {
    const plan = composerPlan(facts({ active: 'streaming', preferred: mode }))
    expect(plan.action).toBe(mode)
    expect(plan.hint).toBe(`composer.hint.${mode === 'new-task' ? 'newTask' : mode}`)
    expect(plan.modes.map(choice => choice.mode)).toEqual(['queue', 'steer', 'new-task'])
    expect(plan.modes.every(choice => choice.unavailable === null)).toBe(true)
  })

  it('P-221 every status of an unfinished run counts as busy, unknown ones too', () => {
    const statuses: RunStatus[] = ['submitted', 'queued', 'preparing', 'tool', 'waiting', 'blocked', 'unknown']
    for (const active of statuses) expect(composerPlan(facts({ active })).action).toBe('queue')
  })

  it('P-222 a run that is being stopped cannot be steered: the choice falls back to the queue, visibly', () => {
    const plan = composerPlan(facts({ active: 'cancelling', preferred: 'steer' }))
    expect(plan.action).toBe('queue')
    expect(plan.hint).toBe('composer.hint.queue')
    expect(plan.modes[1]).toEqual({ mode: 'steer', unavailable: 'composer.stopping' })
  })

  it('P-223 nothing is sent from a session that is not there, and the hint says why', () => {
    expect(composerPlan(facts({ phase: 'loading' })).blocked).toBe('composer.blocked.loading')
    expect(composerPlan(facts({ phase: 'gone' })).hint).toBe('composer.blocked.gone')
    expect(composerPlan(facts({ phase: 'failed' })).hint).toBe('composer.blocked.failed')
    expect(composerPlan(facts({ connection: 'refused' })).blocked).toBe('composer.blocked.refused')
    expect(composerPlan(facts({ connection: 'offline' })).blocked).toBeNull()
  })
})
