import { AsyncLocalStorage } from 'node:async_hooks'
import { WRITE_RUN } from './agent-card.ts'
import { AgentError } from './agent-error.ts'
import { errorData, isOf } from './thrown.ts'

/** The agent run that the current code belongs to, also in timers, sockets and promises that the agent started. */
interface Owner {
  /** What it is, for the words about its crash. */
  what: 'agent' | 'tool'
  failed(error: Error): void
}

const running = new AsyncLocalStorage<Owner>()

/** Does work of the runtime that an agent asked for. An error in this work does not count as an error of the agent. */
export const outsideAgents = <T>(work: () => T): T => running.exit(work)

/**
 * Makes a copy of the signal for the agent. Call it inside
 * `traced`, so that errors of its listeners count as the agent's.
 */
export function ownSignal(signal: AbortSignal): AbortSignal {
  const own = new AbortController()
  const abort = AsyncLocalStorage.bind(() => own.abort(signal.reason))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return own.signal
}

/**
 * Gives `take` each output of an agent until it returns false, and throws the first error in anything that the agent
 * started. Without this, a rejection that nobody handles, a throw in a timer, an `error` event without a listener or a call
 * of `process.exit` would end the whole process. `late` is called with errors that happen after the end of the run.
 */
export async function traced<T>(
  start: () => AsyncIterable<T>,
  take: (output: T) => Promise<boolean> | boolean,
  late: (error: Error) => void,
  what: Owner['what'] = 'agent',
): Promise<void> {
  trap()
  let over = false
  let unfinished = true
  let stray: Error | undefined
  let fail: ((error: Error) => void) | undefined
  const owner: Owner = {
    what,
    failed(error) {
      // The error that our process.exit throws may come back here as an uncaught exception.
      if (error === stray) return
      if (over || stray) return late(error)
      stray = error
      fail?.(error)
    },
  }
  const { iterator, inAgent } = running.run(owner, () => ({
    iterator: iteratorOf(start()),
    inAgent: AsyncLocalStorage.snapshot(),
  }))
  const ask = () => iterator.next()
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        fail = reject
        if (stray) return reject(stray)
        // A synchronous iterator gives its result at once instead of a promise.
        const asked = inAgent(ask) as Promise<IteratorResult<T>>
        if (typeof asked?.then !== 'function') return resolve(asked)
        asked.then(resolve, error => {
          unfinished = false
          reject(error)
        })
      })
      fail = undefined
      if (next.done) unfinished = false
      if (next.done) return
      const taken = take(next.value)
      if (!(typeof taken === 'boolean' ? taken : await taken)) return
    }
  } finally {
    over = true
    const closed = unfinished && inAgent(async () => iterator.return?.())
    // After an error the agent may never return from here, so we
    // do not wait. An agent that is only stopped gets its time.
    if (stray && closed) closed.catch(() => {})
    else await closed
  }
}

/** Does the work of a tool in the same way: an error in anything that it started is its own. */
export async function contained<T>(work: () => Promise<T>, late: (error: Error) => void): Promise<T> {
  let result: T | undefined
  const once = async function* (): AsyncGenerator<T> {
    yield await work()
  }
  const take = (value: T): boolean => {
    result = value
    return true
  }
  await traced(once, take, late, 'tool')
  return result as T
}

function iteratorOf<T>(outputs: AsyncIterable<T>): AsyncIterator<T> | Iterator<T> {
  const either = outputs as Partial<AsyncIterable<T> & Iterable<T>> | undefined
  const iterator = either?.[Symbol.asyncIterator]?.() ?? either?.[Symbol.iterator]?.()
  if (!iterator) {
    const next = `Tell whoever maintains the agent: ${WRITE_RUN}.`
    // The same function gives nothing again, so trying again cannot help.
    throw new AgentError('Its run function gave no outputs.', { code: 'agent_error', retryable: false, next })
  }
  return iterator
}

let trapped = false

/**
 * Catches errors of agents before any other listener of the process sees them. It stays for the life of the process,
 * because something that an agent left running may fail at any time. Errors that belong to no agent are passed on
 * unchanged, so that Node handles them as always.
 */
function trap(): void {
  if (trapped) return
  trapped = true
  const emit = process.emit as (...args: unknown[]) => boolean
  process.emit = function (this: NodeJS.Process, ...args: unknown[]): boolean {
    const owner = args[0] === 'uncaughtException' || args[0] === 'unhandledRejection' ? running.getStore() : undefined
    if (!owner) return emit.apply(this, args)
    const how = args[0] === 'unhandledRejection' ? 'It did not handle a rejection' : 'It threw where nobody catches'
    owner.failed(crashed(owner.what, how, args[1]))
    return true
  } as typeof process.emit

  const exit = process.exit
  process.exit = function (this: NodeJS.Process, code?: number | string | null): never {
    const owner = running.getStore()
    if (!owner) return exit.call(this, code)
    const message = `The ${owner.what} called process.exit(${code ?? ''}), which would have ended the server.`
    const error = new AgentError(message, { code: 'agent_exited' })
    owner.failed(error)
    throw error
  } as typeof process.exit
}

function crashed(what: Owner['what'], how: string, cause: unknown): AgentError {
  if (isOf(cause, AgentError)) return cause
  const said = errorData(cause).message || 'it cannot be told what'
  return new AgentError(`The ${what} crashed. ${how}: ${said}`, { code: `${what}_crashed`, cause })
}
