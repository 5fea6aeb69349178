#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CatalogFile } from './catalogs.ts'
import type { UiIo } from './ui.ts'

/** The streams that a command reads and writes. Tests pass their own. */
type Io = UiIo

const help = `vitrine: the user interface layer for AI agents

  vitrine start [--port 4700] [--host 127.0.0.1] [--data ./data] [--agent ./my-agent.ts]
                              start the server and print the URL of its workbench;
                              --agent connects a module's default export and can be repeated;
                              --folder ./work lets agents read the files of a folder, and change them when you allow it;
                              --model ollama:llama3.2 gives a ready agent with a model; openai:…, anthropic:… and google:… need
                              OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY; OLLAMA_HOST says where Ollama is;
                              --mcp ./mcp.json connects the MCP servers of a file {"mcpServers": {…}} and can be repeated;
                              --catalog ./energy.json adds an A2UI catalog: its public document, or a module that exports one;
                              --catalog-module ./energy-module.js after it names the module that draws it; both can be repeated;
                              --show-media-from images.example.org shows images, video and audio of a host without a click;
                              --local-media 127.0.0.1:8080 lets them come from a host of your own network; both can be repeated;
                              --accept-loss goes on with what is left of a data folder that has lost something
  vitrine rotate-token [--data ./data]
                              make a new token for a stopped server: everybody is signed out,
                              and the next start prints the new URL
  vitrine ui compile <file>   print the UI Schema of UI hints
  vitrine ui validate <file>  check UI hints, a UI Schema document or A2UI (vitrine ui --help tells more)
  vitrine --version           print the version
  vitrine --help              print this
`

/** The flags of `start` for the options of the server that people can change. */
const FLAGS: Partial<Record<string, string>> = {
  host: '--host',
  port: '--port',
  dataFolder: '--data',
  catalogs: '--catalog',
  catalogModules: '--catalog-module',
  media: '--show-media-from or --local-media',
  tools: '--mcp',
}

/** The command line cannot be used. */
class Usage extends Error {
  override name = 'Usage'
}

/** Runs one command and gives its exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const [command, ...rest] = args
  try {
    if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
      io.stdout.write(help)
      return command === undefined ? 2 : 0
    }
    if (command === '--version' || command === '-v') {
      io.stdout.write(`${version()}\n`)
      return 0
    }
    if (command === 'start') return await start(rest, io)
    if (command === 'rotate-token') return await rotateToken(rest, io)
    if (command === 'ui') {
      const { ui } = await import('./ui.ts')
      return await ui(rest, io)
    }
    throw new Usage(`There is no command ${JSON.stringify(command)}.`)
  } catch (error) {
    if (!(error instanceof Usage)) throw error
    io.stderr.write(`${error.message} See vitrine --help.\n`)
    return 2
  }
}

async function start(args: readonly string[], io: Io): Promise<number> {
  const {
    acceptLoss,
    port,
    host,
    data,
    folder,
    agent,
    model,
    mcp,
    catalogFiles,
    media,
    help: wanted,
  } = startOptions(args)
  if (wanted) {
    io.stdout.write(help)
    return 0
  }
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Usage(`--folder takes a folder that is there: ${folder || 'an empty name'} is none.`)
  }
  const { createGuide, createScout, logTo, startServer } = await import('@vitrine/server')
  const { loadAgents } = await import('./agents.ts')
  const { loadCatalogs } = await import('./catalogs.ts')
  const { toolsOf } = await import('./tools.ts')
  const { modelAgents } = await import('./models.ts')
  const { loadMcp } = await import('./mcp.ts')
  const stopped = stopSignal()
  return orOneLine(io, async () => {
    const catalogs = await loadCatalogs(catalogFiles)
    const { models, ready } = await modelAgents(model, process.env)
    const loaded = await loadAgents(agent)
    const log = logTo(io.stderr)
    const servers = await loadMcp(mcp, log).catch(async error => {
      await loaded.close()
      throw error
    })
    try {
      const agents = [...ready, ...loaded.agents, createGuide(), createScout()]
      const dataFolder = resolve(data)
      const shipped = toolsOf({ dataFolder, folder })
      const server = await startServer({
        port,
        host,
        dataFolder,
        acceptLoss,
        staticFolder: workbench(),
        agents,
        tools: () => [...shipped, ...servers.sources()],
        models,
        ...catalogs,
        media,
        log,
      })
      io.stdout.write(`Vitrine is ready: ${server.url}\n`)
      await stopped
      await server.close()
    } finally {
      await servers.close()
      await loaded.close()
    }
  })
}

/** Changes the token of a stopped server. A running server has a button in its settings and POST /api/token/rotate. */
async function rotateToken(args: readonly string[], io: Io): Promise<number> {
  const options = { data: { type: 'string', default: './data' }, help: { type: 'boolean', short: 'h' } } as const
  const { data, help: wanted } = parsed(() => parseArgs({ args: [...args], options }).values)
  if (wanted) {
    io.stdout.write(help)
    return 0
  }
  if (!existsSync(join(data, 'vitrine.db'))) throw new Usage(`--data takes the folder of a server: ${data} is none.`)
  const { openSqlite } = await import('@vitrine/server')
  return orOneLine(io, async () => {
    const storage = await openSqlite({ folder: resolve(data) })
    await storage.rotateSecret()
    await storage.close()
    io.stdout.write('The token was changed: everybody is signed out. The next start prints the new URL.\n')
  })
}

