import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { isObject, type Json } from '@vitrine/protocol'
import spawn from 'cross-spawn'
import type { McpTransport } from './config.ts'

export interface StdioTransportOptions {
  /** What of the environment of this process every program gets. */
  inherited: Readonly<Record<string, string>>
  /** A line that the program wrote for people. */
  line(line: string): void
}

/** Bytes of one message. */
const MAX_MESSAGE = 16 * 1024 * 1024
/** Lines on the standard output that are no message. A program may greet; one that goes on like this is no MCP server. */
const MAX_GARBAGE = 1_000
const MAX_LINE = 2_000
/** How long a program has to end after its input was closed, and again after it was asked to. */
const END_MS = 1_500

/**
 * Starts a program and speaks MCP with it over its standard streams. It is our own, because the one of the SDK neither
 * notices a flood of garbage nor ends what the program has started (decision 63).
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #target: Extract<McpTransport, { kind: 'stdio' }>
  readonly #options: StdioTransportOptions
  readonly #out = new LineReader(MAX_MESSAGE, 'refuse')
  readonly #err = new LineReader(MAX_LINE, 'cut')
  #child: ChildProcess | undefined
  #garbage = 0
  #closed = false
  /** Why the program was ended by us, when it did something that no MCP server does. */
  fault: string | undefined
  /** How the program ended, in words. */
  ending: string | undefined

  constructor(target: Extract<McpTransport, { kind: 'stdio' }>, options: StdioTransportOptions) {
    this.#target = target
    this.#options = options
  }

  async start(): Promise<void> {
    const { command, args = [], env = {}, cwd } = this.#target
    const child = spawn(command, [...args], {
      env: { ...this.#options.inherited, ...env },
      ...(cwd !== undefined && { cwd }),
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      // In a group of its own, what the program has started ends with it, and Ctrl-C does not reach it before we do.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.stdout!.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr!.on('data', (chunk: Buffer) => {
      for (const line of this.#err.take(chunk) ?? []) this.#options.line(line.toString('utf8'))
    })
    for (const stream of [child.stdin!, child.stdout!, child.stderr!]) {
      stream.on('error', error => this.onerror?.(error))
    }
    child.on('exit', (code, signal) => {
      this.ending = signal ? `it was ended by ${signal}` : `it ended with the code ${code}`
      // What the program has started may hold its streams open: the end of the program is the end of the connection.
      setTimeout(() => this.#over(), 50).unref()
    })
    child.on('close', () => this.#over())
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', error => {
        this.#closed = true
        reject(error)
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (this.#closed || !stdin?.writable) throw new Error('The program does not run any more.')
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), error => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    const child = this.#child
    if (!child || this.#closed) return this.#over()
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
    const running = (): boolean => child.exitCode === null && child.signalCode === null
    child.stdin!.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!running()) break
      await Promise.race([ended, sleep(this.fault === undefined ? END_MS : 0, undefined, { ref: false })])
      if (running()) this.#kill(signal)
    }
    if (running()) await Promise.race([ended, sleep(END_MS, undefined, { ref: false })])
    this.#over()
  }

  #read(chunk: Buffer): void {
    if (this.#closed || this.fault !== undefined) return
    const lines = this.#out.take(chunk)
    if (!lines) this.fail(`it wrote a message of more than ${MAX_MESSAGE / 1024 / 1024} MB`)
    for (const line of lines ?? []) {
      if (this.fault !== undefined) return
      const message = messageIn(line)
      if (!message) {
        if (line.length === 0) continue
        if (++this.#garbage > MAX_GARBAGE) this.fail('it writes to its standard output what is no MCP')
        if (this.#garbage <= 5) this.#options.line(`(no MCP) ${line.toString('utf8', 0, 200)}`)
        continue
      }
      this.onmessage?.(message)
    }
  }

  /** The program does something that no MCP server does, and is ended. */
  fail(fault: string): void {
    this.fault ??= fault
    this.#child?.stdout?.pause()
    this.onerror?.(new Error(fault))
    void this.close()
  }

  #kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const child = this.#child
    if (child?.pid === undefined) return
    try {
      if (process.platform === 'win32') child.kill(signal)
      else process.kill(-child.pid, signal)
    } catch {
      // It has ended by itself.
    }
  }

  #over(): void {
    if (this.#closed) return
    this.#closed = true
    // The program may have left something behind in its group.
    this.#kill('SIGKILL')
    for (const stream of [this.#child?.stdin, this.#child?.stdout, this.#child?.stderr]) stream?.destroy()
    this.onclose?.()
  }
}

/** The message of a line; nothing when it is none. An answer that is no answer is an error for whoever waits for it. */
function messageIn(line: Buffer): JSONRPCMessage | undefined {
  const text = line.toString('utf8')
  try {
    return deserializeMessage(text)
  } catch {
    const given = parsed(text)
    if (!isObject(given) || given.method !== undefined || typeof given.id !== 'number') return undefined
    const error = { code: -32_603, message: 'It answered with something that is no result.' }
    return { jsonrpc: '2.0', id: given.id, error }
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Divides bytes into lines. A line that is too long is cut, or ends the reading. */
class LineReader {
  readonly #most: number
  readonly #tooLong: 'cut' | 'refuse'
  #pieces: Buffer[] = []
  #size = 0

  constructor(most: number, tooLong: 'cut' | 'refuse') {
    this.#most = most
    this.#tooLong = tooLong
  }

  /** The lines that are whole now; nothing when one of them is refused. */
  take(chunk: Buffer): Buffer[] | undefined {
    const lines: Buffer[] = []
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      if (!this.#add(chunk.subarray(from, at))) return undefined
      lines.push(Buffer.concat(this.#pieces))
      this.#pieces = []
      this.#size = 0
      from = at + 1
    }
    return this.#add(chunk.subarray(from)) ? lines : undefined
  }

  #add(piece: Buffer): boolean {
    const room = this.#most - this.#size
    if (piece.length > room && this.#tooLong === 'refuse') return false
    const fits = piece.subarray(0, room)
    this.#size += fits.length
    if (fits.length > 0) this.#pieces.push(fits)
    return true
  }
}
