import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Problem, SessionEvent } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKit, framesOf, type Kit, until } from './app.test.kit.ts'
import { createApp } from './app.ts'
import { hostsOf, localOwner, loopbackName } from './auth.ts'

let kit: Kit
beforeAll(async () => {
  kit = await createKit()
})
afterAll(() => kit.close())

const problem = async (response: Response | Promise<Response>): Promise<Problem> => (await response).json() as never

/** A new session of this person; resolves with its id. */
async function session(owner = 'ann'): Promise<string> {
  const created = await kit.as(owner, 'POST', '/sessions', { title: 'Test' })
  return ((await created.json()) as { session: { sessionId: string } }).session.sessionId
}

const eventsOf = async (sessionId: string, owner = 'ann'): Promise<SessionEvent[]> => {
  const page = await kit.as(owner, 'GET', `/sessions/${sessionId}/events`, undefined, { accept: 'application/json' })
  return ((await page.json()) as { events: SessionEvent[] }).events
}

const submit = (sessionId: string, text: string, turnId = `turn-${Math.random()}`) =>
  kit.as('ann', 'POST', `/sessions/${sessionId}/turns`, { turnId, text })

/** The pending request of a run that asks. */
async function asked(text: string) {
  const sessionId = await session()
  await submit(sessionId, text)
  const actionId = await vi.waitFor(async () => {
    const found = (await eventsOf(sessionId)).find(event => event.type === 'action.required')
    expect(found).toBeDefined()
    return found!.actionId!
  })
  const respond = (owner: string, decision: string) =>
    kit.as(owner, 'POST', `/sessions/${sessionId}/actions/${actionId}/response`, { decision })
  return { sessionId, actionId, respond }
}

describe('older parts', () => {
  it('P-693 parts of a message before a place come as a page; what is no message is not found', async () => {
    const sessionId = await session()
    await submit(sessionId, 'hello')
    // The first turn of a process compiles the whole way, which takes a while on a busy machine.
    const finished = async () => expect((await eventsOf(sessionId)).at(-1)?.type).toBe('run.finished')
    await vi.waitFor(finished, { timeout: 15_000 })
    const get = (path: string) => kit.as('ann', 'GET', `/sessions/${sessionId}/messages/${path}`)
    const page = await (await get('1/parts?before=1')).json()
    expect(page).toMatchObject({ from: 1, partsFrom: 0, entities: { parts: [{ kind: 'text', text: 'hello' }] } })
    for (const ordinal of ['99', '0', 'none', '1.5']) {
      expect(await problem(get(`${ordinal}/parts?before=1`))).toMatchObject({ status: 404, code: 'message_not_found' })
    }
    expect((await get('1/parts?before=x')).status).toBe(400)
  })
})

describe('problems', () => {
  it('P-401 every refusal is a problem document with a stable code', async () => {
    const response = await kit.as('ann', 'GET', '/sessions/nobody')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await problem(response)).toMatchObject({
      type: 'urn:vitrine:problem:session_not_found',
      title: 'Not Found',
      status: 404,
      code: 'session_not_found',
    })
  })

  it('P-401 a wrong field is named by a JSON pointer', async () => {
    const body = { agentId: 'echo', queuePolicy: { mode: 'serial', onFailure: 'explode' } }
    const answer = await problem(kit.as('ann', 'POST', '/sessions', body))
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request', path: '/queuePolicy/onFailure' })
    expect(await problem(kit.as('ann', 'GET', '/sessions?limit=many'))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      path: '/limit',
    })
  })

  it('P-402 an unknown route is 404, an unknown method 405 with the ones that exist', async () => {
    expect(await problem(kit.as('ann', 'GET', '/nothing'))).toMatchObject({ status: 404, code: 'not_found' })
    const response = await kit.as('ann', 'DELETE', '/sessions/x/queue')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST, PATCH, HEAD')
  })

  it('P-407 L10 an unexpected error tells the caller an id and nothing else; the log has the rest', async () => {
    const secret = 'canary-3141592653'
    const broken = createApp({
      ...kit.parts,
      runtime: { ...kit.parts.runtime, listSessions: () => Promise.reject(new Error(secret)) },
      auth: localOwner({ instance: await kit.parts.storage.instance(), allowedHosts: undefined }),
    })
    const response = await broken.request('/api/sessions', { headers: { authorization: `Bearer ${kit.token}` } })
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain(secret)
    expect(text).not.toContain('.ts')
    const id = /[0-9a-f-]{36}/.exec(text)![0]
    expect(kit.logged.at(-1)).toBe(`${id} GET /api/sessions ${secret}`)
    expect(kit.logged.join()).not.toContain(kit.token)
  })
})

