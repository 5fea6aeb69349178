import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Keys that must never be in a byte that the server sends or stores, in any form. */
const keys = {
  environment: 'canary-environment-key-4821',
  first: 'canary-first-key-4821',
  second: 'canary-second-key-4821',
  tested: 'canary-tested-key-4821',
  refused: 'canary-refused-key-4821',
  misplaced: 'canary-misplaced-key-4821',
  broken: 'canary-broken-json-key-4821',
  odd: 'canary-odd key-4821',
}
const formsOf = (key: string): string[] => [
  key,
  // A provider may repeat a part of a key.
  key.slice(0, -5),
  key.slice(4),
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').replace(/=+$/, ''),
  Buffer.from(key).toString('hex'),
]

type Mode = 'list' | 'refuse' | 'malformed' | 'fail' | 'cut' | 'stream-error' | 'redirect' | 'html'

/** A provider that repeats the key wherever it can, in the way that the test wants. */
async function startRepeating(): Promise<{ server: Server; url: string; mode: { is: Mode }; seen: Set<string> }> {
  const mode: { is: Mode } = { is: 'list' }
  const seen = new Set<string>()
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { authorization, 'x-api-key': other } = request.headers
    const key = String(other ?? authorization?.replace('Bearer ', '') ?? 'none')
    seen.add(key)
    const said = `The key ${key} (${Buffer.from(key).toString('base64')}, ...${key.slice(-14)}) of ${encodeURIComponent(key)}`
    const json = (status: number, value: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-key': key, ...headers })
      response.end(JSON.stringify(value))
    }
    const error = { type: 'error', error: { type: 'odd', message: said, code: key } }
    switch (mode.is) {
      case 'list':
        return json(200, {
          data: [
            { id: 'good', type: 'model' },
            { id: key, type: 'model', display_name: said },
          ],
        })
      case 'refuse':
        return json(401, error, { 'www-authenticate': key })
      case 'malformed':
        return json(400, error)
      case 'fail':
        return json(500, error, { 'retry-after-ms': '1' })
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html' })
        return response.end(`<p>${said}`)
      case 'redirect':
        return json(307, error, { location: `http://127.0.0.1:1/?key=${key}` })
      case 'cut':
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`event: message_start\ndata: {"type":"message_start","oops":"${key}`)
        return response.destroy()
      case 'stream-error':
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, mode, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

describe('L10 SE-22 no key leaves the server', { timeout: 120_000 }, () => {
  let folder: string
  let child: ChildProcess
  let url: URL
  let logged = ''
  let provider: Awaited<ReturnType<typeof startRepeating>>
  let streams: AbortController
  let reading: Promise<unknown> = Promise.resolve()
  const sent: string[] = []
  let puts = 0

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, url.origin), {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${url.searchParams.get('token')}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    sent.push(JSON.stringify([...response.headers]), text)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
    let json: any
    if (response.headers.get('content-type')?.includes('json')) json = JSON.parse(text)
    return { status: response.status, json }
  }
  async function follow(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
    try {
      const response = await fetch(new URL(path, url.origin), { headers, signal: streams.signal })
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) sent.push(chunk)
    } catch {
      // The test has ended the stream.
    }
  }
  async function start(): Promise<void> {
    const flags = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
    const main = join(import.meta.dirname, 'main.ts')
    const given = ['start', '--port', '0', '--data', 'data', '--model', 'openai:gpt-5-mini']
    child = spawn(process.execPath, [...flags, main, ...given], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: { ...process.env, OPENAI_API_KEY: keys.environment, OPENAI_BASE_URL: provider.url },
    })
    let written = ''
    child.stdout!.setEncoding('utf8').on('data', text => {
      written += text
      logged += text
    })
    child.stderr!.setEncoding('utf8').on('data', text => {
      logged += text
    })
    while (!/http:\S+\n/.test(written)) await once(child.stdout!, 'data')
    url = new URL(/http:\S+/.exec(written)![0])
  }
  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const files = () =>
    readdirSync(folder, { recursive: true })
      .map(name => join(folder, String(name)))
      .filter(file => statSync(file).isFile())
  const turn = async (sessionId: string, text: string): Promise<SessionEvent[]> => {
    await call('POST', `/api/sessions/${sessionId}/turns`, { turnId: text, text })
    for (;;) {
      const { json } = await call('GET', `/api/sessions/${sessionId}/events`)
      const own = (json.events as SessionEvent[]).filter(event => 'turnId' in event && event.turnId === text)
      if (own.some(({ type }) => type === 'run.finished' || type === 'run.failed')) return own
      await new Promise(resolve => setTimeout(resolve, 30))
    }
  }
  const put = (key: string | null, more: object = {}) =>
    call(
      'PUT',
      '/api/providers/mine',
      { kind: 'anthropic', address: provider.url, key, ...more },
      { 'idempotency-key': `put-${++puts}` },
    )

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-keys-'))
    provider = await startRepeating()
    await start()
    streams = new AbortController()
  }, 60_000)
  afterAll(async () => {
    streams.abort()
    if (child.exitCode === null && child.signalCode === null) await stop()
    await reading
    provider.server.closeAllConnections()
    provider.server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('SE-21 SE-22 whoever connects, tests and lists, the answers have no key', async () => {
    expect((await put(keys.first)).json.provider.key.state).toBe('set')
    expect((await put(keys.second)).status).toBe(200)
    for (const mode of ['list', 'refuse', 'malformed', 'fail', 'html', 'cut', 'redirect'] as const) {
      provider.mode.is = mode
      const saved = await call('POST', '/api/provider-tests', { providerId: 'mine' })
      const fromEnvironment = await call('POST', '/api/provider-tests', { providerId: 'env-openai' })
      const unsaved = { kind: 'openai', address: provider.url, key: keys.tested }
      const tested = await call('POST', '/api/provider-tests', unsaved, { 'idempotency-key': mode })
      for (const { json } of [saved, fromEnvironment, tested]) expect(json.ok).toBe(mode === 'list')
      await call('GET', '/api/models?fresh=true')
      await call('GET', '/api/models')
      await call('GET', '/api/providers')
    }
    const { json } = await call('GET', '/api/providers')
    expect(json.providers).toMatchObject([
      { providerId: 'env-openai', from: 'environment', key: { state: 'set' } },
      { providerId: 'mine', from: 'settings', key: { state: 'set' } },
    ])
    // The keys were really sent to the provider.
    expect([...provider.seen]).toEqual(expect.arrayContaining([keys.second, keys.environment, keys.tested]))
  })

  it('SE-22 a key in the wrong place is refused and not repeated', async () => {
    const wrong = [
      await put(keys.refused, { apiKey: keys.refused }),
      await call('PUT', '/api/providers/mine', { kind: 'anthropic', key: { secret: keys.misplaced } }),
      await put(keys.refused, { kind: 'nobody' }),
      await put(keys.odd, { address: `${provider.url}?key=${keys.misplaced}` }),
      await put(keys.odd),
      await call('PUT', '/api/providers/mine', `{"kind":"anthropic","key":"${keys.broken}" oops`),
      await call('PUT', '/api/providers/mine', `{"key": ${keys.broken}}`),
      await call('PUT', '/api/providers/mine', `${keys.broken}`),
      await call('PUT', '/api/providers/mine', `{"kind":"anthropic","key":"${keys.broken}`),
      await call('POST', '/api/agents', { name: 'x', providerId: 'mine', modelId: 'good', key: keys.misplaced }),
      await call('PUT', '/api/providers/env-openai', { kind: 'openai', key: keys.refused }),
    ]
    for (const { status } of wrong) expect([400, 422]).toContain(status)
  })

  it('SE-22 runs fail in every way with the key repeated, and no event and no log has it', async () => {
    const made = await call('POST', '/api/agents', {
      agentId: 'forge',
      name: 'Forge',
      providerId: 'mine',
      modelId: 'good',
    })
    expect(made.status).toBe(201)
    const sessions: string[] = []
    for (const agentId of ['forge', 'assistant']) {
      const { json } = await call('POST', '/api/sessions', { agentId })
      sessions.push(json.session.sessionId)
    }
    reading = Promise.all([
      follow(`/api/stream?list=1&s=${sessions[0]}:0&s=${sessions[1]}:0`),
      ...sessions.map(id => follow(`/api/sessions/${id}/events`)),
    ])
    for (const mode of ['list', 'refuse', 'malformed', 'fail', 'cut', 'stream-error', 'redirect', 'html'] as const) {
      provider.mode.is = mode
      for (const id of sessions) {
        const failed = (await turn(id, mode)).find(({ type }) => type === 'run.failed')
        expect([mode, failed?.type]).toEqual([mode, 'run.failed'])
      }
    }
    for (const id of sessions) {
      await call('GET', `/api/sessions/${id}`)
      await call('GET', `/api/sessions/${id}/messages`)
      await call('GET', `/api/sessions/${id}/tools`)
    }
    await call('GET', '/api/search?q=canary')
    await call('GET', '/api/agents')
    await call('GET', '/api/agents/forge')
  })

  it('SE-22 every route, right or wrong, and a start without the key file, say no key', async () => {
    provider.mode.is = 'list'
    const { json } = await call('GET', '/api/openapi.json')
    for (const [path, methods] of Object.entries(json.paths as Record<string, object>)) {
      const real = path
        .replace('{providerId}', 'mine')
        .replace('{agentId}', 'forge')
        .replace(/\{\w+\}/g, '1')
      if (/stream$|rotate$/.test(path)) continue
      for (const method of Object.keys(methods)) {
        if (method === 'delete') continue
        await call(method.toUpperCase(), real, method === 'get' ? undefined : { nonsense: keys.misplaced })
      }
    }
    streams.abort()
    await stop()
    rmSync(join(folder, 'data/settings.key'))
    await start()
    expect((await call('GET', '/api/providers')).json.providers[1].key).toMatchObject({ state: 'lost' })
    expect((await call('POST', '/api/provider-tests', { providerId: 'mine' })).json).toMatchObject({ code: 'key_lost' })
    expect((await put(keys.first)).status).toBe(200)
    expect((await call('DELETE', '/api/providers/mine')).status).toBe(204)
  })

  it('L10 SE-22 no key is in any byte that was sent, logged or stored, in any form', async () => {
    // The database is looked at while it is open, with its write-ahead log, and after its end.
    const stored = files().map(file => [file, readFileSync(file)] as const)
    await stop()
    stored.push(...files().map(file => [file, readFileSync(file)] as const))
    const everything = sent.join('\n')
    expect(everything.length).toBeGreaterThan(50_000)
    expect(stored.some(([file, bytes]) => file.endsWith('vitrine.db-wal') || bytes.includes('vitrine-seal-1'))).toBe(
      true,
    )
    expect(stored.some(([, bytes]) => bytes.includes('provider-test'))).toBe(true)
    for (const [name, key] of Object.entries(keys)) {
      for (const form of formsOf(key)) {
        expect([name, form, everything.includes(form)]).toEqual([name, form, false])
        expect([name, form, logged.includes(form)]).toEqual([name, form, false])
        expect([name, form, stored.filter(([, bytes]) => bytes.includes(form)).map(([file]) => file)]).toEqual([
          name,
          form,
          [],
        ])
      }
    }
  })
})