/**
 * Prints an error that the person can fix as one line and gives exit code 1. Other errors are thrown with their stack.
 */
async function orOneLine(io: Io, work: () => Promise<void>): Promise<number> {
  const { AgentRefused, StartRefused, StorageRefused } = await import('@vitrine/server')
  try {
    await work()
    return 0
  } catch (error) {
    const refused = [AgentRefused, StartRefused, StorageRefused].some(kind => error instanceof kind)
    if (!refused || !(error instanceof Error)) throw error
    const flag = error instanceof StartRefused ? FLAGS[error.option] : undefined
    io.stderr.write(`${error.message}${flag ? ` The flag is ${flag}.` : ''}\n`)
    return 1
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    // Node's message goes on with how to pass such a value after all. Only its first sentence helps here.
    throw new Usage(`${(error as Error).message.split(/[.\n]/, 1)[0]}.`)
  }
}

function startOptions(args: readonly string[]) {
  const options = {
    port: { type: 'string', default: '4700' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string', default: './data' },
    folder: { type: 'string' },
    agent: { type: 'string', multiple: true, default: [] as string[] },
    model: { type: 'string', multiple: true, default: [] as string[] },
    mcp: { type: 'string', multiple: true, default: [] as string[] },
    catalog: { type: 'string', multiple: true, default: [] as string[] },
    'catalog-module': { type: 'string', multiple: true, default: [] as string[] },
    'show-media-from': { type: 'string', multiple: true, default: [] as string[] },
    'local-media': { type: 'string', multiple: true, default: [] as string[] },
    'accept-loss': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } satisfies NonNullable<Parameters<typeof parseArgs>[0]>['options']
  const { values, tokens } = parsed(() => parseArgs({ args: [...args], options, tokens: true }))
  const { host, data, folder, agent, model, mcp, help: wanted } = values
  const port = Number(values.port)
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) throw new Usage('--port takes a number from 0 to 65535.')
  if (host === '') throw new Usage('--host takes a name or an address.')
  if (data === '') throw new Usage('--data takes a folder.')
  const media = { hosts: values['show-media-from'], local: values['local-media'] }
  const catalogFiles = catalogsIn(tokens)
  const acceptLoss = values['accept-loss']
  return { acceptLoss, port, host, data, folder, agent, model, mcp, catalogFiles, media, help: wanted }
}

/** Each `--catalog-module` is for the `--catalog` before it. */
function catalogsIn(tokens: readonly { kind: string; name?: string; value?: string | undefined }[]): CatalogFile[] {
  const files: { file: string; module?: string }[] = []
  for (const { name, value = '' } of tokens) {
    if (name === 'catalog') files.push({ file: value })
    if (name !== 'catalog-module') continue
    const last = files.at(-1)
    if (!last || last.module !== undefined)
      throw new Usage('--catalog-module stands after the --catalog that it draws.')
    last.module = value
  }
  return files
}

/** Resolves with the first signal to stop. A second signal ends the process at once. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    })
  }
  return promise
}

/** Finds the built workbench: beside this file in the published package, or in its own folder in the repository. */
function workbench(): string | undefined {
  const here = import.meta.dirname
  return [join(here, 'workbench'), join(here, '../../../apps/workbench/dist')].find(folder =>
    existsSync(join(folder, 'index.html')),
  )
}

function version(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2), process)
}
