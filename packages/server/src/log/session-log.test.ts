import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventDraft } from '@vitrine/protocol'
import { expect, it, vi } from 'vitest'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import { row } from '../storage/storage.fixture.ts'
import { createHub } from '../stream/hub.ts'
import { IllegalEvent } from './event-from.ts'
import { loadSession } from './loaded-session.ts'
import { SessionLog } from './session-log.ts'

async function openLog(batchMs: number, now: () => number) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-log-'))
  const storage = await openSqlite({ folder })
  await storage.createSession(row('s'), [])
  const hub = createHub()
  /** The types of the events of each append that readers were told of. */
  const told: string[][] = []
  hub.onEvents('s', ({ events }) => told.push(events.map(({ type }) => type)))
  const log = new SessionLog({
    storage,
    hub,
    row: (await storage.session('s'))!,
    loaded: await loadSession(storage, 's'),
    epoch: (await storage.lease('s', 'test')).epoch,
    holder: 'test',
    batchMs,
    now,
  })
  const close = async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { log, storage, told, close }
}

it('P-8932 what a run says first goes out at once, what is said together goes together, and a flood waits', async () => {
  // So long that nothing which waits for it comes in this test.
  const { log, told, close } = await openLog(60_000, Date.now)
  const say = (title: string) => log.stream({ type: 'session.updated', title }, () => false)
  try {
    for (const moment of ['first', 'second', 'third', 'fourth']) {
      await say(moment)
      await say(`${moment} and more`)
      await vi.waitFor(() => expect(told.at(-1)).toHaveLength(2))
      told.push([])
    }
    expect(told.filter(({ length }) => length > 0)).toHaveLength(4)
    for (let at = 0; at < 50; at++) await say(`flood ${at}`)
    await log.settled()
    // One append: none of them went before it was asked for.
    expect(told.at(-1)).toHaveLength(50)
  } finally {
    await close()
  }
})

it('P-696 events that are written together are all written, or none of them is in memory, in storage or told to anybody', async () => {
  const { log, storage, told, close } = await openLog(25, () => 1)
  const added = (turnId: string): EventDraft => {
    const turn = { turnId, input: { text: turnId }, preview: turnId, createdAt: 1 }
    return { type: 'queue.changed', change: 'added', turnId, turn }
  }
  const title: EventDraft = { type: 'session.updated', title: 'Other' }
  const ended: EventDraft = { type: 'run.finished', runId: 'none', outcome: 'completed' }
  try {
    await log.write([added('first')])
    for (const [drafts, code] of [
      [[title, added('second'), ended], 'run_not_found'],
      [[title, added('second'), added('first')], 'queue_added_twice'],
      [[title, { ...added('second'), by: 'nobody' } as never], 'shape'],
    ] as [EventDraft[], string][]) {
      const error = await log.write(drafts).catch(reason => reason)
      expect(error).toBeInstanceOf(IllegalEvent)
      expect(error.code).toBe(code)
      expect(log.state.seq).toBe(1)
      expect(log.state.session.title.known).toBe(false)
      expect(log.state.queue.turns.map(({ turnId }) => turnId)).toEqual(['first'])
      expect(await storage.events('s', 0, 9)).toHaveLength(1)
      expect(await storage.session('s')).toMatchObject({ seq: 1, title: '' })
      expect(await storage.accepted('s', 'turn', 'second')).toBeUndefined()
    }
    // The log goes on, and events that only the ones before them allow are taken together.
    await log.write([title, added('second'), { type: 'queue.changed', change: 'removed', turnId: 'second' }])
    expect((await storage.events('s', 0, 9)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(told.flat()).toEqual(['queue.changed', 'session.updated', 'queue.changed', 'queue.changed'])
  } finally {
    await close()
  }
})
