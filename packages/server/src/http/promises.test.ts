import type { UiActionPayload, UiNode } from '@vitrine/genui/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { type Answered, agentThat, type Door, ofType, openDoor, saidIn } from '../door.test.kit.ts'
import { carelessSource } from '../settings/model-source.fixture.ts'

const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Whatever a test has to throw at the server, and what the agent was given. */
let thrown: unknown
let yielded: unknown
const given: { text: string; context: unknown }[] = []
const pressed: unknown[] = []

const PAYLOAD = { type: 'payload', payload: { at: 1 } } satisfies UiActionPayload
const OTHER = { type: 'payload', payload: { at: 2 } } satisfies UiActionPayload
const LONG = { type: 'payload', payload: { text: 'x'.repeat(30_000) } } satisfies UiActionPayload

const agent = agentThat(async function* (
  { text, interaction, context: attached },
  context,
): AsyncGenerator<AgentOutput> {
  given.push({ text, context: attached })
  if (interaction) {
    pressed.push((interaction as { action: unknown }).action)
    return yield say('pressed')
  }
  if (text.startsWith('card')) {
    yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
    const button = (action: UiActionPayload): UiNode => ({ type: 'button', label: 'Press', action })
    const children = [button(PAYLOAD), button(OTHER), button(LONG)]
    yield { type: 'tool.result', toolCallId: 'card', ui: { version: '2.0', root: { type: 'stack', children } } }
  }
  if (text.startsWith('draw')) {
    const root = { id: 'root', type: 'Button', props: { text: 'Go' } }
    await context.surfaces.apply([{ version: 'v0.9', createSurface: { surfaceId: 'form', root } }])
  }
  if (text.startsWith('ask')) {
    await context.ask({ kind: 'approval', title: 'May I?', scope: { key: 'k', label: 'K' } })
    await context.ask({ kind: 'question', title: 'What else?' })
  }
  if (text === 'throw' && context.attempt === 1) throw thrown
  if (text === 'yield') {
    yield say('before')
    yield { type: 'tool.started', partId: 'call', toolCallId: 'c', name: 'tool' }
    yield yielded as AgentOutput
    yield say(' and after')
    return yield { type: 'tool.result', toolCallId: 'c', preview: 'done' }
  }
  if (text === 'plan') {
    for (let step = 0; step < 1_500; step++)
      yield { type: 'plan.delta', steps: [{ id: `${step}`, title: 'Step', status: 'pending' }] }
  }
  yield say(text)
  if (text.endsWith('wait')) await aborted(context.signal)
})

let door: Door
beforeAll(async () => {
  // What people make would come before a scripted agent.
  door = await openDoor([{ ...agent, scripted: false }], {
    limits: { interruptMs: 300 },
    models: carelessSource('http://127.0.0.1:1/v1'),
  })
})
afterAll(() => door.close())

const codeOf = ({ status, json }: Answered) => [status, json.code]

describe('a turn, by HTTP', () => {
  it('P-602 the same turn gets the first answer, at once and after a restart; another text under its id is refused', async () => {
    const id = await door.session()
    const [first, second] = await Promise.all([door.submitTurn(id, 'wait', 't1'), door.submitTurn(id, 'wait', 't1')])
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.json).toEqual(first.json)
    expect(codeOf(await door.submitTurn(id, 'something else', 't1'))).toEqual([409, 'key_reused'])
    expect(codeOf(await door.submitTurn(id, 'next', 't2'))).toEqual([409, 'run_active'])
    await door.call('POST', `/sessions/${id}/interrupt`, {})
    await door.ended(id)
    expect((await door.submitTurn(id, 'wait', 't1')).json).toEqual(first.json)
    await door.restart()
    expect((await door.submitTurn(id, 'wait', 't1')).json).toEqual(first.json)
    expect(ofType(await door.events(id), 'run.started')).toHaveLength(1)
    expect(given.filter(({ text }) => text === 'wait')).toHaveLength(1)
  })
})

