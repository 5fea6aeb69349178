import { parentPort } from 'node:worker_threads'
import { issueOf, type ResponseCheck, type ResponseVerdict } from './response-schema.ts'

const port = parentPort!
port.on('message', ({ schema, value }: ResponseCheck) =>
  port.postMessage({ issue: issueOf(schema, value) } satisfies ResponseVerdict),
)
port.postMessage('ready')
