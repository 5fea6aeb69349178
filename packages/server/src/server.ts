import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Agent } from './agents/agent.ts'
import { createGuide } from './agents/guide/guide.ts'
import { createScout } from './agents/guide/scout.ts'
import { openFileBlobs } from './blobs/file-blobs.ts'
import { createApp } from './http/app.ts'
import { hostsOf, localOwner, loopbackName } from './http/auth.ts'
import { type BodyLimits, bodyLimits } from './http/body.ts'
import { createRuntime } from './runtime/create-runtime.ts'
import type { Limits } from './runtime/limits.ts'
import { openSqlite } from './storage/sqlite/sqlite.ts'
import type { Storage } from './storage/storage.ts'
import { createHub } from './stream/hub.ts'
import { createStreams, type StreamLimits, streamLimits } from './stream/streams.ts'

export interface ServerOptions {
  /** Where everything is kept; made when missing. */
  dataFolder: string
  /** 0 takes any free one. */
  port: number
  host: string
  /** The built workbench. */
  staticFolder?: string | undefined
  agents?: readonly Agent[]
  /** Start although the data folder has lost something that it once held. */
  acceptLoss?: boolean
  /** Another database than the SQLite file in the data folder; the server closes it. */
  storage?: Storage
  limits?: Partial<BodyLimits & StreamLimits & Limits>
  log?: (line: string, error: unknown) => void
}

export interface RunningServer {
  /** Opens the workbench for its owner. */
  readonly url: string
  /** Ends the streams, lets what is under way become durable, and gives port and data folder back. */
  close(): Promise<void>
}

/** The server cannot start; the message is one line for the person who started it. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

/** How long requests under way may take when the server stops. */
const CLOSE_MS = 3_000

/** Read it from top to bottom: these are steps 1 to 5 of the walk of one turn. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, agents = [createGuide(), createScout()], log = toStderr } = options
  const host = loopbackName(options.host)
  if (host === undefined) {
    throw new StartRefused(
      `Listening on ${options.host} would let others in, and sign-in is not configured: use --host 127.0.0.1.`,
    )
  }

  // The port comes first: a second start with the same port must not touch the data of the one that runs.
  const ready = Promise.withResolvers<ReturnType<typeof createApp>>()
  ready.promise.catch(() => {})
  const http = createAdaptorServer({
    fetch: async (request, env) => (await ready.promise).fetch(request, env),
    overrideGlobalObjects: false,
  }) as Server
  const port = await listen(http, host, options.port)

  let storage: Storage | undefined
  try {
    // Where facts are durable, and who is told of them afterwards.
    storage = options.storage ?? (await openSqlite({ folder: dataFolder, acceptLoss: options.acceptLoss ?? false }))
    const blobs = await openFileBlobs({ folder: dataFolder })
    const hub = createHub()
    const streams = createStreams({ ...streamLimits, ...options.limits })

    // 2 to 4: accepts each turn once, runs agents, appends what they say, publishes after the commit.
    const runtime = createRuntime({
      storage,
      blobs,
      hub,
      agents,
      report: log,
      ...(options.limits && { limits: options.limits }),
    })
    await runtime.recover()

    // 1 and 5: requests come in, events go out.
    const auth = localOwner({ instance: await storage.instance(), allowedHosts: hostsOf(host, port) })
    const limits = { ...bodyLimits, ...options.limits }
    const { staticFolder } = options
    ready.resolve(createApp({ runtime, storage, hub, streams, agents, auth, limits, staticFolder, log }))

    const close = async (storage: Storage) => {
      const stopped = stop(http)
      streams.close()
      await stopped
      await runtime.close()
      await storage.close()
    }
    const opened = storage
    let closing: Promise<void> | undefined
    return {
      get url() {
        return `http://${host}:${port}/?token=${auth.token}`
      },
      close: () => {
        closing ??= close(opened)
        return closing
      },
    }
  } catch (error) {
    ready.reject(error)
    await stop(http, 0)
    await storage?.close()
    throw error
  }
}

async function listen(http: Server, host: string, port: number): Promise<number> {
  http.listen(port, host.replace(/[[\]]/g, ''))
  try {
    await once(http, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefused(`Port ${port} on ${host} is taken: stop what listens there or choose another with --port.`)
    }
    if (code === 'EACCES') throw new StartRefused(`Port ${port} on ${host} may not be used: choose one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartRefused(`This machine has no address ${host}.`)
    throw error
  }
  return (http.address() as AddressInfo).port
}

/** Accepts nothing more, and resolves when every connection has ended, by itself or by force. */
async function stop(http: Server, patience = CLOSE_MS): Promise<void> {
  const ended = once(http, 'close')
  http.close()
  const idle = setInterval(() => http.closeIdleConnections(), 20)
  const force = setTimeout(() => http.closeAllConnections(), patience)
  await ended
  clearInterval(idle)
  clearTimeout(force)
}

function toStderr(line: string, error: unknown) {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${new Date().toISOString()} ${line}\n${detail}\n`)
}
