import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent, SessionSummary } from '@vitrine/protocol'
import { cli, fromSource } from '../lib/server.mjs'

const START_MS = 30_000
const ANSWER_MS = 5_000

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes, read where they are known
  body: any
}

export interface StartOptions {
  /** The data folder, and the agents' journal beside it. */
  folder: string
  /** No file may become larger, as if the disk were full. */
  maxFileBytes?: number
}

/** Everything that was started and has not ended: nothing of it may outlive the harness. */
const running = new Set<Server>()

// Also when the harness itself breaks.
process.on('exit', () => {
  for (const server of running) server.process.kill('SIGKILL')
})

export async function killAll(): Promise<void> {
  await Promise.all([...running].map(server => server.kill()))
}

/** The real server, as `vitrine start` runs it, in a process of its own. */
export class Server {
  readonly process: ChildProcess
  /** What it wrote to stderr, the last few thousand characters. */
  complaints = ''
  url = new URL('http://127.0.0.1')
  #headers: Record<string, string> = {}

  private constructor({ folder, maxFileBytes }: StartOptions) {
    const agents = ['worker', 'hostile'].flatMap(name => ['--agent', join(import.meta.dirname, `${name}.agent.ts`)])
    const start = [...fromSource, cli, 'start', '--port', '0', '--data', join(folder, 'data'), ...agents]
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

  /** A request on a connection of its own. It can go through a proxy; the name stays the server's. */
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
    // What goes wrong after the first byte of the answer is told by the iteration over the response.
    asked.on('error', () => {})
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return response
  }

  /** The answer, or undefined when none came: then nobody knows whether the write happened. */
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

  /** An answer that must come and must be good: the ground that a scenario stands on. */
  async must(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(method, path, body)
    if (answer && answer.status < 300) return answer.body
    throw new Error(`${method} ${path} was answered with ${answer ? JSON.stringify(answer) : 'nothing'}`)
  }

  /** The whole log, or null when there is no such session. */
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

  /** Resident memory in bytes; 0 where the system does not tell. */
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

/** Asks until it is so, for a bounded time. */
export async function eventually(isSo: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(50)) if (await isSo()) return true
  return isSo()
}
