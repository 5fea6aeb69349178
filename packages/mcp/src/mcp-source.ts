import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { isObject, type Json, type JsonObject, own } from '@vitrine/protocol'
import {
  type FilledPrompt,
  type SourcePrompt,
  type SourceResources,
  type SourceTool,
  type ToolAudience,
  type ToolCall,
  type ToolEffects,
  type ToolOutput,
  type ToolOutputPart,
  type ToolSource,
  type ToolSourceHealth,
  valueProblem,
} from '@vitrine/server'
import type { McpServerConfig } from './config.ts'
import { Connection, type ListKind, McpAnswerError } from './connection.ts'
import { elicited, formOf } from './elicitation.ts'
import { effectsOf, type McpTool, readTools } from './offered-tools.ts'
import { filledPrompt, readPrompts, readResources } from './prompts-resources.ts'
import { outputOf, resourcePart } from './results.ts'
import { type SecretMask, secretMask } from './secrets.ts'

/** How patient we are with MCP servers. Each has a default. */
export interface McpLimits {
  /** How long a server may take until it is ready. */
  startMs: number
  /** How long a server may take to answer anything but a call. */
  answerMs: number
  /** How long the first restart waits; each further one waits twice as long. */
  backoffMs: number
  maxBackoffMs: number
  /** How often a server is started again in a row by itself. */
  restarts: number
  /** A server that has been ready for so long has recovered: its restarts are counted anew. */
  stableMs: number
  /** After this time a call may try once more what was given up. */
  coolMs: number
  /** How many tools of one server are offered. */
  tools: number
}

export const mcpLimits: McpLimits = {
  startMs: 30_000,
  answerMs: 20_000,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  restarts: 5,
  stableMs: 60_000,
  coolMs: 300_000,
  tools: 2_000,
}

/** What a source needs of whoever made it. */
export interface McpHost {
  limits: McpLimits
  log(line: string, error: unknown): void
  /** Answers for a model, for servers that may ask for it. */
  sample?: ((params: JsonObject, server: { id: string; name: string }) => Promise<JsonObject>) | undefined
}

/** Who lists the tools of a session waits no longer than this for a server that is still starting. */
const LIST_WAIT_MS = 2_500
const MAX_PAGES = 200
const MAX_LINES = 50
const MAX_LINE = 500
/** A server may say how far it is as often as it wants; people are told so often. */
const PROGRESS_MS = 100

/** Something that acts more than what a person has allowed. */
const WEIGHT = { none: 0, reads: 1, writes: 2, outside: 3 } as const

/** A tool as it was offered, with what it was believed to do then. */
interface Offered {
  tool: McpTool
  effects: ToolEffects
}

type CallUnderWay = Pick<ToolCall, 'sessionId' | 'ask' | 'progress'>

/** One MCP server: it is started, watched and started again, and its tools are offered under the boundary. */
export class McpSource implements ToolSource {
  readonly kind = 'mcp'
  readonly sourceId: string
  #config: McpServerConfig
  readonly #host: McpHost
  readonly #mask: SecretMask
  #state: ToolSourceHealth['state'] = 'stopped'
  #message = ''
  #connection: Connection | undefined
  #opening: Promise<Connection> | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #readySince = 0
  #gaveUpAt: number | undefined
  #closed = false
  #tools: readonly McpTool[] | undefined
  #problems: readonly string[] = []
  readonly #kept = new Map<string, unknown>()
  readonly #lines: string[] = []
  readonly #calls = new Set<CallUnderWay>()

  constructor(config: McpServerConfig, host: McpHost) {
    this.sourceId = `mcp.${config.id}`
    this.#config = config
    this.#host = host
    this.#mask = secretMask(config)
  }

  get config(): McpServerConfig {
    return this.#config
  }

  get name(): string {
    return this.#config.name
  }

  /** The last lines that the server wrote for people, without secrets. */
  get lines(): readonly string[] {
    return this.#lines
  }

  get toolNames(): readonly string[] {
    return this.#tools?.map(({ name }) => name) ?? []
  }

