import { extname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Json, JsonObject, TurnInput } from '@vitrine/protocol'
import type { Agent, AgentContext, AgentOutput, FileRange } from '../agent.ts'
import { AgentRefused } from '../agent-card.ts'
import { AgentError } from '../agent-error.ts'
import { argumentAsJson, NotJson } from '../as-json.ts'
import { outsideAgents } from '../stray.ts'
import { errorData, errorFrom } from '../thrown.ts'
import { type FromThread, type Method, type ThreadCard, type ToThread, WINDOW } from './wire.ts'

/** How long the thread of a module may be silent, and how much memory it may take. */
export interface AgentFileOptions {
  /** A thread that does not answer for this time is ended, because nothing else can stop an endless loop. */
  silentMs?: number
  /** The limit of the thread's heap. */
  memoryMb?: number
  /**
   * A thread is ended when one of its runs has not stopped this long
   * after its interrupt. The runtime gives up on the run earlier.
   */
  stopMs?: number
  /** How long to wait before a dead thread is started again. The wait doubles each time, up to half a minute. */
  restartMs?: number
}

/** The agents of one module, which run in a thread of their own until it is closed. */
export interface AgentFile {
  readonly agents: readonly Agent[]
  /** Ends the thread. Runs that are still in it fail. */
  close(): Promise<void>
}

const MAX_RESTART_MS = 30_000
/**
 * A thread is stuck when it misses this many pings. We count pings
 * and not time, so that a pause of this process does not count.
 */
const SILENT_TICKS = 10

/**
 * Opens the agents that a module has as its default export, one agent or a list. The module is named by its URL, or by
 * its path from the working directory. The agents run in a thread of their own, so
 * that an agent which crashes or hangs ends only runs of this thread. A dead thread is started again when it is needed.
 */
export async function openAgentFile(file: string | URL, options: AgentFileOptions = {}): Promise<AgentFile> {
  const url = urlOf(file)
  const limits = { silentMs: 10_000, stopMs: 15_000, memoryMb: 512, restartMs: 250, ...options }
  let deaths = 0
  let notBefore = 0
  let closed = false
  let thread: Promise<AgentThread> | undefined = start()
  const first = await thread

  function start(): Promise<AgentThread> {
    const starting = outsideAgents(async () => {
      await sleep(Math.max(notBefore - performance.now(), 0))
      return AgentThread.start(url, limits, { died: () => died(starting), worked: () => (deaths = 0) })
    })
    starting.catch(() => died(starting))
    return starting
  }

  function died(which: Promise<AgentThread>): void {
    if (thread !== which) return
    thread = undefined
    notBefore = performance.now() + Math.min(limits.restartMs * 2 ** deaths++, MAX_RESTART_MS)
  }

  async function* run(index: number, input: TurnInput, context: AgentContext, tries = 1): AsyncGenerator<AgentOutput> {
    if (closed) throw new AgentError('The agent is being closed.', { code: 'agent_exited' })
    try {
      yield* await runOnce(index, input, context)
    } catch (error) {
      // The thread was stuck or dead before the run began, so nothing of the run has happened. A new thread takes it.
      if (!(error instanceof NotBegun)) throw error
      if (tries >= MAX_TRIES) {
        const message = `The agent hangs. Its thread stopped answering ${tries} times before this run began.`
        throw new AgentError(message, { code: 'agent_stuck' })
      }
      yield* run(index, input, context, tries + 1)
    }
  }

  async function runOnce(index: number, ...[input, context]: Parameters<Agent['run']>) {
    thread ??= start()
    const live = await orAborted(thread, context.signal).catch(error => {
      if (!(error instanceof AgentRefused)) throw error
      throw new AgentError(`The agent could not be started again: it ${error.message}`, { code: 'agent_crashed' })
    })
    return live.run(index, input, context)
  }

  return {
    agents: first.cards.map((card, index) => ({ ...card, run: (input, context) => run(index, input, context) })),
    async close() {
      closed = true
      const last = thread
      thread = undefined
      await (await last?.catch(() => undefined))?.end('agent_exited', 'The agent was closed.')
    },
  }
}

/** A path is read from the working directory, as the command reads it; a text such as `file:///…` is a URL. */
const urlOf = (file: string | URL): URL =>
  file instanceof URL ? file : /^(file|data|https?):/.test(file) ? new URL(file) : pathToFileURL(resolve(file))

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

/** How many threads may fail before a run has begun. After that the run fails. */
const MAX_TRIES = 3

class NotBegun extends Error {}

type Call = Extract<FromThread, { type: 'call' }>

interface Run {
  context: AgentContext
  /** True when the thread has confirmed that the run began. */
  begun: boolean
  /**
   * Outputs and calls in the agent's order, because a request may be about a tool call that was yielded just before it.
   */
  queue: ({ value: unknown; size: number } | Call)[]
  ended: { error?: Error } | undefined
  /** Wakes the reader of the queue after an output, a call or the end has come. */
  wake: (() => void) | undefined
}

