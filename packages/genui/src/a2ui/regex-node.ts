import { Worker } from 'node:worker_threads'
import type { RegexWorker } from './regex.ts'
import { REGEX_THREAD, regexQueue } from './regex-queue.ts'

/** The pattern worker for Node. It holds no process open; `close()` ends the thread. */
export function nodeRegexWorker(limitMs?: number): RegexWorker & { close(): void } {
  return regexQueue(on => {
    const code = `const {parentPort} = require('node:worker_threads'); const run = ${REGEX_THREAD};
      parentPort.on('message', request => parentPort.postMessage(run(request)))`
    const worker = new Worker(code, { eval: true })
    worker.unref()
    worker.once('online', on.ready)
    worker.on('message', on.answer)
    return { post: request => worker.postMessage(request), terminate: () => void worker.terminate() }
  }, limitMs)
}
