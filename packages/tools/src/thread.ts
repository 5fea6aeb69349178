import { Worker } from 'node:worker_threads'
import { ToolFailed } from './failure.ts'

/** How a thread is limited. */
export interface ThreadLimits {
  readonly ms: number
  readonly memoryMb: number
  readonly signal: AbortSignal
  /** What is said when the time is over. */
  readonly late: string
}

/** What a thread answers: what it found, or why it could not, in words. */
export type ThreadAnswer<T> = { ok: T } | { failed: string }

/**
 * Runs a file in a thread of its own, which ends with its answer. A thread that takes too long, or whose call is stopped,
 * is ended wherever it is, and nothing of it stays.
 */
export async function runThread<T>(file: URL, request: unknown, limits: ThreadLimits): Promise<T> {
  const { ms, memoryMb, signal, late } = limits
  signal.throwIfAborted()
  const worker = new Worker(file, {
    workerData: request,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: 8 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  const ended = Promise.withResolvers<T>()
  const timer = setTimeout(() => ended.reject(new ToolFailed(late)), ms)
  const abort = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  worker.once('message', (answer: ThreadAnswer<T>) => {
    if ('ok' in answer) ended.resolve(answer.ok)
    else ended.reject(new ToolFailed(answer.failed))
  })
  worker.once('error', (error: Error & { code?: string }) =>
    ended.reject(
      new ToolFailed(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `It needed more than ${memoryMb} MB of memory, and was stopped.`
          : `It failed: ${error.message}`,
      ),
    ),
  )
  worker.once('exit', () => ended.reject(new ToolFailed('It ended without an answer.')))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
