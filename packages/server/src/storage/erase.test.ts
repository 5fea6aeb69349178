import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Blobs } from '../blobs/blobs.ts'
import { openFileBlobs } from '../blobs/file-blobs.ts'
import { erase } from './erase.ts'
import { openSqlite, type SqliteStorage } from './sqlite/sqlite.ts'
import { delta, row } from './storage.fixture.ts'
import { ErasureIncomplete } from './storage.ts'

/** Files below the folder that hold these bytes. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const file = join(folder, name)
    return statSync(file).isFile() && readFileSync(file).includes(text)
  })
}

describe('erasing a session', () => {
  let folder: string
  let storage: SqliteStorage
  let blobs: Blobs
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-erase-'))
  })
  afterEach(async () => {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(): Promise<void> {
    storage = await openSqlite({ folder })
    blobs = await openFileBlobs({ folder })
  }

  async function keep(sessionId: string, text: string): Promise<string> {
    const { digest } = await blobs.put(Buffer.from(text), 'text/plain', async ({ digest, size, mediaType }) =>
      storage.addBlob(sessionId, 'ada', { digest, size, mediaType }),
    )
    return digest
  }

  it('H13 leaves its bytes in no file: text, title, pages, ids, answers, blobs, the WAL, earlier versions', async () => {
    await open()
    const sessions = ['gone', 'stays']
    const epochs = new Map<string, number>()
    for (const sessionId of sessions) {
      await storage.createSession(row(sessionId, { title: `CANARY-${sessionId}-first-title` }), [])
      epochs.set(sessionId, (await storage.lease(sessionId, 'test')).epoch)
    }
    // Rows of any size that are replaced again and again, mixed with those of another session: pages split and are freed.
    let seed = 7
    const random = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % limit
    }
    for (let seq = 1; seq <= 150; seq++) {
      for (const sessionId of sessions) {
        const text = `CANARY-${sessionId}-${seq} `.repeat(1 + random(seq % 10 === 0 ? 900 : 40))
        const epoch = epochs.get(sessionId)!
        const ids = [{ kind: 'turn', id: `CANARY-${sessionId}-id-${seq}` }]
        await storage.append({ sessionId, epoch, events: [delta(sessionId, seq, text)], row: { title: text }, ids })
        const messages = [1, 2, 3].map(() => ({ ordinal: 1 + random(20), page: text.repeat(1 + random(3)) }))
        if (seq % 3 === 0) await storage.saveCheckpoint(sessionId, { seq, fold: 1, state: text, messages })
        if (seq % 7 === 0) {
          await storage.keepAnswer('ada', `${sessionId} ${seq}`, { status: 200, body: text }, sessionId)
        }
      }
    }
    const own = await keep('gone', 'CANARY-gone-blob')
    await keep('stays', 'CANARY-stays-blob')
    const shared = await keep('gone', 'CANARY-shared-blob')
    await keep('stays', 'CANARY-shared-blob')
    expect(filesWith(folder, 'CANARY-gone').length).toBeGreaterThan(1)

    await storage.hideSession('gone', 0)
    await erase(storage, blobs, 'gone')

    // While the server runs, and after it has stopped.
    expect(filesWith(folder, 'CANARY-gone')).toEqual([])
    expect(await blobs.get(own)).toBeUndefined()
    expect(await blobs.get(shared)).toBeDefined()
    expect(await storage.events('stays', 0, 999)).toHaveLength(150)
    expect(await storage.messagePages('stays', 99, 99)).not.toHaveLength(0)
    await storage.close()
    expect(filesWith(folder, 'CANARY-gone')).toEqual([])
    await open()
  })

  it('H13 P-9206 leaves no word of its messages in the index, nor of a text that was replaced', async () => {
    await open()
    const said = (ordinal: number, text: string) => ({
      messageId: `m${ordinal}`,
      ordinal,
      partId: `p${ordinal}`,
      role: 'user' as const,
      at: ordinal,
      text,
    })
    for (const sessionId of ['gone', 'stays']) {
      await storage.createSession(row(sessionId), [])
      const { epoch } = await storage.lease(sessionId, 'test')
      for (let seq = 1; seq <= 120; seq++) {
        // Words with nothing in common at their beginning: the index keeps each of them whole.
        const text = Array.from({ length: 40 }, (_, n) => `${(seq * 40 + n).toString(36)}canary${sessionId}`).join(' ')
        const put = [said(1 + (seq % 60), `${text} 密码${sessionId}`)]
        await storage.append({ sessionId, epoch, events: [delta(sessionId, seq)], texts: { put } })
      }
    }
    expect(filesWith(folder, 'canarygone').length).toBeGreaterThan(0)
    await storage.hideSession('gone', 0)
    await erase(storage, blobs, 'gone')
    for (const text of ['canarygone', '密码gone']) expect(filesWith(folder, text)).toEqual([])
    const found = await storage.searchTexts({ owner: 'ada', text: '密码', limit: 99 })
    expect(new Set(found.map(({ session }) => session.sessionId))).toEqual(new Set(['stays']))
    await storage.close()
    expect(filesWith(folder, 'canarygone')).toEqual([])
    await open()
  })

  it('H13 reaches the copies that migrations made, and what they were made from', async () => {
    cpSync(join(import.meta.dirname, 'fixtures', 'format-1'), folder, { recursive: true })
    await open()
    expect(filesWith(folder, 'guide-approval').sort()).toEqual(['vitrine.db', 'vitrine.v1.backup.db'])
    // What an erasure that was killed has left beside the copy, and what a migration that was killed has.
    for (const version of [1, 0]) writeFileSync(join(folder, `vitrine.v${version}.backup.db.partial`), 'guide-approval')
    await storage.hideSession('guide-approval', 0)
    await erase(storage, blobs, 'guide-approval')
    expect(filesWith(folder, 'guide-approval')).toEqual([])
    expect(filesWith(folder, 'guide-plan').sort()).toContain('vitrine.v1.backup.db')
    // Somebody else's events must have survived in the copy: it still is one.
    expect(filesWith(folder, 'You said: hello')).toContain('vitrine.v1.backup.db')
  })

  it('H13 that was cut off is due again at the next start, until nothing is left', async () => {
    await open()
    await storage.createSession(row('gone', { title: 'CANARY-gone' }), [])
    await keep('gone', 'CANARY-gone-blob')
    await storage.hideSession('gone', 0)
    const crash = new Error('crash')
    const cut = { ...storage, eraseSession: () => Promise.reject(crash) }
    await expect(erase(cut, blobs, 'gone')).rejects.toBe(crash)
    await storage.close()
    await open()
    expect((await storage.due(Date.now())).map(({ sessionId }) => sessionId)).toEqual(['gone'])
    await erase(storage, blobs, 'gone')
    expect(await storage.due(Date.now())).toEqual([])
    expect(filesWith(folder, 'CANARY-gone')).toEqual([])
  })

  it('H13 that could not write the file anew says so until it could, also after a restart', async () => {
    await open()
    await storage.createSession(row('gone', { title: 'CANARY-gone' }), [])
    await storage.hideSession('gone', 0)
    // Somebody who reads keeps the WAL from being emptied.
    const other = new DatabaseSync(join(folder, 'vitrine.db'), { readOnly: true })
    other.exec('BEGIN; SELECT * FROM sessions')
    const impatient = () => storage.pragma('busy_timeout = 0')
    await impatient()
    await expect(erase(storage, blobs, 'gone')).rejects.toBeInstanceOf(ErasureIncomplete)
    expect(await storage.hiddenSession('gone')).toBeUndefined()
    expect(await storage.due(Date.now())).toEqual([])
    await expect(storage.scrub()).rejects.toBeInstanceOf(ErasureIncomplete)
    await storage.close()
    await open()
    await impatient()
    expect(filesWith(folder, 'CANARY-gone')).not.toEqual([])
    expect(await storage.bytesLeft('ada', 'gone')).toBe(true)
    expect(await storage.bytesLeft('eve', 'gone')).toBe(false)
    await expect(storage.scrub()).rejects.toBeInstanceOf(ErasureIncomplete)
    other.close()
    await storage.scrub()
    expect(await storage.bytesLeft('ada', 'gone')).toBe(false)
    expect(filesWith(folder, 'CANARY-gone')).toEqual([])
  })
})