/** One life of a thread, from its start to its end. */
class AgentThread {
  cards: readonly ThreadCard[] = []
  readonly #worker: Worker
  readonly #limits: Required<AgentFileOptions>
  readonly #on: { died(): void; worked(): void }
  readonly #runs = new Map<number, Run>()
  readonly #exited: Promise<void>
  #lastRun = 0
  #dead: { code: string; message: string } | undefined
  #clock: NodeJS.Timeout | undefined
  #silent = 0

  static async start(
    url: URL,
    limits: Required<AgentFileOptions>,
    on: { died(): void; worked(): void },
  ): Promise<AgentThread> {
    const thread = new AgentThread(url, limits, on)
    await thread.#ready.promise
    // An idle thread must not keep the process alive. A thread that loads or works does.
    thread.#worker.unref()
    return thread
  }

  readonly #ready = Promise.withResolvers<void>()

  private constructor(url: URL, limits: Required<AgentFileOptions>, on: { died(): void; worked(): void }) {
    this.#limits = limits
    this.#on = on
    // thread.ts or thread.js, whichever stands beside this file.
    this.#worker = new Worker(new URL(`./thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: { url: url.href },
      name: 'agent',
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    })
    this.#exited = new Promise(resolve => this.#worker.once('exit', () => resolve()))
    this.#worker.on('message', message => {
      try {
        this.#heard(message as FromThread)
      } catch {
        // Code of the agent may post messages of its own to this port. That must end the thread and not the server.
        this.#die('agent_crashed', 'Something in its thread sent a message that is not one of the runtime.')
      }
    })
    this.#worker.on('messageerror', error => this.#crashed(error))
    this.#worker.on('error', error => this.#crashed(error as Error))
    this.#worker.on('exit', code => this.#die('agent_exited', `It ended itself with the code ${code}.`))
  }

  async *run(agent: number, ...[input, context]: Parameters<Agent['run']>): AsyncGenerator<AgentOutput> {
    if (this.#dead) throw new NotBegun()
    const id = ++this.#lastRun
    const run: Run = { context, begun: false, queue: [], ended: undefined, wake: undefined }
    this.#runs.set(id, run)
    this.#worker.ref()
    this.#watch()
    const { sessionId, runId, turnId, attempt, principal, resumed, signal } = context
    // Sources bring their schemas, and only data goes through the port.
    const tools = toolData(context) as never
    const data = { sessionId, runId, turnId, attempt, principal, tools, ...(resumed && { resumed }) }
    this.#post({ type: 'run', run: id, agent, input, context: data })
    let overdue: NodeJS.Timeout | undefined
    const abort = (): void => {
      this.#post({ type: 'abort', run: id, reason: errorData(signal.reason) })
      const { stopMs } = this.#limits
      const message = `It did not stop within ${stopMs / 1_000} s after it was interrupted.`
      overdue = setTimeout(() => this.#die('agent_stuck', message), stopMs).unref()
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    let taken = 0
    try {
      for (;;) {
        const next = run.queue.shift()
        if (next && 'call' in next) this.#call(run, next)
        else if (next) {
          yield next.value as AgentOutput
          taken += next.size
          // Most outputs are small, so credit is given for several at
          // once: one message for each would cost more than the outputs.
          if (run.queue.length === 0 || taken > WINDOW / 4) {
            this.#post({ type: 'credit', run: id, size: taken })
            taken = 0
          }
        } else if (run.ended) {
          if (run.ended.error) throw run.begun ? run.ended.error : new NotBegun()
          this.#on.worked()
          return
        } else await something(run)
      }
    } finally {
      signal.removeEventListener('abort', abort)
      if (!run.ended) this.#post({ type: 'stop', run: id })
      // The reader has stopped early. We wait until the agent has
      // really ended, and answer the calls that it still makes.
      while (!run.ended) {
        for (const next of run.queue.splice(0)) if ('call' in next) this.#call(run, next)
        await something(run)
      }
      clearTimeout(overdue)
      this.#runs.delete(id)
      if (this.#runs.size === 0) this.#worker.unref()
    }
  }

  async end(code: string, message: string): Promise<void> {
    this.#die(code, message)
    await this.#exited
  }

  #post(message: ToThread): void {
    if (!this.#dead) this.#worker.postMessage(message)
  }

  #heard(message: FromThread): void {
    switch (message.type) {
      case 'up':
        this.#watch()
        break
      case 'pong':
        this.#silent = 0
        break
      case 'ready':
        this.cards = message.agents
        this.#ready.resolve()
        break
      case 'refused':
        this.#ready.reject(new AgentRefused(message.reason))
        this.#die('agent_crashed', `Its module ${message.reason}`)
        break
      case 'late': {
        const { message: said, stack } = message.error
        process.emitWarning(`An agent failed after its run had ended: ${said}`, { detail: stack })
        break
      }
      default:
        this.#ofRun(message)
    }
  }

  #ofRun(message: Extract<FromThread, { run: number }>): void {
    const run = this.#runs.get(message.run)
    if (!run) return
    run.begun = true
    if (message.type === 'ended') run.ended = message.error ? { error: errorFrom(message.error) } : {}
    else if (message.type === 'call') run.queue.push(message)
    else if (message.type === 'output') run.queue.push({ value: message.output, size: message.size })
    else if (message.type === 'unreadable') run.queue.push({ value: new NotJson(message.reason), size: 1_000 })
    run.wake?.()
  }

  async #call(run: Run, { run: id, call, method, args }: Call): Promise<void> {
    try {
      const value = await offers[method](run.context, args)
      this.#post({ type: 'answer', run: id, call, value })
    } catch (error) {
      this.#post({ type: 'answer', run: id, call, error: errorData(error) })
    }
  }

  /** Sends pings while the thread has work, and ends the thread when it does not answer. */
  #watch(): void {
    this.#clock ??= setInterval(() => {
      if (this.#runs.size === 0 && this.cards.length > 0) {
        clearInterval(this.#clock)
        this.#clock = undefined
        this.#silent = 0
      } else if (++this.#silent > SILENT_TICKS) {
        this.#die('agent_stuck', `It did not answer for ${this.#limits.silentMs / 1_000} s and was stopped.`)
      } else this.#post({ type: 'ping' })
    }, this.#limits.silentMs / SILENT_TICKS)
    this.#clock.unref()
  }

  #crashed(error: Error): void {
    const memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    const message = memory ? `It used more than ${this.#limits.memoryMb} MB of memory.` : errorData(error).message
    this.#die('agent_crashed', message, error)
  }

  /** Ends the thread and fails all runs in it. */
  #die(code: string, message: string, cause?: Error): void {
    if (this.#dead) return
    this.#dead = { code, message }
    clearInterval(this.#clock)
    this.#worker.terminate()
    const failure = this.#failure(this.#runs.size, cause)
    this.#ready.promise.catch(() => {})
    this.#ready.reject(new AgentRefused(`could not be loaded: ${failure.message}`))
    this.#on.died()
    for (const run of this.#runs.values()) {
      run.ended ??= { error: failure }
      run.wake?.()
    }
  }

  #failure(runs: number, cause?: Error): AgentError {
    const { code, message } = this.#dead!
    // We cannot know which of several runs was the cause, so the message says how many there were.
    const others = runs > 1 ? ` ${runs} runs were in its thread, and all of them ended with it.` : ''
    const title = { agent_stuck: 'The agent hangs.', agent_exited: 'The agent ended.' }[code] ?? 'The agent crashed.'
    return new AgentError(`${title} ${message}${others}`, { code, cause })
  }
}

