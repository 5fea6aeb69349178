import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Agent } from './agents/agent.ts'
import { checkAgents } from './agents/agent-card.ts'
import { createGuide } from './agents/guide/guide.ts'
import { createScout } from './agents/guide/scout.ts'
import { openFileBlobs } from './blobs/file-blobs.ts'
import { catalogsProblem } from './catalogs/catalogs.ts'
import { hostsOf, localOwner, loopbackName } from './http/auth.ts'
import { basePathOf } from './http/base-path.ts'
import { logTo } from './log-to.ts'
import { mediaProblem } from './media/media.ts'
import { CLOSE_MS, type CreateServerOptions, createServer, toNodeListener, type VitrineServer } from './server.ts'
import { fileSeals } from './settings/seals.ts'
import { watchSockets } from './sockets.ts'
import { openSqlite } from './storage/sqlite/sqlite.ts'
import type { Storage } from './storage/storage.ts'

/** What `startServer` needs to know; the rest of a server it brings itself. */
export interface StartServerOptions
  extends Pick<
    CreateServerOptions,
    'basePath' | 'catalogModules' | 'catalogs' | 'limits' | 'media' | 'models' | 'staticFolder' | 'tools'
  > {
  /** Where everything is kept; made when missing. */
  dataFolder: string
  /** 4700 when nothing is given; 0 takes any free one. */
  port?: number
  /** A loopback address; 127.0.0.1 when nothing is given. */
  host?: string
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

/** The server cannot start; the message is one line for whoever started it. */
export class StartRefused extends Error {
  override name = 'StartRefused'
  /** The option of `startServer` that has to be another one. */
  readonly option: keyof StartServerOptions

  constructor(option: keyof StartServerOptions, message: string) {
    super(message)
    this.option = option
  }
}

/** `createServer` with a socket, the local owner, a SQLite file and a folder of blobs. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { dataFolder, agents = [createGuide(), createScout()], log = logTo(process.stderr) } = options
  const basePath = basePathOf(options.basePath)
  const host = hostOf(options.host)
  checkAgents(agents)
  const problem = mediaProblem(options.media ?? {})
  if (problem !== undefined) throw new StartRefused('media', problem)
  await checkCatalogs(options)
  await checkFolders(options)

  // The port comes first: a second start with the same port must not touch the data of the one that runs.
  const serving = Promise.withResolvers<VitrineServer>()
  serving.promise.catch(() => {})
  const http = createHttpServer(
    toNodeListener({ fetch: async (request, env) => (await serving.promise).fetch(request, env) }),
  )
  const sockets = watchSockets(http)
  const port = await listen(http, host, options.port ?? 4700)

  let storage: Storage | undefined
  try {
    storage = options.storage ?? (await openSqlite({ folder: dataFolder, acceptLoss: options.acceptLoss ?? false }))
    const opened = storage
    const blobs = await openFileBlobs({ folder: dataFolder, alone: options.storage === undefined })
    const instance = await storage.instance()
    const auth = localOwner({ instance, allowedHosts: hostsOf(host, port), basePath })
    const { limits = {}, media = {}, staticFolder, catalogs = [], catalogModules = {}, tools = [], models } = options
    const seals = fileSeals({ file: join(dataFolder, 'settings.key') })
    const content = { media, catalogs, catalogModules, staticFolder }
    const server = createServer({
      auth,
      storage,
      blobs,
      agents,
      tools,
      models,
      seals,
      basePath,
      limits,
      ...content,
      log,
    })
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

function hostOf(given = '127.0.0.1'): string {
  const host = loopbackName(given)
  if (host !== undefined) return host
  const why = `Listening on ${given} would let others in, and sign-in is not configured`
  throw new StartRefused('host', `${why}: use 127.0.0.1, or createServer with an auth of your own.`)
}

async function checkCatalogs(options: StartServerOptions): Promise<void> {
  const problem = catalogsProblem(options)
  if (problem) throw new StartRefused(problem.option, problem.message)
  for (const file of Object.values(options.catalogModules ?? {})) {
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile()) continue
    const why = `The file ${file} is not there, so the page could not draw its catalog`
    throw new StartRefused('catalogModules', `${why}: name a module of JavaScript or TypeScript.`)
  }
}

async function checkFolders({ dataFolder, staticFolder }: StartServerOptions): Promise<void> {
  if (typeof dataFolder !== 'string' || dataFolder === '') {
    throw new StartRefused('dataFolder', 'There is no data folder: name one, such as ./data. It is made when missing.')
  }
  if (staticFolder === undefined) return
  const found = await stat(staticFolder).catch(() => undefined)
  if (found?.isDirectory()) return
  const why = `The folder ${staticFolder} is not there, so no page can be served`
  throw new StartRefused('staticFolder', `${why}: build the page first, or leave staticFolder out.`)
}

async function listen(http: HttpServer, host: string, port: number): Promise<number> {
  http.listen(port, host.replace(/[[\]]/g, ''))
  try {
    await once(http, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefused(
        'port',
        `Port ${port} on ${host} is taken: stop what listens there or choose another port.`,
      )
    }
    if (code === 'EACCES')
      throw new StartRefused('port', `Port ${port} on ${host} may not be used: choose one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartRefused('host', `This machine has no address ${host}.`)
    throw error
  }
  return (http.address() as AddressInfo).port
}
