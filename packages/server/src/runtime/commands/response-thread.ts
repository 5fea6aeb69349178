import { parentPort } from 'node:worker_threads'
import { issueOf, type SchemaCheck, type SchemaVerdict } from './response-schema.ts'

const port = parentPort!
port.on('message', (check: SchemaCheck) => port.postMessage({ issue: issueOf(check) } satisfies SchemaVerdict))
port.postMessage('ready')