const something = (run: Run): Promise<void> =>
  new Promise(resolve => {
    run.wake = resolve
  })

const toolData = ({ tools }: AgentContext): Json | undefined =>
  argumentAsJson(tools.map(({ call: _, ...tool }) => tool))

/** The methods of the context that a thread may call. An argument that was not given arrives as null. */
const offers: Record<Method, (context: AgentContext, args: Json[]) => Promise<unknown>> = {
  'steers.take': ({ steers }) => steers.take(),
  'steers.wait': ({ steers }) => steers.wait(),
  ask: ({ ask }, [request]) => ask(request as never),
  store: ({ store }, [large]) => store(large as never),
  storeFile: ({ storeFile }, [file]) => {
    const { base64, ...rest } = file as { base64: string; mediaType: string; name?: string }
    return storeFile({ ...rest, bytes: Buffer.from(base64, 'base64') })
  },
  readFile: ({ readFile }, [digest, range]) => readFile(digest as string, (range as FileRange | null) ?? undefined),
  spawn: ({ spawn }, [agentId, input, name]) =>
    spawn(agentId as string, input as string, (name as string) ?? undefined),
  'surfaces.apply': ({ surfaces }, [envelopes, call]) =>
    surfaces.apply(envelopes as object, (call as string | null) ?? undefined),
  'tools.call': async ({ tools }, [name, args, options]) =>
    tools.find(tool => tool.name === name)!.call(args as JsonObject, (options as JsonObject | null) ?? undefined),
  'tools.list': async context => toolData(context),
  admit: ({ admit }, [call]) => admit(call as never),
  history: ({ history }, [limit]) => history((limit as number | null) ?? undefined),
  'memory.get': async ({ memory }, [key]) => ({ value: await memory.get(key as string) }),
  'memory.set': ({ memory }, [key, value]) => memory.set(key as string, value as Json),
  'memory.delete': ({ memory }, [key]) => memory.delete(key as string),
  setTitle: ({ setTitle }, [title]) => setTitle(title as string),
  state: async ({ state }) => ({ value: await state() }),
}
