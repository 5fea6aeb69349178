import { randomUUID } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { formatPointer } from '@vitrine/protocol'
import { isText } from '@vitrine/protocol/schema'
import { getPath } from 'hono/utils/url'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import { storageRefusal } from '../runtime/storage-refusal.ts'
import { SANDBOX_ROUTE } from '../sandbox/signed-path.ts'
import { isStream } from '../stream/connection.ts'
import type { Auth, SignInLink } from './auth.ts'
import { isBelow } from './base-path.ts'
import { badText } from './body.ts'
import { compressJson } from './encoding.ts'
import type { Api, ApiEnv } from './env.ts'
import { idempotency } from './idempotency.ts'
import { problemResponse } from './problem.ts'
import { statusOf } from './refusals.ts'
import { blobRoutes, uploadRoutes } from './routes/blobs.ts'
import { catalogRoutes } from './routes/catalogs.ts'
import { folderRoutes } from './routes/folders.ts'
import { mediaRoutes } from './routes/media.ts'
import { promptRoutes } from './routes/prompts.ts'
import { runtimeRoutes } from './routes/runtime.ts'
import { schemaRoutes } from './routes/schemas.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { settingsRoutes } from './routes/settings.ts'
import { streamRoutes } from './routes/stream.ts'
import { tokenRoutes } from './routes/token.ts'
import { toolRoutes } from './routes/tools.ts'
import { usageRoutes } from './routes/usage.ts'
import { pageHeaders, staticFiles } from './static.ts'

export interface AppOptions extends Omit<Api, 'report'> {
  auth: Auth
  /** The built workbench; without it only the API answers. */
  staticFolder?: string | undefined
  /** The server's log: what went wrong inside, under the id that the caller was given. */
  log(line: string, error: unknown): void
}

type Files = ReturnType<typeof staticFiles>

/** The HTTP server as a function of Request. */
export function createApp({ auth, staticFolder, log, ...parts }: AppOptions): OpenAPIHono<ApiEnv> {
  const api: Api = { ...parts, report: error => log('a stream broke off', error) }
  const { basePath } = api
  // Routes and kept answers do not know where the server is mounted: it can move.
  const app = new OpenAPIHono<ApiEnv>({ getPath: request => getPath(request).slice(basePath.length) || '/' })

  app.use(async (c, next) => {
    await next()
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    // A sandbox has no origin: what it loads says so itself.
    if (!c.res.headers.has('cross-origin-resource-policy')) c.header('cross-origin-resource-policy', 'same-origin')
  })
  app.use(async (c, next) => {
    const url = new URL(c.req.url)
    if (!isBelow(basePath, url)) return outside(url.pathname, basePath)
    return next()
  })
  const files = staticFolder === undefined ? undefined : staticFiles(staticFolder, basePath)
  app.onError(async (error, c) => {
    if (error instanceof Refusal) {
      const shown = wantsPage(c.req.raw) ? await pageOf(files, c.req.raw, statusOf(error.code)) : undefined
      return shown ?? problemResponse(error, headersOf(error))
    }
    const id = randomUUID()
    log(`${id} ${c.req.method} ${c.req.path}`, error)
    const refusal = storageRefusal(error)
    if (refusal) return problemResponse(refusal)
    const detail = `Something went wrong inside the server. Its log has the details under ${id}.`
    const next = 'Try again; if it stays, look into the log.'
    return problemResponse(new Refusal('internal', detail, { next }))
  })

  app.route('/api', createApi(api, auth))
  app.all('/api/*', async c => {
    await principalOf(auth, c.req.raw)
    const next = 'GET /api/openapi.json lists them.'
    return problemResponse(new Refusal('not_found', 'There is no such route.', { next }))
  })

  app.on(['GET', 'HEAD'], `${SANDBOX_ROUTE}*`, c => {
    const refusal = foreignHost(auth, c.req.raw)
    if (refusal) return page(statusOf(refusal.code), [refusal.message, refusal.next].join(' '))
    return api.sandboxes.answer(c.req.raw)
  })

  app.on(['GET', 'HEAD'], '*', c => {
    const refusal = foreignHost(auth, c.req.raw)
    if (refusal) return page(statusOf(refusal.code), [refusal.message, refusal.next].join(' '))
    const entry = signIn(auth.link, c.req.raw, basePath)
    if (entry === 'refused') return refusedLink(c.req.raw, files)
    const elsewhere = entry ?? intoFolder(c.req.raw, basePath)
    return elsewhere ?? files?.(c.req.raw) ?? page(404, `This server has no workbench, only ${basePath}/api.`)
  })
  app.all('*', () => {
    const refusal = new Refusal('method_not_allowed', 'The workbench can only be read.')
    return problemResponse(refusal, { allow: 'GET, HEAD' })
  })
  return app
}

