import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type SessionEvent, unpackEvents } from '@vitrine/protocol'
import { startChild } from './child.ts'
import { expect, median, percentile, type Row } from './row.ts'
import type { Task } from './server.child.ts'

const SESSIONS = 100
const PER_CONNECTION = 10
/** A model that writes 50 tokens a second. */
const PACED: Task = { deltas: 200, everyMs: 20 }
const FLOOD: Task = { deltas: 500, everyMs: 0 }
const FLOODS = 3
/** One commit for each round in which every session has said something. */
const BATCH = SESSIONS

/** A real server process, a hundred sessions at once, real SSE. */
export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const { child, said } = await startChild<{ url: string }>('./server.child.ts', join(folder, 'data'))
  const { url } = said
  try {
    const paced = await stream(url, PACED)
    const floods: number[] = []
    const inserts: number[] = []
    for (let turn = 0; turn < FLOODS; turn++) {
      const flood = await stream(url, FLOOD)
      expect(flood.received.length > SESSIONS * FLOOD.deltas, 'deltas were merged')
      floods.push((flood.received.length / flood.ms) * 1000)
      inserts.push(plainInserts(join(folder, `plain-${turn}.sqlite`), flood.received))
    }
    const [eventsPerSecond, plain] = [median(floods), median(inserts)]
    const [p50, p95] = [percentile(paced.latencies, 0.5), percentile(paced.latencies, 0.95)]
    const share = eventsPerSecond / plain
    return [
      {
        name: `said to received, ${SESSIONS} sessions, p50`,
        ours: p50,
        unit: 'ms',
        target: '≤ 25 ms',
        ok: p50 <= 25,
      },
      {
        name: `said to received, ${SESSIONS} sessions, p95`,
        ours: p95,
        unit: 'ms',
        target: '≤ 100 ms',
        ok: p95 <= 100,
      },
      {
        name: `flood of ${SESSIONS} sessions, durable and received; plain batched SQLite inserts`,
        ours: eventsPerSecond,
        peer: plain,
        unit: 'events/s',
        ratio: share,
        target: '≥ 0.5 ×',
        ok: share >= 0.5,
      },
    ]
  } finally {
    if (child.connected) child.send('close')
    const stuck = setTimeout(() => child.kill('SIGKILL'), 10_000)
    if (child.exitCode === null) await once(child, 'exit')
    clearTimeout(stuck)
    await rm(folder, { recursive: true, force: true })
  }
}

interface Received {
  received: SessionEvent[]
  /** From the moment the agent said a delta until the event with it was here, its commit included. */
  latencies: number[]
  /** From the first submit until the last session had ended. */
  ms: number
}

/** The API of a server whose printed URL this is. */
export function api(url: string) {
  const { origin, searchParams } = new URL(url)
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok, `${method} ${path} was answered with ${answer.status}: ${answer.ok || (await answer.text())}`)
  }
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${origin}/api${path}`, { headers: { ...headers, accept: 'application/json' } })
    expect(answer.ok, `GET ${path} was answered with ${answer.status}`)
    return answer.json()
  }
  return { origin, headers, send, get }
}

/** New sessions, all followed, all started at once, until all have ended. */
async function stream(url: string, task: Task): Promise<Received> {
  const { origin, headers, send } = api(url)
  const ids = Array.from({ length: SESSIONS }, () => crypto.randomUUID())
  for (const sessionId of ids) await send('POST', '/sessions', { sessionId, agentId: 'bench' })

  const result: Received = { received: [], latencies: [], ms: 0 }
  const cursors = new Map<string, number>(ids.map(id => [id, 0]))
  const running = new Set<string>(ids)
  const ended = Promise.withResolvers<void>()
  const take = (event: SessionEvent) => {
    expect(event.seq === cursors.get(event.sessionId)! + 1, `a gap before ${event.seq}`)
    cursors.set(event.sessionId, event.seq)
    result.received.push(event)
    if (event.type === 'text.delta' && task.everyMs > 0)
      result.latencies.push(performance.timeOrigin + performance.now() - Number.parseFloat(event.delta))
    if (event.type === 'run.finished') running.delete(event.sessionId)
    if (running.size === 0) ended.resolve()
  }
  const closing = new AbortController()
  const opened: Promise<void>[] = []
  for (let from = 0; from < SESSIONS; from += PER_CONNECTION) {
    const own = ids.slice(from, from + PER_CONNECTION)
    const open = Promise.withResolvers<void>()
    opened.push(open.promise)
    follow(
      () => `${origin}/api/stream?${new URLSearchParams(own.map(id => ['s', `${id}:${cursors.get(id)}`]))}`,
      { headers, signal: closing.signal },
      open.resolve,
      events => events.forEach(take),
    ).catch(ended.reject)
  }
  await Promise.all(opened)
  const since = performance.now()
  const text = JSON.stringify(task)
  await Promise.all(ids.map(id => send('POST', `/sessions/${id}/turns`, { turnId: crypto.randomUUID(), text })))
  await ended.promise
  result.ms = performance.now() - since
  closing.abort()
  return result
}

/** Reads one connection after another: a reader that the server calls slow goes on where it was. */
export async function follow(
  address: () => string,
  init: RequestInit,
  opened: () => void,
  take: (events: SessionEvent[], bytes: number) => void,
): Promise<void> {
  while (!init.signal?.aborted) {
    try {
      const answer = await fetch(address(), init)
      expect(answer.ok, `the stream was answered with ${answer.status}`)
      let rest = ''
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + chunk).split('\n\n')
        rest = frames.pop()!
        for (const frame of frames) {
          if (frame.startsWith('event: hello')) opened()
          if (!frame.startsWith('event: events')) continue
          const events = unpackEvents(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)))
          take(events, Buffer.byteLength(frame) + 2)
        }
      }
    } catch (error) {
      if (!init.signal?.aborted) throw error
    }
  }
}

/** The same bytes, as durable, and nothing else: events per second. */
function plainInserts(file: string, events: readonly SessionEvent[]): number {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000')
  db.exec('CREATE TABLE events (session TEXT, seq INTEGER, event TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID')
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?)')
  const rows = events.map(event => [event.sessionId, event.seq, JSON.stringify(event)] as const)
  const since = performance.now()
  for (let from = 0; from < rows.length; from += BATCH) {
    db.exec('BEGIN')
    for (const row of rows.slice(from, from + BATCH)) insert.run(...row)
    db.exec('COMMIT')
  }
  const ms = performance.now() - since
  db.close()
  return (rows.length / ms) * 1000
}