describe('a queue, by HTTP', () => {
  const queue = (id: string, turnId: string, text: string, more: object = {}) =>
    door.call('POST', `/sessions/${id}/queue`, { turnId, text, ...more })
  const press = (id: string, key: string, toolCallId: string, action: object) =>
    door.call('POST', `/sessions/${id}/ui-actions`, { key, toolCallId, action })
  const waiting = async (id: string) => (await door.call('GET', `/sessions/${id}/queue`)).json.turns
  const cardOf = (id: string) => door.find(id, events => ofType(events, 'tool.result').at(-1)?.toolCallId ?? undefined)

  it('P-626 turns that are merged reach the agent whole, with what was attached to each', async () => {
    const id = await door.session({ queuePolicy: { mode: 'merge', onFailure: 'hold' } })
    await door.submitTurn(id, 'wait')
    const long = `${'long '.repeat(10_000)}end`
    const attached = (ref: string) => ({ context: [{ kind: 'file', ref }] })
    await queue(id, 't1', long, attached('a'))
    await queue(id, 't2', 'short', attached('b'))
    await door.call('POST', `/sessions/${id}/interrupt`, {})
    await door.ended(id)
    await door.call('PATCH', `/sessions/${id}/queue`, { held: false })
    const events = await door.ended(id, 2)
    expect(given.at(-1)).toEqual({
      text: `${long}\n\nshort`,
      context: [...attached('a').context, ...attached('b').context],
    })
    expect(saidIn(events, ofType(events, 'run.started')[1]!.runId)).toBe(`${long}\n\nshort`)
  })

  it('P-626 a turn that waits and is sent again directly runs once; another text under its id is refused', async () => {
    const id = await door.session()
    await door.call('PATCH', `/sessions/${id}/queue`, { held: true })
    expect((await queue(id, 't', 'once')).status).toBe(202)
    expect(codeOf(await queue(id, 't', 'other'))).toEqual([409, 'key_reused'])
    expect((await door.submitTurn(id, 'once', 't')).status).toBe(202)
    await door.ended(id)
    await door.call('PATCH', `/sessions/${id}/queue`, { held: false })
    await door.still(id)
    expect(await waiting(id)).toEqual([])
    expect(ofType(await door.events(id), 'run.started')).toHaveLength(1)
  })

  it('P-626 what was pressed in a card and not taken up waits in its order, also over a restart, and runs once', async () => {
    const id = await door.session()
    await door.submitTurn(id, 'card wait')
    const toolCallId = await cardOf(id)
    expect((await press(id, 'k1', toolCallId, PAYLOAD)).status).toBe(202)
    expect((await press(id, 'k2', toolCallId, OTHER)).status).toBe(202)
    // Too long to be said to a run that works.
    expect((await press(id, 'k3', toolCallId, LONG)).json).toEqual({ state: 'queued' })
    await door.restart()
    expect(await waiting(id)).toHaveLength(3)
    expect((await press(id, 'k1', toolCallId, PAYLOAD)).status).toBe(202)
    await door.call('PATCH', `/sessions/${id}/queue`, { held: false })
    await door.ended(id, 4)
    expect(pressed).toEqual([PAYLOAD, OTHER, LONG])
  })

  it('P-626 a retry under the id of another run is refused', async () => {
    thrown = new Error('no')
    const id = await door.session()
    const { runId } = (await door.submitTurn(id, 'throw')).json
    await door.ended(id)
    const retry = (newRunId: string) => door.call('POST', `/sessions/${id}/runs/${runId}/retry`, { newRunId })
    expect(codeOf(await retry(runId))).toEqual([409, 'key_reused'])
    expect((await retry('second')).status).toBe(202)
    expect((await retry('second')).json).toEqual({ runId: 'second' })
    expect(ofType(await door.ended(id, 2), 'run.started')).toHaveLength(2)
  })
})

