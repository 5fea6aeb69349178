import { createState, type Json, toolChoices } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { policyActor, policyOf } from './policy.ts'

const tools = (given: Json) => {
  const state = createState('s1')
  state.session.metadata = { tools: given }
  return toolChoices(state)
}

describe('the policy of a tool', () => {
  it.each([
    ['none', 'allow', 'allow', 'allow'],
    ['reads', 'ask', 'allow', 'allow'],
    ['writes', 'ask', 'ask', 'allow'],
    ['outside', 'ask', 'ask', 'allow'],
    [undefined, 'ask', 'ask', 'allow'],
  ] as const)('TO-23 with effects %s follows the mode of the session', (effects, ask, reads, all) => {
    const of = (mode: string) => policyOf({ toolId: 't', effects }, tools({ mode }), undefined).policy
    expect([of('ask'), of('reads'), of('all')]).toEqual([ask, reads, all])
  })

  it('TO-23 is first what the person chose, then what the agent is configured with, then the mode, then the default', () => {
    const tool = { toolId: 't', effects: 'writes' } as const
    expect(policyOf(tool, tools({ policies: { t: 'off' }, mode: 'all' }), 'allow')).toEqual({
      policy: 'off',
      from: 'session',
    })
    expect(policyOf(tool, tools({ mode: 'all' }), 'ask')).toEqual({ policy: 'ask', from: 'agent' })
    expect(policyOf(tool, tools({ mode: 'all' }), undefined)).toEqual({ policy: 'allow', from: 'mode' })
    expect(policyOf(tool, tools({}), undefined)).toEqual({ policy: 'ask', from: 'default' })
  })

  it.each([[null], ['all'], [[]], [{ mode: 'everything', policies: { t: 'maybe' } }], [{ mode: 7, policies: 'x' }]])(
    'TO-23 is the default when the metadata of the session is %j',
    given => {
      expect(tools(given as Json)).toEqual({ mode: 'reads', policies: {} })
    },
  )

  it('TO-4 is named in the fact that a call was allowed', () => {
    const id = (from: 'session' | 'agent' | 'mode' | 'default') => policyActor({ policy: 'allow', from }, 't', 'all').id
    expect([id('session'), id('agent'), id('mode'), id('default')]).toEqual([
      'session:t',
      'agent:t',
      'mode:all',
      'default',
    ])
  })
})
