import type { RunStatus } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { answersRequest, type ComposerFacts, composerPlan } from './composer-mode.ts'

const facts = (changes: Partial<ComposerFacts>): ComposerFacts => ({
  phase: 'ready',
  connection: 'live',
  active: null,
  asked: null,
  waits: null,
  answers: false,
  onItsWay: false,
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
      hintKind: 'keys',
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
    expect(composerPlan(facts({ phase: 'gone' })).hint).toBe('composer.blocked.gone')
    expect(composerPlan(facts({ phase: 'failed' })).hint).toBe('composer.blocked.failed')
    expect(composerPlan(facts({ connection: 'refused' })).blocked).toBe('composer.blocked.refused')
    expect(composerPlan(facts({ connection: 'offline' })).blocked).toBeNull()
  })

  it('P-8601 nothing is lost while a session loads or a text is on its way: the next text goes behind it', () => {
    expect(composerPlan(facts({ phase: 'loading' }))).toMatchObject({ action: 'queue', blocked: null })
    expect(composerPlan(facts({ onItsWay: true }))).toMatchObject({ action: 'queue', hint: 'composer.hint.after' })
  })

  it('P-8602 while a request waits, words answer it or refuse it, and the other ways can be chosen', () => {
    const waiting = { active: 'waiting', asked: 'refuse', answers: true } as const
    const plan = composerPlan(facts(waiting))
    expect(plan).toMatchObject({ action: 'refuse', hint: 'composer.hint.refuse' })
    expect(plan.modes.map(({ mode }) => mode)).toEqual(['refuse', 'queue', 'steer', 'new-task'])
    expect(composerPlan(facts({ ...waiting, asked: 'answer' })).action).toBe('answer')
    expect(composerPlan(facts({ ...waiting, answers: false })).action).toBe('queue')
  })

  it('P-8602 the hint says that a queued text waits for a form, and that words to a plan ask for another one', () => {
    for (const waits of ['form', 'correction'] as const) {
      expect(composerPlan(facts({ active: 'waiting', waits }))).toMatchObject({
        action: 'queue',
        hint: 'composer.hint.form',
      })
    }
    const plan = facts({ active: 'waiting', asked: 'answer', answers: true, waits: 'plan' })
    expect(composerPlan(plan)).toMatchObject({ action: 'answer', hint: 'composer.hint.plan' })
    expect(composerPlan({ ...plan, answers: false })).toMatchObject({ action: 'queue', hint: 'composer.hint.queue' })
  })

  it('P-8602 a request that comes while somebody writes does not turn their text into its answer', () => {
    expect(answersRequest('a1', null, true)).toBe(true)
    expect(answersRequest('a1', null, false)).toBe(false)
    expect(answersRequest('a1', { actionId: 'a1', on: false }, true)).toBe(false)
    expect(answersRequest('a1', { actionId: 'a1', on: true }, false)).toBe(true)
    expect(answersRequest('a2', { actionId: 'a1', on: true }, false)).toBe(false)
    expect(answersRequest(undefined, null, true)).toBe(false)
  })
})
