import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ActionRequest } from '@vitrine/protocol'
import type { ActionResponse, SourceTool, ToolCall, ToolOutput, ToolSource } from '@vitrine/server'
import type { McpServerConfig, McpTransport } from './config.ts'
import { createMcpServers, type McpServers, type McpServersOptions } from './mcp-servers.ts'

const hostileFile = fileURLToPath(new URL('./hostile-server.fixture.ts', import.meta.url))
const { resolve } = createRequire(import.meta.url)
const bin = (name: string): string => resolve(`@modelcontextprotocol/${name}/dist/index.js`)

const node = (file: string, args: readonly string[]): McpTransport => ({
  kind: 'stdio',
  command: process.execPath,
  args: [file, ...args],
})

export const everythingFile: string = bin('server-everything')

/** The real server of the MCP project that has one of everything. */
export const everything = (given: Partial<McpServerConfig> = {}): McpServerConfig => ({
  id: 'everything',
  name: 'Everything',
  transport: node(everythingFile, ['stdio']),
  ...given,
})

/** The real server of the MCP project that works with files. */
export const files = (folder: string, given: Partial<McpServerConfig> = {}): McpServerConfig => ({
  id: 'files',
  name: 'Files',
  transport: node(bin('server-filesystem'), [folder]),
  ...given,
})

/** Our own server that misbehaves. */
export const hostile = (flags: readonly string[] = [], given: Partial<McpServerConfig> = {}): McpServerConfig => ({
  id: 'hostile',
  name: 'Hostile',
  transport: node(hostileFile, flags),
  ...given,
})

export const audience = { owner: 'ann', sessionId: 's1', agentId: 'test' }

/** Servers of a test, and what their tools say. */
export interface Kit {
  readonly servers: McpServers
  readonly logged: string[]
  source(id?: string): ToolSource
  tool(name: string, id?: string): Promise<SourceTool>
  call(name: string, args?: object, call?: Partial<ToolCall>, id?: string): Promise<ToolOutput>
  /** Looks until it is so. */
  until<T>(look: () => T | undefined | false): Promise<T>
  close(): Promise<void>
}

let calls = 0

export function callOf(given: Partial<ToolCall> = {}): ToolCall {
  const toolCallId = `call-${++calls}`
  return {
    sessionId: 's1',
    runId: 'r1',
    agentId: 'test',
    toolCallId,
    idempotencyKey: toolCallId,
    by: { kind: 'person', id: 'ann', name: 'Ann' },
    signal: new AbortController().signal,
    progress: () => {},
    output: () => {},
    ask: () => Promise.reject(new Error('Nobody is asked in this test.')),
    files: async () => [],
    readFile: () => Promise.reject(new Error('There are no files in this test.')),
    ...given,
  }
}

export const answering =
  (response: Partial<ActionResponse>, requests: ActionRequest[] = []): ToolCall['ask'] =>
  async request => {
    requests.push(request)
    return { outcome: 'answered', value: null, by: { kind: 'person', id: 'ann', name: 'Ann' }, ...response }
  }

/** Connects servers, and waits until each of them is ready or has failed. */
export async function kitOf(
  configs: readonly McpServerConfig[],
  options: Omit<McpServersOptions, 'servers'> = {},
): Promise<Kit> {
  const logged: string[] = []
  const log = (line: string): void => void logged.push(line)
  const limits = { backoffMs: 20, ...options.limits }
  const servers = createMcpServers({ servers: configs, log, ...options, limits })
  const kit: Kit = {
    servers,
    logged,
    source: (id = configs[0]!.id) => servers.sources().find(({ sourceId }) => sourceId === `mcp.${id}`)!,
    async tool(name, id) {
      const tools = await kit.source(id).tools(audience)
      const found = tools.find(tool => tool.name === name)
      if (!found) throw new Error(`There is no tool ${name} among ${tools.map(tool => tool.name)}`)
      return found
    },
    call: async (name, args = {}, call = {}, id = undefined) =>
      (await kit.tool(name, id)).execute(args as never, callOf(call)),
    async until(look) {
      for (let tries = 0; ; tries++) {
        const found = look()
        if (found !== undefined && found !== false) return found
        if (tries > 3_000) throw new Error(`It never came: ${JSON.stringify(servers.list())}`)
        await new Promise(next => setTimeout(next, 10))
      }
    },
    close: () => servers.close(),
  }
  await kit.until(() => servers.list().every(({ health }) => health.state !== 'starting'))
  return kit
}
