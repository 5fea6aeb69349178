import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionSnapshot } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKnownSessions } from './known-sessions.ts'
import { FAST, until } from './loopback.test.fixture.ts'
import { createStream } from './stream.ts'
import { TIMING } from './timing.ts'

const SESSIONS = 250
const EVENTS = 5_000
const SESSION = 'the-long-one'

let folder: string
let child: ChildProcess
let origin: URL
let token: string
let log: string
let last: number
let proxy: Server
let cuts = 0
/** How many bytes of each answer the proxy lets through. */
let budget: () => number

/** The real server, as its command starts it, with a long list and a long session. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-cut-'))
  const cli = join(import.meta.dirname, '../../cli/src/main.ts')
  const agent = join(import.meta.dirname, 'flood.test.fixture.ts')
  const flags = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
  const args = ['start', '--port', '0', '--data', folder, '--agent', agent]
  child = spawn(process.execPath, [...flags, cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await until(() => /token=\S+/.test(said), 20_000)
  origin = new URL(/http:\S+/.exec(said)![0])
  token = origin.searchParams.get('token')!
  for (let index = 0; index < SESSIONS; index++) {
    const sessionId = index === 0 ? SESSION : `session-${index}`
    await api('POST', '/sessions', { sessionId, agentId: 'flood', title: `Session number ${index} of a long list` })
    await api('PATCH', `/sessions/${sessionId}`, { pinned: true })
  }
  await api('POST', `/sessions/${SESSION}/turns`, { turnId: 't', text: String(EVENTS) })
  let at = { seq: 0, log: '', done: false }
  await until(() => {
    if (!at.done) void look().then(now => (at = now))
    return at.done
  }, 20_000)
  last = at.seq
  log = at.log

  proxy = createServer(client => {
    const server = connect(Number(origin.port), '127.0.0.1')
    let left = budget()
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    // The server answers to its own name alone.
    client.on('data', bytes => server.write(bytes.toString().replace(/^host: .*$/im, `host: ${origin.host}`)))
    server.on('data', (bytes: Buffer) => {
      client.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left > 0) return
      cuts += 1
      server.destroy()
      client.end(end)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
}, 60_000)

afterAll(async () => {
  proxy?.close()
  child?.kill()
  if (child?.exitCode === null) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

async function api(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin.origin}/api${path}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function look() {
  const { seq, log, entities } = (await api('GET', `/sessions/${SESSION}?messages=1`)) as SessionSnapshot
  return { seq, log, done: entities.session.activeRunId === null && seq > EVENTS }
}

/** Follows through the proxy until the session and the list are whole. */
async function read(ms: number): Promise<{ seqs: number[]; listed: number }> {
  const { port } = proxy.address() as AddressInfo
  const feed = createStream({
    baseUrl: `http://127.0.0.1:${port}/api`,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, authorization: `Bearer ${token}` } }),
    timing: { ...TIMING, ...FAST },
  })
  const list = createKnownSessions()
  feed.onList(frame => list.apply(frame))
  const seqs: number[] = []
  feed.follow(
    SESSION,
    { seq: 0, log },
    {
      events: events => seqs.push(...events.map(({ seq }) => seq)),
      gone: problem => expect.unreachable(problem.code),
      hole: () => expect.unreachable('a hole'),
      live: () => {},
    },
  )
  try {
    await until(() => seqs.length >= last && list.loaded, ms)
  } finally {
    feed.close()
  }
  return { seqs, listed: list.sorted().length }
}

const everything = () => ({ seqs: Array.from({ length: last }, (_, index) => index + 1), listed: SESSIONS })

describe('P-124 P-436 a connection that is cut again and again', () => {
  it('after 12 KB each time brings the session and the list to the end', async () => {
    budget = () => 12_000
    cuts = 0
    expect(await read(50_000)).toEqual(everything())
    expect(cuts).toBeGreaterThan(50)
  }, 60_000)

  it('a connection that is cut after 1 to 64 KB brings everything too, wherever the cuts are', async () => {
    for (let round = 0; round < 5; round++) {
      budget = () => 1_000 + Math.floor(Math.random() * 63_000)
      cuts = 0
      expect(await read(50_000)).toEqual(everything())
      expect(cuts).toBeGreaterThan(5)
    }
  }, 120_000)
})