describe('the session list', () => {
  it('P-326 keeps to what needs attention when asked, and refuses what it does not know', async () => {
    for (const sessionId of ['plain', 'pinned']) await kit.as('ann', 'POST', '/sessions', { sessionId })
    await kit.as('ann', 'PATCH', '/sessions/pinned', { pinned: true })
    const answer = await kit.as('ann', 'GET', '/sessions?only=attention')
    expect(await answer.json()).toMatchObject({ sessions: [{ sessionId: 'pinned' }], cursor: null })
    expect((await kit.as('ann', 'GET', '/sessions?only=else')).status).toBe(400)
  })
})

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'key-1' }

  it('P-403 the same write under the same key gets the first answer and happens once', async () => {
    const body = { title: 'Only one' }
    const first = await kit.as('ann', 'POST', '/sessions', body, key)
    const again = await kit.as('ann', 'POST', '/sessions', body, key)
    expect([again.status, await again.json()]).toEqual([201, await first.json()])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const { sessions } = (await (await kit.as('ann', 'GET', '/sessions?q=Only')).json()) as { sessions: unknown[] }
    expect(sessions).toHaveLength(1)
  })

  it('L10 nobody can try out what a request said by what is kept of it', async () => {
    const body = { title: 'A pin: 1234' }
    await kit.as('ann', 'POST', '/sessions', body, { 'idempotency-key': 'key-2' })
    const kept = await kit.parts.storage.answer('ann', 'POST /api/sessions key-2')
    const { seal } = JSON.parse(kept!.body) as { seal: string }
    expect(seal).toHaveLength(43)
    const tries = [JSON.stringify(body), `POST /api/sessions key-2\n\n${JSON.stringify(body)}`]
    for (const tried of tries) expect(createHash('sha256').update(tried).digest('base64url')).not.toBe(seal)
  })

  it('P-403 writes under one key at the same time are one write', async () => {
    const many = await Promise.all(
      Array.from({ length: 10 }, () => kit.as('ann', 'POST', '/sessions', {}, { 'idempotency-key': 'together' })),
    )
    const bodies = await Promise.all(many.map(response => response.text()))
    expect(new Set(bodies).size).toBe(1)
  })

  it('P-403 a key is of one person and one route', async () => {
    const mine = await kit.as('ann', 'POST', '/sessions', {}, { 'idempotency-key': 'shared' })
    const theirs = await kit.as('bob', 'POST', '/sessions', {}, { 'idempotency-key': 'shared' })
    expect(await theirs.text()).not.toBe(await mine.text())
  })

  it('P-403 a removal under a key is answered again', async () => {
    const sessionId = await session()
    const remove = () => kit.as('ann', 'DELETE', `/sessions/${sessionId}`, undefined, key)
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  })

  it('P-403 L7 a refused write is not kept: under its key it may succeed later', async () => {
    const turn = { turnId: 't', text: 'hello' }
    const write = () => kit.as('ann', 'POST', '/sessions/later/turns', turn, key)
    expect((await write()).status).toBe(404)
    await kit.as('ann', 'POST', '/sessions', { sessionId: 'later' })
    expect((await write()).status).toBe(202)
  })

  it('P-404 the same key for a different body is refused and nothing is written', async () => {
    await kit.as('ann', 'POST', '/sessions', { title: 'First' }, { 'idempotency-key': 'key-2' })
    const other = kit.as('ann', 'POST', '/sessions', { title: 'Second' }, { 'idempotency-key': 'key-2' })
    expect(await problem(other)).toMatchObject({ status: 409, code: 'key_reused', path: '/idempotency-key' })
  })
})

