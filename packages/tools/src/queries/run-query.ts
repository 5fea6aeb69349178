import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ToolFailed } from '../failure.ts'
import type { ThreadAnswer } from '../thread.ts'
import type { QueryAnswer, QueryRequest } from './query.ts'

const file = fileURLToPath(new URL(`./query-process${extname(import.meta.url)}`, import.meta.url))
/** Time for the process to begin. */
const START_MS = 5_000

/** How much a query may use. */
export interface QueryLimits {
  readonly ms: number
  readonly memoryMb: number
  readonly signal: AbortSignal
}

/**
 * Runs a query in a process of its own. A thread is not enough: SQL that runs cannot be ended with its thread, and the limit
 * of its memory would be that of the server's own database.
 */
export async function runQuery(request: QueryRequest, { ms, memoryMb, signal }: QueryLimits): Promise<QueryAnswer> {
  signal.throwIfAborted()
  const ended = Promise.withResolvers<QueryAnswer>()
  const child = fork(file, [String(ms + 2 * START_MS)], {
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const late = `The query did not end within ${ms / 1_000} s, and was stopped.`
  const timer = setTimeout(() => ended.reject(new ToolFailed(late)), ms + START_MS)
  const abort = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  child.once('error', () => ended.reject(new ToolFailed('The query could not be started. Try again.')))
  child.once('message', (answer: ThreadAnswer<QueryAnswer>) => {
    if ('ok' in answer) ended.resolve(answer.ok)
    else ended.reject(new ToolFailed(answer.failed))
  })
  child.once('exit', () =>
    ended.reject(new ToolFailed('The query ended without an answer: it probably needed more memory than it may have.')),
  )
  child.send(request, error => error && ended.reject(new ToolFailed('The query could not be started. Try again.')))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    child.kill('SIGKILL')
  }
}
