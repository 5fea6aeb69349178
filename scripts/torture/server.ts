import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folder, ProviderInfo, SessionEvent, SessionSummary } from '@vitrine/protocol'
import { cli, fromSource } from '../lib/server.mjs'

const START_MS = 30_000
const ANSWER_MS = 5_000
const OUR_AGENTS = ['worker', 'steps', 'hostile'].map(name => join(import.meta.dirname, `${name}.agent.ts`))

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes, read where they are known
  body: any
}

export interface StartOptions {
  /** The data folder, and the agents' journal beside it. */
  folder: string
  /** No file may become larger than this, as if the disk were full. */
  maxFileBytes?: number
  /** The files of the agents. Without them the agents of the harness are connected. */
  agents?: readonly string[]
}

/** The servers that were started and have not ended. None of them may live longer than the harness. */
const running = new Set<Server>()

// The servers are ended even when the harness itself fails.
process.on('exit', () => {
  for (const server of running) server.process.kill('SIGKILL')
})

export async function killAll(): Promise<void> {
  await Promise.all([...running].map(server => server.kill()))
}

/** The real server, as `vitrine start` runs it, in a process of its own. */
export class Server {
  readonly process: ChildProcess
  /** The last few thousand characters that it wrote to stderr. */
  complaints = ''
  url = new URL('http://127.0.0.1')
  #headers: Record<string, string> = {}

  private constructor({ folder, maxFileBytes, agents = OUR_AGENTS }: StartOptions) {
    const connected = agents.flatMap(file => ['--agent', file])
    const start = [...fromSource, cli, 'start', '--port', '0', '--data', join(folder, 'data'), ...connected]
    const env = { ...process.env, VITRINE_TORTURE_JOURNAL: join(folder, 'journal') }
    // `exec` keeps the process id. The soft limit counts in blocks of 512 bytes.
    const limited = ['-c', 'ulimit -S -f "$0"; exec "$@"', `${Math.floor((maxFileBytes ?? 0) / 512)}`, process.execPath]
    const [command, args] = maxFileBytes === undefined ? [process.execPath, start] : ['sh', [...limited, ...start]]
    this.process = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.complaints = (this.complaints + text).slice(-4_000)
    })
    running.add(this)
    this.process.once('exit', () => running.delete(this))
  }

  static async start(options: StartOptions): Promise<Server> {
    const server = new Server(options)
    const lines = createInterface(server.process.stdout!)
    const ended = new AbortController()
    const line = await Promise.race([
      once(lines, 'line', { signal: ended.signal }).then(([text]) => text as string),
      once(server.process, 'exit', { signal: ended.signal }).then(() => ''),
      sleep(START_MS, '', { signal: ended.signal }),
    ])
    ended.abort()
    const address = /http:\S+/.exec(line)?.[0]
    if (!address) {
      await server.kill()
      throw new Error(`The server did not start: ${line} ${server.complaints}`)
    }
    server.url = new URL(address)
    server.#headers = { authorization: `Bearer ${server.url.searchParams.get('token')}` }
    return server
  }

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null
  }

  get headers(): Record<string, string> {
    return { ...this.#headers }
  }

  /** Sends a request on a connection of its own. It can go through a proxy; the Host header is always the server's. */
  async open(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; through?: URL | undefined; signal?: AbortSignal; body?: unknown },
  ): Promise<IncomingMessage> {
    const { headers, through = this.url, signal, body } = options
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const asked = request(new URL(`/api${path}`, through), {
      method,
      headers: { ...this.#headers, host: this.url.host, ...type, ...headers },
      agent: false,
      ...(signal && { signal }),
    })
    // Errors after the first byte of the answer are thrown by the iteration over the response.
    asked.on('error', () => {})
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return response
  }

  /** Gives the answer, or undefined when none came. Then nobody knows whether the write happened. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, through = this.url }: { headers?: Record<string, string>; through?: URL } = {},
  ): Promise<Answer | undefined> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const given = { accept: 'application/json', ...headers }
      const response = await this.open(method, path, { headers: given, through, signal, body })
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      return { status: response.statusCode!, body: text === '' ? null : JSON.parse(text) }
    } catch {
      return undefined
    }
  }

  /** Sends a request that has to succeed, and throws otherwise. Scenarios use it for their preparations. */
  async must(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(method, path, body)
    if (answer && answer.status < 300) return answer.body
    throw new Error(`${method} ${path} was answered with ${answer ? JSON.stringify(answer) : 'nothing'}`)
  }

  /** Gives the whole log, or null when there is no such session. */
  async log(sessionId: string): Promise<SessionEvent[] | null> {
    const events: SessionEvent[] = []
    for (let next: number | null = 0; next !== null; ) {
      const answer: Answer | undefined = await this.call(
        'GET',
        `/sessions/${sessionId}/events?limit=1000&after=${next}`,
      )
      if (answer?.status === 404) return null
      if (answer?.status !== 200) throw new Error(`The log of ${sessionId} cannot be read: ${JSON.stringify(answer)}`)
      events.push(...answer.body.events)
      next = answer.body.next
    }
    return events
  }

  async summaries(): Promise<SessionSummary[]> {
    const found: SessionSummary[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { sessions: SessionSummary[]; cursor: string | null } = await this.must(
        'GET',
        `/sessions?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      found.push(...page.sessions)
      cursor = page.cursor
    }
    return found
  }

  async folders(): Promise<Folder[]> {
    return (await this.must('GET', '/folders')).folders
  }

  async providers(): Promise<ProviderInfo[]> {
    return (await this.must('GET', '/providers')).providers
  }

  /** The resident memory in bytes, or 0 where the system does not tell it. */
  memory(): number {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  }

  async kill(): Promise<void> {
    if (!this.alive) return
    const exited = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await exited
  }
}

/** Asks again and again until `isSo` is true or the time is over. */
export async function eventually(isSo: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(50)) if (await isSo()) return true
  return isSo()
}
