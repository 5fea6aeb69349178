import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerStoreContract } from './answer-store.contract.ts'
import { blobIndexContract } from './blob-index.contract.ts'
import { checkpointStoreContract } from './checkpoint-store.contract.ts'
import { folderStoreContract } from './folder-store.contract.ts'
import { forkStoreContract } from './fork-store.contract.ts'
import { instanceStoreContract } from './instance-store.contract.ts'
import { logStoreContract } from './log-store.contract.ts'
import { searchStoreContract } from './search-store.contract.ts'
import { sessionStoreContract } from './session-store.contract.ts'
import { settingsStoreContract } from './settings-store.contract.ts'
import {
  delta,
  deltas,
  eachWithStorage,
  HOSTILE,
  row,
  type StorageUnderTest,
  stored,
  UNSTORABLE,
} from './storage.fixture.ts'
import { uploadStoreContract } from './upload-store.contract.ts'
import { usageStoreContract } from './usage-store.contract.ts'

/** The contract of each port, and what holds for all of them together. */
export function storageContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  logStoreContract(name, subject)
  sessionStoreContract(name, subject)
  checkpointStoreContract(name, subject)
  answerStoreContract(name, subject)
  blobIndexContract(name, subject)
  uploadStoreContract(name, subject)
  usageStoreContract(name, subject)
  forkStoreContract(name, subject)
  instanceStoreContract(name, subject)
  searchStoreContract(name, subject)
  folderStoreContract(name, subject)
  settingsStoreContract(name, subject)

  describe(`${name}: all ports together`, () => {
    const { storage, reopen, started, whileClosed } = eachWithStorage(subject)

    it('P-304 erasing a session removes everything of it and nothing of others', async () => {
      const blob = { digest: 'd'.repeat(64), size: 1, mediaType: 'text/plain' }
      for (const sessionId of ['gone', 'stays']) {
        const epoch = await started(sessionId, 2, { unfinished: true })
        const ids = [{ kind: 'turn', id: 't', digest: 'd' }]
        await storage.append({ sessionId, epoch, events: [delta(sessionId, 3)], ids })
        const messages = [{ ordinal: 1, page: '{}' }]
        await storage.saveCheckpoint(sessionId, { seq: 3, fold: 1, state: '{}', messages })
        await storage.addBlob(sessionId, 'ada', blob)
        await storage.keepAnswer('ada', sessionId, { status: 200, body: '' }, sessionId)
      }
      await storage.eraseSession('gone')
      await storage.eraseSession('gone')
      const left = async (sessionId: string) => [
        await storage.session(sessionId),
        (await storage.events(sessionId, 0, 10)).length,
        await storage.checkpoint(sessionId),
        (await storage.messagePages(sessionId, 10, 10))?.length,
        [
          await storage.accepted(sessionId, 'turn', 't'),
          await storage.blob(sessionId, blob.digest),
          await storage.answer('ada', sessionId),
        ],
      ]
      expect(await left('gone')).toEqual([undefined, 0, undefined, 0, [undefined, undefined, undefined]])
      expect(await left('stays')).toEqual([
        expect.anything(),
        3,
        { seq: 3, fold: 1, state: '{}' },
        1,
        [{ seq: 3, digest: 'd' }, blob, { status: 200, body: '' }],
      ])
      expect((await storage.unfinished()).map(item => item.sessionId)).toEqual(['stays'])
      expect(await storage.sessions({ owner: 'ada', limit: 9 })).toHaveLength(1)
    })

    it('P-306 odd text is an id, an owner and a key like any other', async () => {
      for (const text of HOSTILE) {
        const epoch = await started(text, 0, { owner: text, agentId: text })
        await storage.append({ sessionId: text, epoch, events: [delta(text, 1)] })
        await storage.keepAnswer(text, text, { status: 200, body: text })
        await storage.addBlob(text, text, { digest: 'd', size: 1, mediaType: text })
      }
      await reopen()
      for (const text of HOSTILE) {
        expect(await storage.session(text)).toMatchObject({ sessionId: text, owner: text, agentId: text, seq: 1 })
        expect(await storage.sessions({ owner: text, limit: 9 })).toHaveLength(1)
        expect(await storage.answer(text, text)).toEqual({ status: 200, body: text })
        expect(await storage.blob(text, 'd')).toEqual({ digest: 'd', size: 1, mediaType: text })
      }
    })

    it('P-307 a lone surrogate or NUL is refused in an id, an owner or a key, and finds nothing', async () => {
      const epoch = await started('s')
      for (const text of UNSTORABLE) {
        await expect(storage.createSession(row(text), [])).rejects.toBeInstanceOf(TypeError)
        await expect(storage.createSession(row('t', { owner: text }), [])).rejects.toBeInstanceOf(TypeError)
        const bad = storage.append({ sessionId: 's', epoch, events: [delta('s', 1)], row: { agentId: text } })
        await expect(bad).rejects.toBeInstanceOf(TypeError)
        await expect(storage.keepAnswer('ada', text, { status: 200, body: '' })).rejects.toBeInstanceOf(TypeError)
        expect(await storage.session(text)).toBeUndefined()
        expect(await storage.answer('ada', text)).toBeUndefined()
        await storage.sessions({ owner: 'ada', limit: 9, search: text })
      }
      expect(await storage.events('s', 0, 9)).toEqual([])
      expect(await storage.sessions({ owner: 'ada', limit: 9 })).toEqual([stored(row('s'))])
    })

    it('L1 closing waits for what was asked for, and everything is there after opening again', async () => {
      const epoch = await started('s')
      const writes = Array.from({ length: 50 }, (_, index) =>
        storage.append({ sessionId: 's', epoch, events: [delta('s', index + 1)] }),
      )
      await reopen()
      await Promise.all(writes)
      expect(await storage.events('s', 0, 99)).toEqual(deltas('s', 1, 50))
    })

    it('P-311 after closing every call is refused, and closing again is fine', async () => {
      await storage.close()
      await storage.close()
      await expect(storage.session('s')).rejects.toThrow(/closed/)
    })

    it('L1 a writer killed at any moment loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
      const ids = ['a', 'b', 'c', 'd']
      for (const sessionId of ids) await storage.createSession(row(sessionId, { unfinished: true }), [])
      for (let round = 0; round < 10; round++) {
        let acknowledged = new Map<string, number>()
        await whileClosed(async options => {
          acknowledged = await runAndKill(subject, options)
        })
        expect(acknowledged.size).toBeGreaterThan(0)
        for (const sessionId of ids) await checkLog(sessionId, acknowledged.get(sessionId) ?? 0)
      }
    })

    async function checkLog(sessionId: string, acknowledged: number): Promise<void> {
      const events = await storage.events(sessionId, 0, 1_000_000)
      expect(events.length).toBeGreaterThanOrEqual(acknowledged)
      expect(await storage.session(sessionId)).toMatchObject({ seq: events.length, messageCount: events.length })
      let end = 0
      for (const [index, event] of events.entries()) {
        const { first, size } = JSON.parse((event as { delta: string }).delta)
        if (event.seq > end) end = first + size - 1
        expect([event.seq, event.sessionId, first <= event.seq]).toEqual([index + 1, sessionId, true])
      }
      // The last append is there to its end or not at all.
      expect(end).toBe(events.length)
    }
  })
}

/** The last acknowledged seq of each session when the process was killed. */
async function runAndKill<Options>(subject: StorageUnderTest<Options>, options: Options): Promise<Map<string, number>> {
  const script = fileURLToPath(new URL('./killed-writer.contract.ts', import.meta.url))
  const child = spawn(process.execPath, [script, subject.module, subject.export, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const acknowledged = new Map<string, number>()
  const lines = createInterface({ input: child.stdout })
  const began = once(lines, 'line')
  lines.on('line', line => {
    const [sessionId, seq] = line.split(' ')
    acknowledged.set(sessionId!, Number(seq))
  })
  const closed = once(lines, 'close')
  await Promise.race([began, exited])
  await delay(Math.random() * 120)
  child.kill('SIGKILL')
  await Promise.all([exited, closed])
  return acknowledged
}