describe('ids that a caller chooses', () => {
  it('P-408 one of dots only is refused: no address could name what it made', async () => {
    const sessionId = await session()
    for (const dots of ['.', '..', '...']) {
      const refused = [
        await kit.as('ann', 'POST', '/sessions', { sessionId: dots }),
        await kit.as('ann', 'POST', `/sessions/${sessionId}/turns`, { turnId: dots, text: 'x' }),
        await kit.as('ann', 'POST', `/sessions/${sessionId}/queue`, { turnId: dots, text: 'x' }),
        await kit.as('ann', 'POST', `/sessions/${sessionId}/runs/r/retry`, { newRunId: dots }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
      expect(await problem(refused[0]!)).toMatchObject({ code: 'invalid_request', path: '/sessionId' })
      expect(await kit.parts.storage.session(dots)).toBeUndefined()
    }
    expect((await kit.as('ann', 'POST', '/sessions', { sessionId: '.a.' })).status).toBe(201)
    expect((await kit.as('ann', 'GET', '/sessions/.a.')).status).toBe(200)
  })
})

describe('repeated and conflicting commands', () => {
  it('P-409 AU-50 a turn is accepted once, however often it is sent', async () => {
    const sessionId = await session()
    const [first, second] = [await submit(sessionId, 'hello', 't1'), await submit(sessionId, 'hello', 't1')]
    expect(await second.json()).toEqual(await first.json())
    await vi.waitFor(async () => expect((await eventsOf(sessionId)).at(-1)!.type).toBe('run.finished'))
    expect((await eventsOf(sessionId)).filter(event => event.type === 'run.started')).toHaveLength(1)
  })

  it('P-409 a turn while a run is active is refused with what to do next', async () => {
    const sessionId = await session()
    await submit(sessionId, 'wait')
    const refused = await problem(submit(sessionId, 'another'))
    expect(refused).toMatchObject({
      status: 409,
      code: 'run_active',
      next: expect.stringMatching(/queue.*steer.*new task/i),
    })
    await kit.as('ann', 'POST', `/sessions/${sessionId}/interrupt`, {})
  })

  it('P-409 AU-53 an interrupt without a body stops the session', async () => {
    const sessionId = await session()
    await submit(sessionId, 'wait')
    const path = `/sessions/${sessionId}/interrupt`
    const response = await kit.as('ann', 'POST', path, '', { 'content-type': 'application/json' })
    expect([response.status, await response.json()]).toEqual([202, { runIds: [expect.any(String)] }])
    await vi.waitFor(async () =>
      expect((await eventsOf(sessionId)).at(-1)).toMatchObject({ type: 'run.finished', outcome: 'interrupted' }),
    )
  })

  it('P-409 queued turns are listed, edited, removed, and gone afterwards', async () => {
    const sessionId = await session()
    await submit(sessionId, 'wait')
    const queue = `/sessions/${sessionId}/queue`
    expect(await (await kit.as('ann', 'POST', queue, { turnId: 'q1', text: 'later' })).json()).toEqual({
      turnId: 'q1',
      state: 'queued',
      position: 0,
    })
    await kit.as('ann', 'PATCH', `${queue}/q1`, { text: 'much later' })
    expect(await (await kit.as('ann', 'GET', queue)).json()).toMatchObject({
      turns: [{ turnId: 'q1', input: { text: 'much later' } }],
    })
    expect((await kit.as('ann', 'DELETE', `${queue}/q1`)).status).toBe(204)
    expect(await problem(kit.as('ann', 'DELETE', `${queue}/q1`))).toMatchObject({
      status: 404,
      code: 'turn_not_found',
    })
    await kit.as('ann', 'POST', `/sessions/${sessionId}/interrupt`, {})
  })

  it('A14 L6 a request answered twice keeps the first outcome', async () => {
    const { respond } = await asked('ask')
    expect(await (await respond('ann', 'approve')).json()).toMatchObject({ outcome: 'approved', first: true })
    expect(await (await respond('ann', 'deny')).json()).toMatchObject({ outcome: 'approved', first: false })
  })

  it('A14 A03 somebody else cannot answer, and learns nothing', async () => {
    const { respond, actionId } = await asked('ask')
    const foreign = await respond('bob', 'approve')
    const unknown = await kit.as('bob', 'POST', `/sessions/none/actions/${actionId}/response`, { decision: 'approve' })
    expect([foreign.status, await foreign.text()]).toEqual([404, await unknown.text()])
    expect(await (await respond('ann', 'deny')).json()).toMatchObject({ outcome: 'denied', first: true })
  })

  it('A14 after the expiry an approval is refused: the safe default was deny', async () => {
    const { sessionId, respond } = await asked('expire')
    const outcome = await vi.waitFor(async () => {
      const found = (await eventsOf(sessionId)).find(event => event.type === 'action.resolved')
      expect(found).toBeDefined()
      return found!
    })
    expect(outcome).toMatchObject({ outcome: 'expired', by: { kind: 'system' } })
    expect(await problem(respond('ann', 'approve'))).toMatchObject({ status: 409, code: 'action_expired' })
  })
})

describe('sign-in of the local owner', () => {
  const open = (path: string, headers: Record<string, string> = {}) => kit.app.request(path, { headers })

  it('P-420 the printed URL sets a signed cookie and leaves the address bar', async () => {
    const response = await open(`/sessions/1?token=${kit.token}&tab=2`)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sessions/1?tab=2'])
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).toMatch(/^vitrine_[\w-]+=local\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await open('/api/health', { cookie: cookie.split(';')[0]! })).status).toBe(200)
  })

  it.each(['', 'wrong', '../', 'x'.repeat(300)])('P-420 a wrong token opens nothing: %j', async token => {
    const response = await open(`/?token=${encodeURIComponent(token)}`)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null])
  })

  it('P-420 the redirect stays on this server', async () => {
    for (const path of ['//evil.example/', '/\\evil.example/', '///evil.example']) {
      const location = (await open(`http://localhost${path}?token=${kit.token}`)).headers.get('location')
      expect(location).toMatch(/^\/[^/\\]/)
    }
  })

  it('P-420 without cookie or token the API answers nobody, also where there is no route', async () => {
    for (const path of ['/api/health', '/api/sessions', '/api/nothing', '/api/openapi.json', '/api']) {
      expect(await problem(open(path)), path).toMatchObject({ status: 401, code: 'unauthenticated' })
    }
  })

  it('P-420 a cookie that is forged, of another instance or for another owner is none', async () => {
    const { id } = await kit.parts.storage.instance()
    const { link: other } = localOwner({ instance: { id, secret: 'other' }, allowedHosts: undefined })
    const forged = other.signIn(other.token)!.split(';')[0]!
    for (const cookie of [forged, `vitrine_${id}=local.`, `vitrine_${id}=root.${'a'.repeat(43)}`, 'vitrine_=x']) {
      expect((await open('/api/health', { cookie })).status).toBe(401)
    }
  })

  it('P-421 API clients send the token as bearer; a wrong one is refused', async () => {
    expect((await open('/api/health', { authorization: `Bearer ${kit.token}` })).status).toBe(200)
    expect((await open('/api/health', { authorization: `Bearer ${kit.token}x` })).status).toBe(401)
    expect((await open(`/api/health?token=${kit.token}`)).status).toBe(401)
  })
})

