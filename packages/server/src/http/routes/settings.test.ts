import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentInfo, ProviderInfo } from '@vitrine/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { carelessSource, type EchoingProvider, startEchoingProvider } from '../../settings/model-source.fixture.ts'
import { createKit, type Kit } from '../app.test.kit.ts'

const KEY = 'canary-4821-the-right-key'
let provider: EchoingProvider
let kit: Kit
const given = [{ providerId: 'env-cloud', kind: 'cloud', apiKey: KEY }]

/** Each test is that of another person, who has set nothing. */
let me = ''
let people = 0

beforeAll(async () => {
  provider = await startEchoingProvider(KEY)
  kit = await createKit({ models: carelessSource(provider.url, given) })
}, 60_000)
beforeEach(() => {
  me = `local-${++people}`
})
afterAll(async () => {
  await kit.close()
  await provider.close()
})

const read = async (response: Promise<Response>) => {
  const { status, headers } = await response
  const text = await (await response).text()
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
  return { status, headers, text, json: (text === '' ? undefined : JSON.parse(text)) as any }
}
const call = (method: string, path: string, body?: unknown, who = me, headers = {}) =>
  read(kit.as(who, method, path, body, { accept: 'application/json', ...headers }))
const connect = (id = 'mine', body: object = {}, who = me) =>
  call('PUT', `/providers/${id}`, { kind: 'cloud', key: KEY, ...body }, who)
const fields = (errors: { path: string }[]) => errors.map(({ path }) => path)
const listed = async (who = me): Promise<ProviderInfo[]> =>
  (await call('GET', '/providers', undefined, who)).json.providers
const FORGE = { name: 'Forge', providerId: 'mine', modelId: 'large', instructions: 'Be brief.' }

