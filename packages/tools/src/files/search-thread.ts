import { parentPort, workerData } from 'node:worker_threads'
import { ToolFailed } from '../failure.ts'
import { Folder } from './folder.ts'
import { type SearchRequest, search } from './search.ts'

const request = workerData as SearchRequest
try {
  parentPort!.postMessage({ ok: await search(new Folder(request.root, request.except), request) })
} catch (error) {
  parentPort!.postMessage({ failed: error instanceof ToolFailed ? error.message : 'The search failed.' })
}
