import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './blobs/file-blobs.ts'
import { echo, eventsIn, framesOf, until } from './http/app.test.kit.ts'
import { type Auth, localOwner } from './http/auth.ts'
import { Refusal } from './refusal.ts'
import { person } from './runtime/harness.fixture.ts'
import { type CreateServerOptions, createServer, toNodeListener, type VitrineServer } from './server.ts'
import { openSqlite } from './storage/sqlite/sqlite.ts'

let folder: string
const closers: (() => Promise<void>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-mounted-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

/** A program that signs people in by itself: it tells who they are in a header. */
const byHeader: Auth = {
  async authorise(request) {
    const name = request.headers.get('x-person')
    if (!name) throw new Refusal('unauthenticated', 'Nobody is signed in.')
    return person(name)
  },
}

async function mount(name: string, options: Partial<CreateServerOptions> = {}): Promise<VitrineServer> {
  const dataFolder = join(folder, name)
  const storage = options.storage ?? (await openSqlite({ folder: dataFolder }))
  if (!options.storage) closers.push(() => storage.close())
  const blobs = await openFileBlobs({ folder: dataFolder })
  const log = (line: string, error: unknown) => expect.unreachable(`${line} ${error}`)
  const server = createServer({ auth: byHeader, agents: [echo], log, ...options, storage, blobs })
  closers.push(server.close)
  return server
}

const asks = (who: string | null, method = 'GET', body?: unknown): RequestInit => ({
  method,
  headers: { ...(who && { 'x-person': who }), 'content-type': 'application/json', accept: 'application/json' },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

interface Body {
  code: string
  token: string
  url: string
  sessions: object[]
  servers: object[]
  schemas: { url: string }[]
}
const bodyOf = async (answer: Response | Promise<Response>): Promise<Body> => (await (await answer).json()) as Body

describe('a server in another program', () => {
  it('P-463 two of them, each under a path of its own, share one process and nothing else', async () => {
    const program = new Hono()
    for (const name of ['one', 'two']) {
      const server = await mount(name, { basePath: `/${name}/vitrine` })
      program.all(`/${name}/*`, c => server.fetch(c.req.raw))
    }
    program.get('/', c => c.text('the program itself'))
    const call = (path: string, init?: RequestInit) => program.request(`http://program${path}`, init)

    expect(await (await call('/')).text()).toBe('the program itself')
    for (const name of ['one', 'two']) {
      const base = `/${name}/vitrine/api`
      expect((await call(`${base}/sessions`, asks('ann', 'POST', { sessionId: `in-${name}` }))).status).toBe(201)
      await call(`${base}/sessions/in-${name}/turns`, asks('ann', 'POST', { turnId: 't', text: `Hello ${name}` }))
      const frames = framesOf(await call(`${base}/stream?s=in-${name}:0`, asks('ann')))
      const seen: Awaited<ReturnType<typeof until>> = []
      while (!JSON.stringify(seen).includes('run.finished')) seen.push(...(await until(frames, 'events')))
      expect(eventsIn(seen)).toContainEqual(expect.objectContaining({ type: 'text.delta', delta: `Hello ${name}` }))
      await frames.return(undefined)
      const { sessions } = await bodyOf(call(`${base}/sessions`, asks('ann')))
      expect(sessions).toMatchObject([{ sessionId: `in-${name}` }])
      // Somebody else, and nobody.
      expect((await bodyOf(call(`${base}/sessions`, asks('bob')))).sessions).toEqual([])
      expect((await call(`${base}/sessions`, asks(null))).status).toBe(401)
      // Where people sign in by other means there is no token to change.
      expect((await call(`${base}/token/rotate`, asks('ann', 'POST'))).status).toBe(404)
    }
    expect((await call('/one/api/sessions', asks('ann'))).status).toBe(404)
  })

  it('P-463 the first answer waits until what a crash left open is in order', async () => {
    const storage = await openSqlite({ folder: join(folder, 'one') })
    closers.push(() => storage.close())
    const first = await mount('one', { storage })
    await first.fetch(new Request('http://x/api/sessions', asks('ann', 'POST', { sessionId: 's' })))
    await first.fetch(new Request('http://x/api/sessions/s/turns', asks('ann', 'POST', { turnId: 't', text: 'wait' })))
    // The first one does not hear that it is over: as after a crash, the run is open in the log.
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = {
      ...storage,
      unfinished: async () => {
        await held
        return storage.unfinished()
      },
    }
    const second = await mount('one', { storage: slow })
    const answer = second.fetch(new Request('http://x/api/sessions', asks('ann')))
    const early = await Promise.race([answer, new Promise(resolve => setTimeout(resolve, 50, 'still waiting'))])
    expect(early).toBe('still waiting')
    release()
    const { sessions } = await bodyOf(answer)
    expect(sessions).toMatchObject([{ sessionId: 's', status: 'interrupted' }])
  })

  it('P-463 one that cannot begin says so to everybody, and one that was closed answers nothing more', async () => {
    const storage = await openSqlite({ folder: join(folder, 'one') })
    closers.push(() => storage.close())
    const broken = { ...storage, unfinished: () => Promise.reject(new Error('disk')) }
    const never = await mount('one', { storage: broken })
    await expect(never.ready).rejects.toThrow('disk')
    await expect(never.fetch(new Request('http://x/api/sessions', asks('ann')))).rejects.toThrow('disk')

    const server = await mount('one', { storage })
    await server.fetch(new Request('http://x/api/sessions', asks('ann', 'POST', { sessionId: 's' })))
    const stream = await server.fetch(new Request('http://x/api/stream?s=s:0', asks('ann')))
    const late = server.fetch(new Request('http://x/api/sessions', asks('ann', 'POST', { sessionId: 'late' })))
    const closed = server.close()
    expect((await late).status).toBe(201)
    expect((await until(framesOf(stream), 'cut')).at(-1)!.data).toMatchObject({ reason: 'stopping' })
    const refused = server.fetch(new Request('http://x/api/sessions', asks('ann')))
    expect([(await refused).status, (await bodyOf(refused)).code]).toEqual([503, 'stopping'])
    await closed
    // The storage belongs to the program, and is still open.
    expect(await storage.session('late')).toBeDefined()
  })
})

describe('who asks', () => {
  it('P-475 nobody is 401, whether the auth throws or gives null; something else is told in the log', async () => {
    const logged: unknown[] = []
    const log = (_: string, error: unknown) => logged.push(error)
    const given = async (who: unknown) => {
      const server = await mount(`who-${closers.length}`, { auth: { authorise: async () => who as never }, log })
      return bodyOf(server.fetch(new Request('http://x/api/agents')))
    }
    expect(await given(null)).toMatchObject({ status: 401, code: 'unauthenticated', next: 'Sign in and try again.' })
    expect(await given(undefined)).toMatchObject({ status: 401 })
    expect(logged).toEqual([])
    expect(await given('ann')).toMatchObject({ status: 500 })
    expect(String(logged[0])).toContain('authorise must give { id, name, kind, roles, claims }, or null')
  })

  it('P-471 a server without auth is not made, and says what is missing', async () => {
    expect(() => createServer({ agents: [echo] } as unknown as CreateServerOptions)).toThrow(/needs auth: \{ authorise/)
  })

  it('P-474 a server whose people sign in by other means does not advertise the printed URL', async () => {
    const server = await mount('described')
    const document = await bodyOf(server.fetch(new Request('http://x/api/openapi.json', asks('ann'))))
    expect(document).toMatchObject({ security: [] })
    expect(JSON.stringify(document)).not.toContain('printed URL')
  })
})

describe('a base path', () => {
  const HTML =
    '<link rel="icon" href="./icon.svg"><script type="module" src="./assets/main.js"></script><a href="#x">./</a>'

  async function owned(basePath: string) {
    const staticFolder = join(folder, 'page')
    await rm(staticFolder, { recursive: true, force: true })
    await mkdir(join(staticFolder, 'assets'), { recursive: true })
    await writeFile(join(staticFolder, 'index.html'), HTML)
    await writeFile(join(staticFolder, 'assets/main.js'), 'export {}')
    await writeFile(join(staticFolder, 'icon.svg'), '<svg/>')
    const storage = await openSqlite({ folder: join(folder, 'owned') })
    closers.push(() => storage.close())
    const auth = localOwner({ instance: await storage.instance(), allowedHosts: ['home:1'], basePath })
    const server = await mount('owned', { auth, storage, basePath, staticFolder })
    const get = (path: string, headers: Record<string, string> = {}) =>
      server.fetch(new Request(`http://home:1${path}`, { headers }))
    return { ...auth.link, get }
  }
  const navigation = { accept: 'text/html' }

  it.each(['', '/vitrine', '/a/b.c~d'])(
    'P-464 at "%s" pages, files, cookie, redirects and addresses are below it',
    async base => {
      const { get, token } = await owned(base)
      const signedIn = await get(`${base}/s/one?token=${token}&x=1`)
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `${base}/s/one?x=1`])
      const cookie = signedIn.headers.get('set-cookie')!
      expect(cookie).toContain(`; Path=${base || '/'};`)
      const credential = { cookie: cookie.split(';')[0]! }
      expect((await get(`${base}/api/health`, credential)).status).toBe(200)
      expect((await get(`${base}/api/health`)).status).toBe(401)

      const page = HTML.replaceAll('"./', `"${base}/`)
      for (const path of ['/', '/index.html', '/s/one']) {
        expect(await (await get(base + path, navigation)).text(), path).toBe(page)
      }
      expect(await (await get(`${base}/assets/main.js`)).text()).toBe('export {}')

      const document = await bodyOf(get(`${base}/api/openapi.json`, credential))
      expect(document.servers).toEqual([{ url: `${base}/api` }])
      const { schemas } = await bodyOf(get(`${base}/api/schemas`, credential))
      expect((await get(schemas[0]!.url, credential)).status).toBe(200)
      const foreign = await get(`${base}/`, { host: 'evil:1' })
      expect(await foreign.text()).toContain(`http://home:1${base}/.`)
    },
  )

  it('P-464 the path without its slash leads into it, with the token or without, and beside it is nothing', async () => {
    const { get, token } = await owned('/vitrine')
    for (const query of ['', `?token=${token}`]) {
      const answer = await get(`/vitrine${query}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/vitrine/'])
    }
    for (const path of ['/', '/api/health', '/vitrines/', '/vitrine2/api/health', '/%76itrine/', '//vitrine/']) {
      expect((await get(path, { authorization: `Bearer ${token}` })).status, path).toBe(404)
    }
    expect((await get('/vitrine/api/nothing', { authorization: `Bearer ${token}` })).status).toBe(404)
    expect((await get('/vitrine/../vitrine/api/health', { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  it('P-464 a changed token comes with an address below it', async () => {
    const storage = await openSqlite({ folder: join(folder, 'rotated') })
    closers.push(() => storage.close())
    const auth = localOwner({ instance: await storage.instance(), allowedHosts: undefined, basePath: '/vitrine' })
    const server = await mount('rotated', { auth, storage, basePath: '/vitrine/' })
    const headers = { authorization: `Bearer ${auth.link.token}` }
    const answer = await server.fetch(new Request('http://x/vitrine/api/token/rotate', { method: 'POST', headers }))
    const { token, url } = await bodyOf(answer)
    expect(url).toBe(`http://x/vitrine/?token=${token}`)
    expect(answer.headers.get('set-cookie')).toContain('; Path=/vitrine;')
  })

  it('P-472 a request that arrives without the base path is told so, as a problem below /api and as a page elsewhere', async () => {
    const { get } = await owned('/vitrine')
    const api = await get('/api/agents')
    expect([api.status, await api.json()]).toEqual([
      404,
      expect.objectContaining({
        code: 'not_found',
        detail: expect.stringContaining('arrived as /api/agents, without the base path /vitrine'),
        next: expect.stringContaining('pass the whole path'),
      }),
    ])
    expect(await (await get('/s/one')).text()).toContain('arrived as /s/one, without the base path /vitrine')
  })

  it('P-472 a listener of Node answers, also when a framework took the base path away and kept the whole address', async () => {
    const listener = toNodeListener(await mount('listener', { basePath: '/vitrine' }))
    const http = createHttpServer((request, response) => {
      // What Express does below app.use('/vitrine', …).
      const whole = request.url!
      Object.assign(request, { originalUrl: whole, url: whole.slice('/vitrine'.length) })
      listener(request, response)
    }).listen(0, '127.0.0.1')
    closers.push(async () => void http.close())
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/vitrine/api`
    expect((await fetch(`${url}/agents`, asks('ann'))).status).toBe(200)
    expect((await fetch(`${url}/sessions`, asks('ann', 'POST', { title: 'Mine' }))).status).toBe(201)
  })

  it('P-464 what no path can be is refused when the server is made', () => {
    for (const basePath of ['vitrine', '/a b', '/a//b', '/../x', '/a?b', '//evil', '/ä']) {
      expect(() => createServer({ basePath } as CreateServerOptions), basePath).toThrow(/begins with a slash/)
    }
  })
})