describe('providers', () => {
  it('SE-6 are listed with the kinds that can be connected, and say whether a key is set and from where', async () => {
    await connect('mine', { name: 'My cloud' })
    const { json, text } = await call('GET', '/providers')
    expect(json.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['cloud', 'local', 'fixed'])
    expect(json.providers).toMatchObject([
      { providerId: 'env-cloud', from: 'environment', name: 'Cloud', key: { state: 'set' }, version: 0 },
      { providerId: 'mine', from: 'settings', name: 'My cloud', isLocal: true, key: { state: 'set' }, version: 1 },
    ])
    expect(json.providers[1].key.setAt).toBeGreaterThan(0)
    expect(text).not.toContain('canary')
  })

  it('SE-6 a key stays, is replaced and is taken away', async () => {
    await connect()
    expect((await call('PUT', '/providers/mine', { kind: 'cloud', name: 'Other' })).json.provider).toMatchObject({
      name: 'Other',
      key: { state: 'set' },
      version: 2,
    })
    await connect('mine', { key: `  ${KEY}\n` })
    expect((await call('POST', '/provider-tests', { providerId: 'mine' })).json.ok).toBe(true)
    const { json } = await call('PUT', '/providers/mine', { kind: 'cloud', key: null })
    expect(json.provider).toMatchObject({ name: 'Other', key: { state: 'none' } })
    expect((await call('POST', '/provider-tests', { providerId: 'mine' })).json).toMatchObject({
      ok: false,
      code: 'key_missing',
    })
    expect((await call('DELETE', '/providers/mine')).status).toBe(204)
    expect((await listed()).map(({ providerId }) => providerId)).toEqual(['env-cloud'])
  })

  it('SE-7 what cannot be set is refused by field, and nothing is stored', async () => {
    const wrong: [object, string[]][] = [
      [{ kind: 'nope' }, ['/kind']],
      [{ kind: 'local' }, ['/address']],
      [{ kind: 'local', address: 'ftp://host/', key: 'käse' }, ['/address', '/key']],
      [{ kind: 'local', address: 'http://me:pw@127.0.0.1/v1' }, ['/address']],
      [{ kind: 'local', address: 'http://127.0.0.1/v1?key=x' }, ['/address']],
      [{ kind: 'fixed', address: 'http://127.0.0.1/v1', key: 'x' }, ['/address', '/key']],
    ]
    for (const [body, paths] of wrong) {
      const { status, json } = await call('PUT', '/providers/mine', body)
      expect([status, json.code, fields(json.errors)]).toEqual([422, 'settings_invalid', paths])
    }
    const strict = await call('PUT', '/providers/mine', { kind: 'cloud', apiKey: KEY })
    expect([strict.status, strict.json.path]).toEqual([400, '/apiKey'])
    const many = await call('PUT', '/providers/mine', { kind: 7, key: 8, name: '' })
    expect([many.status, fields(many.json.errors).sort()]).toEqual([400, ['/key', '/kind', '/name']])
    expect(await listed()).toHaveLength(1)
  })

  it('SE-8 a key is never sent to another address than the one that it was entered for', async () => {
    const thief = await startEchoingProvider()
    try {
      await connect()
      const elsewhere = { kind: 'cloud', address: thief.url }
      for (const answer of [
        await call('PUT', '/providers/mine', elsewhere),
        await call('PUT', '/providers/mine', { kind: 'local', address: thief.url }),
        await call('POST', '/provider-tests', { providerId: 'mine', address: thief.url }),
        await call('POST', '/provider-tests', { providerId: 'mine', ...elsewhere }),
        await call('POST', '/provider-tests', { providerId: 'env-cloud', address: thief.url }),
      ]) {
        expect([answer.status, answer.json.code, fields(answer.json.errors)]).toEqual([
          422,
          'settings_invalid',
          ['/key'],
        ])
      }
      expect(thief.keys).toEqual([])
      expect((await call('PUT', '/providers/mine', { ...elsewhere, key: 'another-key' })).status).toBe(200)
      await call('POST', '/provider-tests', { providerId: 'mine' })
      expect(thief.keys).toEqual(['another-key'])
    } finally {
      await thief.close()
    }
  })

  it('SE-8 only who runs the installation names addresses; a public one of a preset is for everybody', async () => {
    const local = { kind: 'local', address: 'http://169.254.169.254/v1', key: null }
    for (const answer of [await connect('mine', local, 'ann'), await call('POST', '/provider-tests', local, 'ann')]) {
      expect([answer.status, answer.json.code, answer.json.path]).toEqual([403, 'not_owner', '/address'])
    }
    const preset = { kind: 'local', address: 'https://public.example.org/v1' }
    expect((await connect('mine', preset, 'ann')).status).toBe(200)
    expect((await connect('mine', {}, 'ann')).status).toBe(200)
  })

  it('SE-9 belong to one person: what is foreign and what is missing get the same answer', async () => {
    await connect()
    for (const path of ['/providers/mine', '/providers/nothing']) {
      const { status, json } = await call('DELETE', path, undefined, 'eve')
      expect([status, json.code, json.detail]).toEqual([404, 'provider_not_found', 'There is no such provider.'])
    }
    for (const providerId of ['mine', 'nothing']) {
      const { status, json } = await call('POST', '/provider-tests', { providerId }, 'eve')
      expect([status, json.code]).toEqual([404, 'provider_not_found'])
    }
    expect((await listed('eve')).map(({ providerId }) => providerId)).toEqual(['env-cloud'])
    expect((await connect('mine', { name: "Eve's" }, 'eve')).json.provider).toMatchObject({ name: "Eve's", version: 1 })
    expect((await listed()).at(-1)).toMatchObject({ providerId: 'mine', name: 'Cloud' })
  })

  it('SE-9 those of the environment cannot be changed, and changes of an old version are refused', async () => {
    for (const answer of [await connect('env-cloud'), await call('DELETE', '/providers/env-cloud')]) {
      expect([answer.status, answer.json.code]).toEqual([422, 'provider_fixed'])
    }
    await connect()
    await connect('mine', { version: 1 })
    const { status, json } = await connect('mine', { version: 1 })
    expect([status, json.code]).toEqual([409, 'settings_changed'])
    const both = await Promise.all([connect('mine', { version: 2 }), connect('mine', { version: 2 })])
    expect(both.map(answer => answer.status).sort()).toEqual([200, 409])
  })

  it('SE-9 a guest has no settings, and sees the agents of the program', async () => {
    const guest = createKit({ models: carelessSource(provider.url, given), kind: 'guest' })
    const other = await guest
    try {
      for (const [method, path, body] of [
        ['GET', '/providers'],
        ['PUT', '/providers/x', { kind: 'cloud' }],
        ['POST', '/provider-tests', { kind: 'cloud' }],
        ['GET', '/models'],
        ['POST', '/agents', FORGE],
      ] as const) {
        const { status, json } = await read(other.as('gus', method, path, body))
        expect([path, status, json.code]).toEqual([path, 403, 'not_owner'])
      }
      const { json } = await read(other.as('gus', 'GET', '/agents'))
      expect(json.agents.map(({ agentId }: AgentInfo) => agentId)).toEqual(['echo'])
    } finally {
      await other.close()
    }
  })
})

