import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EventDraft, hydrate, messagesInOrder, type SessionEvent } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../agents/agent.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import type { Storage } from '../storage/storage.ts'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const TURNS = 150
const open: Harness[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** What the agent was given to read in its newest run. */
let seen: HistoryMessage[] = []
const reader = scripted(async function* ({ text }, { history }) {
  seen = await history(1_000)
  yield { type: 'text.delta', partId: 'p', delta: `answer ${text}` }
})

const turn = (n: number): EventDraft[] => {
  const run = { runId: `r${n}`, turnId: `t${n}` }
  const part = { ...run, messageId: `a${n}`, partId: `p${n}` }
  return [
    { type: 'run.started', ...run, agentId: 'test', messageId: `u${n}`, input: { text: `${n}` }, attempt: 1 },
    { type: 'text.delta', ...part, delta: `answer ${n}` },
    { type: 'text.final', ...part, length: `answer ${n}`.length, digest: 'd' },
    { type: 'run.finished', ...run, outcome: 'completed' },
  ]
}

/** Writes into the log of a session that no runtime has open. */
async function append(storage: Storage, sessionId: string, drafts: EventDraft[]): Promise<void> {
  const { epoch, seq } = await storage.lease(sessionId, 'test')
  const events = drafts.map((draft, index) => ({ ...draft, sessionId, seq: seq + index + 1, at: 1 }) as SessionEvent)
  await storage.append({ sessionId, epoch, events })
}

async function longSession(): Promise<{ folder: string; storage: Storage }> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-rewound-'))
  const storage = await openSqlite({ folder })
  const row = { title: 'Long', agentId: 'test', status: 'idle', createdAt: 1, updatedAt: 1, messageCount: 0 } as const
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
  const first = { type: 'session.updated', seq: 1, sessionId: 's', at: 0, agentId: 'test' } as const
  await storage.createSession({ sessionId: 's', ...row, ...rest }, [first])
  await append(storage, 's', Array.from({ length: TURNS }, (_, n) => turn(n + 1)).flat())
  return { folder, storage }
}

/** Every message that a reader finds who loads page after page. */
async function allMessages({ runtime }: Harness): Promise<string[]> {
  const snapshot = await runtime.getSession(OWNER, 's', 20)
  const found = [...messagesInOrder(hydrate(snapshot))].map(({ messageId }) => messageId)
  for (let before = snapshot.windowFrom; before > 1; ) {
    const page = await runtime.listMessages(OWNER, 's', before, 30)
    found.unshift(...page.entities.messages.map(({ messageId }) => messageId as string))
    before = page.from
  }
  return found
}

const path = (turns: number) => Array.from({ length: turns }, (_, n) => [`u${n + 1}`, `a${n + 1}`]).flat()

describe('P-013 a long session that is rewound to a message before its window', () => {
  it('P-013 L11 readers, pages, counts and agents follow the active path, in memory and after a restart', async () => {
    const { folder, storage } = await longSession()
    const first = await harness({ folder, storage, agents: [reader] })
    await first.runtime.submitTurn(OWNER, 's', { turnId: 'before', text: 'before' })
    await first.until('s', ended)
    // What is open now has its newest messages in memory and the rest in pages.
    await first.runtime.close()
    const by = { kind: 'local', id: 'local', name: 'Ann' } as const
    const rewound = { fromMessageId: 'u51', fromOrdinal: 101, reason: 'edited' as const, by }
    await append(storage, 's', [{ type: 'history.rewound', ...rewound }])

    const second = await harness({ folder, storage, agents: [reader] })
    await second.runtime.submitTurn(OWNER, 's', { turnId: 'after', text: 'after' })
    await second.until('s', state => state.counts.messages === 102 && ended(state))
    const expected = path(50)
    expect((await allMessages(second)).slice(0, 100)).toEqual(expected)
    expect(await allMessages(second)).toHaveLength(102)
    expect((await second.runtime.getSession(OWNER, 's', 20)).counts).toMatchObject({ messages: 102, ordinals: 304 })
    expect(seen.map(({ text }) => text)).toEqual(
      path(50).map(id => (id[0] === 'u' ? id.slice(1) : `answer ${id.slice(1)}`)),
    )
    // What left the path is still in its pages, for whoever shows earlier versions.
    const rows = (await storage.messagePages('s', Number.MAX_SAFE_INTEGER, 400))!
    expect(rows.some(({ page }) => page.includes('answer 60'))).toBe(true)

    await second.runtime.close()
    await storage.close()
    const third = await harness({ folder, agents: [reader] })
    open.push(third)
    expect((await allMessages(third)).slice(0, 100)).toEqual(expected)
    expect((await third.runtime.getSession(OWNER, 's', 20)).counts.messages).toBe(102)
  })
})
