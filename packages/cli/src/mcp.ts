import { readFile } from 'node:fs/promises'
import { StartRefused, type ToolSource } from '@vitrine/server'

/** The MCP servers that the command was given. */
export interface LoadedMcp {
  sources(): readonly ToolSource[]
  close(): Promise<void>
}

/** Reads files such as `mcp.json`, and starts to connect the servers that they name. */
export async function loadMcp(
  files: readonly string[],
  log: (line: string, error: unknown) => void,
): Promise<LoadedMcp> {
  if (files.length === 0) return { sources: () => [], close: async () => {} }
  const { createMcpServers, McpConfigRefused, readMcpFile } = await import('@vitrine/mcp')
  const servers = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) throw new StartRefused('tools', `The file ${file} cannot be read.`)
    try {
      servers.push(...readMcpFile(text, { env: process.env }))
    } catch (error) {
      if (!(error instanceof McpConfigRefused)) throw error
      throw new StartRefused('tools', `${file}: ${error.message}`)
    }
  }
  const ids = servers.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new StartRefused('tools', `Two files name an MCP server ${twice}.`)
  return createMcpServers({ servers, log })
}
