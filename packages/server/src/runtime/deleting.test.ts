import { afterEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from '../blobs/file-blobs.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import { type Harness, harness, OWNER, person, scripted } from './harness.fixture.ts'

let h: Harness
afterEach(() => h.close())

const refused = (code: string) => expect.objectContaining({ code })
const waits = scripted(async function* (_, { signal }) {
  yield { type: 'text.delta', partId: 'p', delta: 'on it' }
  await new Promise(resolve => signal.addEventListener('abort', resolve))
})

const listed = async (only?: 'deleted', who = OWNER) =>
  (await h.runtime.listSessions(who, { limit: 99, ...(only && { only }) })).sessions
    .map(({ sessionId }) => sessionId)
    .sort()

async function task(parent: string, sessionId: string): Promise<void> {
  await h.runtime.createSession(OWNER, {
    sessionId,
    parent: { sessionId: parent, turnId: `turn-${sessionId}`, input: { text: 'work' } },
  })
  await h.until(sessionId, ({ session }) => session.activeRunId !== null)
}

describe('deleting a session', () => {
  it('P-650 hides it after its run was stopped, and restoring brings it back as it was', async () => {
    h = await harness({ agents: [waits] })
    const id = await h.session({ title: 'Mine' })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.runtime.queueTurn(OWNER, id, { turnId: 'u', text: 'later' })
    const told: boolean[] = []
    h.hub.onSummary(OWNER.id, ({ deleted }) => told.push(deleted ?? false))
    await h.runtime.deleteSession(OWNER, id)
    expect(told.at(-1)).toBe(true)
    expect(await listed()).toEqual([])
    await expect(h.runtime.getSession(OWNER, id, 9)).rejects.toEqual(refused('session_not_found'))
    await expect(h.runtime.deleteSession(OWNER, id)).rejects.toEqual(refused('session_not_found'))
    await expect(h.runtime.createSession(OWNER, { sessionId: id })).rejects.toEqual(refused('session_exists'))

    const { session } = await h.runtime.restoreSession(OWNER, id)
    expect(session).toMatchObject({ sessionId: id, title: 'Mine', queued: 1 })
    expect(session).not.toHaveProperty('eraseAt')
    expect(told.at(-1)).toBe(false)
    expect(await listed()).toEqual([id])
    // Again, it changes nothing.
    expect(await h.runtime.restoreSession(OWNER, id)).toMatchObject({ session: { sessionId: id } })
    const state = await h.state(id)
    const [run] = state.runs.byId.values()
    expect(run).toMatchObject({ outcome: 'interrupted', error: null, reason: { code: 'session_deleted' } })
    expect(state.queue).toMatchObject({ held: true, turns: [{ turnId: 'u' }] })
    await h.runtime.submitTurn(OWNER, id, { turnId: 'next', text: 'goes on' })
  })

  it('P-651 deletes the tasks below it as well, and restoring brings back the tasks that were deleted with it', async () => {
    h = await harness({ agents: [waits] })
    const top = await h.session({ sessionId: 'top' })
    for (const [parent, id] of [
      [top, 'a'],
      ['a', 'b'],
      [top, 'c'],
    ] as const)
      await task(parent, id)
    await h.session({ sessionId: 'other' })
    await h.runtime.deleteSession(OWNER, 'c')
    await new Promise(resolve => setTimeout(resolve, 5))
    await h.runtime.deleteSession(OWNER, top)
    expect(await listed()).toEqual(['other'])
    // What was deleted together is one entry.
    expect(await listed('deleted')).toEqual(['c', 'top'])
    await h.runtime.restoreSession(OWNER, top)
    expect(await listed()).toEqual(['a', 'b', 'other', 'top'])
    expect(await listed('deleted')).toEqual(['c'])
    for (const id of ['a', 'b']) {
      expect([...(await h.state(id)).runs.byId.values()]).toMatchObject([
        { outcome: 'interrupted', reason: { code: 'session_deleted' } },
      ])
    }
    await h.runtime.eraseSession(OWNER, 'a')
    expect(await listed()).toEqual(['other', 'top'])
    expect(await listed('deleted')).toEqual(['c'])
    expect(await h.storage.hiddenSession('b')).toBeUndefined()
  })

  it('P-651 erasing erases every task below it: those deleted before, those deleted with it, and those brought back since', async () => {
    h = await harness({ agents: [waits] })
    const top = await h.session({ sessionId: 'top' })
    for (const id of ['before', 'with', 'back']) await task(top, id)
    await task('before', 'below')
    await h.runtime.deleteSession(OWNER, 'before')
    await new Promise(resolve => setTimeout(resolve, 5))
    await h.runtime.deleteSession(OWNER, top)
    await h.runtime.restoreSession(OWNER, 'back')
    await h.runtime.eraseSession(OWNER, top)
    expect([...(await listed()), ...(await listed('deleted'))]).toEqual([])
    for (const id of ['top', 'before', 'below', 'with', 'back']) {
      expect(await h.storage.hiddenSession(id)).toBeUndefined()
    }
  })

  it('P-652 nobody else sees, restores or erases what a person deleted', async () => {
    h = await harness()
    const id = await h.session()
    await h.runtime.deleteSession(OWNER, id)
    const eve = person('eve')
    expect(await listed('deleted', eve)).toEqual([])
    await expect(h.runtime.restoreSession(eve, id)).rejects.toEqual(refused('session_not_found'))
    await expect(h.runtime.eraseSession(eve, id)).rejects.toEqual(refused('session_not_found'))
    // The same answer as for one that is not deleted.
    await expect(h.runtime.createSession(eve, { sessionId: id })).rejects.toEqual(refused('session_not_found'))
    expect(await listed('deleted')).toEqual([id])
  })

  it('P-653 erases it when its time is over, at start and while the server works, and cannot be undone then', async () => {
    let now = 1_000_000
    h = await harness({ now: () => now, limits: { eraseAfterMs: 100 } })
    await h.session({ sessionId: 'first' })
    await h.session({ sessionId: 'second' })
    await h.runtime.deleteSession(OWNER, 'first')
    expect((await h.runtime.listSessions(OWNER, { limit: 9, only: 'deleted' })).sessions).toMatchObject([
      { sessionId: 'first', deleted: true, eraseAt: now + 100 },
    ])
    now += 101
    h = await h.restart({ now: () => now, limits: { eraseAfterMs: 100 } })
    expect(await h.storage.hiddenSession('first')).toBeUndefined()
    await h.runtime.deleteSession(OWNER, 'second')
    expect(await h.storage.hiddenSession('second')).toBeDefined()
    now += 101
    await expect.poll(() => h.storage.hiddenSession('second'), { timeout: 5_000 }).toBeUndefined()
    await expect(h.runtime.restoreSession(OWNER, 'second')).rejects.toEqual(refused('session_not_found'))
  })

  it('P-653 an erasure that fails is reported, tried again, and the session does not come back meanwhile', async () => {
    h = await harness()
    const { folder } = h
    await h.session({ sessionId: 's' })
    await h.runtime.close()
    await h.storage.close()
    let failures = 2
    const real = await openSqlite({ folder })
    const storage = Object.assign(Object.create(real) as typeof real, {
      eraseSession: (sessionId: string) =>
        failures-- > 0 ? Promise.reject(new Error('disk full')) : real.eraseSession(sessionId),
    })
    const reported: unknown[] = []
    const blobs = await openFileBlobs({ folder })
    h = await harness({
      folder,
      storage,
      blobs,
      limits: { eraseAfterMs: 60 },
      report: (_, error) => reported.push((error as Error).message),
    })
    await expect(h.runtime.eraseSession(OWNER, 's')).rejects.toThrow('disk full')
    expect(await listed('deleted')).toEqual([])
    await expect(h.runtime.restoreSession(OWNER, 's')).rejects.toEqual(refused('session_not_found'))
    await expect.poll(() => real.hiddenSession('s'), { timeout: 5_000 }).toBeUndefined()
    expect(reported).toEqual(['disk full'])
  })
})
