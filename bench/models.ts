import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { outputs } from '@vitrine/models'
import type { SessionEvent } from '@vitrine/protocol'
import { startChild } from './child.ts'
import { word } from './events.ts'
import { aiMessage, aiText, aiTextOf } from './peers.ts'
import { expect, percentile, type Row, takeTurns } from './row.ts'
import { api, follow } from './server.ts'

const DELTAS = 10_000
const RUNS = 100
const FIRSTS = 60
/** A model that writes 50 tokens a second. */
const TOKENS = { count: 100, everyMs: 20 }

type ModelStream = Parameters<typeof outputs>[0]

/** A model behind a real socket: what its stream means, how soon it is seen, and how much of a request is known before. */
export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const provider = await startProvider()
  const { child, said } = await startChild<{ url: string }>('./models.child.ts', join(folder, 'data'), provider.url)
  try {
    const rows = [await mapping(), await firstChunk(said.url), await manyRuns(said.url)]
    return [...rows, await prefix(said.url, provider.prompts)]
  } finally {
    if (child.connected) child.send('close')
    const stuck = setTimeout(() => child.kill('SIGKILL'), 10_000)
    if (child.exitCode === null) await once(child, 'exit')
    clearTimeout(stuck)
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same text as ai reads it: parts of a model's stream, mapped to outputs. */
async function mapping(): Promise<Row> {
  const chunks = aiText(DELTAS)
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const parts = [
    { type: 'start-step' },
    ...Array.from({ length: DELTAS }, (_, index) => ({ type: 'text-delta', id: 'text', text: word(index) })),
    { type: 'text-end', id: 'text' },
    { type: 'finish-step', finishReason: 'stop', usage, response: {} },
    { type: 'finish', finishReason: 'stop' },
  ]
  const text = Array.from({ length: DELTAS }, (_, index) => word(index)).join('')
  const times = await takeTurns(
    {
      ours: async () => {
        let said = ''
        const stream = new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        })
        for await (const output of outputs(stream as unknown as ModelStream, {
          storeFile: async () => ({}) as never,
        })) {
          if (output.type === 'text.delta') said += output.delta
        }
        expect(said === text, 'our text')
      },
      ai: async () => {
        const message = await aiMessage(chunks)
        expect(aiTextOf(message) === text, "ai's text")
        return message
      },
    },
    15,
    3,
  )
  const ratio = times.ai / times.ours
  const name = `${DELTAS} text deltas of a model mapped, readUIMessageStream of ai 7`
  return { name, ours: times.ours, peer: times.ai, unit: 'ms', ratio, target: '≥ 10 ×', ok: ratio >= 10 }
}

/** One run after another: from the moment the provider writes its first chunk until the event with it is here. */
async function firstChunk(url: string): Promise<Row> {
  const waits: number[] = []
  for (let at = 0; at < FIRSTS; at++) {
    const { latencies } = await stream(url, 1, { count: 1, everyMs: 0 })
    if (at >= 10) waits.push(latencies[0]!)
  }
  const p95 = percentile(waits, 0.95)
  return {
    name: 'first chunk of the model to its event here, p95',
    ours: p95,
    unit: 'ms',
    target: '< 5 ms',
    ok: p95 < 5,
  }
}

async function manyRuns(url: string): Promise<Row> {
  const { latencies } = await stream(url, RUNS, TOKENS)
  const p95 = percentile(latencies, 0.95)
  const name = `chunk of the model to its event here, ${RUNS} runs at once, p95`
  return { name, ours: p95, unit: 'ms', target: '< 100 ms', ok: p95 < 100 }
}

