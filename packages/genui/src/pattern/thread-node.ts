import { parentPort } from 'node:worker_threads'
import { type PatternRequest, testPattern } from './worker.ts'

const port = parentPort!
port.on('message', (request: PatternRequest) => port.postMessage(testPattern(request)))
port.postMessage('ready')
