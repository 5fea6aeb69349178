import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Problem, SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent, AgentOutput } from '../agents/agent.ts'
import { openAgentFile } from '../agents/worker/agent-file.ts'
import type { Limits } from '../runtime/limits.ts'
import { startServer } from '../start-server.ts'
import { StorageFailed } from '../storage/storage.ts'
import { createKit, type Kit } from './app.test.kit.ts'

/** Says what came with a turn or a steer, and reads the bytes. */
const reader: Agent = {
  agentId: 'reader',
  async *run(input, context): AsyncGenerator<AgentOutput> {
    const told = async (files: typeof input.files = []) => {
      const lines = files.map(async ({ digest, name, size, mediaType }) => {
        const bytes = await context.readFile(digest, { end: 5 })
        return `${name} ${mediaType} ${size} ${Buffer.from(bytes)}`
      })
      return (await Promise.all(lines)).join('|')
    }
    yield { type: 'text.delta', partId: 'p', delta: `${await told(input.files)};` }
    if (input.text === 'wait') {
      await context.steers.wait()
      for (const steer of await context.steers.take()) {
        yield { type: 'text.delta', partId: 'p', delta: await told(steer.files) }
      }
    }
    if (input.text === 'history') {
      const files = (await context.history()).flatMap(message => message.files ?? [])
      yield { type: 'text.delta', partId: 'p', delta: files.map(({ name }) => name).join() }
    }
    if (input.text === 'too much') await context.readFile(input.files![0]!.digest)
    if (input.text === 'guess') await context.readFile('0'.repeat(64))
  },
}

let kit: Kit
afterEach(() => kit.close())
const open = async (limits: Partial<Limits> = {}) => {
  kit = await createKit({ agents: [reader], limits })
  await kit.as('ann', 'POST', '/sessions', { sessionId: 's' })
}

const upload = (owner: string, body: string, headers: Record<string, string> = {}) =>
  kit.as(owner, 'POST', '/blobs', body, { 'content-type': 'text/plain', ...headers })
const uploaded = async (owner: string, body: string, headers?: Record<string, string>) => {
  const response = await upload(owner, body, headers)
  expect(response.status).toBe(201)
  return (await response.json()) as Answer<'FileUploaded'>
}
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const problemOf = async (response: Response) => (await response.json()) as Problem
const events = async (sessionId = 's') => {
  const response = await kit.as('ann', 'GET', `/sessions/${sessionId}/events?limit=1000`, undefined, {
    accept: 'application/json',
  })
  return ((await response.json()) as { events: SessionEvent[] }).events
}
const turn = (text: string, digests: string[], turnId = 't', sessionId = 's') =>
  kit.as('ann', 'POST', `/sessions/${sessionId}/turns`, {
    turnId,
    text,
    files: digests.map((digest, index) => ({ digest, name: `${index}.txt` })),
  })
/** What the newest run has said when it is over. */
const answer = async (sessionId = 's', runs = 1) => {
  await vi.waitFor(
    async () => expect((await events(sessionId)).filter(({ type }) => /^run\.f/.test(type))).toHaveLength(runs),
    5_000,
  )
  const log = await events(sessionId)
  const { runId } = log.findLast(({ type }) => type === 'run.started')!
  return log.flatMap(event => (event.type === 'text.delta' && event.runId === runId ? [event.delta] : [])).join('')
}
const get = (owner: string, digest: string, headers: Record<string, string> = {}, sessionId = 's') =>
  kit.as(owner, 'GET', `/sessions/${sessionId}/blobs/${digest}`, undefined, headers)
const filesWith = (text: string) =>
  readdirSync(kit.folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const file = join(kit.folder, name)
    return statSync(file).isFile() && readFileSync(file).includes(text)
  })
const partial = () => readdirSync(join(kit.folder, 'blobs', 'partial'))