function createApi(api: Api, auth: Auth): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>({
    defaultHook: result => {
      if (result.success) return
      // An id with an impossible form is answered like an id that does not exist.
      if (result.target === 'param') throw new Refusal('not_found', 'There is no such thing.')
      const [issue] = result.error.issues
      const path = formatPointer((issue?.path ?? []).map(String))
      throw new Refusal('invalid_request', issue?.message ?? 'The request has the wrong shape.', { path })
    },
  })
  app.use(async (c, next) => {
    c.set('who', await principalOf(auth, c.req.raw))
    for (const [name, values] of Object.entries(c.req.queries())) {
      if (!values.every(isText)) {
        throw badText(formatPointer([name]))
      }
    }
    await next()
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    // The token may have been changed while a stream was being opened: then nobody may read it any more.
    if (isStream(c.res)) {
      const { body } = c.res
      await principalOf(auth, c.req.raw).catch(async refusal => {
        await body?.cancel()
        throw refusal
      })
    }
  })
  app.use(compressJson)
  // Registered before the idempotency keys, so that its answer, a secret, is never stored.
  if (auth.link) tokenRoutes(app, api, auth.link)
  uploadRoutes(app, api)
  // Neither is what sources have ready: it may be large, and asking for it writes nothing.
  promptRoutes(app, api)
  app.use(idempotency(api.storage, api.limits))

  streamRoutes(app, api)
  sessionRoutes(app, api)
  folderRoutes(app, api)
  toolRoutes(app, api)
  settingsRoutes(app, api)
  usageRoutes(app, api)
  runtimeRoutes(app, api)
  blobRoutes(app, api)
  mediaRoutes(app, api)
  catalogRoutes(app, api)
  schemaRoutes(app, api, auth.link !== undefined)
  refuseOtherMethods(app)
  return app
}

/** 405 with the methods that the path has. */
function refuseOtherMethods(app: OpenAPIHono<ApiEnv>) {
  const methods = new Map<string, string[]>()
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const path = definition.route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), definition.route.method.toUpperCase()])
  }
  for (const [path, known] of methods) {
    const allow = (known.includes('GET') ? [...known, 'HEAD'] : known).join(', ')
    app.all(path, c => {
      const next = `Use ${allow}.`
      const refusal = new Refusal('method_not_allowed', `${c.req.method} is not possible here.`, { next })
      return problemResponse(refusal, { allow })
    })
  }
}

/** An `authorise` that finds nobody may say so with null or undefined, as many do, instead of a Refusal. */
async function principalOf(auth: Auth, request: Request): Promise<Principal> {
  const who: Principal | null | undefined = await auth.authorise(request)
  if (who === null || who === undefined) {
    throw new Refusal('unauthenticated', 'Nobody is signed in.', { next: 'Sign in and try again.' })
  }
  if (typeof who.id === 'string' && who.id !== '' && typeof who.kind === 'string') return who
  throw new TypeError('authorise must give { id, name, kind, roles, claims }, or null when nobody is signed in.')
}

/** A path outside of the base path. Most frameworks take the prefix away when they mount, and then everything is. */
function outside(pathname: string, basePath: string): Response {
  const text = `This request arrived as ${pathname}, without the base path ${basePath}, and nothing is served there.`
  const next = `Open ${basePath}/. If you did, whatever passes requests on to the server takes ${basePath} away: pass the whole path.`
  if (pathname !== '/api' && !pathname.startsWith('/api/')) return page(404, `${text} ${next}`)
  return problemResponse(new Refusal('not_found', text, { next }))
}

function foreignHost(auth: Auth, request: Request): Refusal | undefined {
  try {
    auth.checkHost?.(request)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** After these the rest of the body is not wanted: the connection ends with the answer. */
const headersOf = ({ code }: Refusal): Record<string, string> =>
  ['body_incomplete', 'too_large', 'uploads_busy', 'uploads_full'].includes(code) ? { connection: 'close' } : {}

/** The printed URL: its token becomes a cookie and leaves the address bar. */
function signIn(link: SignInLink | undefined, request: Request, basePath: string): Response | 'refused' | undefined {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (!link || token === null) return undefined
  const cookie = link.signIn(token)
  if (cookie === undefined && !link.knows(request)) return 'refused'
  url.searchParams.delete('token')
  return redirect(url, basePath, cookie === undefined ? {} : { 'set-cookie': cookie })
}

/** An old or broken link. People see the page, which says so and asks for the token; others read a sentence. */
async function refusedLink(request: Request, files: Files | undefined): Promise<Response> {
  const shown = request.headers.get('accept')?.includes('text/html') ? await pageOf(files, request, 401) : undefined
  return shown ?? page(401, 'This address is not valid. Open the URL that the server printed when it started.')
}

/** The workbench with another status: it says what is wrong with the address, and what to do. */
async function pageOf(files: Files | undefined, request: Request, status: number): Promise<Response | undefined> {
  const shown = await files?.(request)
  if (shown?.status !== 200 || !shown.headers.get('content-type')?.startsWith('text/html')) return undefined
  return new Response(shown.body, { status, headers: shown.headers })
}

/** Somebody opened an address of the API in a browser, such as that of a file; programs and pages do not say so. */
const wantsPage = (request: Request): boolean =>
  request.method === 'GET' &&
  request.headers.get('sec-fetch-mode') === 'navigate' &&
  request.headers.get('sec-fetch-dest') === 'document' &&
  (request.headers.get('accept') ?? '').includes('text/html')

/** The page itself is in the folder of the base path: what it loads is beside it. */
function intoFolder(request: Request, basePath: string): Response | undefined {
  const url = new URL(request.url)
  return basePath !== '' && url.pathname === basePath ? redirect(url, basePath) : undefined
}

function redirect({ pathname, search }: URL, basePath: string, headers: Record<string, string> = {}): Response {
  // Several slashes at the beginning would name another host.
  const path = pathname === basePath ? `${basePath}/` : pathname.replace(/^[/\\]+/, '/')
  const location = path + search
  return new Response(null, {
    status: 303,
    headers: { ...pageHeaders, location, 'cache-control': 'no-store', ...headers },
  })
}

const page = (status: number, text: string) =>
  new Response(`${text}\n`, { status, headers: { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' } })
