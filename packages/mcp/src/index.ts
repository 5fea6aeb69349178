// MCP servers as sources of tools, prompts and resources.

export {
  McpConfigRefused,
  type McpFileOptions,
  type McpServerConfig,
  type McpTransport,
  readMcpFile,
} from './config.ts'
export {
  createMcpServers,
  type McpServerInfo,
  type McpServers,
  type McpServersOptions,
  type McpTrial,
} from './mcp-servers.ts'
export type { McpLimits } from './mcp-source.ts'