describe('an upload', () => {
  it('P-9101 is the bytes as they were sent, and belongs to the session whose turn refers to it', async () => {
    await open()
    const file = await uploaded('ann', 'hello file', { 'content-type': 'text/csv' })
    expect(file).toMatchObject({ digest: digestOf('hello file'), size: 10, mediaType: 'text/csv' })
    expect(file.expiresAt - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect((await get('ann', file.digest)).status).toBe(404)
    expect((await turn('read', [file.digest])).status).toBe(202)
    expect(await answer()).toBe('0.txt text/csv 10 hello;')
    expect(await (await get('ann', file.digest)).text()).toBe('hello file')
    const started = (await events()).find(event => event.type === 'run.started')
    expect(started).toMatchObject({ input: { files: [{ name: '0.txt', size: 10, ref: `sha256:${file.digest}` }] } })
    expect(await kit.parts.storage.waitingUploads('ann')).toEqual({ files: 0, bytes: 0 })
  })

  it('P-9104 sent twice under its key is one, and other bytes under the key are refused', async () => {
    await open()
    const key = { 'idempotency-key': 'k' }
    const [first, second] = await Promise.all([uploaded('ann', 'same', key), uploaded('ann', 'same', key)])
    expect(second).toEqual(first)
    expect(await kit.parts.storage.waitingUploads('ann')).toEqual({ files: 1, bytes: 4 })
    const other = await upload('ann', 'other', key)
    expect([other.status, (await problemOf(other)).code]).toEqual([409, 'key_reused'])
    expect(filesWith('other')).toEqual([])
    expect((await upload('ann', 'x', { 'idempotency-key': 'a b' })).status).toBe(400)
  })

  it('H05 P-9105 is refused when it is too large, too much or too many, and nothing of it stays', async () => {
    await open({ fileBytes: 10, uploadBytes: 15, uploads: 3 })
    const large = await upload('ann', 'CANARY67890')
    expect([large.status, await problemOf(large)]).toMatchObject([413, { code: 'too_large', params: { bytes: 10 } }])
    const announced = await upload('ann', 'short', { 'content-length': '99999999999' })
    expect(announced.status).toBe(413)
    await uploaded('ann', '0123456789')
    const much = await upload('ann', 'CANARY')
    expect([much.status, (await problemOf(much)).code]).toEqual([429, 'uploads_full'])
    for (const text of ['1', '2']) await uploaded('ann', text)
    expect((await upload('ann', '3')).status).toBe(429)
    // What one person has uploaded is nobody else's limit.
    await uploaded('bob', '0123456789')
    expect([filesWith('CANARY'), partial()]).toEqual([[], []])
  })

  it('P-9105 says so when too many are sent at once, and takes the file when another one has arrived', async () => {
    await open({ uploadsAtOnce: 1 })
    const [first, second] = await Promise.all([upload('ann', 'one'), upload('ann', 'two')])
    const refused = first.status === 201 ? second : first
    expect([first.status, second.status].sort()).toEqual([201, 429])
    expect(await problemOf(refused)).toMatchObject({
      code: 'uploads_busy',
      next: expect.stringContaining('in a moment'),
    })
    await uploaded('ann', 'two')
  })

  it('H05 that comes too slowly or breaks off leaves nothing, and others go on meanwhile', async () => {
    kit = await createKit({ agents: [reader] })
    const folder = join(kit.folder, 'own')
    const limits = { uploadIdleMs: 150, uploadMs: 400, uploadsAtOnce: 2 }
    const server = await startServer({ dataFolder: folder, port: 0, agents: [reader], limits, log: () => {} })
    const { host, searchParams } = new URL(server.url)
    const headers = { authorization: `Bearer ${searchParams.get('token')}` }
    const [name, port] = host.split(':')
    const begin = (length: number) => {
      const socket = connect(Number(port), name)
      const head = `POST /api/blobs HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${headers.authorization}\r\n`
      socket.write(`${head}content-type: text/plain\r\ncontent-length: ${length}\r\n\r\nCANARY`)
      let said = ''
      socket.on('data', data => (said += data)).on('error', () => {})
      return { socket, said: () => said }
    }
    try {
      const idle = begin(1_000)
      await vi.waitFor(() => expect(idle.said()).toMatch(/^HTTP\/1\.1 408.*body_incomplete/s), 3_000)
      const slow = begin(1_000)
      const drip = setInterval(() => slow.socket.write('x'), 50)
      await vi.waitFor(() => expect(slow.said()).toMatch(/^HTTP\/1\.1 408/), 3_000)
      clearInterval(drip)
      const cut = begin(1_000)
      await sleep(50)
      cut.socket.destroy()
      const whole = await fetch(`http://${host}/api/blobs`, { method: 'POST', headers, body: 'whole' })
      expect(whole.status).toBe(201)
      await vi.waitFor(() => expect(readdirSync(join(folder, 'blobs', 'partial'))).toEqual([]), 3_000)
      const [first, second] = [begin(1_000), begin(1_000)]
      await sleep(50)
      const third = await fetch(`http://${host}/api/blobs`, { method: 'POST', headers, body: 'third' })
      expect(third.status).toBe(429)
      for (const { socket } of [first, second]) socket.destroy()
    } finally {
      await server.close()
    }
  })

  it('H06 has a media type that is one', async () => {
    await open()
    for (const type of ['nonsense', 'text/html; x=<script>', 'a/b, c/d', `text/${'x'.repeat(200)}`]) {
      const response = await upload('ann', 'x', { 'content-type': type })
      expect([type, response.status]).toEqual([type, 415])
    }
    expect(await kit.parts.storage.waitingUploads('ann')).toEqual({ files: 0, bytes: 0 })
  })

  it('P-9109 L7 on a full disk it says so and what to do, and nothing of it stays', async () => {
    await open()
    const full = () => Promise.reject(new StorageFailed('disk_full', 'no space left'))
    Object.assign(kit.parts.storage, { addUpload: full })
    const response = await upload('ann', 'CANARY')
    expect([response.status, await problemOf(response)]).toMatchObject([
      503,
      { code: 'storage_failed', next: expect.stringContaining('Free some space') },
    ])
    expect([filesWith('CANARY'), partial()]).toEqual([[], []])
  })
})

describe('a turn that refers to files', () => {
  it('A03 P-9103 gets the same refusal for what is unknown, foreign and expired, and nothing is written', async () => {
    await open({ uploadKeptMs: 40 })
    const theirs = await uploaded('bob', 'of bob')
    const old = await uploaded('ann', 'too old')
    await sleep(60)
    const before = JSON.stringify(await events())
    const refusals = await Promise.all(
      [digestOf('unknown'), theirs.digest, old.digest, 'x', '../../vitrine.db'].map(async (digest, index) => {
        const response = await turn('read', [digest], `t${index}`)
        return [response.status, await response.text()]
      }),
    )
    expect(refusals[0]![0]).toBe(422)
    expect(JSON.parse(refusals[0]![1] as string)).toMatchObject({ code: 'file_not_found', path: '/files' })
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0])
    expect(JSON.stringify(await events())).toBe(before)
    expect((await get('ann', theirs.digest)).status).toBe(404)
  })

  it('P-9110 a refused turn keeps what was uploaded, so that it can be sent again', async () => {
    await open()
    const { digest } = await uploaded('ann', 'hello file')
    expect((await turn('read', [digest, digestOf('missing')])).status).toBe(422)
    expect((await turn('read', [digest])).status).toBe(202)
    await answer()
    // The same turn again gets its first answer; other files under its id are a mistake.
    expect((await turn('read', [digest])).status).toBe(202)
    expect((await turn('read', [])).status).toBe(409)
  })

  it('P-9111 has at most twenty, also when a message is edited', async () => {
    await open()
    const ids: string[] = []
    for (let i = 0; i < 21; i++) ids.push((await uploaded('ann', `file ${i}`)).digest)
    expect((await turn('read', ids)).status).toBe(400)
    expect((await turn('read', ids.slice(0, 20))).status).toBe(202)
    await answer()
    const files = [{ digest: ids[20], name: 'last.txt' }]
    const edit = (body: object) =>
      kit.as('ann', 'POST', '/sessions/s/messages/1/edit', { turnId: 'e', text: 'x', ...body })
    const over = await edit({ files })
    expect([over.status, (await problemOf(over)).code]).toEqual([413, 'too_large'])
    expect((await edit({ files, keepFiles: [ids[3]] })).status).toBe(202)
    expect(await answer('s', 2)).toBe('3.txt text/plain 6 file |last.txt text/plain 7 file ;')
  })

  it('P-9112 may wait in the queue, be edited and be merged there, and keeps its files', async () => {
    await open()
    await kit.as('ann', 'PATCH', '/sessions/s', { queuePolicy: { mode: 'merge', onFailure: 'hold' } })
    await kit.as('ann', 'PATCH', '/sessions/s/queue', { held: true })
    for (const text of ['one', 'two']) {
      const { digest } = await uploaded('ann', text)
      const body = { turnId: text, text, files: [{ digest, name: text }] }
      expect((await kit.as('ann', 'POST', '/sessions/s/queue', body)).status).toBe(202)
    }
    await kit.as('ann', 'PATCH', '/sessions/s/queue/two', { text: 'other words' })
    await kit.as('ann', 'PATCH', '/sessions/s/queue', { held: false })
    expect(await answer()).toBe('one text/plain 3 one|two text/plain 3 two;')
  })

  it('P-9112 may be a steer, a task and a branch, and history has its files', async () => {
    await open()
    const { digest } = await uploaded('ann', 'steered')
    const { runId } = (await (await turn('wait', [])).json()) as Answer<'TurnStarted'>
    const steer = (steerId: string, given: string) =>
      kit.as('ann', 'POST', `/sessions/s/runs/${runId}/steer`, {
        steerId,
        text: 'this',
        files: [{ digest: given, name: 'steer.txt' }],
      })
    expect((await steer('x', digestOf('missing'))).status).toBe(422)
    expect((await steer('y', digest)).status).toBe(202)
    expect(await answer()).toBe(';steer.txt text/plain 7 steer')

    const file = await uploaded('ann', 'for the task')
    const input = { text: 'read', files: [{ digest: file.digest, name: 'task.txt' }] }
    const parent = { sessionId: 's', turnId: 'task', input }
    expect((await kit.as('ann', 'POST', '/sessions', { sessionId: 'child', parent })).status).toBe(201)
    expect(await answer('child')).toBe('task.txt text/plain 12 for t;')

    expect((await kit.as('ann', 'POST', '/sessions/child/forks', { sessionId: 'branch' })).status).toBe(201)
    await kit.as('ann', 'DELETE', '/sessions/child?erase=now')
    expect(await (await get('ann', file.digest, {}, 'branch')).text()).toBe('for the task')
    expect((await turn('history', [], 'h', 'branch')).status).toBe(202)
    expect(await answer('branch', 2)).toBe(';task.txt')
  })

  it('P-9113 an agent in a thread gets the files and reads them', async () => {
    const source = `export default { agentId: 'threaded', async *run({ files }, { readFile }) {
      const bytes = await readFile(files[0].digest, { start: 1, end: 4 })
      yield { type: 'text.delta', partId: 'p', delta: bytes.constructor.name + new TextDecoder().decode(bytes) }
    } }`
    const file = await openAgentFile(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    kit = await createKit({ agents: [...file.agents] })
    await kit.as('ann', 'POST', '/sessions', { sessionId: 's' })
    const { digest } = await uploaded('ann', 'hello')
    await turn('read', [digest])
    expect(await answer()).toBe('Uint8Arrayell')
    await file.close()
  })

  it('P-9113 an agent reads only what its session refers to, and not too much at once', async () => {
    await open({ fileBytes: 20_000_000 })
    const large = await uploaded('ann', 'x'.repeat(9_000_000))
    for (const [text, says] of [
      ['too much', 'At most 8388608 bytes'],
      ['guess', 'no file with this digest'],
    ] as const) {
      await kit.as('ann', 'POST', '/sessions', { sessionId: text.replace(' ', '') })
      const again = await uploaded('ann', 'x'.repeat(9_000_000))
      expect(again.digest).toBe(large.digest)
      await turn(text, [large.digest], 't', text.replace(' ', ''))
      await answer(text.replace(' ', ''))
      const failed = (await events(text.replace(' ', ''))).find(event => event.type === 'run.failed')
      expect(failed).toMatchObject({ error: { message: expect.stringContaining(says) } })
    }
  })
})

