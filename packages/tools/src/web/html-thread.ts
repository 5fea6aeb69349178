import { parentPort, workerData } from 'node:worker_threads'
import { htmlText } from './html-text.ts'

const { html, base } = workerData as { html: string; base: string }
parentPort!.postMessage({ ok: htmlText(html, new URL(base)) })