/** Turns with a call each: how much of a prompt the next one begins with. */
async function prefix(url: string, prompts: string[]): Promise<Row> {
  const { send, get } = api(url)
  const sessionId = crypto.randomUUID()
  await send('POST', '/sessions', { sessionId })
  prompts.length = 0
  for (let turn = 1; turn <= 3; turn++) {
    const text = JSON.stringify({ calls: true })
    await send('POST', `/sessions/${sessionId}/turns`, { turnId: `turn-${turn}`, text })
    for (let ended = false; !ended; await sleep(20)) {
      const { events } = (await get(`/sessions/${sessionId}/events?limit=1000&after=0`)) as { events: SessionEvent[] }
      ended = events.filter(({ type }) => type === 'run.finished').length === turn
    }
  }
  expect(prompts.length === 6, `six requests were expected, ${prompts.length} came`)
  const shares = prompts.slice(1).map((prompt, at) => reused(prompts[at]!, prompt))
  const least = Math.min(...shares) * 100
  const name = 'bytes of a prompt that the next one begins with, steps and turns with calls, the least'
  return { name, ours: least, unit: '%', target: '≥ 95 %', ok: least >= 95 }
}

function reused(before: string, after: string): number {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  return same / before.length
}

/** New sessions, all followed and started at once, until all have ended. */
async function stream(url: string, runs: number, task: object): Promise<{ latencies: number[] }> {
  const { origin, headers, send } = api(url)
  const ids = Array.from({ length: runs }, () => crypto.randomUUID())
  for (const sessionId of ids) await send('POST', '/sessions', { sessionId })
  const latencies: number[] = []
  const running = new Set<string>(ids)
  const ended = Promise.withResolvers<void>()
  const closing = new AbortController()
  const opened: Promise<void>[] = []
  for (let from = 0; from < ids.length; from += 10) {
    const open = Promise.withResolvers<void>()
    opened.push(open.promise)
    const query = new URLSearchParams(ids.slice(from, from + 10).map(id => ['s', `${id}:0`]))
    follow(
      () => `${origin}/api/stream?${query}`,
      { headers, signal: closing.signal },
      open.resolve,
      events => {
        for (const event of events) {
          if (event.type === 'text.delta')
            latencies.push(performance.timeOrigin + performance.now() - Number.parseFloat(event.delta))
          if (event.type === 'run.failed') ended.reject(new Error(event.error.message))
          if (event.type === 'run.finished') running.delete(event.sessionId)
          if (running.size === 0) ended.resolve()
        }
      },
    ).catch(ended.reject)
  }
  await Promise.all(opened)
  const text = JSON.stringify(task)
  await Promise.all(ids.map(id => send('POST', `/sessions/${id}/turns`, { turnId: crypto.randomUUID(), text })))
  await ended.promise
  closing.abort()
  return { latencies }
}

/** Speaks the wire format of OpenAI. The last turn says how: how many tokens, and how fast; each says when it was written. */
async function startProvider(): Promise<{ url: string; prompts: string[]; close(): Promise<void> }> {
  const prompts: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages, tools } = JSON.parse(body) as {
      messages: { role: string; content: unknown }[]
      tools?: unknown
    }
    // A prompt without its end, which stands elsewhere in a longer one.
    prompts.push(JSON.stringify([tools, messages]).slice(0, -2))
    const asked = messages.findLast(({ role }) => role === 'user')!.content
    const text = typeof asked === 'string' ? asked : (asked as { text: string }[])[0]!.text
    const { count = 1, everyMs = 0, calls } = JSON.parse(text) as { count?: number; everyMs?: number; calls?: boolean }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.socket?.setNoDelay(true)
    if (calls && messages.at(-1)!.role !== 'tool') {
      const call = { index: 0, id: `call_${prompts.length}`, type: 'function' }
      write(response, { tool_calls: [{ ...call, function: { name: 'look', arguments: '{"what":"it"}' } }] })
      write(response, {}, 'tool_calls')
    } else {
      for (let token = 0; token < count; token++) {
        write(response, { content: `${performance.timeOrigin + performance.now()} ` })
        if (everyMs > 0) await sleep(everyMs)
      }
      write(response, {}, 'stop')
    }
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    prompts,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function write(response: ServerResponse, delta: object, finish: string | null = null): void {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench' }
  response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
}
