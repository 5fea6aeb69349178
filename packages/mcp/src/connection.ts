import { pathToFileURL } from 'node:url'
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { JsonObject } from '@vitrine/protocol'
import { type McpServerConfig, targetOf } from './config.ts'
import { httpTransport } from './http-transport.ts'
import type { SecretMask } from './secrets.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Lists of a server that can change while it runs. */
export type ListKind = 'tools' | 'prompts' | 'resources'

/** What a connection tells, and what it asks for. */
export interface ConnectionHost {
  readonly mask: SecretMask
  /** A line for people, such as what the program wrote to its standard error. */
  line(line: string): void
  changed(list: ListKind): void
  /** The connection is over, and nobody wanted that. */
  closed(why: string): void
  elicit(params: ElicitRequest['params']): Promise<ElicitResult>
  /** Asks a model for the server; absent when the server may not. */
  sample?(params: JsonObject): Promise<JsonObject>
}

/** What one request may need. */
export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  progress?(progress: { progress: number; total?: number | undefined; message?: string | undefined }): void
}

const MAX_TIMER_MS = 2_147_483_647
/** Messages in one second. A server that sends more than these is stopped. */
const MAX_RATE = 5_000
/** How long a server in doubt has to answer a ping. */
const PING_MS = 5_000

/** The result of a request is checked by whoever asked: a server whose list has one wrong tool still has the others. */
const anything = {
  '~standard': { version: 1, vendor: 'vitrine', validate: (value: unknown) => ({ value }) },
} as const

/** The answer that a server gives instead of a result. */
export class McpAnswerError extends Error {
  override name = 'McpAnswerError'
}

/** One connection with an MCP server, from its handshake to its end. It is never used again after that. */
export class Connection {
  readonly #client: Client
  readonly #transport: Transport
  readonly #config: McpServerConfig
  readonly #host: ConnectionHost
  #over: string | undefined
  #wanted = false
  #asking = false

