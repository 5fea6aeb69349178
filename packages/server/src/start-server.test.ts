import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent } from './agents/agent.ts'
import { echo, eventsIn, framesOf, type SentFrame, until } from './http/app.test.kit.ts'
import { type RunningServer, type StartServerOptions, startServer } from './start-server.ts'

let folder: string
let running: RunningServer[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-server-'))
})
afterEach(async () => {
  await Promise.all(running.map(server => server.close()))
  running = []
  await rm(folder, { recursive: true, force: true })
})

/** Says as much as it is asked for, in large pieces. */
const flood: Agent = {
  ...echo,
  agentId: 'flood',
  async *run(input) {
    for (let count = Number(input.text); count > 0; count--) {
      yield { type: 'text.delta', partId: 'p', delta: 'x'.repeat(30_000) }
    }
    yield { type: 'text.final', partId: 'p' }
  },
}

async function start(options: Partial<StartServerOptions> = {}) {
  const server = await startServer({
    dataFolder: folder,
    port: 0,
    host: '127.0.0.1',
    agents: [echo, flood],
    ...options,
  })
  running.push(server)
  const { origin, searchParams, port, hostname } = new URL(server.url)
  const token = searchParams.get('token')!
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const api = (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(`${origin}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  return { ...server, origin, token, port: Number(port), hostname, api }
}

/** Sends these bytes and resolves with what comes back until the other side closes or goes quiet. */
async function raw(port: number, text: string, open?: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  open?.(socket)
  await new Promise<void>(resolve => {
    socket.on('close', () => resolve())
    setTimeout(resolve, 400)
  })
  socket.destroy()
  return answer
}

/** A socket that stays open: what it has received, and when it has ended. */
async function openSocket(port: number, text = '') {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', chunk => {
    answer += chunk
  })
  const ended = new Promise<void>(resolve => {
    socket.on('error', () => {}).on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.write(text)
  const received = (wanted: string) => vi.waitFor(() => expect(answer).toContain(wanted), 5_000)
  return { socket, ended, received, answer: () => answer }
}

const seqsIn = (frames: SentFrame[]) => eventsIn(frames).map(event => event.seq)

describe('the server on a socket', () => {
  it('P-410 streams a turn as it happens, on the wire', async () => {
    const { api } = await start()
    await api('POST', '/sessions', { sessionId: 's' })
    const abort = new AbortController()
    const response = await api('GET', '/stream?list=1&s=s:0', undefined, abort.signal)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const frames = framesOf(response)
    await until(frames, 'caught-up')
    await api('POST', '/sessions/s/turns', { turnId: 't', text: 'Hello' })
    const seen: SentFrame[] = []
    while (!JSON.stringify(seen.at(-1) ?? '').includes('run.finished'))
      seen.push((await frames.next()).value as SentFrame)
    expect(eventsIn(seen)).toContainEqual(expect.objectContaining({ type: 'text.delta', delta: 'Hello' }))
    abort.abort()
  })

  it('P-416 a session is read as a stream from Last-Event-ID, and as pages of JSON', async () => {
    const { api, origin, token } = await start()
    await api('POST', '/sessions', { sessionId: 's' })
    await api('POST', '/sessions/s/turns', { turnId: 't', text: 'Hello' })
    const page = async (query: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
      return (await (await fetch(`${origin}/api/sessions/s/events${query}`, { headers })).json()) as {
        events: SessionEvent[]
        next: number | null
      }
    }
    const all = await vi.waitFor(async () => {
      const { events } = await page('')
      expect(events.at(-1)!.type).toBe('run.finished')
      return events
    })
    const first = await page('?limit=2')
    expect([first.events, first.next]).toEqual([all.slice(0, 2), 2])
    expect(await page(`?after=2`)).toEqual({ events: all.slice(2), next: null })
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': '2' }
    const frames = framesOf(await fetch(`${origin}/api/sessions/s/events`, { headers }))
    await frames.next()
    expect((await frames.next()).value).toMatchObject({ id: '3', data: all[2] })
    await frames.return(undefined)
  })

  it('P-412 a socket that is not read is cut off, its memory is given back, and the resumed reader misses nothing', async () => {
    const { api, origin, token } = await start({
      limits: { maxStreams: 1, maxWaitingBytes: 300_000, stallMs: 300, heartbeatMs: 100, graceMs: 100 },
    })
    await api('POST', '/sessions', { sessionId: 's', agentId: 'flood' })
    const request = httpRequest(`${origin}/api/stream?s=s:1`, { headers: { authorization: `Bearer ${token}` } }).end()
    const [response] = await once(request, 'response')
    response.pause()
    const ended = once(response, 'close').catch(() => {})
    await api('POST', '/sessions/s/turns', { turnId: 't', text: '400' })
    await vi.waitFor(
      async () => {
        const { sessions } = (await (await api('GET', '/sessions')).json()) as { sessions: { status: string }[] }
        expect(sessions[0]!.status).toBe('idle')
      },
      { timeout: 10_000 },
    )
    // Its place is free again although it has read nothing and has not gone away.
    const abort = new AbortController()
    const place = await vi.waitFor(
      async () => {
        const opened = await api('GET', '/stream', undefined, abort.signal)
        expect(opened.status).toBe(200)
        return opened
      },
      { timeout: 5_000 },
    )
    await place.body!.cancel()
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    response.resume()
    await ended
    const whole = text.slice(0, text.lastIndexOf('\n\n'))
    const seen = [...whole.matchAll(/"seq":(\d+),"sessionId"/g)].map(match => Number(match[1]))
    const got = seen.at(-1) ?? 1
    expect(whole).not.toContain('run.finished')
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 2))
    const frames = await vi.waitFor(async () => {
      const opened = await api('GET', `/stream?s=s:${got}`, undefined, abort.signal)
      expect(opened.status).toBe(200)
      return framesOf(opened)
    })
    const rest = await until(frames, 'caught-up')
    const seqs = seqsIn(rest)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => got + 1 + index))
    expect(JSON.stringify(rest)).toContain('run.finished')
    abort.abort()
  }, 20_000)

  it('P-412 beside 250 sockets that never read, one that reads gets everything once, and the others are cut off', async () => {
    const { api, origin, port, token } = await start({
      // On a busy machine this process, in which everybody reads and writes, may pause for more than a second.
      limits: { maxStreams: 251, stallMs: 5_000, heartbeatMs: 200, graceMs: 200 },
    })
    await api('POST', '/sessions', { sessionId: 's', agentId: 'flood' })
    const head = `GET /api/stream?list=1&s=s:0 HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nauthorization: Bearer ${token}\r\n\r\n`
    let closed = 0
    const stuck = await Promise.all(
      Array.from({ length: 250 }, async () => {
        const socket = connect(port, '127.0.0.1').pause()
        socket.on('error', () => {}).on('close', () => closed++)
        await once(socket, 'connect')
        socket.write(head)
        return socket
      }),
    )
    const abort = new AbortController()
    const frames = framesOf(await api('GET', '/stream?s=s:0', undefined, abort.signal))
    await until(frames, 'caught-up')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const before = process.memoryUsage()
    // Six megabytes: more than a socket takes by itself.
    await api('POST', '/sessions/s/turns', { turnId: 't', text: '200' })
    const seen: number[] = []
    let finished = false
    while (!finished) {
      const { value } = await frames.next()
      const events = eventsIn([value as SentFrame])
      seen.push(...events.map(({ seq }) => seq))
      finished = events.some(({ type }) => type === 'run.finished')
    }
    const after = process.memoryUsage()
    const more = (after.heapUsed + after.external - before.heapUsed - before.external) / 1e6
    console.info(
      `The event loop paused for ${Math.round(delay.max / 1e6)} ms at most, with ${Math.round(more)} MB more.`,
    )
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 2))
    // What waits for each of them is bounded: 256 KiB, a page and a chunk, most of which they share.
    expect(more).toBeLessThan(300)
    // Their places are free although they have read nothing; they notice the end when they read.
    await vi.waitFor(
      async () => expect((await api('GET', '/stream', undefined, abort.signal)).status).toBe(200),
      25_000,
    )
    for (const socket of stuck) socket.resume()
    await vi.waitFor(() => expect(closed).toBe(250), 15_000)
    abort.abort()
  }, 60_000)

  it('P-413 a browser that goes away leaves its place', async () => {
    const { api } = await start({ limits: { maxStreams: 1 } })
    for (let visit = 0; visit < 3; visit++) {
      const abort = new AbortController()
      const response = await vi.waitFor(async () => {
        const opened = await api('GET', '/stream', undefined, abort.signal)
        expect(opened.status).toBe(200)
        return opened
      })
      await until(framesOf(response), 'hello')
      abort.abort()
    }
  })

  it('P-418 a durable event is on the wire within milliseconds', async () => {
    const { api } = await start()
    await api('POST', '/sessions', { sessionId: 's' })
    const abort = new AbortController()
    const frames = framesOf(await api('GET', '/stream?s=s:0', undefined, abort.signal))
    await until(frames, 'caught-up')
    const times: number[] = []
    for (let round = 0; round < 20; round++) {
      const next = until(frames, 'events').then(() => performance.now())
      await api('PATCH', '/sessions/s', { title: `Title ${round}` })
      const answered = performance.now()
      times.push((await next) - answered)
    }
    times.sort((a, b) => a - b)
    // The answer of the write leaves after its commit as well: the event must not lag behind it.
    expect(times[10]).toBeLessThan(20)
    abort.abort()
  })

  it('H05 beyond the limit a person gets 429, and everything else still works', async () => {
    const { api } = await start({ limits: { maxStreams: 20 } })
    const abort = new AbortController()
    const opened = await Promise.all(Array.from({ length: 60 }, () => api('GET', '/stream', undefined, abort.signal)))
    expect(opened.filter(response => response.status === 200)).toHaveLength(20)
    expect(opened.filter(response => response.status === 429)).toHaveLength(40)
    expect((await api('GET', '/sessions')).status).toBe(200)
    abort.abort()
  })

  it('H05 a slow body ends with 408 and a large one with 413, each with its connection', async () => {
    const { port, token, api } = await start({ limits: { bodyTimeoutMs: 100 } })
    const head = (length: number) =>
      `POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    const slow = await raw(port, `${head(100)}{"ti`)
    expect(slow).toMatch(/^HTTP\/1.1 408 /)
    expect(slow).toContain('body_incomplete')
    expect(slow.toLowerCase()).toContain('connection: close')
    const large = await raw(port, head(5_000_000), socket => {
      for (let count = 0; count < 50; count++) socket.write('x'.repeat(100_000))
    })
    expect(large).toMatch(/^HTTP\/1.1 413 /)
    expect((await api('GET', '/health')).status).toBe(200)
  })

  it('H08 a foreign Host is refused on the wire, also in an absolute request target', async () => {
    const { port, token } = await start()
    const get = (target: string, host: string) =>
      raw(
        port,
        `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
      )
    const own = `127.0.0.1:${port}`
    expect(await get('/api/health', own)).toMatch(/^HTTP\/1.1 200 /)
    expect(await get('/api/health', `localhost:${port}`)).toMatch(/^HTTP\/1.1 200 /)
    expect(await get('/api/health', `[::1]:${port}`)).toMatch(/^HTTP\/1.1 200 /)
    expect(await get('/api/health', 'rebound.example')).toMatch(/^HTTP\/1.1 403 /)
    expect(await get('/api/health', `127.0.0.1:${port + 1}`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await get('/', 'rebound.example')).toMatch(/^HTTP\/1.1 403 /)
    expect(await get(`http://rebound.example/api/health`, own)).toMatch(/^HTTP\/1.1 403 /)
  })

  it.each(['0.0.0.0', '::', '192.168.1.10', 'example.com', '127.0.0.1.example.com', '128.0.0.1'])(
    'H09 listening on %s without sign-in is refused in one line',
    async host => {
      await expect(start({ host })).rejects.toMatchObject({
        name: 'StartRefused',
        message: expect.stringMatching(/^[^\n]*sign-in is not configured[^\n]*$/),
      })
    },
  )
})

