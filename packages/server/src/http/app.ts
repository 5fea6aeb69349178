import { randomUUID } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { Refusal } from '../runtime/runtime.ts'
import { storageRefusal } from '../runtime/storage-refusal.ts'
import { streamHeaders } from '../stream/connection.ts'
import type { Auth } from './auth.ts'
import { isText } from './body.ts'
import { compressJson } from './encoding.ts'
import type { Api, ApiEnv } from './env.ts'
import { idempotency } from './idempotency.ts'
import { BadRequest, pointerTo, problemResponse } from './problem.ts'
import { blobRoutes } from './routes/blobs.ts'
import { runtimeRoutes } from './routes/runtime.ts'
import { schemaRoutes } from './routes/schemas.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { streamRoutes } from './routes/stream.ts'
import { tokenRoutes } from './routes/token.ts'
import { pageHeaders, staticFiles } from './static.ts'

export interface AppOptions extends Omit<Api, 'report'> {
  auth: Auth
  /** The built workbench; without it only the API answers. */
  staticFolder?: string | undefined
  /** The server's log: what went wrong inside, under the id that the caller was given. */
  log(line: string, error: unknown): void
}

/** The HTTP server as a function of Request. */
export function createApp({ auth, staticFolder, log, ...parts }: AppOptions): OpenAPIHono<ApiEnv> {
  const api: Api = { ...parts, report: error => log('a stream broke off', error) }
  const app = new OpenAPIHono<ApiEnv>()

  app.use(async (c, next) => {
    await next()
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    c.header('cross-origin-resource-policy', 'same-origin')
  })
  app.onError((error, c) => {
    if (error instanceof Refusal) return problemResponse(error, headersOf(error))
    const id = randomUUID()
    log(`${id} ${c.req.method} ${c.req.path}`, error)
    const refusal = storageRefusal(error)
    if (refusal) return problemResponse(refusal)
    const detail = `Something went wrong inside the server. Its log has the details under ${id}.`
    return problemResponse(new Refusal(500, 'internal', detail, 'Try again; if it stays, look into the log.'))
  })

  app.route('/api', createApi(api, auth))
  app.all('/api/*', async c => {
    await auth.authorise(c.req.raw)
    return problemResponse(
      new Refusal(404, 'not_found', 'There is no such route.', 'GET /api/openapi.json lists them.'),
    )
  })

  const files = staticFolder === undefined ? undefined : staticFiles(staticFolder)
  app.on(['GET', 'HEAD'], '*', c => {
    const refusal = foreignHost(auth, c.req.raw)
    if (refusal) return page(refusal.status, [refusal.message, refusal.next].join(' '))
    return signIn(auth, c.req.raw) ?? files?.(c.req.raw) ?? page(404, 'This server has no workbench, only /api.')
  })
  app.all('*', () => {
    const refusal = new Refusal(405, 'method_not_allowed', 'The workbench can only be read.')
    return problemResponse(refusal, { allow: 'GET, HEAD' })
  })
  return app
}

function createApi(api: Api, auth: Auth): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>({
    defaultHook: result => {
      if (result.success) return
      // An id that cannot be one is answered like one that is not there.
      if (result.target === 'param') throw new Refusal(404, 'not_found', 'There is no such thing.')
      const [issue] = result.error.issues
      const code = result.target === 'header' ? 'invalid_header' : 'invalid_query'
      throw new BadRequest(
        400,
        code,
        issue?.message ?? 'The request has the wrong shape.',
        pointerTo(issue?.path ?? []),
      )
    },
  })
  app.use(async (c, next) => {
    c.set('who', await auth.authorise(c.req.raw))
    for (const [name, values] of Object.entries(c.req.queries())) {
      if (!values.every(isText)) {
        throw new BadRequest(400, 'invalid_text', 'Text must be well-formed Unicode without NUL.', pointerTo([name]))
      }
    }
    await next()
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    // The token may have been changed while a stream was being opened: then nobody may read it any more.
    if (c.res.headers.get('content-type') === streamHeaders['content-type']) {
      const { body } = c.res
      await auth.authorise(c.req.raw).catch(async refusal => {
        await body?.cancel()
        throw refusal
      })
    }
  })
  app.use(compressJson)
  // Before the keys: a kept answer would keep the secret.
  tokenRoutes(app, api, auth)
  app.use(idempotency(api.storage, api.limits))

  streamRoutes(app, api)
  sessionRoutes(app, api)
  runtimeRoutes(app, api)
  blobRoutes(app, api)
  schemaRoutes(app, api)
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
      const refusal = new Refusal(405, 'method_not_allowed', `${c.req.method} is not possible here.`, `Use ${allow}.`)
      return problemResponse(refusal, { allow })
    })
  }
}

function foreignHost(auth: Auth, request: Request): Refusal | undefined {
  try {
    auth.checkHost(request)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** After these the rest of the body is not wanted: the connection ends with the answer. */
const headersOf = (refusal: Refusal): Record<string, string> =>
  refusal.status === 408 || refusal.status === 413 ? { connection: 'close' } : {}

/** The printed URL: its token becomes a cookie and leaves the address bar. */
function signIn(auth: Auth, request: Request): Response | undefined {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (token === null) return undefined
  const cookie = auth.signIn(token)
  if (cookie === undefined && !auth.knows(request)) {
    return page(401, 'This address is not valid. Open the URL that the server printed when it started.')
  }
  url.searchParams.delete('token')
  // Several slashes at the beginning would name another host.
  const location = url.pathname.replace(/^[/\\]+/, '/') + url.search
  const headers: Record<string, string> = { ...pageHeaders, location, 'cache-control': 'no-store' }
  if (cookie !== undefined) headers['set-cookie'] = cookie
  return new Response(null, { status: 303, headers })
}

const page = (status: number, text: string) =>
  new Response(`${text}\n`, { status, headers: { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' } })
