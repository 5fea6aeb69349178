import { basename } from 'node:path'
import { isObject, type JsonObject } from '@vitrine/protocol'
import type { ToolPolicy } from '@vitrine/server'

/** How an MCP server is reached: a program that speaks over its standard streams, or an address that speaks streamable HTTP. */
export type McpTransport =
  | {
      kind: 'stdio'
      command: string
      args?: readonly string[]
      /** What the program gets beside PATH, HOME and the like. Nothing else of the environment reaches it. */
      env?: Readonly<Record<string, string>>
      cwd?: string
    }
  | { kind: 'http'; url: string; headers?: Readonly<Record<string, string>> }

/** One MCP server as an owner has set it. */
export interface McpServerConfig {
  /** Unique on a server: 1 to 50 letters, digits, `_` and `-`. */
  id: string
  /** What people call it. */
  name: string
  transport: McpTransport
  /** Whether it runs; true when nothing is given. */
  enabled?: boolean
  /** Who may use it: everybody when nothing is given. */
  owner?: string
  /**
   * Whether the owner trusts what the server says about its own tools. Only then a tool that calls itself read-only runs
   * without being asked about; otherwise every tool counts as one that acts outside.
   */
  trusted?: boolean
  /** What counts for single tools, by the names that the server gives them. */
  policies?: Readonly<Record<string, ToolPolicy>>
  /** Folders and addresses that the server is told about as its roots; none when nothing is given. */
  roots?: readonly string[]
  /** Whether the server may ask for answers of a model. It may not when nothing is given. */
  sampling?: boolean
  /** How long the server may take until it is ready. */
  startMs?: number
  /** How long a call of one of its tools may take. */
  callMs?: number
}

/** A configuration cannot be used; the message says what has to be another one. */
export class McpConfigRefused extends Error {
  override name = 'McpConfigRefused'
}

const POLICIES: readonly unknown[] = ['allow', 'ask', 'off'] satisfies ToolPolicy[]
const MOST_SERVERS = 100

/** Checks one configuration, whoever wrote it, and gives a copy that nobody else can change. */
export function readMcpServer(given: unknown): McpServerConfig {
  if (!isObject(given)) throw new McpConfigRefused('An MCP server is an object with an id, a name and a transport.')
  const config = structuredClone(given) as unknown as McpServerConfig
  const { id, name, transport } = config
  if (typeof id !== 'string' || !/^[\w-]{1,50}$/.test(id)) {
    throw new McpConfigRefused('The id of an MCP server has 1 to 50 letters, digits, `_` and `-`.')
  }
  const wrong = (what: string): McpConfigRefused => new McpConfigRefused(`The MCP server ${id}: ${what}`)
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    throw wrong('give it a name of at most 200 characters.')
  }
  if (!isObject(transport)) throw wrong('say how it is reached, as `transport`.')
  if (transport.kind === 'stdio') checkStdio(transport as never, wrong)
  else if (transport.kind === 'http') checkHttp(transport as never, wrong)
  else throw wrong('the transport has the kind `stdio` or `http`.')
  for (const [field, type] of [
    ['enabled', 'boolean'],
    ['trusted', 'boolean'],
    ['sampling', 'boolean'],
    ['owner', 'string'],
  ] as const) {
    if (config[field] !== undefined && typeof config[field] !== type) throw wrong(`${field} is a ${type}.`)
  }
  for (const field of ['startMs', 'callMs'] as const) {
    const ms = config[field]
    if (ms !== undefined && !(Number.isInteger(ms) && ms > 0)) throw wrong(`${field} is a number of milliseconds.`)
  }
  const { policies, roots } = config
  if (policies !== undefined && !(isObject(policies) && Object.values(policies).every(one => POLICIES.includes(one)))) {
    throw wrong('policies has `allow`, `ask` or `off` for the name of a tool.')
  }
  if (roots !== undefined && !isTexts(roots)) throw wrong('roots is a list of folders or addresses.')
  return config
}