describe('other sites and hosts', () => {
  const post = (headers: Record<string, string>) =>
    kit.app.request('http://127.0.0.1:4700/api/sessions', {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${kit.token}`, host: '127.0.0.1:4700', ...headers },
    })
  const json = { 'content-type': 'application/json' }

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:9999' },
    { origin: 'https://127.0.0.1:4700' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:4700' },
  ])('H01 a write from another site is refused: %j', async headers => {
    expect(await problem(post({ ...json, ...headers } as never))).toMatchObject({ status: 403, code: 'cross_site' })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'H01 what a form can send is no write: %s',
    async type => {
      const answer = await problem(post(type === '' ? {} : { 'content-type': type }))
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it('H01 our own page and clients that are no browser may write', async () => {
    expect((await post({ ...json, origin: 'http://127.0.0.1:4700', 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await post(json)).status).toBe(201)
  })

  it('H01 reading from another site is refused too: cookies ignore ports', async () => {
    const headers = { authorization: `Bearer ${kit.token}`, 'sec-fetch-site': 'same-site' }
    expect((await kit.app.request('/api/sessions', { headers })).status).toBe(403)
  })

  it('H08 a foreign Host is refused for the API and for the page', async () => {
    const own = await createKit({ allowedHosts: ['127.0.0.1:4700', 'localhost:4700'] })
    const get = (path: string, host: string) =>
      own.app.request(`http://${host}${path}`, { headers: { host, authorization: `Bearer ${own.token}` } })
    for (const host of ['evil.example', 'evil.example:4700', '127.0.0.1:9999', 'localhost.evil.example:4700']) {
      expect(await problem(get('/api/health', host)), host).toMatchObject({ status: 403, code: 'foreign_host' })
      for (const path of ['/', `/?token=${own.token}`]) {
        const refused = await get(path, host)
        expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('http://127.0.0.1:4700/')])
        expect(refused.headers.get('set-cookie')).toBeNull()
      }
    }
    expect((await get('/api/health', 'LOCALHOST:4700')).status).toBe(200)
    // An absolute request target must not override an honest Host header.
    const headers = { host: '127.0.0.1:4700', authorization: `Bearer ${own.token}` }
    expect((await own.app.request('http://evil.example/api/health', { headers })).status).toBe(403)
    await own.close()
  })
})

