import { AsyncLocalStorage } from 'node:async_hooks'
import { AgentError } from './agent-error.ts'
import { errorData, isOf } from './thrown.ts'

/** The agent whose code runs now, or started what runs now: a timer, a socket, a promise that nobody awaits. */
interface Owner {
  failed(error: Error): void
}

const running = new AsyncLocalStorage<Owner>()

/** Work of the runtime that an agent asked for: what goes wrong in it is not the agent's. */
export const outsideAgents = <T>(work: () => T): T => running.exit(work)

/** A signal of the agent's own, to be made inside `traced`: what its listeners throw is then the agent's as well. */
export function ownSignal(signal: AbortSignal): AbortSignal {
  const own = new AbortController()
  const abort = AsyncLocalStorage.bind(() => own.abort(signal.reason))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return own.signal
}

/**
 * The outputs of an agent, or the first error in anything that it started. Without this a rejection that nobody
 * handles, a throw in a timer or an `error` event without a listener would end the process, and `process.exit` too.
 * `late` gets what goes wrong after the end.
 */
export async function* traced<T>(start: () => AsyncIterable<T>, late: (error: Error) => void): AsyncGenerator<T> {
  trap()
  let over = false
  let unfinished = true
  let stray: Error | undefined
  let fail: ((error: Error) => void) | undefined
  const owner: Owner = {
    failed(error) {
      // What process.exit throws may come back as an error that nobody caught.
      if (error === stray) return
      if (over || stray) return late(error)
      stray = error
      fail?.(error)
    },
  }
  const iterator = running.run(owner, () => iteratorOf(start()))
  const ask = () => iterator.next()
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        fail = reject
        if (stray) return reject(stray)
        // An iterator of lists answers at once, and not with a promise.
        const asked = running.run(owner, ask) as Promise<IteratorResult<T>>
        if (typeof asked?.then !== 'function') return resolve(asked)
        asked.then(resolve, error => {
          unfinished = false
          reject(error)
        })
      })
      fail = undefined
      if (next.done) unfinished = false
      if (next.done) return
      yield next.value
    }
  } finally {
    over = true
    const closed = unfinished && running.run(owner, async () => iterator.return?.())
    // An agent that is broken may never come back from here; one that is only being stopped gets the time it needs.
    if (stray && closed) closed.catch(() => {})
    else await closed
  }
}

function iteratorOf<T>(outputs: AsyncIterable<T>): AsyncIterator<T> | Iterator<T> {
  const either = outputs as Partial<AsyncIterable<T> & Iterable<T>> | undefined
  const iterator = either?.[Symbol.asyncIterator]?.() ?? either?.[Symbol.iterator]?.()
  if (!iterator) throw new AgentError('Its run function gave no outputs.', { code: 'agent_error', retryable: false })
  return iterator
}

let trapped = false

/**
 * Stands before everybody who listens for errors of the process, for as long as the process lives: what an agent left
 * behind may fail at any time. What belongs to no agent goes on as if nobody stood here, Node's own answer included.
 */
function trap(): void {
  if (trapped) return
  trapped = true
  const emit = process.emit as (...args: unknown[]) => boolean
  process.emit = function (this: NodeJS.Process, ...args: unknown[]): boolean {
    const owner = args[0] === 'uncaughtException' || args[0] === 'unhandledRejection' ? running.getStore() : undefined
    if (!owner) return emit.apply(this, args)
    const how = args[0] === 'unhandledRejection' ? 'It did not handle a rejection' : 'It threw where nobody catches'
    owner.failed(crashed(how, args[1]))
    return true
  } as typeof process.emit

  const exit = process.exit
  process.exit = function (this: NodeJS.Process, code?: number | string | null): never {
    const owner = running.getStore()
    if (!owner) return exit.call(this, code)
    const message = `The agent called process.exit(${code ?? ''}), which would have ended the server.`
    const error = new AgentError(message, { code: 'agent_exited' })
    owner.failed(error)
    throw error
  } as typeof process.exit
}

function crashed(how: string, cause: unknown): AgentError {
  if (isOf(cause, AgentError)) return cause
  const said = errorData(cause).message || 'it cannot be told what'
  return new AgentError(`The agent crashed. ${how}: ${said}`, { code: 'agent_crashed', cause })
}