describe('the bytes of a session', () => {
  beforeEach(() => open())
  const sent = async (body: string, type: string) => {
    const { digest } = await uploaded('ann', body, { 'content-type': type })
    const given = { turnId: `t-${digest}`, text: 'read', files: [{ digest, name: 'a' }] }
    expect((await kit.as('ann', 'POST', '/sessions/s/queue', given)).status).toBe(202)
    return digest
  }

  it('P-9114 come whole or in part', async () => {
    const digest = await sent('0123456789', 'text/plain')
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await get('ann', digest, { range, ...more })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=0-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    for (const odd of ['bytes=', 'bytes=-', 'bytes=5-2', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=x-y']) {
      expect(await part(odd)).toEqual([200, null, '0123456789'])
    }
    expect(await part('bytes=2-4', { 'if-range': '"another"' })).toEqual([200, null, '0123456789'])
    const none = await get('ann', digest, { range: 'bytes=10-' })
    expect([none.status, (await problemOf(none)).code]).toEqual([416, 'range_not_satisfiable'])
    const head = await kit.as('ann', 'HEAD', `/sessions/s/blobs/${digest}`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
  })

  it.each([
    ['image/png', 'inline'],
    ['text/plain; charset=utf-8', 'inline'],
    ['video/mp4', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/plainx', 'attachment'],
    ['text/plain; charset=utf-7', 'attachment'],
    ['video/x-anything', 'attachment'],
    ['audio/x-mpegurl', 'attachment'],
    ['audio/mpeg', 'inline'],
  ])('P-9114 H06 %s is shown or downloaded (%s) and can never act as our page', async (type, how) => {
    const digest = await sent(`<script>${type}</script>`, type)
    const response = await get('ann', digest)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-disposition': how,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await get('bob', digest)).status).toBe(404)
  })

  it('H07 a path is no digest: not in the address and not in a turn', async () => {
    for (const digest of ['..%2f..%2fvitrine.db', '%2e%2e', 'partial', '%00']) {
      expect((await get('ann', digest)).status).toBe(404)
    }
    expect((await turn('read', ['../vitrine.db'])).status).toBe(422)
  })

  it('H13 P-9107 are in no file after the session is erased, unless somebody else refers to them', async () => {
    await sent('CANARY-alone', 'text/plain')
    const shared = await sent('CANARY-shared', 'text/plain')
    await answer('s', 2)
    await kit.as('ann', 'POST', '/sessions', { sessionId: 'other' })
    await uploaded('ann', 'CANARY-shared')
    await turn('read', [shared], 't', 'other')
    await answer('other')
    await kit.as('ann', 'DELETE', '/sessions/s?erase=now')
    expect(filesWith('CANARY-alone')).toEqual([])
    expect(filesWith('CANARY-shared')).toHaveLength(1)
    expect(await (await get('ann', shared, {}, 'other')).text()).toBe('CANARY-shared')
    await kit.as('ann', 'DELETE', '/sessions/other?erase=now')
    expect(filesWith('CANARY')).toEqual([])
  })
})

it('P-9106 what no turn refers to is removed when its time is over, and what one refers to stays', async () => {
  await open({ uploadKeptMs: 100, eraseAfterMs: 60 })
  await uploaded('ann', 'CANARY-unused')
  const { digest } = await uploaded('ann', 'CANARY-used')
  await turn('read', [digest])
  await vi.waitFor(() => expect(filesWith('CANARY-unused')).toEqual([]), 5_000)
  expect(await (await get('ann', digest)).text()).toBe('CANARY-used')
})