describe('the test of a provider', () => {
  it('SE-10 says what came of it with the models, and is kept for a connected provider', async () => {
    await connect()
    const { status, json } = await call('POST', '/provider-tests', { providerId: 'mine' })
    expect([status, json]).toMatchObject([
      200,
      { ok: true, message: 'It works.', models: [{ modelId: 'small' }, { modelId: 'large' }] },
    ])
    const [, mine] = await listed()
    expect(mine!.lastTest).toMatchObject({ ok: true, at: json.at, ms: json.ms })
    await connect('mine', { key: 'canary-4821-another-key' })
    expect((await listed())[1]!.lastTest).toBeUndefined()
    const unsaved = await call('POST', '/provider-tests', { kind: 'cloud', key: KEY })
    expect(unsaved.json.ok).toBe(true)
    expect((await listed())[1]!.lastTest).toBeUndefined()
  })

  it('SE-5 SE-10 repeats no piece of the key that the provider repeats', async () => {
    const { text, json } = await call('POST', '/provider-tests', { kind: 'cloud', key: 'canary-4821-a-wrong-key' })
    expect(json).toMatchObject({
      ok: false,
      code: 'key_refused',
      message: expect.stringContaining('Incorrect API key'),
    })
    expect(text).not.toMatch(/canary|wrong-key|4821/)
    expect(text).not.toContain(btoa('canary-4821-a-wrong-key'))
  })

  it('SE-10 one that does not answer is told, and the server goes on', async () => {
    const gone = await startEchoingProvider()
    await gone.close()
    const { status, json } = await call('POST', '/provider-tests', { kind: 'local', address: gone.url })
    expect([status, json.ok, json.code]).toEqual([200, false, 'provider_failed'])
  })

  it('SE-11 the models of all providers are listed with what is known, and who did not list any', async () => {
    await connect('mine')
    await connect('bad', { key: 'canary-4821-a-wrong-key' })
    const { json, text } = await call('GET', '/models')
    const large = { modelId: 'large', name: 'Large', contextTokens: 1_000 }
    expect(json.models.map(({ providerId, modelId }: Record<string, string>) => `${providerId} ${modelId}`)).toEqual([
      'env-cloud small',
      'env-cloud large',
      'mine small',
      'mine large',
    ])
    expect(json.models[0]).not.toHaveProperty('contextTokens')
    expect(large.modelId).toBe(json.models[3].modelId)
    expect(json.problems).toMatchObject([{ providerId: 'bad', code: 'key_refused' }])
    expect(text).not.toContain('canary')
    const asked = provider.keys.length
    await call('GET', '/models')
    expect(provider.keys.length).toBe(asked)
    await call('GET', '/models?fresh=true')
    expect(provider.keys.length).toBe(asked + 3)
    await connect('mine', { key: 'canary-4821-a-wrong-key' })
    expect((await call('GET', '/models')).json.problems).toHaveLength(2)
  })
})

describe('the key file', () => {
  const file = () => join(kit.folder, 'settings.key')

  it('SE-4 when it is lost the keys count as lost, the agent says so, and a key that is entered again works', async () => {
    await connect()
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    await rm(file())
    expect((await listed())[1]).toMatchObject({ key: { state: 'lost' } })
    expect((await call('POST', '/provider-tests', { providerId: 'mine' })).json).toMatchObject({
      ok: false,
      code: 'key_lost',
    })
    expect((await call('GET', '/models')).json.problems).toMatchObject([{ providerId: 'mine', code: 'key_lost' }])
    expect((await call('GET', '/agents/forge')).json.agent.problem).toMatchObject({ code: 'key_lost' })
    await connect()
    expect((await call('POST', '/provider-tests', { providerId: 'mine' })).json.ok).toBe(true)
    expect((await call('GET', '/agents/forge')).json.agent).not.toHaveProperty('problem')
  })

  it('SE-4 when it is damaged no key is stored, everything else works, and it is told above the list', async () => {
    await connect()
    const before = await readFile(file())
    await writeFile(file(), 'rubbish')
    const { status, json } = await connect('other')
    expect([status, json.code, json.path]).toEqual([503, 'keys_unavailable', '/key'])
    expect(json.detail).toMatch(/damaged/)
    expect((await call('GET', '/providers')).json).toMatchObject({ keyProblem: expect.stringMatching(/damaged/) })
    expect(JSON.stringify((await call('GET', '/providers')).json)).not.toContain(kit.folder)
    expect((await call('PUT', '/providers/plain', { kind: 'local', address: provider.url })).status).toBe(200)
    expect((await call('POST', '/provider-tests', { providerId: 'env-cloud' })).json.ok).toBe(true)
    await writeFile(file(), before)
    expect((await listed())[1]).toMatchObject({ key: { state: 'set' } })
  })
})