  private constructor(config: McpServerConfig, host: ConnectionHost, mode: 'legacy' | 'auto') {
    this.#config = config
    this.#host = host
    const { sampling = false, roots = [] } = config
    const { sample } = host
    const changes = (list: ListKind) => ({ autoRefresh: false, debounceMs: 100, onChanged: () => host.changed(list) })
    this.#client = new Client(
      { name: 'vitrine', title: 'Vitrine', version: '0.1.0' },
      {
        versionNegotiation: { mode },
        listChanged: { tools: changes('tools'), prompts: changes('prompts'), resources: changes('resources') },
        capabilities: {
          elicitation: { form: {} },
          ...(roots.length > 0 && { roots: {} }),
          ...(sampling && sample && { sampling: {} }),
        },
      },
    )
    this.#client.setRequestHandler('elicitation/create', ({ params }) => host.elicit(host.mask.data(params)))
    if (roots.length > 0) {
      const uris = roots.map(root => ({ uri: /^[a-z]+:\/\//i.test(root) ? root : pathToFileURL(root).href }))
      this.#client.setRequestHandler('roots/list', () => ({ roots: uris }))
    }
    if (sampling && sample) {
      const asked = sample as (params: JsonObject) => Promise<never>
      this.#client.setRequestHandler('sampling/createMessage', ({ params }) => asked(params as unknown as JsonObject))
    }
    const { transport } = config
    this.#transport =
      transport.kind === 'http'
        ? httpTransport(transport)
        : new StdioTransport(transport, {
            inherited: getDefaultEnvironment(),
            line: line => host.line(host.mask.text(line)),
          })
    this.#transport.onmessage = this.#counted()
    this.#client.onclose = () => this.#closed()
    this.#client.onerror = () => this.#doubt()
  }

  /** Connects within the time, or throws an error with words for people. */
  static async open(config: McpServerConfig, host: ConnectionHost, startMs: number): Promise<Connection> {
    const deadline = Date.now() + startMs
    // A program of an older version may end when it is asked for the newer one, so it is asked for the older one first.
    const modes = config.transport.kind === 'http' ? (['auto'] as const) : (['legacy', 'auto'] as const)
    for (const mode of modes) {
      const connection = new Connection(config, host, mode)
      try {
        await connection.#connect(Math.max(deadline - Date.now(), 1))
        return connection
      } catch (error) {
        const why = connection.#words(error)
        await connection.close()
        const refused = error instanceof ProtocolError && mode === 'legacy' && modes.length > 1
        if (!refused) throw new Error(why)
      }
    }
    throw new Error(`${config.name} does not speak a version of MCP that we know.`)
  }

  /** What the server says that it can do. */
  can(list: ListKind): boolean {
    return this.#client.getServerCapabilities()?.[list] !== undefined
  }

  get over(): boolean {
    return this.#over !== undefined
  }

  /** Asks the server. The result has no secret, and anything else may be in it. */
  async request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = MAX_TIMER_MS, progress } = options
    const { mask } = this.#host
    try {
      const result = await this.#client.request({ method, params: params as never }, anything as never, {
        timeout: timeoutMs,
        ...(signal && { signal }),
        ...(progress && { onprogress: given => progress(mask.data(given)) }),
      })
      return mask.data(result)
    } catch (error) {
      if (error instanceof ProtocolError) throw new McpAnswerError(mask.text(error.message))
      const why = this.#words(error, timeoutMs)
      // A server that cannot be reached, or has forgotten us, needs a new connection.
      if (!signal?.aborted && isBroken(error)) this.#lost(why)
      throw new Error(why)
    }
  }

  /** Ends the connection, and the program when there is one. */
  async close(): Promise<void> {
    this.#wanted = true
    await this.#client.close().catch(() => {})
    await this.#transport.close().catch(() => {})
  }

  async #connect(ms: number): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new SdkError(SdkErrorCode.RequestTimeout, 'late', { timeout: ms })), ms)
    const connecting = this.#client.connect(this.#transport, { timeout: ms })
    connecting.catch(() => {})
    try {
      await Promise.race([connecting, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Notices a server that sends more than anybody can want. */
  #counted(): () => void {
    let since = performance.now()
    let count = 0
    return () => {
      const now = performance.now()
      if (now - since > 1_000) {
        since = now
        count = 0
      }
      if (++count !== MAX_RATE) return
      const fault = `it sent more than ${MAX_RATE} messages in a second`
      if (this.#transport instanceof StdioTransport) this.#transport.fail(fault)
      else this.#lost(`${this.#config.name} was stopped: ${fault}.`)
    }
  }

  /** Something went wrong beside the requests, such as a stream that broke off: a server that is gone is noticed by asking it. */
  #doubt(): void {
    if (this.#asking || this.#config.transport.kind !== 'http' || !this.#client.getServerCapabilities()) return
    this.#asking = true
    const asked = this.#client.ping({ timeout: PING_MS })
    asked
      .catch(error => isAnswer(error) || this.#lost(this.#words(error)))
      .finally(() => {
        this.#asking = false
      })
  }

  #closed(): void {
    if (this.#wanted || this.#over !== undefined) return
    this.#over = this.#words(new SdkError(SdkErrorCode.ConnectionClosed, ''))
    this.#host.closed(this.#over)
  }

  #lost(why: string): void {
    if (this.#wanted || this.#over !== undefined) return
    this.#over = why
    this.#host.closed(why)
    void this.close()
  }

  /** What went wrong, in words for a person and a model, without a secret. */
  #words(error: unknown, ms?: number): string {
    const { name } = this.#config
    const { fault, ending } = this.#transport as Partial<StdioTransport>
    if (fault !== undefined) return this.#host.mask.text(`${name} was stopped: ${fault}.`)
    if (error instanceof SdkHttpError) {
      const { status } = error
      if (status === 401 || status === 403) return `${name} refused the sign-in (${status}): check its headers.`
      return `${name} answered with the status ${status} at ${targetOf(this.#config)}.`
    }
    if (isTimeout(error)) {
      const limit = (error as SdkError).data as { timeout?: number } | undefined
      return `${name} did not answer within ${Math.round((limit?.timeout ?? ms ?? 0) / 100) / 10} s.`
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
      return this.#over ?? `${name} is gone: ${ending ?? 'it closed the connection'}.`
    }
    return this.#host.mask.text(`${name} cannot be used: ${plain(error, this.#config)}`)
  }
}

const isTimeout = (error: unknown): boolean => error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout

const isAnswer = (error: unknown): boolean => error instanceof ProtocolError

/** Whether the connection itself has failed, and not one request alone. */
const isBroken = (error: unknown): boolean =>
  !(error instanceof SdkError) ||
  error instanceof SdkHttpError ||
  error.code === SdkErrorCode.ConnectionClosed ||
  error.code === SdkErrorCode.NotConnected ||
  error.code === SdkErrorCode.SendFailed

/** The first cause of an error of the system, in words. */
function plain(error: unknown, config: McpServerConfig): string {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  const { code, message } = cause as { code?: unknown; message?: string }
  const target = targetOf(config)
  if (code === 'ENOENT') {
    const { cwd } = config.transport as { cwd?: string }
    const folder = cwd === undefined ? '' : `, or the folder ${cwd} is not there`
    return `the command ${target} was not found${folder}. Install it, or give its whole path.`
  }
  if (code === 'EACCES') return `the command ${target} may not be run.`
  if (code === 'ECONNREFUSED') return `nothing answers at ${target}.`
  if (code === 'ENOTFOUND') return `there is no host as in ${target}.`
  return `${(message ?? String(cause)).split('\n', 1)[0]!.slice(0, 500) || 'it failed without saying why'}.`
}
