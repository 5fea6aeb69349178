import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Agent } from './agents/agent.ts'
import { createGuide } from './agents/guide/guide.ts'
import { createScout } from './agents/guide/scout.ts'
import { openFileBlobs } from './blobs/file-blobs.ts'
import { hostsOf, localOwner, loopbackName } from './http/auth.ts'
import { basePathOf } from './http/base-path.ts'
import { logTo } from './log-to.ts'
import { CLOSE_MS, type CreateServerOptions, createServer, type VitrineServer } from './server.ts'
import { watchSockets } from './sockets.ts'
import { openSqlite } from './storage/sqlite/sqlite.ts'
import type { Storage } from './storage/storage.ts'

/** What `startServer` needs to know; the rest of a server it brings itself. */
export interface StartServerOptions extends Pick<CreateServerOptions, 'basePath' | 'limits' | 'staticFolder'> {
  /** Where everything is kept; made when missing. */
  dataFolder: string
  /** 0 takes any free one. */
  port: number
  host: string
  /** The guide and its scout when nothing is given. */
  agents?: readonly Agent[]
  /** Start although the data folder has lost something that it once held. */
  acceptLoss?: boolean
  /** Another database than the SQLite file in the data folder; the server closes it. */
  storage?: Storage
  /** Stderr when nothing is given. */
  log?: CreateServerOptions['log']
}

/** A server that listens on a socket. */
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

/** `createServer` with a socket, the local owner, a SQLite file and a folder of blobs. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { dataFolder, agents = [createGuide(), createScout()], log = logTo(process.stderr) } = options
  const basePath = basePathOf(options.basePath)
  const host = loopbackName(options.host)
  if (host === undefined) {
    throw new StartRefused(
      `Listening on ${options.host} would let others in, and sign-in is not configured: use --host 127.0.0.1.`,
    )
  }

  // The port comes first: a second start with the same port must not touch the data of the one that runs.
  const serving = Promise.withResolvers<VitrineServer>()
  serving.promise.catch(() => {})
  const http = createAdaptorServer({
    fetch: async (request, env) => (await serving.promise).fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
  }) as HttpServer
  const sockets = watchSockets(http)
  const port = await listen(http, host, options.port)

  let storage: Storage | undefined
  try {
    storage = options.storage ?? (await openSqlite({ folder: dataFolder, acceptLoss: options.acceptLoss ?? false }))
    const opened = storage
    const blobs = await openFileBlobs({ folder: dataFolder })
    const instance = await storage.instance()
    const auth = localOwner({ instance, allowedHosts: hostsOf(host, port), basePath })
    const { limits = {}, staticFolder } = options
    const server = createServer({ auth, storage, blobs, agents, basePath, limits, staticFolder, log })
    await server.ready
    serving.resolve(server)

    const close = async () => {
      const ended = sockets.close(CLOSE_MS)
      await server.close()
      await ended
      await opened.close()
    }
    let closing: Promise<void> | undefined
    return {
      get url() {
        return `http://${host}:${port}${basePath}/?token=${auth.link.token}`
      },
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    serving.reject(error)
    await sockets.close(0)
    await storage?.close()
    throw error
  }
}

async function listen(http: HttpServer, host: string, port: number): Promise<number> {
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