describe('agents that people make', () => {
  const agents = async (who = me): Promise<AgentInfo[]> => (await call('GET', '/agents', undefined, who)).json.agents
  const answerOf = async (sessionId: string, text = 'hi'): Promise<string> => {
    const sent = await call('POST', `/sessions/${sessionId}/turns`, { turnId: `${Math.random()}`, text })
    if (sent.status !== 202) return sent.json.code
    return said(sessionId, sent.json.runId)
  }
  const said = async (sessionId: string, runId: string): Promise<string> => {
    for (;;) {
      const { json } = await call('GET', `/sessions/${sessionId}/events?limit=1000`)
      const events = json.events.filter((event: { runId?: string }) => event.runId === runId)
      const end = events.find(({ type }: { type: string }) => type === 'run.finished' || type === 'run.failed')
      if (end?.type === 'run.failed') return end.error.code
      if (end) return events.map(({ delta = '' }: { delta?: string }) => delta).join('')
      await sleep(20)
    }
  }
  const session = async (agentId?: string) =>
    (await call('POST', '/sessions', agentId === undefined ? {} : { agentId })).json.session.sessionId as string

  beforeEach(async () => {
    await connect()
  })

  it('SE-12 are made, listed with their model, changed, copied and deleted', async () => {
    const made = await call('POST', '/agents', {
      ...FORGE,
      suggestedActions: ['Test it'],
      avatar: { icon: 'hammer', colour: 'blue' },
    })
    expect([made.status, made.json.config]).toEqual([
      201,
      {
        ...FORGE,
        description: '',
        avatar: { icon: 'hammer', colour: 'blue' },
        effort: null,
        temperature: null,
        maxSteps: null,
        greeting: '',
        suggestedActions: ['Test it'],
        tools: {},
        voice: null,
      },
    ])
    const { agentId } = made.json.agent
    expect(await agents()).toMatchObject([
      {
        agentId,
        name: 'Forge',
        madeBy: 'person',
        editable: true,
        scripted: false,
        model: { providerId: 'mine', providerName: 'Cloud', modelId: 'large', name: 'Large', contextTokens: 1_000 },
        suggestedActions: ['Test it'],
      },
      { agentId: 'echo', madeBy: 'program', editable: false },
    ])
    const changed = await call('PATCH', `/agents/${agentId}`, {
      effort: 'high',
      tools: { 'files:write': 'off' },
      version: 1,
    })
    expect(changed.json).toMatchObject({
      version: 2,
      config: { ...FORGE, effort: 'high', tools: { 'files:write': 'off' } },
    })
    const copy = await call('POST', '/agents', { ...changed.json.config, name: 'Forge again' })
    expect(copy.json.config).toEqual({ ...changed.json.config, name: 'Forge again' })
    expect((await call('GET', `/agents/${copy.json.agent.agentId}`)).json).toEqual(copy.json)
    expect((await call('DELETE', `/agents/${agentId}`)).status).toBe(204)
    expect((await agents()).map(({ name }) => name)).toEqual(['Forge again', 'Echo'])
  })

  it('SE-7 SE-12 what cannot be set is refused by field', async () => {
    const { status, json } = await call('POST', '/agents', { ...FORGE, providerId: 'gone', effort: 'wild' })
    expect([status, json.code, fields(json.errors)]).toEqual([422, 'settings_invalid', ['/providerId', '/effort']])
    const effort = await call('POST', '/agents', { ...FORGE, effort: 'medium' })
    expect(effort.json.errors).toMatchObject([{ path: '/effort', detail: expect.stringContaining('low, high') }])
    const shape = await call('POST', '/agents', { name: ' ', providerId: 'mine', modelId: '', maxSteps: 0 })
    expect([shape.status, fields(shape.json.errors).sort()]).toEqual([400, ['/maxSteps', '/modelId', '/name']])
    expect((await call('POST', '/agents', { ...FORGE, key: KEY })).json.path).toBe('/key')
    const taken = await call('POST', '/agents', { ...FORGE, agentId: 'echo' })
    expect([taken.status, fields(taken.json.errors)]).toEqual([422, ['/agentId']])
    expect(await agents()).toHaveLength(1)
  })

  it('SE-9 SE-12 belong to one person, and those of the program cannot be changed', async () => {
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    expect((await agents('ann')).map(({ agentId }) => agentId)).toEqual(['echo'])
    for (const path of ['/agents/forge', '/agents/nothing']) {
      for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
        const { status, json } = await call(method, path, body, 'ann')
        expect([method, status, json.code, json.detail]).toEqual([method, 404, 'not_found', 'There is no such agent.'])
      }
    }
    const foreign = await call('POST', '/sessions', { agentId: 'forge' }, 'ann')
    expect([foreign.status, foreign.json.code]).toEqual([422, 'agent_not_found'])
    const { json } = await call('GET', '/agents/echo')
    expect(json).toMatchObject({ agent: { agentId: 'echo', editable: false } })
    expect(json).not.toHaveProperty('config')
    for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      expect((await call(method, '/agents/echo', body)).json.code).toBe('agent_fixed')
    }
  })

  it('SE-13 a session works with one, a change counts for the next run, and the run that goes on keeps what it began with', async () => {
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    const id = await session('forge')
    expect(await answerOf(id)).toBe('large (Be brief.) begins. large (Be brief.) ends.')
    const { json: waiting } = await call('POST', `/sessions/${id}/turns`, { turnId: 'w', text: 'wait' })
    await call('PATCH', '/agents/forge', { instructions: 'Be long.', modelId: 'small' })
    await call('DELETE', '/agents/forge')
    await call('POST', `/sessions/${id}/runs/${waiting.runId}/steer`, { steerId: 's', text: 'go on' })
    expect(await said(id, waiting.runId)).toBe('large (Be brief.) begins. large (Be brief.) ends.')
    expect(await answerOf(id)).toBe('agent_unavailable')
    await call('POST', '/agents', { ...FORGE, agentId: 'forge', instructions: 'Be back.' })
    expect(await answerOf(id)).toBe('large (Be brief.) begins. large (Be brief.) ends.'.replaceAll('brief', 'back'))
    await call('PATCH', '/agents/forge', { modelId: 'small' })
    expect(await answerOf(id)).toContain('small (Be back.)')
  })

  it('SE-13 a new key counts for the next run, and what is missing is said by the run and by the list', async () => {
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    const id = await session('forge')
    await connect('mine', { key: 'canary-4821-a-wrong-key' })
    expect(await answerOf(id)).toBe('key_invalid')
    await call('POST', '/provider-tests', { providerId: 'mine' })
    expect((await agents())[0]).toMatchObject({ problem: { code: 'key_refused' } })
    await connect('mine', { key: null })
    expect(await answerOf(id)).toBe('key_missing')
    expect((await agents())[0]).toMatchObject({ problem: { code: 'key_missing' } })
    await call('DELETE', '/providers/mine')
    expect(await answerOf(id)).toBe('provider_missing')
    expect((await agents())[0]).toMatchObject({ problem: { code: 'provider_missing' } })
    await connect()
    expect(await answerOf(id)).toContain('ends.')
  })

  it('SE-13 the first one that a person made is what a new session gets instead of a scripted one', async () => {
    expect((await call('GET', `/sessions/${await session()}`)).json.entities.session.agentId.value).toBe('echo')
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    expect((await call('GET', `/sessions/${await session()}`)).json.entities.session.agentId.value).toBe('forge')
  })

  it('SE-14 the policies of an agent count for its tools before the mode and below the choice in the session', async () => {
    const tools = { 'runtime:ask': 'off' }
    await call('POST', '/agents', { ...FORGE, agentId: 'forge', tools })
    const id = await session('forge')
    const policy = async () => {
      const { json } = await call('GET', `/sessions/${id}/tools`)
      const { policy, policyFrom } = json.items.find(({ toolId }: { toolId: string }) => toolId === 'runtime:ask')
      return [policy, policyFrom]
    }
    expect(await policy()).toEqual(['off', 'agent'])
    await call('PATCH', `/sessions/${id}/tools`, { policies: { 'runtime:ask': 'allow' } })
    expect(await policy()).toEqual(['allow', 'session'])
  })

  it('SE-15 everything is there after a restart, and a server without models says why they do not answer', async () => {
    await call('POST', '/agents', { ...FORGE, agentId: 'forge' })
    const id = await session('forge')
    const { folder } = kit
    await kit.close({ keep: true })
    kit = await createKit({ folder, models: carelessSource(provider.url) })
    expect((await listed()).map(({ providerId, key }) => [providerId, key.state])).toEqual([['mine', 'set']])
    expect(await answerOf(id)).toContain('ends.')
    await kit.close({ keep: true })
    kit = await createKit({ folder })
    expect((await call('GET', '/providers')).json).toMatchObject({ kinds: [], providers: [{ providerId: 'mine' }] })
    expect((await agents())[0]).toMatchObject({ agentId: 'forge', problem: { code: 'models_unavailable' } })
    expect(await answerOf(id)).toBe('agent_unavailable')
    expect((await call('PUT', '/providers/x', { kind: 'cloud' })).json.code).toBe('settings_invalid')
  })
})
