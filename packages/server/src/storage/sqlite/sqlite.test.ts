import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from '../../blobs/file-blobs.ts'
import { storageContract } from '../storage.contract.ts'
import { delta, deltas, row } from '../storage.fixture.ts'
import { LogDamaged, StorageRefused } from '../storage.ts'
import { APPLICATION_ID, migrate, migrations } from './migrate.ts'
import { createCommitPause } from './pause-commits.ts'
import { openSqlite, type SqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'vitrine-sqlite-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, `${++folders}`)
const module = new URL('./sqlite.ts', import.meta.url).href

storageContract('sqlite', {
  fresh: async () => ({ folder: newFolder() }),
  open: openSqlite,
  module,
  export: 'openSqlite',
})

describe('sqlite', () => {
  let folder: string
  let storage: SqliteStorage | undefined
  beforeEach(() => {
    folder = newFolder()
  })
  afterEach(async () => {
    await storage?.close()
    storage = undefined
  })

  async function withSessions(count: number, pauseCommits?: SharedArrayBuffer) {
    storage = await openSqlite({ folder, ...(pauseCommits && { pauseCommits }) })
    const opened = storage
    const ids = Array.from({ length: count }, (_, index) => `s${index}`)
    await Promise.all(ids.map(sessionId => opened.createSession(row(sessionId), [])))
    const leases = await Promise.all(ids.map(sessionId => opened.lease(sessionId, 'test')))
    return { storage: opened, ids, epochs: leases.map(lease => lease.epoch) }
  }

  it('L1 the disk is synced at every commit', async () => {
    storage = await openSqlite({ folder })
    expect(await storage.pragma('synchronous')).toBe(2)
    expect(await storage.pragma('journal_mode')).toBe('wal')
    expect(await storage.pragma('foreign_keys')).toBe(1)
    expect(await storage.pragma('busy_timeout')).toBe(5_000)
  })

  it('P-312 appends of many sessions share their commits', async () => {
    const { storage, ids, epochs } = await withSessions(200)
    const before = await storage.commits()
    await Promise.all(
      ids.map((sessionId, index) =>
        storage.append({ sessionId, epoch: epochs[index]!, events: deltas(sessionId, 1, 5) }),
      ),
    )
    expect((await storage.commits()) - before).toBeLessThan(20)
    for (const sessionId of ids) expect(await storage.events(sessionId, 0, 9)).toHaveLength(5)
  })

  it('L1 no append is acknowledged and nothing can be read before the commit', async () => {
    const gate = createCommitPause()
    const { storage, epochs } = await withSessions(1, gate.buffer)
    gate.pause()
    let acknowledged = false
    const append = storage.append({ sessionId: 's0', epoch: epochs[0]!, events: [delta('s0', 1)] }).then(() => {
      acknowledged = true
    })
    await gate.paused()
    const read = storage.events('s0', 0, 9)
    await delay(50)
    expect(acknowledged).toBe(false)
    expect(committed()).toBe(0)
    expect(await read).toEqual([])
    gate.resume()
    await append
    expect(committed()).toBe(1)
    expect(await storage.events('s0', 0, 9)).toEqual([delta('s0', 1)])
  })

  /** What another process would find, now. */
  function committed(): number {
    const db = new DatabaseSync(join(folder, 'vitrine.db'), { readOnly: true })
    try {
      return (db.prepare('SELECT count(*) AS count FROM chunks').get() as { count: number }).count
    } finally {
      db.close()
    }
  }

  it('L7 a full disk is an error to those who write, takes nothing away, and ends when there is space', async () => {
    const { storage, epochs } = await withSessions(2)
    const [first, second] = epochs as [number, number]
    await storage.append({ sessionId: 's0', epoch: first, events: [delta('s0', 1)] })
    await storage.pragma(`max_page_count = ${(await storage.pragma('page_count')) as number}`)
    const big = storage.append({ sessionId: 's0', epoch: first, events: [delta('s0', 2, 'x'.repeat(60_000))] })
    await expect(big).rejects.toMatchObject({ name: 'StorageFailed', code: 'disk_full' })
    expect(await storage.events('s0', 0, 9)).toEqual([delta('s0', 1)])
    expect((await storage.session('s0'))?.seq).toBe(1)
    await storage.pragma('max_page_count = 1000000')
    await storage.append({ sessionId: 's0', epoch: first, events: [delta('s0', 2)] })
    await storage.append({ sessionId: 's1', epoch: second, events: [delta('s1', 1)] })
  })

  describe('a log that is not what was written', () => {
    beforeEach(async () => {
      const { storage, epochs } = await withSessions(2)
      for (const [index, sessionId] of ['s0', 's1'].entries()) {
        for (let seq = 1; seq < 40; seq += 4) {
          await storage.append({ sessionId, epoch: epochs[index]!, events: deltas(sessionId, seq, seq + 3) })
        }
      }
      await storage.close()
    })

    async function after(damage: string): Promise<SqliteStorage> {
      const db = new DatabaseSync(join(folder, 'vitrine.db'))
      const session = `session = (SELECT number FROM sessions WHERE session_id = 's0')`
      db.exec(damage.replaceAll('$here', session))
      db.close()
      storage = await openSqlite({ folder })
      return storage
    }

    it.each([
      ['a changed letter', `UPDATE chunks SET events = replace(events, '"14 "', '"15 "') WHERE $here`],
      ['a missing row', 'DELETE FROM chunks WHERE $here AND first = 13'],
      ['a missing first row', 'DELETE FROM chunks WHERE $here AND first = 1'],
      ['a missing last row', 'DELETE FROM chunks WHERE $here AND last = 40'],
      ['no rows at all', 'DELETE FROM chunks WHERE $here'],
      ['another range', 'UPDATE chunks SET last = 99 WHERE $here AND last = 40'],
      ['another shape', 'UPDATE chunks SET shape = 7 WHERE $here AND first = 13'],
      ['another digest', `UPDATE chunks SET digest = 'x' WHERE $here AND first = 13`],
      ['another end', `UPDATE sessions SET seq = 36 WHERE session_id = 's0'`],
      [
        'a row of another session',
        `UPDATE chunks SET events = (SELECT events FROM chunks AS other WHERE first = 13
         AND other.session <> chunks.session) WHERE $here AND first = 13`,
      ],
    ])('P-333 with %s is said to be damaged, and the others are served', async (_, damage) => {
      const opened = await after(damage)
      for (const limit of [1_000, 7, 1]) await expect(readAll(opened, 's0', limit)).rejects.toThrow(LogDamaged)
      await expect(readAll(opened, 's0', 7)).rejects.toThrow(/log of session s0 is damaged from event \d+ on: restore/)
      expect(await readAll(opened, 's1', 7)).toEqual(deltas('s1', 1, 40))
      await expect(opened.check('s0', 1_000_000)).rejects.toThrow(LogDamaged)
      await opened.check('s1', 1_000_000)
    })

    it('P-333 a check of the newest rows goes as far back as it is told', async () => {
      const opened = await after(`UPDATE chunks SET events = replace(events, '"14 "', '"15 "') WHERE $here`)
      await opened.check('s0', 100)
      await expect(opened.check('s0', 10_000)).rejects.toThrow(/damaged from event 13 on/)
      await opened.check('nobody', 100)
    })

    it('P-333 that lost its end cannot be taken over', async () => {
      const opened = await after('DELETE FROM chunks WHERE $here AND last = 40')
      await expect(opened.lease('s0', 'test')).rejects.toThrow(LogDamaged)
      await opened.lease('s1', 'test')
    })

    it('P-333 a checkpoint or a page that was changed is not used', async () => {
      const checkpoint = { seq: 40, fold: 1, state: 'state', messages: [{ ordinal: 1, page: 'page' }] }
      const first = await after('')
      for (const sessionId of ['s0', 's1']) await first.saveCheckpoint(sessionId, checkpoint)
      await first.close()
      const opened = await after(`UPDATE checkpoints SET state = 'other' WHERE $here;
        UPDATE message_pages SET page = 'other' WHERE $here`)
      expect([await opened.checkpoint('s0'), await opened.messagePages('s0', 9, 9)]).toEqual([undefined, undefined])
      expect(await opened.messagePages('s1', 9, 9)).toEqual(checkpoint.messages)
    })

    async function readAll(from: SqliteStorage, sessionId: string, limit: number) {
      const events = []
      for (;;) {
        const page = await from.events(sessionId, events.length, limit)
        events.push(...page)
        if (page.length < limit) return events
      }
    }
  })

  it('P-313 nobody but its user can read the database', async () => {
    storage = await openSqlite({ folder })
    await storage.createSession(row('s'), [])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of ['vitrine.db', 'vitrine.db-wal']) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  describe('a folder that cannot be used', () => {
    async function refusal(path = folder): Promise<string> {
      const error = await openSqlite({ folder: path }).then(
        opened => opened.close(),
        reason => reason,
      )
      expect(error).toBeInstanceOf(StorageRefused)
      const { message } = error as StorageRefused
      expect(message).toMatch(/: (choose|change|stop|move|update) /)
      expect(message.split('\n')).toHaveLength(1)
      return message
    }

    it('P-314 is a file, or below a file', async () => {
      writeFileSync(folder, '')
      expect(await refusal()).toMatch(/is not a folder: choose/)
      expect(await refusal(join(folder, 'below', 'deeper'))).toMatch(
        /cannot be written \(ENOTDIR\): change|is not a folder/,
      )
    })

    it.skipIf(process.platform !== 'linux')('P-314 cannot be written', async () => {
      // Permissions do not stop root; a file system of the kernel does.
      if (process.getuid?.() === 0) return expect(await refusal('/proc/vitrine')).toMatch(/cannot be written/)
      mkdirSync(folder, { mode: 0o500 })
      expect(await refusal()).toMatch(/cannot be written/)
      chmodSync(folder, 0o700)
    })

    it('P-315 holds files of somebody else', async () => {
      mkdirSync(folder)
      writeFileSync(join(folder, 'taxes.xlsx'), '')
      expect(await refusal()).toMatch(/other files \(taxes.xlsx\).*choose an empty or a new folder/)
      expect(readdirSync(folder)).toEqual(['taxes.xlsx'])
    })

    it('P-315 holds a database of another program, which stays as it is', async () => {
      mkdirSync(folder)
      const db = new DatabaseSync(join(folder, 'vitrine.db'))
      db.exec('CREATE TABLE theirs (x); PRAGMA user_version = 1')
      db.close()
      expect(await refusal()).toMatch(/belongs to another program: choose/)
      const after = new DatabaseSync(join(folder, 'vitrine.db'))
      expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }])
      after.close()
    })

    it('P-315 holds a file that is no database', async () => {
      mkdirSync(folder)
      writeFileSync(join(folder, 'vitrine.db'), 'A letter to my grandmother. '.repeat(100))
      expect(await refusal()).toMatch(/is not a database of Vitrine: move it away/)
    })

    it('P-316 was written by a newer version', async () => {
      await (await openSqlite({ folder })).close()
      const db = new DatabaseSync(join(folder, 'vitrine.db'))
      db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
      db.close()
      const formats = `format ${migrations.length + 1}, this one knows ${migrations.length}`
      expect(await refusal()).toContain(`newer version of Vitrine (${formats}): update`)
    })

    it('P-317 is in use, by this process', async () => {
      storage = await openSqlite({ folder })
      expect(await refusal()).toContain(`in use by another server (process ${process.pid}): stop it`)
      await storage.close()
      storage = await openSqlite({ folder })
    })

    it('P-317 is in use, by another process, until that one is gone', { timeout: 30_000 }, async () => {
      storage = await openSqlite({ folder })
      await storage.createSession(row('s', { unfinished: true }), [])
      await storage.close()
      const script = new URL('../killed-writer.contract.ts', import.meta.url)
      const child = spawn(process.execPath, [script.pathname, module, 'openSqlite', JSON.stringify({ folder })])
      const exited = once(child, 'exit')
      await once(child.stdout, 'data')
      child.stdout.resume()
      expect(await refusal()).toContain(`in use by another server (process ${child.pid}): stop it`)
      child.kill('SIGKILL')
      await exited
      // Its pid is still in the folder, and means nothing any more.
      expect(existsSync(join(folder, 'vitrine.pid'))).toBe(true)
      storage = await openSqlite({ folder })
    })

    it('P-336 can be written by others', async () => {
      mkdirSync(folder)
      for (const mode of [0o777, 0o775, 0o757]) {
        chmodSync(folder, mode)
        expect(await refusal()).toContain(
          `can be written by others (mode ${mode.toString(8)}): change it with chmod 700`,
        )
      }
      chmodSync(folder, 0o755)
      storage = await openSqlite({ folder })
    })

    it('P-336 has a damaged lock', async () => {
      mkdirSync(folder, { mode: 0o700 })
      writeFileSync(join(folder, 'vitrine.lock'), 'no lock at all '.repeat(200))
      expect(await refusal()).toMatch(
        /vitrine.lock is damaged: stop the server that uses it, if any, and delete this file/,
      )
    })

    it('P-336 has a file in the place of its blobs', async () => {
      mkdirSync(folder, { mode: 0o700 })
      writeFileSync(join(folder, 'blobs'), '')
      const opening = openFileBlobs({ folder })
      await expect(opening).rejects.toBeInstanceOf(StorageRefused)
      await expect(opening).rejects.toThrow(/blobs is not a folder: move that file away/)
    })

    it('P-314 is refused without leaving the lock behind', async () => {
      mkdirSync(folder)
      writeFileSync(join(folder, 'vitrine.db'), 'not a database at all, but long enough'.repeat(50))
      await refusal()
      rmSync(join(folder, 'vitrine.db'))
      storage = await openSqlite({ folder })
    })
  })

  describe('migrations', () => {
    const today = migrations.length
    const file = () => join(folder, 'vitrine.db')
    const copyOf = (version: number) => join(folder, `vitrine.v${version}.backup.db`)
    const step = (sql: string) => (db: DatabaseSync) => db.exec(sql)
    const next = [
      ...migrations,
      step('ALTER TABLE sessions ADD COLUMN color TEXT'),
      step('CREATE TABLE later (x INTEGER) STRICT'),
    ]

    beforeEach(async () => {
      storage = await openSqlite({ folder })
      await storage.createSession(row('s', { title: 'kept' }), [])
      await storage.close()
      storage = undefined
    })

    function upgrade(steps: typeof migrations): void {
      const db = new DatabaseSync(file())
      try {
        migrate(db, file(), steps)
      } finally {
        db.close()
      }
    }

    function look(path: string) {
      const db = new DatabaseSync(path, { readOnly: true })
      const value = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0]
      const found = {
        version: value('PRAGMA user_version'),
        id: value('PRAGMA application_id'),
        title: value('SELECT title FROM sessions'),
        colored: value(`SELECT count(*) FROM pragma_table_info('sessions') WHERE name = 'color'`),
      }
      db.close()
      return found
    }

    it('P-318 an older database is brought forward, and a copy of it is kept', () => {
      upgrade(next)
      const kept = { id: APPLICATION_ID, title: '"kept"' }
      expect(look(file())).toEqual({ ...kept, version: next.length, colored: 1 })
      expect(look(copyOf(today))).toEqual({ ...kept, version: today, colored: 0 })
      expect(statSync(copyOf(today)).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder).filter(name => name.includes('partial'))).toEqual([])
    })

    it('P-318 a step that fails leaves the version before it, whole; the next start goes on from there', () => {
      const broken = [...next.slice(0, today + 1), step('CREATE TABLE half (x INTEGER) STRICT; SELECT nonsense')]
      expect(() => upgrade(broken)).toThrow(/nonsense/)
      expect(look(file())).toMatchObject({ version: today + 1, colored: 1, title: '"kept"' })
      upgrade(next)
      expect(look(file())).toMatchObject({ version: next.length, title: '"kept"' })
      expect(look(copyOf(today + 1))).toMatchObject({ version: today + 1 })
    })

    it('P-318 a database that is up to date is not copied', () => {
      upgrade(migrations)
      expect(readdirSync(folder).filter(name => name.includes('backup'))).toEqual([])
    })

    it('P-319 sessions, blob references and answers name their owner', async () => {
      storage = await openSqlite({ folder })
      await storage.addBlob('s', 'ada', { digest: 'd', size: 1, mediaType: 'text/plain' })
      await storage.keepAnswer('eve', 'k', { status: 200, body: '' })
      await storage.close()
      const db = new DatabaseSync(file(), { readOnly: true })
      const owner = (table: string) => db.prepare(`SELECT owner FROM ${table}`).get()
      expect([owner('sessions'), owner('blobs'), owner('answers')]).toEqual([
        { owner: 'ada' },
        { owner: 'ada' },
        { owner: 'eve' },
      ])
      db.close()
    })
  })
})