describe('a session, by HTTP', () => {
  const listed = async (id: string) =>
    (await door.call('GET', '/sessions?limit=200')).json.sessions.filter(
      ({ sessionId }: { sessionId: string }) => sessionId === id,
    ).length

  it('P-627 asked for many times at once it is made once, and a task below it too', async () => {
    const many = await Promise.all(
      Array.from({ length: 8 }, () => door.call('POST', '/sessions', { sessionId: 'same' })),
    )
    expect(new Set(many.map(({ status, json }) => `${status} ${json.session.sessionId}`))).toEqual(
      new Set(['201 same']),
    )
    expect(ofType(await door.events('same'), 'session.updated')).toHaveLength(1)
    const task = { sessionId: 'below', parent: { sessionId: 'same', turnId: 't', input: { text: 'work' } } }
    const tasks = await Promise.all(Array.from({ length: 8 }, () => door.call('POST', '/sessions', task)))
    expect(new Set(tasks.map(({ json }) => json.taskId)).size).toBe(1)
    expect(ofType(await door.ended('below'), 'run.started')).toHaveLength(1)
    expect([await listed('same'), await listed('below')]).toEqual([1, 1])
  })

  it('P-627 deleted while it works and is written to, it is gone by every route, and made again it is empty', async () => {
    const id = await door.session({ sessionId: 'gone' })
    const { runId } = (await door.submitTurn(id, 'wait')).json
    const erase = () => door.call('DELETE', `/sessions/${id}?erase=now`)
    const others = await Promise.all([
      erase(),
      ...Array.from({ length: 10 }, (_, at) =>
        door.call('POST', `/sessions/${id}/queue`, { turnId: `q${at}`, text: 'x' }),
      ),
      door.call('POST', `/sessions/${id}/runs/${runId}/steer`, { steerId: 's', text: 'x' }),
      erase(),
    ])
    for (const { status } of others) expect([202, 204, 404, 409, 503]).toContain(status)
    expect(others.filter(({ status }) => status === 204).length).toBeGreaterThan(0)
    for (const path of ['', '/events', '/queue', '/messages'])
      expect([path, (await door.call('GET', `/sessions/${id}${path}`)).status]).toEqual([path, 404])
    expect(await listed(id)).toBe(0)
    await door.session({ sessionId: id })
    const events = await door.events(id)
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([[1, 'session.updated']])
  })
})

describe('an agent that misbehaves, by HTTP', () => {
  const codes = (events: Parameters<typeof ofType>[0]) => ofType(events, 'diagnostic.changed').map(({ code }) => code)
  const cyclic: Record<string, unknown> = { type: 'state.snapshot' }
  cyclic.state = cyclic
  const trap = {
    get type(): never {
      throw new Error('gotcha')
    },
  }

  it.each([
    ['throws an error', () => ({ thrown: new Error('boom') }), 'agent_error', 'boom'],
    ['throws what is no error', () => ({ thrown: { deep: [null] } }), 'agent_error', ''],
    [
      'throws an error that cannot be read',
      () => ({
        thrown: new Proxy(new Error('x'), {
          get() {
            throw new Error('gotcha')
          },
        }),
      }),
      'agent_error',
      '',
    ],
    [
      'breaks the order of events',
      () => ({ yielded: { type: 'tool.result', toolCallId: 'never', preview: 'x' } }),
      'agent_broke_rule',
      '',
    ],
  ])(
    'P-615 one that %s fails its run with a code, what it said stays, and the session and the server go on',
    async (_, make, code, message) => {
      thrown = yielded = undefined
      const made = make() as { thrown?: unknown; yielded?: unknown }
      ;({ thrown, yielded } = { thrown: made.thrown, yielded: made.yielded })
      const id = await door.session()
      const { runId } = (await door.submitTurn(id, 'yielded' in made ? 'yield' : 'throw')).json
      const events = await door.ended(id)
      const failed = ofType(events, 'run.failed').find(event => event.runId === runId)
      expect(failed?.error).toMatchObject({ code, message: expect.stringContaining(message) })
      expect(JSON.stringify(events)).not.toContain('promises.test.ts')
      if ('yielded' in made) expect(saidIn(events, runId)).toBe('before')
      const next = (await door.submitTurn(id, 'still there?')).json
      expect(saidIn(await door.ended(id, 2), next.runId)).toBe('still there?')
      const snapshot = (await door.call('GET', `/sessions/${id}`)).json
      expect(JSON.stringify(snapshot)).toContain(code)
    },
  )

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'hello'],
    ['no type', {}],
    ['a type that every object has', { type: 'constructor' }],
    ['a value in a circle', cyclic],
    ['a getter that throws', trap],
    ['text that is a number', { type: 'text.delta', partId: 'p', delta: 7 }],
    ['an id that is an object', { type: 'text.delta', partId: {}, delta: 'x' }],
    ['a number that is none', { type: 'text.delta', partId: 'p', delta: Number.NaN }],
    ['10 MB in one field', { type: 'diagnostic.changed', diagnosticId: 'd', state: 'open', message: 'x'.repeat(1e7) }],
  ])(
    'P-622 one that yields %s gets a diagnostic, its run completes, and everybody else is served',
    async (_, output) => {
      yielded = output
      const id = await door.session()
      const { runId } = (await door.submitTurn(id, 'yield')).json
      const [events, health] = await Promise.all([door.ended(id), door.call('GET', '/health')])
      expect(health.status).toBe(200)
      expect(ofType(events, 'run.finished')).toMatchObject([{ runId, outcome: 'completed' }])
      expect(saidIn(events, runId)).toBe('before and after')
      expect(codes(events)[0]).toMatch(/^output_/)
      const snapshot = await door.call('GET', `/sessions/${id}`)
      expect(snapshot.json.entities.diagnostics.length).toBeGreaterThan(0)
    },
  )
})

