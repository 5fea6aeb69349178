import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionRow } from '../session-store.ts'
import { deltas, row } from '../storage.fixture.ts'
import { LogDamaged, StorageFailed, StorageRefused } from '../storage.ts'
import { openSqlite } from './sqlite.ts'

const module = new URL('./sqlite.ts', import.meta.url).href
const WRITER = new URL('../killed-writer.contract.ts', import.meta.url).pathname

describe('a folder that lost something', () => {
  let folder: string
  const file = (name: string) => join(folder, `vitrine.${name}`)
  /** A copy of the database from before anything was written. */
  const older = () => `${folder}-older`
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-loss-'))
    await (await openSqlite({ folder })).close()
    cpSync(file('db'), older())
    const storage = await openSqlite({ folder })
    for (const sessionId of ['a', 'b']) await storage.createSession(row(sessionId, { unfinished: true }), [])
    await storage.close()
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(older())
  })

  /** A writer that is killed with kill -9 while it writes. */
  async function writeAndKill(): Promise<void> {
    const child = spawn(process.execPath, [WRITER, module, 'openSqlite', JSON.stringify({ folder })])
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.resume()
    // Soon, before the WAL begins anew: from then on the end of the file is no longer the end of the log.
    while (statSync(file('db-wal')).size < 300_000) await delay(5)
    child.kill('SIGKILL')
    await exited
    expect(statSync(file('db-wal')).size).toBeLessThan(16_000_000)
  }

  /** The database of another folder takes the place of this one. */
  async function putAnother(): Promise<void> {
    const other = `${folder}-other`
    const storage = await openSqlite({ folder: other })
    await storage.createSession(row('theirs'), [])
    await storage.close()
    cpSync(join(other, 'vitrine.db'), file('db'))
    rmSync(other, { recursive: true })
  }

  async function refusal(): Promise<string> {
    const error = await openSqlite({ folder }).then(
      storage => storage.close(),
      reason => reason,
    )
    expect(error).toBeInstanceOf(StorageRefused)
    const { message } = error as Error
    expect(message).toMatch(/: put the lost file back from a backup, or start with --accept-loss/)
    expect(message).not.toContain('\n')
    return message
  }

  it('H14 opens as before when it lost nothing: after a stop and after a kill', async () => {
    await writeAndKill()
    await (await openSqlite({ folder })).close()
    await writeAndKill()
    const storage = await openSqlite({ folder })
    expect((await storage.events('a', 0, 1_000_000)).length).toBe((await storage.session('a'))?.seq)
    await storage.close()
  })

  it.each([
    ['deleted', () => unlinkSync(file('db'))],
    ['emptied', () => truncateSync(file('db'), 0)],
  ])('H14 says that its database was %s', async (_, damage) => {
    damage()
    expect(await refusal()).toMatch(/vitrine.db was deleted or emptied/)
    expect(await refusal()).toMatch(/vitrine.db was deleted or emptied/)
  })

  it.each([
    ['deleted', () => unlinkSync(file('db-wal'))],
    ['emptied', () => truncateSync(file('db-wal'), 0)],
    ['cut', () => truncateSync(file('db-wal'), statSync(file('db-wal')).size - 100_000)],
    ['damaged in its middle', () => flip(file('db-wal'), statSync(file('db-wal')).size / 2)],
  ])('H14 says that its WAL was %s after a kill', { timeout: 20_000 }, async (_, damage) => {
    await writeAndKill()
    damage()
    expect(await refusal()).toMatch(/has lost its last \d+ commits \(vitrine.db-wal was deleted or cut/)
  })

  it.each([
    ['is missing', () => unlinkSync(file('db'))],
    ['is empty', () => truncateSync(file('db'), 0)],
    ['lost the end of its WAL', () => truncateSync(file('db-wal'), statSync(file('db-wal')).size - 100_000)],
    ['is another one', () => putAnother()],
    ['is an older copy', () => cpSync(older(), file('db'))],
  ])(
    'H14 a refused start changes no file, so that what is put back is whole: the database %s',
    {
      timeout: 20_000,
    },
    async (_, damage) => {
      await writeAndKill()
      const away = `${folder}-away`
      cpSync(folder, away, { recursive: true })
      await damage()
      const files = () =>
        ['db', 'db-wal', 'mark'].map(name => (existsSync(file(name)) ? readFileSync(file(name)).toString('hex') : null))
      const before = files()
      expect(before[1]).not.toBeNull()
      await refusal()
      expect(files().map((bytes, index) => bytes === before[index])).toEqual([true, true, true])
      // Only what was lost comes back.
      for (const name of ['db', 'db-wal']) {
        const [kept, now] = [join(away, `vitrine.${name}`), file(name)]
        if (!existsSync(now) || !readFileSync(kept).equals(readFileSync(now))) cpSync(kept, now)
      }
      rmSync(away, { recursive: true })
      const storage = await openSqlite({ folder })
      const { seq } = (await storage.session('a'))!
      expect(seq).toBeGreaterThan(0)
      expect(await storage.events('a', 0, 1_000_000)).toHaveLength(seq)
      await storage.close()
    },
  )

  it.each(['mark', 'db', 'pid', 'lock'])('H14 a folder in the place of vitrine.%s is said in one line', async name => {
    rmSync(file(name), { force: true })
    mkdirSync(file(name))
    for (const acceptLoss of [false, true]) {
      const error = await openSqlite({ folder, acceptLoss }).catch(reason => reason)
      expect(error).toBeInstanceOf(StorageRefused)
      expect(error.message).toBe(
        `${file(name)} is a folder, and Vitrine keeps a file there: move it away and start again.`,
      )
    }
  })

  it('H14 says that its database was replaced by an older copy, or by another one', async () => {
    const storage = await openSqlite({ folder })
    await storage.createSession(row('c'), [])
    await storage.close()
    cpSync(older(), file('db'))
    expect(await refusal()).toMatch(/has lost its last 3 commits \(it was replaced by an older copy\)/)
    await putAnother()
    expect(await refusal()).toMatch(/is not the database that this folder held/)
  })

  it('H14 says so also when the WAL of the old one lies beside it, which would make it look right', {
    timeout: 20_000,
  }, async () => {
    await writeAndKill()
    cpSync(older(), file('db'))
    expect(await refusal()).toMatch(/has lost its last \d+ commits \(it was replaced by an older copy\)/)
    await putAnother()
    expect(await refusal()).toMatch(/is not the database that this folder held/)
    // What lies there is taken as it is, without a WAL that does not belong to it.
    const storage = await openSqlite({ folder, acceptLoss: true })
    expect((await storage.sessions({ owner: 'ada', limit: 9 })).map(({ sessionId }) => sessionId)).toEqual(['theirs'])
    expect(await storage.pragma('integrity_check')).toBe('ok')
    await storage.close()
    await (await openSqlite({ folder })).close()
  })

  it('H14 a copy of a working database is older as soon as its WAL has begun anew', { timeout: 60_000 }, async () => {
    const storage = await openSqlite({ folder })
    const { epoch } = await storage.lease('a', 'test')
    let seq = 0
    const write = () => {
      const events = deltas('a', seq + 1, seq + 500)
      seq += 500
      return storage.append({ sessionId: 'a', epoch, events })
    }
    const salt = () => readFileSync(file('db-wal')).toString('hex', 16, 24)
    await write()
    cpSync(file('db'), older())
    for (const first = salt(); salt() === first; ) await write()
    await write()
    // A kill leaves the files as they are now.
    const left = ['db', 'db-wal', 'mark'].map(name => [file(name), readFileSync(file(name))] as const)
    await storage.close()
    const leave = () => {
      for (const [name, bytes] of left) writeFileSync(name, bytes)
    }
    leave()
    cpSync(older(), file('db'))
    expect(await refusal()).toMatch(/has lost its last \d+ commits \(it was replaced by an older copy\)/)
    leave()
    const again = await openSqlite({ folder })
    expect((await again.session('a'))?.seq).toBe(seq)
    await again.close()
  })

  it('H14 goes on with what is left when it is told to, and gives every log a new identity', async () => {
    await writeAndKill()
    const before = await openSqlite({ folder })
    const known = (await before.session('a'))!.logId
    await before.close()
    await writeAndKill()
    truncateSync(file('db-wal'), statSync(file('db-wal')).size - 100_000)
    await refusal()
    const storage = await openSqlite({ folder, acceptLoss: true })
    const left = (await storage.session('a'))!
    expect(left.logId).not.toBe(known)
    expect(await storage.events('a', 0, 1_000_000)).toHaveLength(left.seq)
    await storage.close()
    // It is not asked again, and what was accepted stays.
    const again = await openSqlite({ folder })
    expect((await again.session('a'))!.logId).toBe(left.logId)
    await again.close()
  })

  it('H14 starts anew when it is told to and nothing is left', async () => {
    unlinkSync(file('db'))
    await refusal()
    const storage = await openSqlite({ folder, acceptLoss: true })
    expect(await storage.sessions({ owner: 'ada', limit: 9 })).toEqual([])
    await storage.close()
    await (await openSqlite({ folder })).close()
  })

  it('H14 a mark that is damaged is said, too; one that is missing is made again', async () => {
    writeFileSync(file('mark'), 'nonsense')
    expect(await refusal()).toMatch(/vitrine.mark is damaged/)
    unlinkSync(file('mark'))
    await (await openSqlite({ folder })).close()
    expect(existsSync(file('mark'))).toBe(true)
  })

  it('H14 a flipped figure of the mark is a damaged mark, not a loss', async () => {
    const mark = readFileSync(file('mark'), 'utf8')
    writeFileSync(
      file('mark'),
      mark.replace(/"base":(\d)/, (_, digit) => `"base":${(Number(digit) + 1) % 10}`),
    )
    expect(await refusal()).toMatch(/vitrine.mark is damaged/)
    // A mark from before there was a digest is still read.
    writeFileSync(file('mark'), mark.replace(/,"digest":"[0-9a-f]+"/, ''))
    await (await openSqlite({ folder })).close()
  })

  it('H14 an older WAL beside a database that is whole is told, and loses nothing when it is accepted', async () => {
    await writeAndKill()
    cpSync(file('db-wal'), `${folder}-wal`)
    const storage = await openSqlite({ folder })
    await storage.createSession(row('later'), [])
    await storage.close()
    cpSync(`${folder}-wal`, file('db-wal'))
    rmSync(`${folder}-wal`)
    const refused = await openSqlite({ folder }).catch(error => error.message)
    expect(refused).toMatch(/vitrine.db-wal is older than the database beside it: move it away/)
    const again = await openSqlite({ folder, acceptLoss: true })
    expect(await again.session('later')).toBeDefined()
    // What was set aside goes with the first erasure.
    const aside = () => readdirSync(folder).filter(name => name.endsWith('.set-aside'))
    expect(aside()).toHaveLength(1)
    await again.hideSession('later', 0)
    await again.eraseSession('later')
    expect(aside()).toEqual([])
    await again.close()
  })

  it('H14 going on after a loss does not make damaged rows look whole', async () => {
    const db = new DatabaseSync(file('db'))
    db.exec(`UPDATE sessions SET title = '"changed"' WHERE session_id = 'a'`)
    db.close()
    const mark = JSON.parse(readFileSync(file('mark'), 'utf8'))
    delete mark.digest
    writeFileSync(file('mark'), JSON.stringify({ ...mark, commits: mark.commits + 1 }))
    expect(await refusal()).toMatch(/has lost its last 1 commits/)
    const storage = await openSqlite({ folder, acceptLoss: true })
    await expect(storage.session('a')).rejects.toBeInstanceOf(LogDamaged)
    expect(await storage.session('b')).toBeDefined()
    await storage.close()
  })

  it('H14 a flipped bit anywhere in the database is harmless, refused or said, never served', {
    timeout: 60_000,
  }, async () => {
    let storage = await openSqlite({ folder })
    for (const sessionId of ['a', 'b']) {
      const { epoch } = await storage.lease(sessionId, 'test')
      for (let seq = 1; seq <= 200; seq += 8) {
        const ids = [{ kind: 'turn', id: `turn-${seq}` }]
        await storage.append({
          sessionId,
          epoch,
          events: deltas(sessionId, seq, seq + 7),
          row: { title: `T${seq}` },
          ids,
        })
      }
      const messages = [1, 2, 3].map(ordinal => ({ ordinal, page: `page ${ordinal} `.repeat(200) }))
      await storage.saveCheckpoint(sessionId, { seq: 200, fold: 1, state: 'state '.repeat(400), messages })
    }
    await storage.close()
    const truth = readFileSync(file('db'))
    const outcomes = { same: 0, said: 0 }
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(truth)
      damaged[Math.floor(Math.random() * truth.length)]! ^= 1 << Math.floor(Math.random() * 8)
      writeFileSync(file('db'), damaged)
      for (const name of ['mark', 'db-wal', 'db-shm']) rmSync(file(name), { force: true })
      try {
        storage = await openSqlite({ folder })
        try {
          await serveAll(storage)
          outcomes.same++
        } finally {
          await storage.close()
        }
      } catch (error) {
        const known = [LogDamaged, StorageFailed, StorageRefused].some(kind => error instanceof kind)
        if (!known) throw error
        outcomes.said++
      }
    }
    expect(outcomes.same).toBeGreaterThan(0)
    expect(outcomes.said).toBeGreaterThan(0)
  })

  /** Reads what people are shown and compares it with what was written. */
  async function serveAll(storage: Awaited<ReturnType<typeof openSqlite>>): Promise<void> {
    const rows: SessionRow[] = await storage.sessions({ owner: 'ada', limit: 9 })
    for (const { title, status } of rows)
      expect([title, status]).toEqual(status === 'unknown' ? ['', status] : ['T193', 'idle'])
    for (const { sessionId } of rows) await storage.session(sessionId)
    for (const sessionId of ['a', 'b']) {
      const events: SessionEvent[] = await storage.events(sessionId, 0, 999)
      if (events.length > 0) expect(events).toEqual(deltas(sessionId, 1, 200))
      const state = (await storage.checkpoint(sessionId))?.state
      if (state !== undefined) expect(state).toBe('state '.repeat(400))
      for (const { ordinal, page } of (await storage.messagePages(sessionId, 9, 9)) ?? []) {
        expect(page).toBe(`page ${ordinal} `.repeat(200))
      }
      await storage.lease(sessionId, 'test')
    }
  }
})

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path)
  bytes[Math.floor(offset)]! ^= 4
  writeFileSync(path, bytes)
}