function checkStdio({ command, args, env, cwd }: JsonObject, wrong: (what: string) => Error): void {
  if (typeof command !== 'string' || command.trim() === '') throw wrong('name the command that starts it.')
  if (args !== undefined && !isTexts(args)) throw wrong('args is a list of texts.')
  if (env !== undefined && !(isObject(env) && isTexts(Object.values(env)))) throw wrong('env has a text for each name.')
  if (cwd !== undefined && typeof cwd !== 'string') throw wrong('cwd is the folder in which the command runs.')
}

function checkHttp({ url, headers }: JsonObject, wrong: (what: string) => Error): void {
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw wrong('the url begins with http:// or https://.')
  }
  if (headers === undefined) return
  if (!(isObject(headers) && isTexts(Object.values(headers)))) throw wrong('headers has a text for each name.')
  try {
    new Headers(headers as Record<string, string>)
  } catch {
    // The message of the platform repeats the header, and a header can be a secret.
    throw wrong('one of its headers has a name or a value that no request can carry.')
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

/** What a file of servers may refer to. */
export interface McpFileOptions {
  /** What `${NAME}` in the file stands for. */
  env?: Readonly<Record<string, string | undefined>>
}

/**
 * Reads the file that many programs share, `{"mcpServers": {"files": {"command": "npx", "args": […]}}}`. Beside the fields
 * of other programs a server may have ours, such as `trusted` and `policies`.
 */
export function readMcpFile(text: string, { env = {} }: McpFileOptions = {}): McpServerConfig[] {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    // The message of the parser quotes the file, and the file can have secrets.
    throw new McpConfigRefused('The file of MCP servers is not JSON.')
  }
  const servers = isObject(file) ? (file.mcpServers ?? file.servers) : undefined
  if (!isObject(servers)) throw new McpConfigRefused('The file of MCP servers has no object `mcpServers`.')
  const entries = Object.entries(servers)
  if (entries.length > MOST_SERVERS) throw new McpConfigRefused(`The file names more than ${MOST_SERVERS} MCP servers.`)
  const taken = new Set<string>()
  return entries.map(([name, entry]) => {
    if (!isObject(entry)) throw new McpConfigRefused(`The MCP server ${name} is no object.`)
    const id = freeId(name, taken)
    taken.add(id)
    return readMcpServer(fromEntry(id, name, expanded(entry, env, name) as JsonObject))
  })
}

function fromEntry(id: string, name: string, entry: JsonObject): JsonObject {
  const { type, command, args, env, cwd, url, serverUrl, headers, disabled, enabled, ...ours } = entry
  const address = url ?? serverUrl
  const { trusted, policies, roots, sampling, owner, startMs, callMs, name: called } = ours
  const common = {
    id,
    name: called ?? name,
    ...given({ trusted, policies, roots, sampling, owner, startMs, callMs }),
    enabled: enabled ?? (disabled === undefined ? true : disabled !== true),
  }
  if (command !== undefined) {
    return { ...common, transport: { kind: 'stdio', command, ...given({ args, env, cwd }) } }
  }
  if (type === 'sse') {
    throw new McpConfigRefused(
      `The MCP server ${name} uses the transport sse, which MCP has given up: use its address for streamable HTTP.`,
    )
  }
  if (address !== undefined) return { ...common, transport: { kind: 'http', url: address, ...given({ headers }) } }
  throw new McpConfigRefused(`The MCP server ${name} has neither a command nor a url.`)
}

const given = (fields: Record<string, JsonObject[string] | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject

/** Puts what the environment has in the place of `${NAME}` and `${NAME:-otherwise}`. */
function expanded(value: unknown, env: NonNullable<McpFileOptions['env']>, server: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
      const found = env[name] ?? otherwise
      if (found !== undefined) return found
      throw new McpConfigRefused(`The MCP server ${server} needs ${name}, and the environment does not have it.`)
    })
  }
  if (Array.isArray(value)) return value.map(one => expanded(one, env, server))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expanded(one, env, server)]))
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  const base =
    name
      .replace(/[^\w-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 46) || 'server'
  let id = base
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`
  return id
}

/** How the server is reached, in words that hold no secret. */
export function targetOf({ transport }: McpServerConfig): string {
  if (transport.kind === 'stdio') return basename(transport.command)
  const { origin, pathname } = new URL(transport.url)
  return `${origin}${pathname}`
}