  /** Begins to connect. What goes wrong is in the health. */
  start(): void {
    if (this.#closed || this.#config.enabled === false) return
    this.#open().catch(() => {})
  }

  /** Takes over a configuration that reaches the same server in the same way. */
  change(config: McpServerConfig): void {
    this.#config = config
  }

  health(): ToolSourceHealth {
    if (this.#config.enabled === false) return { state: 'stopped', message: `${this.name} is turned off.` }
    const message = [this.#message, ...(this.#state === 'ready' ? this.#problems : [])].filter(Boolean).join(' ')
    return { state: this.#state, ...(message !== '' && { message: message.slice(0, 2_000) }) }
  }

  /** Why the server cannot be used, once that is known; nothing when it is ready. */
  async problem(): Promise<string | undefined> {
    const opening = this.#opening
    return opening?.then(
      () => undefined,
      (error: Error) => error.message,
    )
  }

  /** Ends the server and everything that was under way. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#state = 'stopped'
    this.#message = `${this.name} is stopped.`
    const opening = this.#opening
    await this.#connection?.close()
    await opening?.then(connection => connection.close()).catch(() => {})
  }

  async tools({ owner }: ToolAudience): Promise<readonly SourceTool[]> {
    if (!this.#isFor(owner)) return []
    if (!this.#tools && this.#opening) await within(LIST_WAIT_MS, this.#opening).catch(() => {})
    if (!this.#tools) throw new Error(this.#message || `${this.name} is still starting.`)
    return this.#tools.map(tool => this.#offered(tool))
  }

  async prompts({ owner }: ToolAudience): Promise<readonly SourcePrompt[]> {
    if (!this.#isFor(owner)) return []
    return this.#list('prompts', async connection =>
      readPrompts(await this.#pages(connection, 'prompts/list', 'prompts')),
    )
  }

  async fillPrompt(
    { owner }: ToolAudience,
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<FilledPrompt> {
    const connection = await this.#ready(owner)
    const params = { name, arguments: { ...args } }
    return filledPrompt(await connection.request('prompts/get', params, { timeoutMs: this.#host.limits.answerMs }))
  }

  async resources({ owner }: ToolAudience): Promise<SourceResources> {
    if (!this.#isFor(owner)) return { resources: [], templates: [] }
    return this.#list('resources', async connection => {
      const resources = await this.#pages(connection, 'resources/list', 'resources')
      // Not every server that has resources knows of templates.
      const templates = await this.#pages(connection, 'resources/templates/list', 'resourceTemplates').catch(error => {
        if (error instanceof McpAnswerError) return []
        throw error
      })
      return readResources(resources, templates)
    })
  }

  async readResource({ owner }: ToolAudience, uri: string): Promise<readonly ToolOutputPart[]> {
    const connection = await this.#ready(owner)
    const result = await connection.request('resources/read', { uri }, { timeoutMs: this.#host.limits.answerMs })
    const { contents } = (isObject(result as Json) ? result : {}) as JsonObject
    if (!Array.isArray(contents)) throw new Error(`${this.name} answered with something that is no resource.`)
    return contents.flatMap(content => (isObject(content) ? [resourcePart(content)] : []))
  }

  #isFor(owner: string): boolean {
    const { enabled = true, owner: only } = this.#config
    return enabled && !this.#closed && (only === undefined || only === owner)
  }

  #offered(tool: McpTool): SourceTool {
    const { toolId, called, title, description, inputSchema, outputSchema } = tool
    const { policies = {}, callMs, trusted = false } = this.#config
    const { effects, repeatable } = effectsOf(tool, trusted)
    const policy = own(policies, tool.name)
    return {
      toolId,
      name: called,
      ...(title !== undefined && { title }),
      description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      effects,
      repeatable,
      ...(policy && { policy }),
      ...(callMs !== undefined && { timeoutMs: callMs }),
      execute: (args, call) => this.#call({ tool, effects }, args, call),
    }
  }

  async #call(offered: Offered, args: JsonObject, call: ToolCall): Promise<ToolOutput> {
    const connection = await this.#ready()
    const tool = await this.#unchanged(offered, args)
    this.#calls.add(call)
    let told = 0
    const progress = (given: { progress: number; total?: number | undefined; message?: string | undefined }): void => {
      const now = performance.now()
      if (now - told < PROGRESS_MS && given.progress !== given.total) return
      told = now
      const { progress: current, total, message } = given
      call.progress({ current, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
    }
    try {
      const params = { name: tool.name, arguments: args, _meta: { 'vitrine/idempotencyKey': call.idempotencyKey } }
      const result = await connection.request('tools/call', params, { signal: call.signal, progress })
      return await outputOf(result, tool.outputSchema)
    } catch (error) {
      if (error instanceof McpAnswerError) throw new Error(`${this.name} answered with an error: ${error.message}`)
      if (!connection.over) throw error
      const next = this.#gaveUpAt === undefined ? ' It is started again, and the next call finds it.' : ''
      throw new Error(`${(error as Error).message} Whether the call had its effect is not known.${next}`)
    } finally {
      this.#calls.delete(call)
    }
  }

  /** The tool as the server has it now. What was offered, checked and allowed must still be what runs. */
  async #unchanged({ tool: offered, effects }: Offered, args: JsonObject): Promise<McpTool> {
    const now = this.#tools?.find(({ name }) => name === offered.name)
    if (!now) {
      const others = this.toolNames.slice(0, 20).join(', ')
      throw new Error(`${this.name} has no tool called ${offered.name} any more. It has now: ${others || 'none'}.`)
    }
    if (WEIGHT[effectsOf(now, this.#config.trusted === true).effects] > WEIGHT[effects]) {
      throw new Error(`${offered.name} may do more now than when it was offered. Call it again in the next turn.`)
    }
    if (JSON.stringify(now.inputSchema) === JSON.stringify(offered.inputSchema)) return now
    const problem = await valueProblem(now.inputSchema, args)
    if (problem === undefined) return now
    const schema = JSON.stringify(now.inputSchema).slice(0, 1_200)
    throw new Error(`${this.name} has changed the arguments of ${offered.name}.\n${problem}\nIt takes now: ${schema}`)
  }

  /** The connection, which is opened again when it is not there. */
  async #ready(owner?: string): Promise<Connection> {
    if (this.#closed || this.#config.enabled === false) throw new Error(`${this.name} is turned off.`)
    if (owner !== undefined && !this.#isFor(owner)) throw new Error(`${this.name} is not yours.`)
    const connection = this.#connection
    if (connection && !connection.over) return connection
    // To ask an address once more costs little; a program that has failed so often is left alone for a while.
    const isProgram = this.#config.transport.kind === 'stdio'
    if (isProgram && this.#gaveUpAt !== undefined && Date.now() - this.#gaveUpAt < this.#host.limits.coolMs) {
      throw new Error(this.#message)
    }
    return this.#open()
  }

  #open(): Promise<Connection> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    this.#opening.catch(() => {})
    return this.#opening
  }

  async #connect(): Promise<Connection> {
    clearTimeout(this.#timer)
    this.#state = 'starting'
    this.#message = ''
    const { limits, sample } = this.#host
    const { id, name, startMs = limits.startMs } = this.#config
    let opened: Connection | undefined
    try {
      const connection = await Connection.open(
        this.#config,
        {
          mask: this.#mask,
          line: line => this.#note(line),
          changed: list => this.#changed(list),
          closed: why => this.#lost(opened, why),
          elicit: params => this.#elicit(params),
          ...(sample && { sample: params => sample(params, { id, name }) }),
        },
        startMs,
      )
      opened = connection
      await this.#refresh(connection)
      if (this.#closed || connection.over) throw new Error(`${name} went away while it was started.`)
      this.#connection = connection
      this.#state = 'ready'
      this.#readySince = Date.now()
      this.#gaveUpAt = undefined
      this.#kept.clear()
      return connection
    } catch (error) {
      await opened?.close()
      this.#failed((error as Error).message)
      throw error
    }
  }

  #lost(connection: Connection | undefined, why: string): void {
    if (this.#closed || connection === undefined || connection !== this.#connection) return
    this.#connection = undefined
    if (Date.now() - this.#readySince > this.#host.limits.stableMs) this.#failures = 0
    this.#failed(why)
  }

  /** Says what is wrong, and starts the server again after a while, unless that has failed too often. */
  #failed(why: string): void {
    if (this.#closed) return
    const { backoffMs, maxBackoffMs, restarts } = this.#host.limits
    this.#state = 'failed'
    const count = ++this.#failures
    const last = this.#lines.at(-1)
    const said = last === undefined ? '' : ` It said last: ${last}`
    if (count > restarts) {
      this.#gaveUpAt = Date.now()
      this.#message = `${why} It failed ${count} times in a row and is not started again by itself: look at what it wrote, change it or restart it.${said}`
    } else {
      const ms = Math.min(backoffMs * 2 ** (count - 1), maxBackoffMs)
      this.#message = `${why} It is started again.${said}`
      this.#timer = setTimeout(() => this.start(), ms)
      this.#timer.unref()
    }
    this.#host.log(`The MCP server ${this.name} failed: ${why}`, undefined)
  }

  #note(line: string): void {
    const text = line
      .replace(/\p{Cc}/gu, ' ')
      .trimEnd()
      .slice(0, MAX_LINE)
      .toWellFormed()
    if (text === '') return
    this.#lines.push(text)
    if (this.#lines.length > MAX_LINES) this.#lines.shift()
  }

  #changed(list: ListKind): void {
    this.#kept.delete(list)
    const connection = this.#connection
    if (list !== 'tools' || !connection) return
    this.#refresh(connection).catch(error => this.#note(`Its tools could not be listed again: ${error.message}`))
  }

  async #refresh(connection: Connection): Promise<void> {
    const { limits } = this.#host
    const listed = connection.can('tools') ? await this.#pages(connection, 'tools/list', 'tools', limits.tools + 1) : []
    const { tools, problems } = await readTools(listed, { sourceId: this.sourceId, most: limits.tools })
    this.#tools = tools
    this.#problems = problems
  }

  /** A list that is asked for when somebody wants it, and kept until the server says that it has changed. */
  async #list<T>(list: ListKind, read: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await within(LIST_WAIT_MS, this.#ready())
    const kept = this.#kept.get(list)
    if (kept !== undefined) return kept as T
    const value = connection.can(list) ? await read(connection) : await read(NOTHING as Connection)
    this.#kept.set(list, value)
    return value
  }

  async #pages(connection: Connection, method: string, field: string, most = 2_000): Promise<unknown[]> {
    const { answerMs } = this.#host.limits
    const deadline = Date.now() + answerMs
    const items: unknown[] = []
    const seen = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const params: JsonObject = cursor === undefined ? {} : { cursor }
      const timeoutMs = Math.max(deadline - Date.now(), 1)
      const page = (await connection.request(method, params, { timeoutMs })) as JsonObject
      const { [field]: found, nextCursor } = isObject(page) ? page : ({} as JsonObject)
      if (!Array.isArray(found)) throw new Error(`${this.name} answered with something that is no list (${method}).`)
      items.push(...found)
      if (typeof nextCursor !== 'string' || nextCursor === '' || items.length >= most) return items
      if (seen.has(nextCursor) || seen.size >= MAX_PAGES) {
        throw new Error(`${this.name} does not come to an end with its list (${method}).`)
      }
      seen.add(nextCursor)
      cursor = nextCursor
    }
  }

  /**
   * Asks a person for the server. A server does not say for which call it asks, so it is asked only where all calls under
   * way are of one session: nobody else may read the question, or answer it.
   */
  async #elicit(params: ElicitRequest['params']): Promise<ElicitResult> {
    const form = formOf(params, this.name)
    const call = [...this.#calls].at(-1)
    const sessions = new Set([...this.#calls].map(({ sessionId }) => sessionId))
    const refused =
      'refused' in form
        ? form.refused
        : !call
          ? 'no call is under way'
          : sessions.size > 1
            ? 'calls of several sessions are under way, and it does not say for which one it asks'
            : undefined
    if (refused !== undefined || 'refused' in form || !call) {
      const told = `A question of ${this.name} was declined: ${refused}.`
      this.#note(`(${told})`)
      for (const { progress } of this.#calls) progress({ message: told })
      return { action: 'decline' }
    }
    return elicited(await call.ask(form.request))
  }
}

/** Stands for a server that does not have what is asked for: it has empty lists. */
const NOTHING: Pick<Connection, 'request'> = {
  request: async () => ({ prompts: [], resources: [], resourceTemplates: [] }),
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1_000} s.`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
