import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { scripted } from '../runtime/harness.fixture.ts'
import { createKit, framesOf, type Kit } from './app.test.kit.ts'

/** Draws a surface, stores a blob, remembers a permission and then waits for an answer: one of each kind of thing. */
const busy = scripted(async function* (input, context): AsyncGenerator<AgentOutput> {
  if (input.text !== 'work') return
  const { ref } = await context.store({ text: 'secret '.repeat(5_000), mediaType: 'text/plain' })
  yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'read' }
  yield { type: 'tool.result', toolCallId: 'c', preview: 'secret', ...(ref && { ref }) }
  await context.surfaces.apply([
    {
      version: 'v0.9',
      createSurface: { surfaceId: 'form', root: { id: 'root', type: 'Button', props: { text: 'Go' } } },
    },
  ])
  await context.ask({ kind: 'approval', title: 'first', scope: { key: 'k', label: 'K' } })
  await context.ask({ kind: 'approval', title: 'second' })
})

interface Route {
  method: string
  path: string
  body: unknown
}

describe('several people', () => {
  let kit: Kit
  let routes: Route[]
  let ids: Record<string, string>

  const json = async <T>(who: string, method: string, path: string, body?: unknown): Promise<T> => {
    const response = await kit.as(who, method, path, body, { accept: 'application/json' })
    expect([path, response.status < 300 && response.status >= 200]).toEqual([path, true])
    return (await response.json()) as T
  }
  type Snapshot = { seq: number; entities: Record<string, Record<string, unknown>[]> }
  const snapshot = () => json<Snapshot>('ann', 'GET', `/sessions/${ids.sessionId}`)
  const until = async (ready: (state: Snapshot) => boolean): Promise<Snapshot> => {
    for (;;) {
      const state = await snapshot()
      if (ready(state)) return state
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  beforeAll(async () => {
    kit = await createKit({ agents: [busy] })
    const { session } = await json<{ session: { sessionId: string } }>('ann', 'POST', '/sessions', { title: 'Private' })
    ids = { sessionId: session.sessionId }
    await json('ann', 'POST', `/sessions/${ids.sessionId}/turns`, { turnId: 't0', text: 'secret' })
    await until(({ entities }) => entities.runs!.some(({ outcome }) => outcome === 'completed'))
    // An edited message has an earlier version.
    await json('ann', 'POST', `/sessions/${ids.sessionId}/messages/1/edit`, { turnId: 't1', text: 'work' })
    const pending = (state: Snapshot, title: string) =>
      state.entities.actions!.find(
        ({ state: is, request }) => is === 'pending' && (request as { title: string }).title === title,
      )
    const first = await until(state => pending(state, 'first') !== undefined)
    const actionId = pending(first, 'first')!.actionId
    await json('ann', 'POST', `/sessions/${ids.sessionId}/actions/${actionId}/response`, {
      decision: 'approve-for-scope',
    })
    const state = await until(now => pending(now, 'second') !== undefined)
    await json('ann', 'POST', `/sessions/${ids.sessionId}/queue`, { turnId: 't2', text: 'later' })
    await json('ann', 'PUT', '/folders/fol_1', { name: 'Private' })
    const tool = state.entities.tools![0] as { toolCallId: string; result: { value: { ref: { digest: string } } } }
    Object.assign(ids, {
      runId: state.entities.runs![0]!.runId,
      turnId: 't2',
      actionId: pending(state, 'second')!.actionId,
      permissionId: state.entities.permissions![0]!.permissionId,
      surfaceId: 'form',
      messageId: state.entities.messages![0]!.messageId,
      digest: tool.result.value.ref.digest,
      ordinal: `${state.entities.messages![0]!.ordinal}`,
      rewindId: state.entities.rewinds![0]!.rewindId,
      folderId: 'fol_1',
    })

    type Document = {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>
    }
    const { paths } = await json<Document>('ann', 'GET', '/openapi.json')
    routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path: path.replace(/^\/api/, ''),
        body: Object.values(requestBody?.content ?? {})[0]?.example,
      })),
    )
  })
  afterAll(() => kit.close())

  const filled = (path: string, values: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

  it('A03 P-440 the routes that name something are all tried, each with ids that are really there', () => {
    const named = routes.filter(({ path }) => path.includes('{'))
    expect(named.length).toBeGreaterThan(15)
    const unknown = new Set(
      named.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name! in ids ? [] : [name]))),
    )
    // Providers and agents that people have set are tried in routes/settings.test.ts (SE-9). A sandbox and a schema are
    // nobody's: everybody may read them.
    expect([...unknown].sort()).toEqual(['agentId', 'file', 'name', 'providerId'])
  })

  it('A03 A14 P-440 nobody sees or changes what is another person’s, by any route: it is as if it were not there', async () => {
    const before = await snapshot()
    const missing = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, name === 'digest' ? '0'.repeat(64) : `${id}-not`]),
    )
    for (const { method, path, body } of routes) {
      if (!path.includes('{sessionId}')) continue
      const accept = { accept: 'application/json' }
      const foreign = await kit.as('eve', method, filled(path, ids), body, accept)
      const nothing = await kit.as('eve', method, filled(path, { ...missing }), body, accept)
      const [seen, unseen] = [await foreign.text(), await nothing.text()]
      expect([method, path, foreign.status, seen]).toEqual([method, path, nothing.status, unseen])
      expect([method, path, foreign.status]).toEqual([method, path, 404])
      expect(seen).not.toMatch(/Private|secret/)
    }
    const after = await snapshot()
    expect(after.seq).toBe(before.seq)
  })

  it('A03 P-440 routes without a name tell a person only of their own things', async () => {
    const list = await json<{ sessions: unknown[] }>('eve', 'GET', '/sessions')
    expect(list.sessions).toEqual([])
    const search = await json<{ sessions: unknown[] }>('eve', 'GET', '/sessions?q=Private')
    expect(search.sessions).toEqual([])
    const parent = { sessionId: ids.sessionId, input: { text: 'x' }, turnId: 'x' }
    const task = await kit.as('eve', 'POST', '/sessions', { parent })
    expect(task.status).toBe(404)
    const taken = await kit.as('eve', 'POST', '/sessions', { sessionId: ids.sessionId })
    expect(taken.status).toBe(404)
  })

  it('A03 P-440 streams tell a person nothing of another’s session, also while it works', async () => {
    const stream = await kit.as('eve', 'GET', `/stream?list=1&s=${ids.sessionId}:0`)
    const frames = framesOf(stream)
    const seen: string[] = []
    const reading = (async () => {
      for await (const frame of frames) seen.push(JSON.stringify(frame))
    })()
    await json('ann', 'POST', `/sessions/${ids.sessionId}/queue`, { turnId: 't3', text: 'more secret' })
    await json('ann', 'PATCH', `/sessions/${ids.sessionId}`, { title: 'Private 2' })
    const { session } = await json<{ session: { sessionId: string } }>('eve', 'POST', '/sessions', { title: 'Own' })
    await expect.poll(() => seen.some(frame => frame.includes(session.sessionId))).toBe(true)
    const gone = seen.map(frame => JSON.parse(frame) as { event: string; data: { code?: string } })
    expect(gone.find(({ event }) => event === 'gone')?.data).toEqual({
      sessionId: ids.sessionId,
      code: 'session_not_found',
    })
    expect(seen.join()).not.toMatch(/Private|secret/)
    kit.parts.streams.close()
    await reading.catch(() => {})
  })

  it('P-440 the log says who did what', async () => {
    const { events } = await json<{ events: { type: string; by?: { id: string; kind: string } }[] }>(
      'ann',
      'GET',
      `/sessions/${ids.sessionId}/events`,
    )
    const by = (type: string) => [...new Set(events.filter(event => event.type === type).map(event => event.by?.id))]
    for (const type of ['run.started', 'action.resolved', 'queue.changed', 'permission.changed', 'session.updated']) {
      expect([type, by(type)]).toEqual([type, ['ann']])
    }
    expect(by('text.delta')).toEqual([])
  })
})
