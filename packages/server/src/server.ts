import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Agent } from './agents/agent.ts'
import type { ModelSource } from './agents/model-source.ts'
import type { Blobs } from './blobs/blobs.ts'
import { type CatalogOptions, catalogsProblem, createCatalogs, tellModules } from './catalogs/catalogs.ts'
import { createApp } from './http/app.ts'
import type { Auth } from './http/auth.ts'
import { basePathOf } from './http/base-path.ts'
import { type BodyLimits, bodyLimits } from './http/body.ts'
import { problemResponse } from './http/problem.ts'
import { createMedia, type MediaOptions } from './media/media.ts'
import { stopping } from './refusal.ts'
import { createRuntime } from './runtime/create-runtime.ts'
import type { Limits } from './runtime/limits.ts'
import { createSandboxes } from './sandbox/sandboxes.ts'
import type { Seals } from './settings/seals.ts'
import type { Storage } from './storage/storage.ts'
import { createHub, type Hub } from './stream/hub.ts'
import { createStreams, type StreamLimits, streamLimits } from './stream/streams.ts'
import type { ToolSources } from './tools/tool.ts'

/** What the server may take and hold; each has a default. */
export type ServerLimits = Partial<BodyLimits & StreamLimits & Limits>

/**
 * Where a server writes what went wrong inside: a line for people, and the error. The logs of sessions are something
 * else.
 */
export type ServerLog = (line: string, error: unknown) => void

/** Everything that a server is made of. */
export interface CreateServerOptions extends CatalogOptions {
  /** Decides who asks, from the request alone. */
  auth: Auth
  /** Where facts are durable. Whoever opened it closes it, after the server. */
  storage: Storage
  blobs: Blobs
  /** The first one is what a new session gets when it names none. */
  agents: readonly Agent[]
  /** Who offers models to the providers that people connect and the agents that they make. */
  models?: ModelSource | undefined
  /** Seals the keys that people enter, such as `fileSeals({ file })`. Without it none can be stored. */
  seals?: Seals | undefined
  /** Who offers tools to the agents: a list, or a function that is asked whenever they are needed. Whoever made a source closes it, after the server. */
  tools?: ToolSources
  /** The path under which requests arrive, such as `/vitrine`: the API is then below `/vitrine/api`. */
  basePath?: string
  limits?: ServerLimits
  /** The built workbench; without it only the API answers. */
  staticFolder?: string | undefined
  /** From where the page may show images, video and audio without asking. */
  media?: MediaOptions
  /** Tells readers what is durable: another one when several processes serve the same sessions. */
  hub?: Hub
  log: ServerLog
}

/** A server that any program with Request and Response can mount. */
export interface VitrineServer {
  /**
   * Answers one request. The first one waits until what a crash left open has been put in order. `env` is what the
   * adapter of the socket gives, such as Hono's `c.env`: with it, a reader that is stuck can be disconnected.
   */
  fetch(request: Request, env?: unknown): Promise<Response>
  /** Resolves when the server is about to serve; rejects when it never can. */
  readonly ready: Promise<void>
  /** Ends the streams, lets what is under way become durable, and answers nothing more. */
  close(): Promise<void>
}

/** How long requests under way may take when the server stops. */
export const CLOSE_MS = 3_000

/**
 * A server of the given parts, without a socket: `fetch` answers a request, whoever received it. Read it from top to
 * bottom: the numbered comments follow one turn through the server.
 */
export function createServer(options: CreateServerOptions): VitrineServer {
  const { auth, storage, blobs, agents, staticFolder, log, hub = createHub() } = options
  const basePath = basePathOf(options.basePath)
  checkAuth(auth)
  const problem = catalogsProblem(options)
  if (problem) throw new TypeError(problem.message)
  void tellModules(options, log)
  const limits = { ...bodyLimits, ...streamLimits, ...options.limits }
  /** Names this start, in leases and to readers. */
  const bootId = randomUUID()

  // 1. A request comes in: http/ finds out who asks, checks what they ask for, and calls the runtime.
  async function answer(request: Request, env: unknown): Promise<Response> {
    await ready
    return app.fetch(request, (env ?? {}) as Partial<HttpBindings>)
  }

  // 2. runtime/ accepts each command once. 3. It runs the agents. 4. log/ makes what they say durable in storage, and only
  // then tells the hub.
  const { catalogs = [], tools = [], models, seals } = options
  const connected = { agents, tools, models, seals, catalogs }
  const runtime = createRuntime({ storage, blobs, hub, ...connected, limits, holder: bootId, report: log })

  // 5. stream/ sends what the hub tells and storage holds to everybody who follows, each in their dialect.
  const streams = createStreams(limits, bootId)
  const media = createMedia(options.media)
  const sandboxes = createSandboxes({ storage, staticFolder, basePath })
  const content = { media, sandboxes, catalogs: createCatalogs(options, basePath), staticFolder }
  const app = createApp({ runtime, storage, hub, streams, auth, limits, basePath, ...content, log })

  // Before the first request: runs that a crash cut off are ended, and queues go on.
  const ready = runtime.recover()
  ready.catch(() => {})

  const underWay = new Set<Promise<Response>>()
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    streams.close()
    let patience: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      patience = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([Promise.allSettled([...underWay]), late])
    clearTimeout(patience)
    // One that is closed while it still puts things in order ends that first.
    await ready.catch(() => {})
    await runtime.close()
  }

  return {
    ready,
    async fetch(request, env) {
      if (closing) return problemResponse(stopping())
      const answered = answer(request, env)
      underWay.add(answered)
      return answered.finally(() => underWay.delete(answered))
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * The server as a listener of `node:http`, for programs whose framework gives the request and the response of Node:
 * `http.createServer(toNodeListener(vitrine))`, or with Express `app.use('/vitrine', toNodeListener(vitrine))`.
 */
export function toNodeListener(
  server: Pick<VitrineServer, 'fetch'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const listener = getRequestListener((request, env) => server.fetch(request, env), { overrideGlobalObjects: false })
  return async (request, response) => {
    // Express takes the path of a mount away and keeps the whole one here; the server needs the whole one.
    const { originalUrl } = request as IncomingMessage & { originalUrl?: string }
    if (originalUrl !== undefined) request.url = originalUrl
    await listener(request, response)
  }
}

/** Programs in JavaScript learn at once that nobody says who asks. */
function checkAuth(auth: Partial<Auth> | undefined): void {
  if (typeof auth?.authorise === 'function') return
  throw new TypeError(
    'createServer needs auth: { authorise(request) }, which says who asks. startServer brings its own.',
  )
}
