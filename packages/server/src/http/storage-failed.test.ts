import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import type { Problem } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { type Storage, StorageFailed } from '../storage/storage.ts'
import { createKit, type Kit } from './app.test.kit.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

describe('a storage that fails', () => {
  /** Every write to the database fails from now on. */
  function breakWrites(kit: Kit, error: Error): void {
    const fail = () => Promise.reject(error)
    const broken: Partial<Storage> = {
      createSession: fail,
      markRead: fail,
      append: fail,
      lease: fail,
      keepAnswer: fail,
      addBlob: fail,
      hideSession: fail,
      eraseSession: fail,
      saveCheckpoint: fail,
    }
    Object.assign(kit.parts.storage, broken)
  }

  it('P-337 every write by every route is answered with 503, the reason and what to do', async () => {
    const kit = await createKit()
    const create = await kit.as('ann', 'POST', '/sessions', { sessionId: 's', title: 'S' })
    expect(create.status).toBe(201)
    breakWrites(kit, new StorageFailed('disk_full', 'database or disk is full'))
    const turn = { turnId: 't', text: 'x' }
    const writes: [string, string, object | undefined][] = [
      ['POST', '/sessions', {}],
      ['POST', '/sessions', { sessionId: 'other' }],
      ['POST', '/sessions', { parent: { sessionId: 's', turnId: 'p', input: { text: 'x' } } }],
      ['PATCH', '/sessions/s', { title: 'T' }],
      ['PUT', '/sessions/s/read', { seq: 1 }],
      ['POST', '/sessions/s/turns', turn],
      ['POST', '/sessions/s/queue', turn],
      ['PATCH', '/sessions/s/queue', { held: true }],
      ['POST', '/sessions/s/interrupt', {}],
      ['POST', '/sessions/s/ui-actions', { key: 'k', toolCallId: 'c', action: { type: 'payload', payload: {} } }],
      ['DELETE', '/sessions/s', undefined],
      ['DELETE', '/sessions/s?erase=now', undefined],
    ]
    for (const [method, path, body] of writes) {
      for (const headers of [{}, { 'idempotency-key': `${method}-${path.length}-${JSON.stringify(body)?.length}` }]) {
        const response = await kit.as('ann', method, path, body, headers)
        const problem = (await response.json()) as Problem
        expect([method, path, response.status, problem.code]).toEqual([method, path, 503, 'storage_failed'])
        expect(problem.detail).toContain('database or disk is full')
        expect(problem.next).toMatch(/^Free some space/)
      }
    }
    await kit.close()
  })

  it.each([
    ['disk_full', 'the disk is full (why)', 'Free some space'],
    ['read_only', 'the disk cannot be written (why)', 'Make the data folder of the server writable'],
    ['io_error', 'the disk failed (why)', 'Check the disk'],
  ] as const)('P-337 L7 the answer says which trouble the disk has: %s', async (why, detail, next) => {
    const kit = await createKit()
    await kit.as('ann', 'POST', '/sessions', { sessionId: 's' })
    breakWrites(kit, new StorageFailed(why, 'why'))
    for (const [path, body] of [
      ['/sessions', {}],
      ['/sessions/s/turns', { turnId: 't', text: 'Hello' }],
    ] as const) {
      const problem = await (await kit.as('ann', 'POST', path, body)).json()
      expect(problem).toMatchObject({ status: 503, code: 'storage_failed', params: { why } })
      expect(problem).toMatchObject({ detail: expect.stringContaining(detail), next: expect.stringContaining(next) })
    }
    await kit.close()
  })

  it('P-337 an answer that cannot be kept is said, and the same write under its key then works', async () => {
    const kit = await createKit()
    const { keepAnswer } = kit.parts.storage
    const breakAnswers = (by: Storage['keepAnswer']) => Object.assign(kit.parts.storage, { keepAnswer: by })
    breakAnswers(() => Promise.reject(new StorageFailed('io_error', 'disk I/O error')))
    const create = () => kit.as('ann', 'POST', '/sessions', { title: 'Once' }, { 'idempotency-key': 'k' })
    const first = await create()
    expect([first.status, ((await first.json()) as Problem).code]).toEqual([503, 'storage_failed'])
    breakAnswers(keepAnswer)
    expect((await create()).status).toBe(201)
    const list = (await (await kit.as('ann', 'GET', '/sessions')).json()) as { sessions: object[] }
    expect(list.sessions).toHaveLength(1)
    await kit.close()
  })

  it('H14 a flipped row of the log is told by the session itself, by its events and by every write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-flipped-'))
    folders.push(folder)
    let kit = await createKit({ folder })
    await kit.as('ann', 'POST', '/sessions', { sessionId: 's' })
    for (const turnId of ['t1', 't2']) {
      await kit.as('ann', 'POST', '/sessions/s/turns', { turnId, text: 'hello' })
      const status = async () => (await kit.parts.storage.session('s'))?.status
      await expect.poll(status, { interval: 10 }).toBe('idle')
      await expect.poll(async () => (await kit.parts.storage.checkpoint('s'))?.seq).toBeGreaterThan(1)
    }
    await kit.close()
    const change = (statement: string, ...values: (string | number)[]) => {
      const db = new DatabaseSync(join(folder, 'vitrine.db'))
      const rows = db.prepare(statement).all(...values)
      db.close()
      return rows as { first: number; events: string }[]
    }
    const rows = change('SELECT first, events FROM chunks ORDER BY first')
    expect(rows.length).toBeGreaterThan(5)
    const write = 'UPDATE chunks SET events = ? WHERE first = ?'
    for (const { first, events } of rows) {
      change(write, events.replace('"at":1', '"at":2'), first)
      kit = await createKit({ folder })
      const answers = [
        await kit.as('ann', 'GET', '/sessions/s'),
        await kit.as('ann', 'GET', '/sessions/s/events?after=0', undefined, { accept: 'application/json' }),
        await kit.as('ann', 'POST', '/sessions/s/turns', { turnId: 't3', text: 'hello' }),
      ]
      for (const response of answers) {
        expect([first, response.status, await response.json()]).toEqual([
          first,
          503,
          expect.objectContaining({ code: 'data_damaged', next: expect.stringContaining('Restore the data folder') }),
        ])
      }
      await kit.close()
      change(write, events, first)
    }
    kit = await createKit({ folder })
    expect((await kit.as('ann', 'GET', '/sessions/s')).status).toBe(200)
    await kit.close()
  })

  it.skipIf(process.platform === 'win32')(
    'P-337 a real full disk: every answer is a success that stays or a 503 that says what to do',
    { timeout: 60_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-full-'))
      folders.push(folder)
      const limited = await startLimited(folder, 600)
      const kept: string[] = []
      let refused = 0
      for (let index = 0; index < 400 && refused < 20; index++) {
        const sessionId = `s${index}`
        const response = await limited.call('POST', '/sessions', { sessionId, metadata: { filler: 'x'.repeat(5_000) } })
        if (response.ok) kept.push(sessionId)
        else {
          const { code, next } = (await response.json()) as Problem
          expect([response.status, code]).toEqual([503, 'storage_failed'])
          expect(next).toMatch(/^Free some space/)
          refused++
        }
      }
      expect(kept.length).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
      await limited.kill()
      const free = await startLimited(folder, 'unlimited')
      const list = (await (await free.call('GET', '/sessions?limit=200')).json()) as {
        sessions: { sessionId: string }[]
      }
      expect(list.sessions.map(session => session.sessionId).sort()).toEqual(kept.sort())
      await free.kill()
    },
  )

  it.skipIf(process.platform === 'win32')(
    'P-337 H13 an erasure on a full disk says what is left until it is done, and the server starts meanwhile',
    { timeout: 60_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-full-'))
      folders.push(folder)
      const filesWithCanary = async () => {
        const found: string[] = []
        for (const name of await readdir(folder)) {
          const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0))
          if (bytes.includes('xqzcanary')) found.push(name)
        }
        return found
      }
      const roomy = await startLimited(folder, 'unlimited')
      for (let index = 0; index < 100; index++) {
        await roomy.call('POST', '/sessions', { metadata: { filler: 'x'.repeat(10_000) } })
      }
      await roomy.call('POST', '/sessions', { sessionId: 'gone', title: 'xqzcanary' })
      await roomy.kill()
      // A small WAL: what is erased can be written, the whole file cannot.
      const db = new DatabaseSync(join(folder, 'vitrine.db'))
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      db.close()
      const erase = async (server: typeof roomy) => {
        const response = await server.call('DELETE', '/sessions/gone?erase=now')
        return response.status === 204 ? 204 : ((await response.json()) as Problem)
      }
      const left = {
        status: 503,
        code: 'storage_failed',
        detail:
          'The session is gone; some of its bytes are still in the file and will be removed as soon as there is room.',
        next: 'Free some space on the disk of the server, then try again.',
      }
      let limited = await startLimited(folder, 1_000)
      expect(await erase(limited)).toMatchObject(left)
      expect(await erase(limited)).toMatchObject(left)
      await limited.kill()
      limited = await startLimited(folder, 1_000)
      expect(await erase(limited)).toMatchObject(left)
      expect(limited.log()).toContain('an erasure failed and will be tried again')
      expect(await filesWithCanary()).not.toEqual([])
      await limited.kill()
      const free = await startLimited(folder, 'unlimited')
      expect(await filesWithCanary()).toEqual([])
      expect(await erase(free)).toMatchObject({ status: 404, code: 'session_not_found' })
      await free.kill()
    },
  )
})

/** A server whose files cannot grow beyond this many blocks of 512 bytes. */
async function startLimited(folder: string, blocks: number | 'unlimited') {
  const script = join(import.meta.dirname, '..', 'killed-server.fixture.ts')
  const command = `ulimit -f ${blocks}; exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', command, process.execPath, '--conditions=vitrine-source', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', bytes => {
    log += bytes
  })
  const exited = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const url = new URL(line)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}`, 'content-type': 'application/json' }
  return {
    call: (method: string, path: string, body?: object) =>
      fetch(new URL(`/api${path}`, url), { method, headers, ...(body && { body: JSON.stringify(body) }) }),
    log: () => log,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
