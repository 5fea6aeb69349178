import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Thread, ThreadEvents } from './limited-thread.ts'
import { type PatternRequest, type PatternWorker, patternWorker } from './worker.ts'

/** Starts a file as a thread for `limitedThread`. The first message of the file says that it is ready. */
export const nodeThread =
  <Request, Answer>(file: URL) =>
  ({ ready, answer, failed }: ThreadEvents<Answer>): Thread<Request> => {
    const worker = new Worker(file)
    worker.once('message', () => {
      ready()
      worker.on('message', answer)
    })
    worker.on('error', failed)
    // A thread that waits for nothing holds no process open.
    worker.unref()
    return { post: request => worker.postMessage(request), terminate: () => void worker.terminate() }
  }

/** The worker for patterns in Node. `close()` ends its thread. */
export const nodePatternWorker = (limitMs?: number): PatternWorker =>
  patternWorker(
    nodeThread<PatternRequest, boolean>(new URL(`./thread-node${extname(import.meta.url)}`, import.meta.url)),
    limitMs,
  )
