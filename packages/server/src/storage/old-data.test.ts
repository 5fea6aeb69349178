import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SessionEvent, Snapshot } from '@vitrine/protocol'
import { eventSchemas } from '@vitrine/protocol/schema'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../start-server.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { type StoredEvent, upcast } from './upcast.ts'

interface Held {
  sessions: {
    session_id: string
    title: string
    read_seq: number
    pinned: number
    message_count: number
    /** In today's shape. */
    events: SessionEvent[]
  }[]
  answers: { owner: string; key: string; body: string }[]
  blobs: { session_id: string; digest: string; size: number }[]
}

/** Where each format keeps what somebody has read, and how it keeps events: one by one, or as lines of chunks. */
const FORMATS = {
  'format-1': {
    read: 'SELECT * FROM sessions',
    events: 'SELECT event AS lines, 1 AS shape FROM events WHERE session = ? ORDER BY seq',
  },
  'format-2': {
    read: 'SELECT sessions.*, coalesce(reads.seq, 0) AS read_seq FROM sessions LEFT JOIN reads ON session = number',
    events: 'SELECT events AS lines, shape FROM chunks WHERE session = ? ORDER BY last',
  },
} as const
type Format = keyof typeof FORMATS

/** What the folder held before today's program saw it. */
function heldIn(folder: string, format: Format): Held {
  const db = new DatabaseSync(join(folder, 'vitrine.db'), { readOnly: true })
  const all = <T>(sql: string, ...values: number[]) => db.prepare(sql).all(...values) as T[]
  const events = (number: number) =>
    all<{ lines: string; shape: number }>(FORMATS[format].events, number).flatMap(({ lines, shape }) =>
      upcast(
        lines.split('\n').map(line => JSON.parse(line) as StoredEvent),
        shape,
      ),
    )
  const held: Held = {
    sessions: all<Held['sessions'][number] & { number: number }>(FORMATS[format].read).map(session => ({
      ...session,
      events: events(session.number),
    })),
    answers: all('SELECT * FROM answers'),
    blobs: all('SELECT session_id, digest, size FROM blobs JOIN sessions ON session = number'),
  }
  db.close()
  return held
}

/** A copy of the fixture for one test. */
function copyOf(format: Format): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, 'fixtures', format), folder, { recursive: true })
  return folder
}

