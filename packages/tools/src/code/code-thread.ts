import { parentPort, workerData } from 'node:worker_threads'
import { type CodeRequest, runCode } from './run.ts'

parentPort!.postMessage({ ok: await runCode(workerData as CodeRequest) })
