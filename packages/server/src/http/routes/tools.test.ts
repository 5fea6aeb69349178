import type { Answer } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted } from '../../runtime/harness.fixture.ts'
import type { ToolSource } from '../../tools/tool.ts'
import { source, tool } from '../../tools/tools.fixture.ts'
import { createKit, type Kit } from '../app.test.kit.ts'

const broken: ToolSource = {
  ...source([tool('fetch', { effects: 'outside' })], 'web'),
  health: () => ({ state: 'failed', message: 'It is down.' }),
}
const agent = {
  ...scripted(async function* () {
    yield { type: 'tool.started', partId: 'p', toolCallId: 'c', name: 'own', title: 'My own', executor: 'agent' }
    yield { type: 'tool.result', toolCallId: 'c', value: 1 }
  }),
  toolPolicies: { 'test:write': 'allow' } as const,
}

let kit: Kit
let path: string
beforeEach(async () => {
  const tools = [source([tool('read', { title: 'Read' }), tool('write', { effects: 'writes' })]), broken]
  kit = await createKit({ agents: [agent], tools })
  const created = (await (await kit.as('ann', 'POST', '/sessions', {})).json()) as Answer<'SessionCreated'>
  path = `/sessions/${created.session.sessionId}/tools`
})
afterEach(() => kit.close())

const list = async (): Promise<Answer<'SessionTools'>> =>
  (await (await kit.as('ann', 'GET', path)).json()) as Answer<'SessionTools'>
const patch = async (change: object) => {
  const response = await kit.as('ann', 'PATCH', path, change)
  return (await response.json()) as Answer<'SessionTools'>
}
const policies = ({ items }: Answer<'SessionTools'>) =>
  Object.fromEntries(items.map(({ toolId, policy, policyFrom }) => [toolId, `${policy} by ${policyFrom}`]))

describe('the tools of a session over HTTP', () => {
  it('TO-24 are listed with who offers them, how that source is, and what they may do', async () => {
    const answer = await list()
    expect(answer.mode).toBe('reads')
    expect(policies(answer)).toEqual({
      'runtime:a2ui': 'allow by default',
      'runtime:show_ui': 'allow by default',
      'runtime:ask': 'allow by default',
      'test:read': 'allow by default',
      'test:write': 'allow by agent',
      'test:fetch': 'ask by default',
    })
    expect(answer.items.find(({ toolId }) => toolId === 'test:read')).toMatchObject({
      name: 'read',
      title: 'Read',
      effects: 'reads',
      source: { sourceId: 'test', name: 'Source test', kind: 'host', health: { state: 'ready' } },
      governed: true,
    })
    expect(answer.items.at(-1)!.source.health).toEqual({ state: 'failed', message: 'It is down.' })
  })

  it('TO-25 follow the mode and the choices of the person, which are facts with their author', async () => {
    const changed = await patch({ mode: 'all', policies: { 'test:read': 'off', 'test:write': 'ask' } })
    expect(policies(changed)).toMatchObject({
      'test:read': 'off by session',
      'test:write': 'ask by session',
      'test:fetch': 'allow by mode',
    })
    const back = await patch({ policies: { 'test:write': null } })
    expect(policies(back)).toMatchObject({ 'test:read': 'off by session', 'test:write': 'allow by agent' })
    expect(back.mode).toBe('all')
    const events = await kit.parts.storage.events(path.split('/')[2]!, 0, 100)
    expect(events.at(-1)).toMatchObject({
      type: 'session.updated',
      by: { kind: 'person', id: 'ann' },
      metadata: { tools: { mode: 'all', policies: { 'test:read': 'off' } } },
    })
  })

  it.each([[{ mode: 'everything' }], [{ policies: { x: 'maybe' } }], [{ tools: {} }]])(
    'TO-25 refuse the change %j',
    async change => {
      expect((await kit.as('ann', 'PATCH', path, change)).status).toBe(400)
    },
  )

  it("TO-24 are nobody else's", async () => {
    expect((await kit.as('bob', 'GET', path)).status).toBe(404)
    expect((await kit.as('bob', 'PATCH', path, { mode: 'all' })).status).toBe(404)
  })

  it('TO-24 include those that the agent runs by itself, and say that nobody governs them', async () => {
    await kit.as('ann', 'POST', path.replace('/tools', '/turns'), { turnId: 't', text: 'go' })
    await expect
      .poll(async () => (await list()).items.at(-1))
      .toMatchObject({
        toolId: 'test:own',
        title: 'My own',
        source: { kind: 'agent', sourceId: 'test' },
        governed: false,
      })
  })
})