describe.each(Object.keys(FORMATS) as Format[])('a data folder of %s', format => {
  it('P-335 P-390 P-9205 opens, and everything in it is found through HTTP', { timeout: 30_000 }, async () => {
    const folder = copyOf(format)
    const held = heldIn(folder, format)
    expect(new Set(held.sessions.flatMap(({ events }) => events.map(({ type }) => type))).size).toBe(48)
    const server = await startServer({ dataFolder: folder, host: '127.0.0.1', port: 0 })
    try {
      const { origin, searchParams } = new URL(server.url)
      const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }
      const get = async <T>(path: string): Promise<T> => {
        const response = await fetch(`${origin}/api${path}`, { headers: { ...headers, accept: 'application/json' } })
        expect([path, response.status]).toEqual([path, 200])
        return (await response.json()) as T
      }
      const list = await get<{ sessions: { sessionId: string }[] }>('/sessions?limit=200')
      expect(list.sessions).toHaveLength(held.sessions.length)

      // What was said then can be searched for, a moment after the start.
      const search = async () => (await get<{ results: unknown[] }>('/search?q=hello')).results.length
      await expect.poll(search, { timeout: 15_000 }).toBeGreaterThan(0)

      for (const { session_id, title, read_seq, pinned, message_count, events: old } of held.sessions) {
        expect(list.sessions.find(({ sessionId }) => sessionId === session_id)).toMatchObject({
          title: JSON.parse(title),
          readSeq: read_seq,
          pinned: pinned === 1,
        })
        const { events } = await get<{ events: SessionEvent[] }>(`/sessions/${session_id}/events`)
        expect(events.slice(0, old.length)).toEqual(old)
        for (const event of events) {
          const { success, error } = eventSchemas[event.type].safeParse(event)
          expect([event.type, success, error?.issues]).toEqual([event.type, true, undefined])
        }
        const { counts } = await get<Snapshot>(`/sessions/${session_id}`)
        expect(counts.messages).toBe(message_count)
      }

      const { entities } = await get<Snapshot>('/sessions/rare')
      expect(entities.subagents.length).toBeGreaterThan(0)
      for (const subagent of entities.subagents) {
        expect(subagent).toMatchObject({ name: 'Rare', agentId: null, subagentId: expect.stringContaining('rare') })
      }

      for (const { session_id, digest, size } of held.blobs) {
        const response = await fetch(`${origin}/api/sessions/${session_id}/blobs/${digest}`, { headers })
        expect((await response.arrayBuffer()).byteLength).toBe(size)
      }
      const made = { sessionId: 'guide-approval', title: 'Guide: approval', metadata: { locale: 'en' } }
      const again = await fetch(`${origin}/api/sessions`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'make-approval' },
        body: JSON.stringify(made),
      })
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    } finally {
      await server.close()
    }
  })

  it('P-335 its ids that count for ever and its answers are known by session', async () => {
    const folder = copyOf(format)
    const held = heldIn(folder, format)
    const storage = await openSqlite({ folder })
    for (const { session_id, events } of held.sessions) {
      for (const event of events) {
        const { type, seq } = event
        const ids = event as unknown as Record<string, string>
        // Since format 2 an id stands where its append begins.
        const place = format === 'format-1' ? seq : expect.toSatisfy((at: number) => at <= seq)
        if (type === 'run.started') {
          expect(await storage.accepted(session_id, 'run', ids.runId!)).toEqual({ seq: place, digest: null })
          expect((await storage.accepted(session_id, 'turn', ids.turnId!))?.seq).toBeLessThanOrEqual(seq)
        }
        if (type === 'queue.changed' && ids.change === 'added') {
          const digest = (event as { turn?: { input: { digest?: string } } }).turn?.input.digest ?? null
          expect(await storage.accepted(session_id, 'turn', ids.turnId!)).toEqual({ seq: place, digest })
        }
        if (type === 'steer.accepted') expect(await storage.accepted(session_id, 'steer', ids.steerId!)).toBeDefined()
        if (type === 'action.required')
          expect(await storage.accepted(session_id, 'action', ids.actionId!)).toBeDefined()
      }
    }
    await storage.eraseSession('guide-approval')
    const kept = await Promise.all(held.answers.map(({ owner, key }) => storage.answer(owner, key)))
    const gone = held.answers.filter((_, index) => kept[index] === undefined).map(({ key }) => key)
    await storage.close()
    expect(gone.sort()).toEqual(
      held.answers.flatMap(({ key }) => (/(make|turn)-approval$/.test(key) ? [key] : [])).sort(),
    )
    expect(gone).toHaveLength(2)
  })
})

it('P-335 in a data folder of format-1 a session whose making was cut off gets its first event', async () => {
  const folder = copyOf('format-1')
  const db = new DatabaseSync(join(folder, 'vitrine.db'))
  db.exec(`INSERT INTO sessions (session_id, owner, title, title_folded, agent_id, created_at, updated_at, seq, read_seq,
    pinned, archived, status, queued, message_count, unfinished) VALUES ('ghost', 'local', '""', '', 'guide', 7, 7, 0, 0,
    0, 0, 'idle', 0, 0, 0)`)
  db.close()
  const storage = await openSqlite({ folder })
  expect(await storage.session('ghost')).toMatchObject({ seq: 1, agentId: 'guide' })
  expect(await storage.events('ghost', 0, 9)).toEqual([
    { type: 'session.updated', agentId: 'guide', seq: 1, sessionId: 'ghost', at: 7 },
  ])
  await storage.close()
})