describe('an agent without measure, by HTTP', () => {
  it('P-697 a plan has at most 1,000 steps; the rest is left out with a diagnostic, and the run completes', async () => {
    const id = await door.session()
    await door.submitTurn(id, 'plan')
    const events = await door.ended(id)
    expect(ofType(events, 'run.finished')).toMatchObject([{ outcome: 'completed' }])
    const { plan, diagnostics } = (await door.call('GET', `/sessions/${id}`)).json.entities
    expect(plan.steps).toHaveLength(1_000)
    expect(diagnostics.map(({ code }: { code: string }) => code)).toContain('session_full')
  })
})

describe('Idempotency-Key, by HTTP', () => {
  const forge = async (id: string): Promise<void> => {
    await door.call('PUT', `/providers/of-${id}`, { kind: 'cloud' })
    await door.call('POST', '/agents', {
      agentId: `forge-${id}`,
      name: 'Forge',
      providerId: `of-${id}`,
      modelId: 'large',
    })
  }
  /** For each route that writes: what has to be there first, and the write. */
  const writes: Record<string, (id: string) => Promise<{ path: string; body?: object }>> = {
    'POST /sessions': async () => ({ path: '/sessions', body: { title: 'Only one' } }),
    'PATCH /sessions/{sessionId}': async id => ({ path: `/sessions/${id}`, body: { title: 'Changed' } }),
    'DELETE /sessions/{sessionId}': async id => ({ path: `/sessions/${id}` }),
    'POST /sessions/{sessionId}/restore': async id => {
      await door.call('DELETE', `/sessions/${id}`)
      return { path: `/sessions/${id}/restore`, body: {} }
    },
    'PATCH /sessions/{sessionId}/tools': async id => ({ path: `/sessions/${id}/tools`, body: { mode: 'reads' } }),
    'PUT /providers/{providerId}': async id => ({
      path: `/providers/of-${id}`,
      body: { kind: 'cloud', key: 'sk-one' },
    }),
    'DELETE /providers/{providerId}': async id => {
      await door.call('PUT', `/providers/gone-${id}`, { kind: 'cloud' })
      return { path: `/providers/gone-${id}` }
    },
    'POST /provider-tests': async () => ({ path: '/provider-tests', body: { kind: 'cloud' } }),
    'POST /agents': async id => {
      await door.call('PUT', `/providers/of-${id}`, { kind: 'cloud' })
      return { path: '/agents', body: { name: 'Forge', providerId: `of-${id}`, modelId: 'large' } }
    },
    'PATCH /agents/{agentId}': async id => {
      await forge(id)
      return { path: `/agents/forge-${id}`, body: { name: 'Smith', version: 1 } }
    },
    'DELETE /agents/{agentId}': async id => {
      await forge(id)
      return { path: `/agents/forge-${id}` }
    },
    'PUT /folders/{folderId}': async id => ({ path: `/folders/of-${id}`, body: { name: 'Checkout' } }),
    'DELETE /folders/{folderId}': async id => {
      await door.call('PUT', `/folders/gone-${id}`, { name: 'Checkout' })
      return { path: `/folders/gone-${id}` }
    },
    'PUT /sessions/{sessionId}/read': async id => ({ path: `/sessions/${id}/read`, body: { seq: 1 } }),
    'POST /sessions/{sessionId}/forks': async id => ({ path: `/sessions/${id}/forks`, body: {} }),
    'POST /sessions/{sessionId}/messages/{ordinal}/edit': async id => {
      await door.submitTurn(id, 'hi')
      await door.ended(id)
      return { path: `/sessions/${id}/messages/1/edit`, body: { turnId: 'e', text: 'hello' } }
    },
    'POST /sessions/{sessionId}/messages/{ordinal}/regenerate': async id => {
      await door.submitTurn(id, 'hi')
      await door.ended(id)
      return { path: `/sessions/${id}/messages/2/regenerate`, body: { newRunId: `again-${id}` } }
    },
    'PUT /sessions/{sessionId}/messages/{ordinal}/feedback': async id => {
      await door.submitTurn(id, 'hi')
      await door.ended(id)
      return { path: `/sessions/${id}/messages/2/feedback`, body: { rating: 'up' } }
    },
    'POST /sessions/{sessionId}/turns': async id => ({
      path: `/sessions/${id}/turns`,
      body: { turnId: 't', text: 'hi' },
    }),
    'POST /sessions/{sessionId}/queue': async id => {
      await door.submitTurn(id, 'wait')
      return { path: `/sessions/${id}/queue`, body: { turnId: 'q', text: 'later' } }
    },
    'PATCH /sessions/{sessionId}/queue': async id => ({ path: `/sessions/${id}/queue`, body: { held: true } }),
    'PATCH /sessions/{sessionId}/queue/{turnId}': async id => {
      await door.submitTurn(id, 'wait')
      await door.call('POST', `/sessions/${id}/queue`, { turnId: 'q', text: 'later' })
      return { path: `/sessions/${id}/queue/q`, body: { text: 'much later' } }
    },
    'DELETE /sessions/{sessionId}/queue/{turnId}': async id => {
      await door.submitTurn(id, 'wait')
      await door.call('POST', `/sessions/${id}/queue`, { turnId: 'q', text: 'later' })
      return { path: `/sessions/${id}/queue/q` }
    },
    'POST /sessions/{sessionId}/runs/{runId}/steer': async id => {
      const { runId } = (await door.submitTurn(id, 'wait')).json
      return { path: `/sessions/${id}/runs/${runId}/steer`, body: { steerId: 's', text: 'left' } }
    },
    'POST /sessions/{sessionId}/runs/{runId}/interrupt': async id => {
      const { runId } = (await door.submitTurn(id, 'wait')).json
      return { path: `/sessions/${id}/runs/${runId}/interrupt`, body: {} }
    },
    'POST /sessions/{sessionId}/interrupt': async id => {
      await door.submitTurn(id, 'wait')
      return { path: `/sessions/${id}/interrupt`, body: {} }
    },
    'POST /sessions/{sessionId}/runs/{runId}/retry': async id => {
      thrown = new Error('no')
      const { runId } = (await door.submitTurn(id, 'throw')).json
      await door.ended(id)
      return { path: `/sessions/${id}/runs/${runId}/retry`, body: { newRunId: `again-${id}` } }
    },
    'POST /sessions/{sessionId}/actions/{actionId}/response': async id => {
      await door.submitTurn(id, 'ask')
      const [asked] = await door.find(
        id,
        events => ofType(events, 'action.required').length > 0 && ofType(events, 'action.required'),
      )
      return { path: `/sessions/${id}/actions/${asked!.actionId}/response`, body: { decision: 'approve' } }
    },
    'DELETE /sessions/{sessionId}/permissions/{permissionId}': async id => {
      await door.submitTurn(id, 'ask')
      const [asked] = await door.find(
        id,
        events => ofType(events, 'action.required').length > 0 && ofType(events, 'action.required'),
      )
      await door.call('POST', `/sessions/${id}/actions/${asked!.actionId}/response`, { decision: 'approve-for-scope' })
      const [granted] = ofType(await door.events(id), 'permission.changed')
      return { path: `/sessions/${id}/permissions/${granted!.permissionId}` }
    },
    'POST /sessions/{sessionId}/surfaces/{surfaceId}/actions': async id => {
      await door.submitTurn(id, 'draw')
      await door.ended(id)
      return {
        path: `/sessions/${id}/surfaces/form/actions`,
        body: { key: 'c', componentId: 'root', eventType: 'click' },
      }
    },
    'POST /sessions/{sessionId}/ui-actions': async id => {
      await door.submitTurn(id, 'card')
      const events = await door.ended(id)
      const { toolCallId } = ofType(events, 'tool.result')[0]!
      return { path: `/sessions/${id}/ui-actions`, body: { key: 'c', toolCallId, action: PAYLOAD } }
    },
  }
  const kept: { method: string; path: string; body: object | undefined; key: string; first: Answered }[] = []
  const logOf = (id: string) => door.still(id).catch(() => [])

  it('P-403 knows every route that writes', async () => {
    const { paths } = (await door.call('GET', '/openapi.json')).json as { paths: Record<string, object> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(method => method !== 'get')
        .map(method => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
    )
    // A new token is a secret, and is not kept. An upload has bytes for a body: the tests of files send it twice. Filling a
    // prompt and reading a resource write nothing.
    const reads = ['POST /sessions/{sessionId}/prompts/fill', 'POST /sessions/{sessionId}/resources/read']
    const others = ['POST /token/rotate', 'POST /blobs', ...reads]
    expect(Object.keys(writes).sort()).toEqual(routes.filter(route => !others.includes(route)).sort())
  })

  it.each(Object.keys(writes))('P-403 %s under one key is answered alike and happens once', async route => {
    const id = await door.session()
    const { path, body } = await writes[route]!(id)
    const [method = ''] = route.split(' ')
    const key = `key of ${route}`.replaceAll(' ', '_')
    const write = () => door.call(method, path, body, { 'idempotency-key': key })
    const first = await write()
    expect([200, 201, 202, 204]).toContain(first.status)
    const before = await logOf(id)
    const again = await write()
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      first.status,
      first.text,
      'true',
    ])
    expect(await logOf(id)).toEqual(before)
    if (route === 'POST /sessions') {
      expect((await door.call('GET', '/sessions?q=Only%20one')).json.sessions).toHaveLength(1)
    }
    if (route === 'DELETE /sessions/{sessionId}') {
      // The log of a deleted session says nothing, so the session comes back first. The old request must not hide it again.
      await door.call('POST', `/sessions/${id}/restore`)
      expect((await write()).headers['idempotency-replayed']).toBe('true')
      expect((await door.call('GET', `/sessions/${id}`)).status).toBe(200)
    }
    kept.push({ method, path, body, key, first })
  })

  it('P-403 all of them still get their first answer after a restart', async () => {
    expect(kept).toHaveLength(Object.keys(writes).length)
    await door.restart()
    for (const { method, path, body, key, first } of kept) {
      const again = await door.call(method, path, body, { 'idempotency-key': key })
      expect([method, path, again.status, again.text]).toEqual([method, path, first.status, first.text])
    }
  })
})
