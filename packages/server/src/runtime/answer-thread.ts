import { parentPort } from 'node:worker_threads'
import type { Json, JsonObject } from '@vitrine/protocol'
import { issueOf } from './answer-schema.ts'

const port = parentPort!
port.on('message', ({ schema, value }: { schema: JsonObject; value: Json }) => port.postMessage(issueOf(schema, value)))
port.postMessage('ready')
