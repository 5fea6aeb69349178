import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventDraft, SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { row } from '../storage.fixture.ts'
import { bringUsage } from './bring-usage.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-usage-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The events of one run that counted, one a second from `from` on. */
const run = (runId: string, input: number): EventDraft[] => [
  { type: 'run.started', runId, turnId: runId, agentId: 'guide', messageId: runId, input: { text: '' }, attempt: 1 },
  { type: 'metric.changed', scope: 'run', runId, usage: { inputTokens: 1 }, values: { model: 'old' } },
  { type: 'metric.changed', scope: 'run', runId, usage: { inputTokens: input, outputTokens: 5 } },
  { type: 'run.finished', runId, outcome: 'completed' },
]
const logged = (sessionId: string, drafts: EventDraft[], from: number): SessionEvent[] =>
  drafts.map((draft, at) => ({ ...draft, sessionId, seq: at + 1, at: from + at }) as SessionEvent)

describe('the usage of older versions', () => {
  it('P-9753 is read from the logs once, and a branch does not count what ran before it was there', async () => {
    const file = join(folder, 'vitrine.db')
    const storage = await openSqlite({ folder })
    const events = [...run('a', 100), ...run('b', 200)]
    await storage.createSession(row('s', { createdAt: 1_000 }), logged('s', events, 2_000))
    await storage.createSession(row('branch', { createdAt: 2_005 }), logged('branch', events, 2_000))
    await storage.close()
    const db = new DatabaseSync(file)
    bringUsage(db)
    bringUsage(db)
    db.close()
    const again = await openSqlite({ folder })
    const query = { owner: 'ada', from: 0, to: 1e9, ahead: 0, limit: 9 }
    expect(await again.usage({ ...query, sessionId: 's' })).toMatchObject([
      { model: 'old', agentId: 'guide', runs: 2, input: 300, output: 10, total: 310 },
    ])
    expect(await again.usage({ ...query, sessionId: 'branch' })).toMatchObject([{ runs: 1, input: 200 }])
    await again.close()
  })
})
