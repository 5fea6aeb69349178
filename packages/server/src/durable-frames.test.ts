import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { scripted } from './runtime/harness.fixture.ts'
import { startServer } from './start-server.ts'
import { createCommitPause } from './storage/sqlite/pause-commits.ts'
import { openSqlite } from './storage/sqlite/sqlite.ts'

it('L1 no frame leaves the server for events whose commit is held back', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-frames-'))
  const pause = createCommitPause()
  const storage = await openSqlite({ folder: dataFolder, pauseCommits: pause.buffer })
  const agent = scripted(async function* () {
    yield { type: 'text.delta', partId: 'p', delta: 'durable first' }
  })
  const server = await startServer({ dataFolder, storage, host: '127.0.0.1', port: 0, agents: [agent] })
  const url = new URL(server.url)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}`, 'content-type': 'application/json' }
  const call = (path: string, body?: unknown): Promise<Response> =>
    fetch(new URL(`/api${path}`, url), {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  let received = ''
  try {
    expect(await storage.pragma('synchronous')).toBe(2)
    await call('/sessions', { sessionId: 's' })
    const streams = await Promise.all([call('/stream?list=1&s=s:1'), call('/sessions/s/events?after=1')])
    const reading = streams.map(async ({ body }) => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) received += chunk
    })
    await expect.poll(() => received).toContain('caught-up')
    received = ''
    pause.pause()
    const submitted = call('/sessions/s/turns', { turnId: 't', text: 'go' })
    await pause.paused()
    await sleep(200)
    expect(received).not.toContain('"seq"')
    await expect(Promise.race([submitted, sleep(50, 'no answer yet')])).resolves.toBe('no answer yet')
    pause.resume()
    expect((await submitted).status).toBe(202)
    await expect.poll(() => received.match(/durable first/g)?.length, { timeout: 5_000 }).toBe(2)
    await server.close()
    await Promise.allSettled(reading)
  } finally {
    pause.resume()
    await server.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
})
