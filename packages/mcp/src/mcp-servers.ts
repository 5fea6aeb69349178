import { isDeepStrictEqual } from 'node:util'
import type { ToolSource, ToolSourceHealth } from '@vitrine/server'
import { type McpServerConfig, readMcpServer, targetOf } from './config.ts'
import { type McpHost, type McpLimits, McpSource, mcpLimits } from './mcp-source.ts'

/** What a set of MCP servers is made of. */
export interface McpServersOptions {
  servers?: readonly McpServerConfig[]
  limits?: Partial<McpLimits>
  /** Where it is told when a server fails. Nothing that it is told has a secret. */
  log?: McpHost['log']
  /** Asks a model for servers whose configuration allows it, in the form of `sampling/createMessage`. */
  sample?: McpHost['sample']
}

/** One server as people see it. It has no secret. */
export interface McpServerInfo {
  readonly id: string
  readonly name: string
  readonly sourceId: string
  readonly kind: McpServerConfig['transport']['kind']
  /** The command or the address. */
  readonly target: string
  readonly enabled: boolean
  readonly trusted: boolean
  readonly owner?: string
  readonly health: ToolSourceHealth
  /** The names that the server gives its tools. */
  readonly tools: readonly string[]
  /** The last lines that it wrote for people. */
  readonly lines: readonly string[]
}

/** What was found when a configuration was tried out. */
export type McpTrial = { ok: true; tools: readonly string[] } | { ok: false; message: string; lines: readonly string[] }

/** The MCP servers of an installation, which come and go while it runs. */
export interface McpServers {
  /** A source for each server, as they are now: `startServer({ tools: () => servers.sources() })`. */
  sources(): readonly ToolSource[]
  list(): readonly McpServerInfo[]
  /** Adds a server, or changes the one with this id. It is connected anew when that is needed. */
  set(config: McpServerConfig): Promise<void>
  /** False when there is no such server. */
  remove(id: string): Promise<boolean>
  /** Ends the server and starts it again, also when it was given up. */
  restart(id: string): Promise<boolean>
  /** Connects once, without offering anything, and says what is wrong in words. */
  tryOut(config: McpServerConfig): Promise<McpTrial>
  close(): Promise<void>
}

/** Makes the MCP servers of an installation, and starts to connect them. */
export function createMcpServers(options: McpServersOptions = {}): McpServers {
  const host: McpHost = {
    limits: { ...mcpLimits, ...options.limits },
    log: options.log ?? (() => {}),
    sample: options.sample,
  }
  const sources = new Map<string, McpSource>()
  const configs = (options.servers ?? []).map(readMcpServer)
  for (const config of configs) begin(config)

  function begin(config: McpServerConfig): void {
    const source = new McpSource(config, host)
    sources.set(config.id, source)
    source.start()
  }

  return {
    sources: () => [...sources.values()],
    list: () => [...sources.values()].map(infoOf),
    async set(given) {
      const config = readMcpServer(given)
      const before = sources.get(config.id)
      if (before && reaches(before.config, config)) return before.change(config)
      begin(config)
      await before?.close()
    },
    async remove(id) {
      const source = sources.get(id)
      sources.delete(id)
      await source?.close()
      return source !== undefined
    },
    async restart(id) {
      const source = sources.get(id)
      if (!source) return false
      begin(source.config)
      await source.close()
      return true
    },
    async tryOut(given) {
      const config = { ...readMcpServer(given), enabled: true }
      const source = new McpSource(config, { ...host, limits: { ...host.limits, restarts: 0 }, log: () => {} })
      try {
        source.start()
        const message = await source.problem()
        if (message === undefined) return { ok: true, tools: source.toolNames }
        return { ok: false, message, lines: [...source.lines] }
      } finally {
        await source.close()
      }
    },
    async close() {
      await Promise.all([...sources.values()].map(source => source.close()))
      sources.clear()
    },
  }
}

/** Whether two configurations reach the same server in the same way, so that its connection can stay. */
function reaches(before: McpServerConfig, after: McpServerConfig): boolean {
  const ways = [before, after].map(({ transport, roots, sampling, enabled = true, startMs }) => ({
    transport,
    roots,
    sampling,
    enabled,
    startMs,
  }))
  return isDeepStrictEqual(ways[0], ways[1])
}

function infoOf(source: McpSource): McpServerInfo {
  const { id, name, enabled = true, trusted = false, owner, transport } = source.config
  return {
    id,
    name,
    sourceId: source.sourceId,
    kind: transport.kind,
    target: targetOf(source.config),
    enabled,
    trusted,
    ...(owner !== undefined && { owner }),
    health: source.health(),
    tools: source.toolNames,
    lines: [...source.lines],
  }
}
