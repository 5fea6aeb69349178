import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { LogDamaged } from '../storage/storage.ts'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const waits = scripted(async function* (_input, { signal }) {
  yield { type: 'text.delta', partId: 'p', delta: 'working' }
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
})

/** A harness whose server was killed in the middle of a run in `broken` and in `other`, and then this was done to it. */
async function afterKill(damage: string): Promise<{ h: Harness; broken: string; other: string }> {
  const first = await harness({ agents: [waits] })
  const [broken, other] = [await first.session(), await first.session()]
  for (const id of [broken, other]) {
    await first.runtime.submitTurn(OWNER, id, { turnId: id, text: 'x' })
    await first.until(id, ({ parts }) => [...parts.byId.values()].some(part => part.text.toString() === 'working'))
  }
  await first.storage.close()
  const db = new DatabaseSync(join(first.folder, 'vitrine.db'))
  db.prepare(damage).run(broken)
  db.close()
  const h = await harness({ folder: first.folder, agents: [waits] })
  return { h, broken, other }
}

const OF_BROKEN = 'session = (SELECT number FROM sessions WHERE session_id = ?)'
const status = async (h: Harness, id: string) =>
  (await h.runtime.listSessions(OWNER, { limit: 9 })).sessions.find(({ sessionId }) => sessionId === id)?.status

describe('H14 a damaged session does not affect the others', () => {
  it('H14 L12 a damaged row of a session with a run does not keep the others from being taken up', async () => {
    const { h, broken, other } = await afterKill(`UPDATE sessions SET title = '"changed"' WHERE session_id = ?`)
    await h.runtime.recover()
    await h.until(other, ended)
    expect(await status(h, broken)).toBe('unknown')
    await expect(h.runtime.getSession(OWNER, broken, 9)).rejects.toBeInstanceOf(LogDamaged)
    await h.close()
  })

  it('H14 L8 a run that was cut off in a damaged log is not listed as running', async () => {
    const { h, broken, other } = await afterKill(`UPDATE chunks SET events = events || ' ' WHERE ${OF_BROKEN}`)
    await h.runtime.recover()
    await h.until(other, ended)
    await expect.poll(() => status(h, broken)).toBe('unknown')
    await h.close()
  })

  it.each(['"changed"', 'no JSON'])('H13 a session whose title became %s is deleted, swept and erased', async title => {
    const { h, broken, other } = await afterKill(`UPDATE sessions SET title = '${title}' WHERE session_id = ?`)
    await h.runtime.deleteSession(OWNER, broken)
    await expect(h.runtime.restoreSession(OWNER, broken)).rejects.toBeInstanceOf(LogDamaged)
    await h.runtime.deleteSession(OWNER, other)
    await h.runtime.eraseSession(OWNER, broken)
    expect(await h.storage.hiddenSession(broken)).toBeUndefined()
    // The rest can still be swept.
    expect(await h.storage.due(Date.now() + 1e12)).toHaveLength(1)
    await h.close()
  })
})

describe('H11 a command that cannot be sent to storage', () => {
  it('H11 fails for who asked, and for nobody else', async () => {
    const agent = scripted(async function* (_input, { store }) {
      const odd = { text: 'y'.repeat(9_000), mediaType: () => {} } as never
      const refused = await store(odd).catch(error => error.code)
      yield { type: 'text.delta', partId: 'p', delta: String(refused) }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    const state = await h.until(id, ended)
    expect([...state.parts.byId.values()].at(-1)?.text.toString()).toBe('invalid_arguments')
    // Below that: storage itself, asked for both in one turn of the event loop.
    const bad = h.storage.addBlob(id, OWNER.id, { digest: 'd', size: 1, mediaType: (() => {}) as never })
    const good = h.storage.markRead(id, OWNER.id, 1)
    await expect(bad).rejects.toThrow()
    await good
    expect(await h.storage.readSeqs(OWNER.id, [id])).toEqual(new Map([[id, 1]]))
    await h.close()
  })
})
