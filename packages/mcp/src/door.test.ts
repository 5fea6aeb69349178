import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import { type Agent, type RunningServer, startServer } from '@vitrine/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMcpServers, type McpServers } from './mcp-servers.ts'
import { everything, hostile } from './servers.test.kit.ts'

const CANARY = 'canary-55b1-door-secret'

/** Calls the tool whose name is the turn, with the arguments behind it. */
const agent: Agent = {
  agentId: 'caller',
  async *run({ text }, { tools }) {
    const [name, ...rest] = text.split(' ')
    const tool = tools.find(one => one.name === name)
    const answer = tool ? await tool.call(JSON.parse(rest.join(' ') || '{}')) : 'no such tool'
    yield { type: 'text.delta', partId: 'said', delta: JSON.stringify(answer) }
  },
}

let folder: string
let mcp: McpServers
let server: RunningServer
let headers: Record<string, string>
const logged: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-mcp-door-'))
  const log = (line: string, error: unknown): void => void logged.push(`${line} ${error}`)
  const secret = hostile().transport as object
  const servers = [
    everything({ trusted: true }),
    hostile([], { transport: { ...secret, env: { CANARY_TOKEN: CANARY } } as never, policies: { env: 'allow' } }),
  ]
  mcp = createMcpServers({ servers, log, limits: { backoffMs: 20 } })
  server = await startServer({ dataFolder: folder, port: 0, agents: [agent], tools: () => mcp.sources(), log })
  headers = {
    authorization: `Bearer ${new URL(server.url).searchParams.get('token')}`,
    'content-type': 'application/json',
    accept: 'application/json',
  }
  await until(async () => mcp.list().every(({ health }) => health.state === 'ready'))
}, 60_000)
afterAll(async () => {
  await server.close()
  await mcp.close()
  await rm(folder, { recursive: true, force: true })
})

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (tries > 1_500) throw new Error(`It never came: ${JSON.stringify(mcp.list())}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
async function api(method: string, path: string, body?: object): Promise<any> {
  const url = `${new URL(server.url).origin}/api${path}`
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return response.status === 204 ? undefined : response.json()
}
const newSession = async (): Promise<string> => (await api('POST', '/sessions', {})).session.sessionId
const eventsOf = async (id: string): Promise<SessionEvent[]> =>
  (await api('GET', `/sessions/${id}/events?after=0`)).events
const submit = (id: string, text: string): Promise<void> =>
  api('POST', `/sessions/${id}/turns`, { turnId: `t-${Math.random()}`, text })
const ended = (id: string): Promise<SessionEvent[]> =>
  until(async () => {
    const events = await eventsOf(id)
    return events.some(({ type }) => type === 'run.finished' || type === 'run.failed') && events
  })
const find = <T extends SessionEvent['type']>(events: SessionEvent[], type: T) =>
  events.find((event): event is Extract<SessionEvent, { type: T }> => event.type === type)

describe('MCP servers through the door of the server', () => {
  it('MC-4 a call of a trusted tool that reads runs at once, and its facts are in the log', async () => {
    const id = await newSession()
    await submit(id, 'get-structured-content {"location": "Chicago"}')
    const events = await ended(id)
    expect(find(events, 'tool.started')).toMatchObject({ name: 'get-structured-content', executor: 'runtime' })
    expect(events.find(event => event.type === 'tool.progress' && event.by)).toMatchObject({ by: { kind: 'policy' } })
    expect(find(events, 'tool.result')).toMatchObject({ structured: { temperature: expect.any(Number) } })
  })

  it('MC-4 a call of a tool of a stranger asks first, and runs when a person has allowed it', async () => {
    const id = await newSession()
    await submit(id, 'fine {"n": 1}')
    const asked = await until(async () => find(await eventsOf(id), 'action.required'))
    expect(asked.request).toMatchObject({ kind: 'approval', risk: 'high', args: { n: 1 } })
    expect((await eventsOf(id)).some(({ type }) => type === 'tool.result')).toBe(false)
    await api('POST', `/sessions/${id}/actions/${encodeURIComponent(asked.actionId)}/response`, { decision: 'approve' })
    const events = await ended(id)
    expect(find(events, 'tool.result')).toMatchObject({ preview: 'fine {"n":1}' })
  })

  it('MC-9 a question of a server is a form in the session, and its answer reaches the server', async () => {
    const id = await newSession()
    await api('PATCH', `/sessions/${id}/tools`, { policies: { 'mcp.hostile:ask': 'allow' } })
    // The runtime has a tool of this name, so this one is called after its source.
    await submit(id, 'mcp_hostile_ask')
    const asked = await until(async () => find(await eventsOf(id), 'action.required'))
    expect(asked.request).toMatchObject({ kind: 'form', title: 'Hostile asks: Who are you?' })
    const response = { decision: 'answer', value: { who: 'Ada', size: 's' } }
    await api('POST', `/sessions/${id}/actions/${encodeURIComponent(asked.actionId)}/response`, response)
    const { preview } = find(await ended(id), 'tool.result')!
    expect(preview).toContain('"who":"Ada"')
  })

  it('MC-12 a server that dies in a call fails the call in the log, and the next turn works', async () => {
    const id = await newSession()
    await api('PATCH', `/sessions/${id}/tools`, { mode: 'all' })
    await submit(id, 'die')
    const { error } = find(await ended(id), 'tool.failed')!
    expect(error).toMatchObject({ code: 'tool_failed', message: expect.stringContaining('Hostile is gone') })
    await submit(id, 'fine')
    await until(async () => find(await eventsOf(id), 'tool.result'))
  })

  it('MC-22 secrets of a configuration are in no event, answer and log', async () => {
    const id = await newSession()
    await submit(id, 'env')
    const events = await ended(id)
    const result = find(events, 'tool.result')!
    expect(JSON.stringify(result)).toContain('CANARY_TOKEN')
    const tools = await api('GET', `/sessions/${id}/tools`)
    expect(tools.items.find(({ toolId }: { toolId: string }) => toolId === 'mcp.hostile:env')).toMatchObject({
      policy: 'allow',
      policyFrom: 'source',
      source: { kind: 'mcp', health: { state: 'ready' } },
    })
    expect(JSON.stringify([events, tools, logged, mcp.list()])).not.toContain(CANARY)
  })

  it('MC-26 MC-27 prompts and resources are listed, filled and read', async () => {
    const id = await newSession()
    const { items } = await api('GET', `/sessions/${id}/prompts`)
    expect(items.map(({ name }: { name: string }) => name)).toContain('args-prompt')
    const filled = { sourceId: 'mcp.everything', name: 'args-prompt', arguments: { city: 'Bern' } }
    expect((await api('POST', `/sessions/${id}/prompts/fill`, filled)).messages).toEqual([
      { role: 'user', text: "What's weather in Bern?" },
    ])
    const { templates } = await api('GET', `/sessions/${id}/resources`)
    expect(templates.length).toBeGreaterThan(0)
    const wanted = { sourceId: 'mcp.everything', uri: 'demo://resource/dynamic/text/5' }
    const read = await api('POST', `/sessions/${id}/resources/read`, wanted)
    expect(read.contents[0].text).toContain('Resource 5')
  })
})
