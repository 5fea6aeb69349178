import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { expect, median, type Row } from './row.ts'
import type { Health, Task } from './server.child.ts'
import { api, follow } from './server.ts'

const EVENTS = 30_000
const STUCK = 250
const ROUNDS = 5
const TASK: Task = { deltas: EVENTS, everyMs: 0 }

/** A fast run that one reader follows, alone and beside many who never read what they are sent. */
export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const { child, said } = await startChild<{ url: string }>('./server.child.ts', join(folder, 'data'))
  try {
    const alone: Run[] = []
    const beside: Run[] = []
    // The first round is thrown away: code is compiled and memory is taken in it.
    for (let round = 0; round <= ROUNDS; round++) {
      alone.push(await oneRun(child, said.url, 0))
      beside.push(await oneRun(child, said.url, STUCK))
    }
    const of = (runs: Run[], figure: keyof Run) => median(runs.slice(1).map(one => one[figure]))
    const ratio = of(beside, 'ms') / of(alone, 'ms')
    const more = of(beside, 'peak') - of(alone, 'peak')
    return [
      {
        name: `a run of ${EVENTS} events beside ${STUCK} readers that never read; the same run without them`,
        ours: of(beside, 'ms'),
        peer: of(alone, 'ms'),
        unit: 'ms',
        ratio,
        target: '≤ 1.5 ×',
        ok: ratio <= 1.5,
      },
      { name: `memory that ${STUCK} such readers take`, ours: more, unit: 'MB', target: '≤ 300 MB', ok: more <= 300 },
      {
        name: `longest pause of the event loop beside ${STUCK} such readers; without them`,
        ours: of(beside, 'pause'),
        peer: of(alone, 'pause'),
        unit: 'ms',
        target: '',
        ok: true,
      },
      {
        name: `slowest answer on a new connection beside ${STUCK} such readers; without them`,
        ours: of(beside, 'answer'),
        peer: of(alone, 'answer'),
        unit: 'ms',
        target: '≤ 250 ms',
        ok: of(beside, 'answer') <= 250,
      },
      {
        name: 'what a reader is sent for each of these events',
        ours: of(alone, 'bytes'),
        unit: 'bytes',
        target: '≤ 100 bytes',
        ok: of(alone, 'bytes') <= 100,
      },
    ]
  } finally {
    child.send('close')
    const stuck = setTimeout(() => child.kill('SIGKILL'), 10_000)
    if (child.exitCode === null) await once(child, 'exit')
    clearTimeout(stuck)
    await rm(folder, { recursive: true, force: true })
  }
}

interface Run {
  /** Until the reader has everything. */
  ms: number
  /** The most memory that the server took, in MB. */
  peak: number
  pause: number
  /** The longest that somebody waited who connected and asked for the list. */
  answer: number
  /** That the reader was sent for each event. */
  bytes: number
}

async function oneRun(child: ChildProcess, url: string, stuck: number): Promise<Run> {
  const { origin, headers, send } = api(url)
  const sessionId = crypto.randomUUID()
  await send('POST', '/sessions', { sessionId, agentId: 'bench' })
  const { port, host } = new URL(origin)
  const path = `/api/stream?list=1&s=${sessionId}:0`
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${headers.authorization}\r\n\r\n`
  const sockets: Socket[] = []
  for (let index = 0; index < stuck; index++) {
    const socket = connect(Number(port), '127.0.0.1').pause()
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(head)
    sockets.push(socket)
  }
  const open = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const closing = new AbortController()
  let cursor = 0
  let bytes = 0
  follow(
    () => `${origin}/api/stream?s=${sessionId}:${cursor}`,
    { headers, signal: closing.signal },
    open.resolve,
    (events, size) => {
      bytes += size
      for (const event of events) {
        expect(event.seq === cursor + 1, `a gap before ${event.seq}`)
        cursor = event.seq
        if (event.type === 'run.finished') ended.resolve()
      }
    },
  ).catch(ended.reject)
  await open.promise
  await sleep(500)
  await health(child)
  let peak = 0
  let pause = 0
  let answer = 0
  const ask = async () => {
    const since = performance.now()
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(head.replace(path, '/api/sessions?limit=1'))
    await once(socket, 'data')
    socket.destroy()
    answer = Math.max(answer, performance.now() - since)
  }
  const look = async () => {
    const { rss, pauseMs } = await health(child)
    peak = Math.max(peak, rss / 1e6)
    pause = Math.max(pause, pauseMs)
  }
  const looking = new AbortController()
  const looked = (async () => {
    while (!looking.signal.aborted) {
      await look()
      await ask()
      await sleep(50)
    }
  })()
  const since = performance.now()
  await send('POST', `/sessions/${sessionId}/turns`, { turnId: crypto.randomUUID(), text: JSON.stringify(TASK) })
  await ended.promise
  const ms = performance.now() - since
  looking.abort()
  await looked
  expect(cursor > EVENTS, 'deltas were merged')
  closing.abort()
  for (const socket of sockets) socket.destroy()
  await sleep(200)
  return { ms, peak, pause, answer, bytes: bytes / cursor }
}

/** How the server is since it was asked last. */
async function health(child: ChildProcess): Promise<Health> {
  child.send('health')
  const [answer] = (await once(child, 'message')) as [Health]
  return answer
}