describe('start and stop', () => {
  const run = echo.run
  it.each<[string, unknown, RegExp]>([
    ['no list', echo, /^agents is not a list/],
    ['something else', [echo, 5], /^agents\[1\] is a number: /],
    ['no id', [echo, { run }], /^agents\[1\] has no agentId: give it one/],
    ['an impossible id', [{ agentId: 'my agent', run }], /^agents\[0\] has the agentId "my agent": /],
    ['no run', [{ agentId: 'a' }], /^agents\[0\] \(a\) has no run function: write `async \*run/],
    ['a run that is no generator', [{ agentId: 'a', async run() {} }], /^agents\[0\] \(a\) .* no generator: write /],
    ['an id twice', [echo, flood, echo], /^Two agents are called "echo" \(agents\[0\] and agents\[2\]\): give each/],
  ])('P-471 agents with %s are refused with what to do', async (_, agents, message) => {
    await expect(start({ agents: agents as Agent[] })).rejects.toMatchObject({ name: 'AgentRefused', message })
  })

  it('P-471 a missing data folder or folder of pages is refused, and names the option', async () => {
    await expect(start({ dataFolder: undefined as never })).rejects.toMatchObject({ option: 'dataFolder' })
    const staticFolder = join(folder, 'dist')
    await expect(start({ staticFolder })).rejects.toMatchObject({
      name: 'StartRefused',
      option: 'staticFolder',
      message: `The folder ${staticFolder} is not there, so no page can be served: build the page first, or leave staticFolder out.`,
    })
  })

  it('P-471 host has a default, and an agent needs only an id and a run', async () => {
    const agents: Agent[] = [{ agentId: 'bare', run }]
    const server = await startServer({ dataFolder: folder, port: 0, agents })
    running.push(server)
    const { origin, hostname, searchParams } = new URL(server.url)
    expect(hostname).toBe('127.0.0.1')
    const headers = { authorization: `Bearer ${searchParams.get('token')}` }
    expect(await (await fetch(`${origin}/api/agents`, { headers })).json()).toEqual({
      agents: [{ agentId: 'bare', name: 'bare', description: '', scripted: false, madeBy: 'program', editable: false }],
    })
  })

  it('P-433 a taken port is refused in one line, before the data folder is touched', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as { port: number }
    const untouched = join(folder, 'data')
    await expect(start({ port, dataFolder: untouched })).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`),
    })
    await expect(rm(untouched)).rejects.toMatchObject({ code: 'ENOENT' })
    holder.close()
  })

  it('P-433 when the data folder cannot be used, the port is free again', async () => {
    const first = await start()
    const { port } = new URL((await start({ dataFolder: join(folder, 'other') })).url)
    await running.at(-1)!.close()
    await expect(start({ port: Number(port) })).rejects.toMatchObject({ name: 'StorageRefused' })
    const again = await start({ port: Number(port), dataFolder: join(folder, 'other') })
    expect((await again.api('GET', '/health')).status).toBe(200)
    expect((await first.api('GET', '/health')).status).toBe(200)
  })

  it('P-422 the token stays the same over restarts and differs between data folders', async () => {
    const first = await start()
    await first.close()
    expect((await start()).token).toBe(first.token)
    expect((await start({ dataFolder: join(folder, 'other') })).token).not.toBe(first.token)
  })

  it('P-419 L12 a stop cuts the streams with their resume points, and what was cut off is there after the restart', async () => {
    const first = await start()
    await first.api('POST', '/sessions', { sessionId: 's' })
    const frames = framesOf(await first.api('GET', '/stream?s=s:0'))
    await first.api('POST', '/sessions/s/turns', { turnId: 't', text: 'wait' })
    await until(frames, 'caught-up')
    await vi.waitFor(async () => {
      const { seq } = ((await (await first.api('GET', '/sessions')).json()) as { sessions: { seq: number }[] })
        .sessions[0]!
      expect(seq).toBeGreaterThan(2)
    })
    const closed = first.close()
    const cut = (await until(frames, 'cut')).at(-1)!.data as { reason: string; resume: { s: number } }
    expect(cut.reason).toBe('stopping')
    await closed
    await expect(first.api('GET', '/health')).rejects.toThrow()
    const second = await start()
    const abort = new AbortController()
    const resumed = framesOf(await second.api('GET', `/stream?s=s:${cut.resume.s}`, undefined, abort.signal))
    const rest = await until(resumed, 'caught-up')
    expect(seqsIn(rest)[0]).toBe(cut.resume.s + 1)
    expect(JSON.stringify(rest)).toContain('"outcome":"interrupted"')
    abort.abort()
  })

  it('P-419 closing twice is closing once, and does not wait for ever for a request that hangs', async () => {
    const { port, token, close } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(
      `POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    )
    await new Promise(resolve => setTimeout(resolve, 50))
    const from = performance.now()
    await Promise.all([close(), close()])
    expect(performance.now() - from).toBeLessThan(4_500)
    socket.destroy()
  })

  it('P-419 sockets without a request under way end at once, and a request under way is answered', async () => {
    const { port, token, close } = await start()
    const head = (method: string, path: string) =>
      `${method} /api${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n`
    const body = JSON.stringify({ sessionId: 's' })
    const silent = await openSocket(port)
    const idle = await openSocket(port, `${head('GET', '/health')}\r\n`)
    const inHeader = await openSocket(port, head('GET', '/health'))
    const underWay = await openSocket(
      port,
      `${head('POST', '/sessions')}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n{`,
    )
    await idle.received('HTTP/1.1 200 ')
    // So long that what the others have sent has arrived too.
    await new Promise(resolve => setTimeout(resolve, 50))
    const from = performance.now()
    const closed = close()
    await Promise.all([silent.ended, idle.ended, inHeader.ended])
    underWay.socket.write(body.slice(1))
    await Promise.all([underWay.ended, closed])
    expect(performance.now() - from).toBeLessThan(2_000)
    expect([silent.answer(), inHeader.answer()]).toEqual(['', ''])
    expect(underWay.answer()).toMatch(/^HTTP\/1.1 201 .*\r\nconnection: close\r\n.*"sessionId":"s"/is)
  })

  it('P-419 an answer that its reader takes slowly is sent to its end', async () => {
    const { port, token, api, close } = await start()
    await api('POST', '/sessions', { sessionId: 's', agentId: 'flood' })
    await api('POST', '/sessions/s/turns', { turnId: 't', text: '200' })
    const events = '/sessions/s/events?after=0'
    await vi.waitFor(
      async () => {
        const { sessions } = (await (await api('GET', '/sessions')).json()) as { sessions: { status: string }[] }
        expect(sessions[0]!.status).toBe('idle')
      },
      { timeout: 10_000 },
    )
    const reader = await openSocket(
      port,
      `GET /api${events} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n\r\n`,
    )
    await reader.received('HTTP/1.1 200 ')
    reader.socket.pause()
    const closed = close()
    await new Promise(resolve => setTimeout(resolve, 200))
    reader.socket.resume()
    await Promise.all([reader.ended, closed])
    const [head, sent] = reader.answer().split(/\r\n\r\n(.*)/s)
    expect(sent!.length).toBeGreaterThan(3_000_000)
    expect(Number(/content-length: (\d+)/i.exec(head!)?.[1])).toBe(sent!.length)
  }, 20_000)
})