describe('HEAD', () => {
  it('P-413 asks for the headers of a stream without opening one', async () => {
    const sessionId = await session()
    for (const path of ['/stream?list=1', `/sessions/${sessionId}/events`]) {
      const response = await kit.as('ann', 'HEAD', path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    }
    expect(kit.parts.streams.count('ann')).toBe(0)
  })
})

describe('blobs', () => {
  it('P-434 bytes of an agent come as a download that cannot act as our page', async () => {
    const sessionId = await session()
    await submit(sessionId, 'large')
    await vi.waitFor(async () => expect((await eventsOf(sessionId)).at(-1)!.type).toBe('run.finished'))
    const digest = createHash('sha256').update('x'.repeat(20_000)).digest('hex')
    const get = (owner: string, headers = {}) =>
      kit.as(owner, 'GET', `/sessions/${sessionId}/blobs/${digest}`, undefined, headers)
    const response = await get('ann')
    expect((await response.text()).length).toBe(20_000)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const tag = response.headers.get('etag')!
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect([known, (await get('ann', { 'if-none-match': known })).status]).toEqual([known, 304])
    }
    expect((await get('ann', { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get('bob')).status).toBe(404)
  })

  it.each(['..%2f..%2fvitrine.db', '..', '%2e%2e', `..%5c${'a'.repeat(60)}`, '%00', 'A'.repeat(64), 'x'.repeat(300)])(
    'H07 a path is no digest: %s',
    async digest => {
      const sessionId = await session()
      const response = await kit.as('ann', 'GET', `/sessions/${sessionId}/blobs/${digest}`)
      expect(response.status).toBe(404)
    },
  )
})

describe('the workbench', () => {
  let folder: string
  let own: Kit
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-static-'))
    const dist = join(folder, 'dist')
    await mkdir(join(dist, 'assets'), { recursive: true })
    await writeFile(join(dist, 'index.html'), '<title>Workbench</title>')
    await writeFile(join(dist, 'assets/index-Ab3dEf9_.js'), 'export {}')
    await writeFile(join(dist, 'icon.svg'), '<svg/>')
    await writeFile(join(dist, 'page.css'), 'plain')
    await writeFile(join(dist, 'page.css.br'), 'as brotli')
    await writeFile(join(dist, 'page.css.gz'), 'as gzip')
    await symlink(join(folder, 'outside.txt'), join(dist, 'icon.svg.br'))
    await writeFile(join(dist, '.hidden'), 'secret')
    await writeFile(join(folder, 'outside.txt'), 'secret')
    await symlink(join(folder, 'outside.txt'), join(dist, 'link.txt'))
    own = await createKit({ staticFolder: dist })
  })
  afterAll(async () => {
    await own.close()
    await rm(folder, { recursive: true, force: true })
  })
  const get = (path: string, headers: Record<string, string> = {}) => own.app.request(path, { headers })
  const navigation = { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' }

  it('P-423 files are served, hashed ones for ever, others checked by their tag', async () => {
    const asset = await get('/assets/index-Ab3dEf9_.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const icon = await get('/icon.svg')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    expect((await get('/icon.svg', { 'if-none-match': icon.headers.get('etag')! })).status).toBe(304)
  })

  it('P-423 a route of the page is the page, a missing file is 404', async () => {
    expect(await (await get('/sessions/ses_1', navigation)).text()).toContain('Workbench')
    expect(await (await get('/', navigation)).text()).toContain('Workbench')
    expect((await get('/missing.js', { accept: '*/*' })).status).toBe(404)
    expect((await get('/assets/missing-12345678.js', navigation)).status).toBe(404)
  })

  it.each([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.8, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['br;q=0, gzip;q=0', null],
    ['deflate', null],
    ['nonsense;;q=,,;', null],
  ])('P-448 to a client that says accept-encoding: %s a file goes out as %s', async (header, encoding) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-encoding': header }
    const response = await get('/page.css', headers)
    const body = encoding === 'br' ? 'as brotli' : encoding === 'gzip' ? 'as gzip' : 'plain'
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([encoding, body])
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(response.headers.get('vary')).toBe('accept-encoding')
    const head = await own.app.request('/page.css', { method: 'HEAD', headers })
    expect(head.headers.get('content-length')).toBe(`${body.length}`)
    expect([await head.text(), head.headers.get('etag')]).toEqual(['', response.headers.get('etag')])
  })

  it('P-448 each form has its own tag, and a client that has this form is not sent it again', async () => {
    const forms = ['br', 'gzip', 'identity'].map(encoding => ({ 'accept-encoding': encoding }))
    const tags = await Promise.all(forms.map(async form => (await get('/page.css', form)).headers.get('etag')!))
    expect(new Set(tags).size).toBe(3)
    const status = async (form: Record<string, string>, tag: string) =>
      (await get('/page.css', { ...form, 'if-none-match': tag })).status
    expect(await status(forms[0]!, tags[0]!)).toBe(304)
    expect(await status(forms[0]!, `"other", W/${tags[0]}`)).toBe(304)
    expect(await status(forms[0]!, '*')).toBe(304)
    expect(await status(forms[0]!, tags[1]!)).toBe(200)
    expect(await status(forms[2]!, tags[0]!)).toBe(200)
  })

  it.each(['/page.css.br', '/page.css.gz', '/page.css%2Ebr', '/page.css%2e%62r'])(
    'P-448 the compressed form of a file has no address of its own: %s',
    async path => {
      for (const headers of [{}, { 'accept-encoding': 'br, gzip' }, navigation]) {
        expect((await get(path, headers as Record<string, string>)).status).toBe(404)
      }
    },
  )

  it('P-448 H07 a compressed form that lies outside of the folder is none', async () => {
    const response = await get('/icon.svg', { 'accept-encoding': 'br' })
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, '<svg/>'])
  })

  it('P-442 the front page answers every client, signed in or not', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, navigation]) {
      const response = await get('/', headers as Record<string, string>)
      expect([response.status, await response.text()]).toEqual([200, '<title>Workbench</title>'])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    const head = await own.app.request('/', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '24', ''])
    const without = await kit.app.request('/')
    expect([without.status, await without.text()]).toEqual([404, 'This server has no workbench, only /api.\n'])
  })

  it('P-424 the page may run our own scripts only and cannot be framed', async () => {
    const { headers } = await get('/', navigation)
    const policy = headers.get('content-security-policy')!
    for (const rule of [
      "script-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' data: blob:",
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toMatch(/unsafe-|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it.each([
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..%5coutside.txt',
    '/link.txt',
    '/.hidden',
    '/%00',
    '/%ff',
    '/assets',
    '//outside.txt',
  ])('H07 %s is not served', async path => {
    const response = await get(path, { accept: '*/*' })
    expect([response.status, await response.text()]).toEqual([404, 'There is no such file.\n'])
  })

  it('P-423 the workbench can only be read', async () => {
    expect((await own.app.request('/', { method: 'POST' })).status).toBe(405)
  })
})

describe('compressed answers', () => {
  const large = '/schemas/event.json'
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

  it.each(['br', 'gzip'] as const)(
    'P-441 a large JSON answer goes out as %s when the client accepts it',
    async encoding => {
      const plain = await (await kit.as('ann', 'GET', large)).text()
      const response = await kit.as('ann', 'GET', large, undefined, { 'accept-encoding': encoding })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('content-length')).toBe(`${bytes.length}`)
      expect(response.headers.get('vary')).toBe('accept-encoding')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(unpack[encoding](bytes).toString()).toBe(plain)
      expect(bytes.length).toBeLessThan(plain.length / 3)
    },
  )

  it('P-441 small answers, streams and blobs stay as they are', async () => {
    const accepts = { 'accept-encoding': 'br, gzip' }
    const small = await kit.as('ann', 'GET', '/agents', undefined, accepts)
    expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual([null, 'accept-encoding'])
    expect(await small.json()).toHaveProperty('agents')
    const stream = await kit.as('ann', 'GET', '/stream?list=1', undefined, accepts)
    expect(stream.headers.get('content-encoding')).toBeNull()
    await until(framesOf(stream), 'hello')
    const sessionId = await session()
    await submit(sessionId, 'large')
    await vi.waitFor(async () => expect((await eventsOf(sessionId)).at(-1)!.type).toBe('run.finished'))
    const digest = createHash('sha256').update('x'.repeat(20_000)).digest('hex')
    const blob = await kit.as('ann', 'GET', `/sessions/${sessionId}/blobs/${digest}`, undefined, accepts)
    expect([blob.headers.get('content-encoding'), (await blob.text()).length]).toEqual([null, 20_000])
  })

  it('P-441 P-403 a kept answer is kept plain, and given again in the form that is asked for then', async () => {
    const body = { title: '\u0001'.repeat(200) }
    const key = { 'idempotency-key': 'compressed' }
    const first = await kit.as('ann', 'POST', '/sessions', body, { ...key, 'accept-encoding': 'gzip' })
    const again = await kit.as('ann', 'POST', '/sessions', body, key)
    expect([first.headers.get('content-encoding'), again.headers.get('content-encoding')]).toEqual(['gzip', null])
    expect(await again.text()).toBe(gunzipSync(await first.arrayBuffer()).toString())
  })
})

describe('a changed token', () => {
  it('P-403 L12 a key makes the same session also when its answer was not kept and the token was changed since', async () => {
    const own = await createKit()
    // A server that is killed after the session was written and before its answer is kept.
    own.parts.storage.keepAnswer = async (_owner, _key, answer) => answer
    const post = async (path: string, token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k' }
      return (await own.app.request(`/api${path}`, { method: 'POST', headers, body: '{}' })).json() as Promise<never>
    }
    type Created = { session: { sessionId: string } }
    const first: Created = await post('/sessions', own.token)
    const { token }: { token: string } = await post('/token/rotate', own.token)
    expect(token).not.toBe(own.token)
    const again: Created = await post('/sessions', token)
    expect(again.session.sessionId).toBe(first.session.sessionId)
    expect(await own.parts.storage.sessions({ owner: 'local', limit: 9 })).toHaveLength(1)
    await own.close()
  })

  it('P-445 signs out everybody but the caller at once, and ends the streams that the old one opened', async () => {
    const own = await createKit()
    const old = own.token
    const oldCookie = (await own.app.request(`/?token=${old}`)).headers.get('set-cookie')!.split(';')[0]!
    const bearer = { authorization: `Bearer ${old}` }
    const frames = framesOf(await own.app.request('/api/stream?list=1', { headers: { cookie: oldCookie } }))
    await until(frames, 'hello')

    const key = { 'idempotency-key': 'once' }
    const changed = await own.app.request('/api/token/rotate', { method: 'POST', headers: { ...bearer, ...key } })
    const { token, url } = (await changed.json()) as { token: string; url: string }
    expect(url).toBe(`http://localhost/?token=${token}`)
    expect((await until(frames, 'cut')).at(-1)!.data).toMatchObject({ reason: 'signed_out' })
    expect((await frames.next()).done).toBe(true)

    const get = async (headers: Record<string, string>) => (await own.app.request('/api/health', { headers })).status
    expect([await get(bearer), await get({ cookie: oldCookie })]).toEqual([401, 401])
    expect((await own.app.request(`/?token=${old}`)).status).toBe(401)
    const cookie = changed.headers.get('set-cookie')!.split(';')[0]!
    expect([await get({ authorization: `Bearer ${token}` }), await get({ cookie })]).toEqual([200, 200])
    expect((await own.app.request(new URL(url))).status).toBe(303)
    expect(changed.headers.get('cache-control')).toBe('no-store, no-transform')
    // The secret is in no kept answer, and the next start knows the new token only.
    expect(await own.parts.storage.answer('local', 'POST /api/token/rotate once')).toBeUndefined()
    expect(localOwner({ instance: await own.parts.storage.instance(), allowedHosts: undefined }).link.token).toBe(token)
    await own.close()
  })

  it('P-445 nobody but the owner of the installation may change it', async () => {
    expect(await problem(kit.as('ann', 'POST', '/token/rotate'))).toMatchObject({ status: 403, code: 'not_owner' })
    expect((await kit.app.request('/api/health', { headers: { authorization: `Bearer ${kit.token}` } })).status).toBe(
      200,
    )
  })

  it('P-445 a stream that was being opened while the token was changed does not begin', async () => {
    const own = await createKit()
    const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' }
    await own.app.request('/api/sessions', { method: 'POST', headers, body: '{"sessionId":"s"}' })
    const [changed, stream] = await Promise.all([
      own.app.request('/api/token/rotate', { method: 'POST', headers }),
      own.app.request('/api/sessions/s/events', { headers }),
    ])
    expect(changed.status).toBe(200)
    if (stream.status === 200) expect(await stream.text()).toContain('"reason":"signed_out"')
    else expect((await problem(stream)).code).toBe('unauthenticated')
    expect(own.parts.streams.count('local')).toBe(0)
    await own.close()
  })
})

describe('loopback addresses', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['127.1', '127.0.0.1'],
    ['LocalHost', 'localhost'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['0:0:0:0:0:0:0:1', '[::1]'],
    ['0.0.0.0', undefined],
    ['::', undefined],
    ['127.0.0.999', undefined],
    ['127.0.0.1.evil.example', undefined],
    ['127.0.0.1/x', undefined],
    ['me@127.0.0.1', undefined],
    ['127.0.0.1:80', undefined],
    ['', undefined],
  ])('P-443 H09 %s is %s', (host, name) => {
    expect(loopbackName(host)).toBe(name)
  })

  it('P-443 the server answers under its own address, which a refusal names', async () => {
    const own = await createKit({ allowedHosts: hostsOf('127.0.0.2', 4700) })
    const get = (host: string) =>
      own.app.request(`http://${host}/api/health`, { headers: { host, authorization: `Bearer ${own.token}` } })
    for (const host of ['127.0.0.2:4700', 'localhost:4700']) expect((await get(host)).status, host).toBe(200)
    expect(await problem(get('127.0.0.3:4700'))).toMatchObject({
      code: 'foreign_host',
      next: expect.stringContaining('http://127.0.0.2:4700/'),
    })
    await own.close()
  })
})
