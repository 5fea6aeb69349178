import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, createHub, createRuntime, openFileBlobs, openSqlite } from '@vitrine/server'
import { RUNS, session } from './memory.ts'

/** Per opening: until the write is durable, the longest pause of a ticking timer meanwhile, and before. */
export interface Opening {
  folded: { ms: number; pauseMs: number; beforeMs: number }[]
  saved: { ms: number; pauseMs: number; beforeMs: number }[]
}

const SESSIONS = 5
const OWNER = { id: 'owner', name: '', kind: 'local', roles: [], claims: {} } as const
const agent: Agent = {
  agentId: 'agent',
  name: 'Bench',
  description: 'Says a word',
  scripted: true,
  async *run() {
    yield { type: 'text.delta', partId: 'p', delta: 'word' }
  },
}

/** The longest time between two ticks while this is done: what anybody else would have waited. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const tick = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  await work()
  clearInterval(tick)
  return Math.max(longest, performance.now() - last)
}

const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
const ids = Array.from({ length: SESSIONS }, (_, index) => `long-${index}`)
const storage = await openSqlite({ folder })
const events = session(RUNS)
for (const sessionId of ids) {
  const row = { title: 'Long', agentId: 'agent', status: 'idle', createdAt: 1, updatedAt: 1, messageCount: 0 } as const
  const rest = {
    owner: OWNER.id,
    parentSessionId: null,
    pinned: false,
    archived: false,
    folderId: null,
    waitsFor: null,
    queued: 0,
    unfinished: false,
  }
  const first = { type: 'session.updated', seq: 1, sessionId, at: 0, agentId: 'agent', title: 'Long' } as const
  await storage.createSession({ sessionId, ...row, ...rest }, [first])
  const { epoch } = await storage.lease(sessionId, 'test')
  for (let from = 0; from < events.length; from += 1_000) {
    const own = events.slice(from, from + 1_000).map(event => ({ ...event, seq: event.seq + 1, sessionId }))
    await storage.append({ sessionId, epoch, events: own })
  }
}

/** A runtime that has none of them in memory opens each by a write. */
async function openAll(turnId: string): Promise<Opening['saved']> {
  const hub = createHub()
  const runtime = createRuntime({ storage, blobs: await openFileBlobs({ folder }), hub, agents: [agent] })
  const warm = (await runtime.createSession(OWNER, {})).session.sessionId
  await runtime.submitTurn(OWNER, warm, { turnId, text: 'go' })
  await sleep(300)
  const openings: Opening['saved'] = []
  for (const sessionId of ids) {
    const beforeMs = await longestPause(() => sleep(300))
    let ms = 0
    const pauseMs = await longestPause(async () => {
      const since = performance.now()
      await runtime.submitTurn(OWNER, sessionId, { turnId, text: 'go' })
      ms = performance.now() - since
      await sleep(100)
    })
    openings.push({ ms, pauseMs, beforeMs })
  }
  await runtime.close()
  return openings
}

const folded = await openAll('first')
const saved = await openAll('second')
await storage.close()
await rm(folder, { recursive: true, force: true })
process.send!({ folded, saved } satisfies Opening)
process.disconnect()
