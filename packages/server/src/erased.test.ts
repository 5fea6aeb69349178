import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SessionSummary, Snapshot } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KilledServer, start } from './killed-server.test.kit.ts'

const CANARY = 'xqzcanaryzqx'
/** The same bytes in the middle of another word, and as other forms keep them. */
const needles = [CANARY, CANARY.toUpperCase()].flatMap(text => [Buffer.from(text), Buffer.from(text, 'utf16le')])

let folder: string
let server: KilledServer | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-erased-'))
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true, force: true })
})

async function kill(): Promise<void> {
  if (!server || server.process.exitCode !== null || server.process.signalCode !== null) return
  const exited = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await exited
}

/** Every file below the data folder that has the bytes in it. */
const filesWithCanary = (): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(name => {
    const path = join(folder, name)
    return statSync(path).isFile() && needles.some(needle => readFileSync(path).includes(needle))
  })

async function call(method: string, path: string, body?: unknown, key?: string): Promise<Response> {
  const response = await server!.call(method, path, body, key === undefined ? {} : { 'idempotency-key': key })
  expect([method, path, response.status < 300, response.status]).toEqual([method, path, true, response.status])
  return response
}

/** A session with the canary in every place that keeps something, and a task that has it too. */
async function fill(sessionId: string): Promise<void> {
  const made = { sessionId, agentId: 'repeats', title: `title ${CANARY}`, metadata: { note: `metadata ${CANARY}` } }
  await call('POST', '/sessions', made, 'make')
  await call('PATCH', `/sessions/${sessionId}`, { title: `renamed ${CANARY}` }, 'rename')
  // Long enough to be a blob itself.
  await call('POST', `/sessions/${sessionId}/turns`, {
    turnId: 't',
    text: `${CANARY} ${'and more '.repeat(3_000)}${CANARY}`,
  })
  const parent = { sessionId, turnId: `task-${CANARY}`, input: { text: `${CANARY} in the background` } }
  await call('POST', '/sessions', { sessionId: `${sessionId}-task`, agentId: 'repeats', parent }, 'task')
  for (const id of [sessionId, `${sessionId}-task`]) {
    await expect
      .poll(
        async () => {
          const { entities } = (await (await call('GET', `/sessions/${id}`)).json()) as Snapshot
          return entities.runs.map(({ outcome }) => outcome)
        },
        { timeout: 10_000 },
      )
      .toEqual(['completed'])
  }
}

const list = async (only: string) =>
  ((await (await call('GET', `/sessions?limit=200${only}`)).json()) as { sessions: SessionSummary[] }).sessions.map(
    ({ sessionId }) => sessionId,
  )

describe('erasing', () => {
  it('H13 P-654 a deleted session comes back whole, and after it was erased no file has its bytes, also after kill -9', {
    timeout: 60_000,
  }, async () => {
    server = await start(folder)
    await call('POST', '/sessions', { sessionId: 'other', agentId: 'repeats', title: 'stays' })
    await fill('s')
    expect(filesWithCanary().length).toBeGreaterThan(2)
    await call('DELETE', '/sessions/s', undefined, 'delete')
    expect(await list('')).toEqual(['other'])
    expect(await list('&only=deleted')).toEqual(['s'])
    await call('POST', '/sessions/s/restore', undefined, 'restore')
    expect((await list('')).sort()).toEqual(['other', 's', 's-task'])
    await call('DELETE', '/sessions/s')
    await call('DELETE', '/sessions/s?erase=now', undefined, 'erase')
    await kill()
    expect(filesWithCanary()).toEqual([])

    server = await start(folder)
    expect(await list('')).toEqual(['other'])
    expect(await list('&only=deleted')).toEqual([])
    expect(filesWithCanary()).toEqual([])
  })

  it('H13 P-654 one of an earlier format leaves the copy that the migration made, too', {
    timeout: 60_000,
  }, async () => {
    cpSync(join(import.meta.dirname, 'storage', 'fixtures', 'format-1'), folder, { recursive: true })
    const db = new DatabaseSync(join(folder, 'vitrine.db'))
    const session = `(SELECT number FROM sessions WHERE session_id = 'guide-approval')`
    const marked = [
      `UPDATE sessions SET title = '"${CANARY}"', title_folded = '${CANARY}' WHERE session_id = 'guide-approval'`,
      `UPDATE events SET event = replace(event, '"delta":"', '"delta":"${CANARY} ') WHERE session = ${session}`,
      `UPDATE message_pages SET page = replace(page, '"text":"', '"text":"${CANARY} ') WHERE session = ${session}`,
      `UPDATE answers SET body = replace(body, '{\\"', '{\\"${CANARY}\\":1,\\"') WHERE key LIKE '%approval'`,
    ]
    for (const statement of marked) expect(db.prepare(statement).run().changes).toBeGreaterThan(0)
    db.close()
    server = await start(folder)
    expect(filesWithCanary().sort()).toEqual(expect.arrayContaining(['vitrine.db', 'vitrine.v1.backup.db']))
    await call('DELETE', '/sessions/guide-approval?erase=now')
    await kill()
    expect(filesWithCanary()).toEqual([])
    expect(readdirSync(folder)).toContain('vitrine.v1.backup.db')
  })

  it('H13 P-654 what a kill in the middle of an erasure leaves is erased at the next start', {
    timeout: 60_000,
  }, async () => {
    server = await start(folder)
    await fill('s')
    const { process: child } = server
    // Nobody waits for the answer.
    server.call('DELETE', '/sessions/s?erase=now').catch(() => {})
    await new Promise(resolve => setTimeout(resolve, Math.random() * 40))
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    server = await start(folder)
    const left = [...(await list('')), ...(await list('&only=deleted'))]
    // Killed before the request was taken up, it is all there; afterwards nothing is.
    if (left.length === 0) expect(filesWithCanary()).toEqual([])
    else expect(left.sort()).toEqual(['s', 's-task'])
  })
})
