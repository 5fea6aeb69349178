import { answerText, hydrate, messagesInOrder, type SessionState, versionsOf } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../agents/agent.ts'
import { problemOf } from '../http/problem.ts'
import { Refusal } from '../refusal.ts'
import { ended, type Harness, harness, OWNER, person, scripted } from './harness.fixture.ts'

let h: Harness
afterEach(() => h.close())

/** What the agent was given to read in its newest run. */
let seen: HistoryMessage[] = []
let answers = 0
const talker = scripted(async function* ({ text }, { history, ask, signal }) {
  seen = await history(1_000)
  if (text === 'ask') return void (await ask({ kind: 'approval', title: 'Go on?' }))
  if (text === 'work') return void (await new Promise(resolve => signal.addEventListener('abort', resolve)))
  yield { type: 'text.delta', partId: 'p', delta: `answer ${++answers} to ${text}` }
})

async function talk(...texts: string[]): Promise<string> {
  h = await harness({ agents: [talker], limits: { interruptMs: 50 } })
  answers = 0
  const id = await h.session()
  for (const [index, text] of texts.entries()) await say(id, `t${index + 1}`, text)
  return id
}

async function say(id: string, turnId: string, text: string): Promise<void> {
  const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId, text })
  await h.until(id, state => Boolean(state.runs.byId.get(runId)?.outcome))
}

const rested = async (id: string): Promise<SessionState> => h.until(id, ended)
const texts = (state: SessionState) => [...messagesInOrder(state)].map(message => answerText(state, message))
const refusal = (given: Promise<unknown>) =>
  given.then(
    () => expect.unreachable('it was taken'),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return problemOf(error)
    },
  )

describe('editing a message', () => {
  it('P-8500 takes the message and what came after off the active path and starts the new turn, in one commit', async () => {
    const id = await talk('one', 'two')
    const before = (await h.events(id)).length
    const commits: string[][] = []
    h.hub.onEvents(id, ({ events }) => commits.push(events.map(({ type }) => type)))
    const edit = { turnId: 'e1', text: 'another one' }
    const first = await h.runtime.editMessage(OWNER, id, 1, edit)
    const state = await rested(id)
    expect(texts(state)).toEqual(['another one', 'answer 3 to another one'])
    expect(seen).toEqual([])
    const [rewound, started] = (await h.events(id)).slice(before)
    expect([rewound, started]).toMatchObject([
      { type: 'history.rewound', fromOrdinal: 1, reason: 'edited', by: { id: 'ann' } },
      { type: 'run.started', turnId: 'e1', by: { id: 'ann' } },
    ])
    // What is published together was committed together.
    expect(commits.find(commit => commit.includes('history.rewound'))).toContain('run.started')
    expect(first).toMatchObject({ turnId: 'e1', state: 'started' })
  })

  it('P-8501 the same edit sent twenty times at once, and again later, is one turn', async () => {
    const id = await talk('one')
    const edit = { turnId: 'e1', text: 'another one' }
    const answered = await Promise.all(Array.from({ length: 20 }, () => h.runtime.editMessage(OWNER, id, 1, edit)))
    expect(new Set(answered.map(({ runId }) => runId)).size).toBe(1)
    await rested(id)
    expect(await h.runtime.editMessage(OWNER, id, 1, edit)).toEqual(answered[0])
    expect((await h.events(id)).filter(({ type }) => type === 'history.rewound')).toHaveLength(1)
    expect(await refusal(h.runtime.editMessage(OWNER, id, 1, { ...edit, text: 'x' }))).toMatchObject({
      status: 409,
      code: 'key_reused',
    })
    expect(await refusal(h.runtime.submitTurn(OWNER, id, edit))).toMatchObject({ code: 'key_reused' })
  })

  it('P-8502 keeps what came with the message, unless the edit says otherwise', async () => {
    const id = await talk()
    const context = [{ kind: 'artifact', ref: 'a1' }]
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'one', context, mode: 'plan' })
    await rested(id)
    await h.runtime.editMessage(OWNER, id, 1, { turnId: 'e1', text: 'two' })
    await rested(id)
    const state = await h.state(id)
    expect(state.turns.byId.get('e1')?.input).toMatchObject({ text: 'two', context, mode: 'plan' })
    await h.runtime.editMessage(OWNER, id, 3, { turnId: 'e2', text: 'three', context: [], mode: 'quick' })
    expect((await h.state(id)).turns.byId.get('e2')?.input).toMatchObject({ context: [], mode: 'quick' })
  })

  it('P-8503 is refused while a run or a queue is active, and changes nothing', async () => {
    const id = await talk('one')
    await h.runtime.submitTurn(OWNER, id, { turnId: 'w', text: 'work' })
    const edit = { turnId: 'e1', text: 'x' }
    for (const write of [
      () => h.runtime.editMessage(OWNER, id, 1, edit),
      () => h.runtime.regenerateMessage(OWNER, id, 2, { newRunId: 'r9' }),
    ]) {
      expect(await refusal(write())).toMatchObject({ status: 409, code: 'run_active', next: expect.any(String) })
    }
    await h.runtime.queueTurn(OWNER, id, { turnId: 'q', text: 'later' })
    await h.runtime.updateQueue(OWNER, id, { held: true })
    await h.runtime.interruptSession(OWNER, id, {})
    await rested(id)
    expect(await refusal(h.runtime.editMessage(OWNER, id, 1, edit))).toMatchObject({
      status: 409,
      code: 'queue_not_empty',
    })
    expect((await h.state(id)).rewinds.byId.size).toBe(0)
  })

  it('P-8504 a message that is not there, was superseded or is of another kind is refused with its own code', async () => {
    const id = await talk('one')
    await h.runtime.editMessage(OWNER, id, 1, { turnId: 'e1', text: 'two' })
    await rested(id)
    const edit = (ordinal: number) => refusal(h.runtime.editMessage(OWNER, id, ordinal, { turnId: 'e2', text: 'x' }))
    expect(await edit(1)).toMatchObject({ status: 409, code: 'message_superseded' })
    for (const ordinal of [0, 9, Number.NaN, 1.5]) {
      expect(await edit(ordinal)).toMatchObject({ status: 404, code: 'message_not_found' })
    }
    expect(await edit(4)).toMatchObject({ status: 422, code: 'message_fixed' })
    expect(await refusal(h.runtime.regenerateMessage(OWNER, id, 3, { newRunId: 'r' }))).toMatchObject({
      code: 'message_fixed',
    })
    const foreign = await refusal(h.runtime.editMessage(person('eve'), id, 3, { turnId: 'e2', text: 'x' }))
    expect(foreign).toEqual(await refusal(h.runtime.editMessage(OWNER, 'nothing', 3, { turnId: 'e2', text: 'x' })))
    expect(foreign.status).toBe(404)
  })
})

describe('regenerating an answer', () => {
  it('P-8505 runs the same turn again; the answer before is an earlier version of the new one', async () => {
    const id = await talk('one', 'two', 'three')
    await h.runtime.regenerateMessage(OWNER, id, 4, { newRunId: 'again' })
    const state = await h.until(id, ({ runs }) => Boolean(runs.byId.get('again')?.outcome))
    expect(texts(state)).toEqual(['one', 'answer 1 to one', 'two', 'answer 4 to two'])
    expect(seen.map(({ text }) => text)).toEqual(['one', 'answer 1 to one'])
    const newest = [...messagesInOrder(state)].at(-1)!
    expect(versionsOf(state, newest)).toMatchObject([{ fromOrdinal: 4, toOrdinal: 6, reason: 'regenerated' }])
    expect(state.runs.byId.get('again')).toMatchObject({ attempt: 2, turnId: 't2' })
  })

  it('P-8501 the same command sent again gets its first answer, and another one under its id is refused', async () => {
    const id = await talk('one')
    const again = { newRunId: 'again' }
    const answered = await Promise.all(
      Array.from({ length: 20 }, () => h.runtime.regenerateMessage(OWNER, id, 2, again)),
    )
    expect(answered).toEqual(Array(20).fill({ runId: 'again' }))
    await rested(id)
    expect((await h.state(id)).rewinds.byId.size).toBe(1)
    const { latestRunId } = (await h.state(id)).session
    await h.runtime.regenerateMessage(OWNER, id, 3, { newRunId: 'third' })
    await rested(id)
    const [first] = (await h.state(id)).runs.byId.keys()
    expect(latestRunId).toBe('again')
    expect(await refusal(h.runtime.regenerateMessage(OWNER, id, 4, { newRunId: first! }))).toMatchObject({
      code: 'key_reused',
    })
  })
})

describe('earlier versions', () => {
  it('P-8506 their messages come in pages, the first one first, in memory and after a restart', async () => {
    const id = await talk('one', 'two', 'three')
    await h.runtime.regenerateMessage(OWNER, id, 6, { newRunId: 'again' })
    await rested(id)
    await h.runtime.editMessage(OWNER, id, 3, { turnId: 'e1', text: 'other' })
    await rested(id)
    const read = async () => {
      const state = hydrate(await h.runtime.getSession(OWNER, id, 50))
      const current = [...messagesInOrder(state)].find(({ turnId }) => turnId === 'e1')!
      const versions = versionsOf(state, current)
      expect(versions).toHaveLength(1)
      const found: unknown[] = []
      for (let after: number | null = 0; after !== null; ) {
        const page = await h.runtime.listVersionMessages(OWNER, id, versions[0]!.rewindId, after, 2)
        expect(page.entities.messages.length).toBeLessThanOrEqual(2)
        found.push(...page.entities.messages.map(({ ordinal }) => ordinal))
        after = page.next ?? null
      }
      return found
    }
    // The answer that was regenerated before is a version of its own, and no part of this one.
    expect(await read()).toEqual([3, 4, 5, 7])
    h = await h.restart()
    expect(await read()).toEqual([3, 4, 5, 7])
    expect(await refusal(h.runtime.listVersionMessages(OWNER, id, 'none', 0, 2))).toMatchObject({
      status: 404,
      code: 'version_not_found',
    })
  })
})

describe('feedback', () => {
  it('P-8507 is a fact with its author, can be changed and taken back, and is one fact when it is said twice', async () => {
    const id = await talk('one')
    const give = (rating: 'up' | 'down' | 'none', reason?: string) =>
      h.runtime.giveFeedback(OWNER, id, 2, { rating, ...(reason && { reason }) })
    const feedback = async () => [...(await h.state(id)).messages.byId.values()][1]!.feedback
    await Promise.all(Array.from({ length: 20 }, () => give('up')))
    expect(await feedback()).toEqual({
      ann: { rating: 'up', reason: null, by: expect.objectContaining({ id: 'ann' }) },
    })
    expect((await h.events(id)).filter(({ type }) => type === 'feedback.changed')).toHaveLength(1)
    await give('down', 'It is wrong')
    expect((await feedback()).ann).toMatchObject({ rating: 'down', reason: 'It is wrong' })
    await give('none')
    expect((await feedback()).ann).toMatchObject({ rating: 'none', reason: null })
    expect(await refusal(h.runtime.giveFeedback(OWNER, id, 1, { rating: 'up' }))).toMatchObject({
      code: 'message_fixed',
    })
  })
})

describe('a branch', () => {
  it('P-8508 copies the events up to a message under a new id and says what it is a branch of', async () => {
    const id = await talk('one', 'two', 'three')
    const { session } = await h.runtime.forkSession(OWNER, id, { ordinal: 4, title: 'A branch' })
    const state = await h.state(session.sessionId)
    expect(texts(state)).toEqual(['one', 'answer 1 to one', 'two', 'answer 2 to two'])
    const seq = (await h.events(id)).findLast(event => event.type === 'run.finished' && event.turnId === 't2')!.seq
    expect(state.session.forkOf).toEqual({ sessionId: id, seq, ordinal: 4 })
    expect(session).toMatchObject({ title: 'A branch', messageCount: 4, status: 'idle', parentSessionId: null })
    await say(session.sessionId, 'n1', 'and now')
    expect(seen.map(({ text }) => text)).toEqual(['one', 'answer 1 to one', 'two', 'answer 2 to two'])
    expect(texts(await h.state(id))).toHaveLength(6)
  })

  it('P-8509 closes what was open and drops the queue, requests and permissions', async () => {
    const id = await talk('one')
    await h.runtime.submitTurn(OWNER, id, { turnId: 'a', text: 'ask' })
    await h.until(id, ({ session }) => session.needsInput === 1)
    await h.runtime.queueTurn(OWNER, id, { turnId: 'q', text: 'later' })
    const { session } = await h.runtime.forkSession(OWNER, id, {})
    const state = await h.state(session.sessionId)
    expect([...state.actions.byId.values()]).toMatchObject([{ state: 'resolved', outcome: 'cancelled' }])
    expect([...state.runs.byId.values()].at(-1)).toMatchObject({
      outcome: 'interrupted',
      reason: { code: 'branched' },
    })
    expect([state.queue.turns, state.session.activeRunId, session.status]).toEqual([[], null, 'interrupted'])
    expect((await h.state(id)).queue.turns).toHaveLength(1)
    // A message of a person is copied without its answer, and can be tried again there.
    const asked = await h.runtime.forkSession(OWNER, id, { ordinal: 1 })
    const tried = asked.session.sessionId
    expect(texts(await h.state(tried))).toEqual(['one'])
    const [runId] = (await h.state(tried)).runs.byId.keys()
    await h.runtime.retryRun(OWNER, tried, runId!, { newRunId: 'retried' })
    expect(texts(await rested(tried))[0]).toBe('one')
  })

  it('P-8510 the same command twice and twenty times at once makes one branch', async () => {
    const id = await talk('one', 'two')
    const command = { sessionId: 'branch', ordinal: 2 }
    const made = await Promise.all(Array.from({ length: 20 }, () => h.runtime.forkSession(OWNER, id, command)))
    expect(new Set(made.map(({ session }) => session.seq)).size).toBe(1)
    expect((await h.runtime.listSessions(OWNER, { limit: 50 })).sessions).toHaveLength(2)
    expect(await h.runtime.forkSession(OWNER, id, command)).toEqual(made[0])
    expect(await refusal(h.runtime.forkSession(OWNER, id, { sessionId: 'branch', ordinal: 4 }))).toMatchObject({
      status: 409,
      code: 'session_exists',
    })
    expect(await refusal(h.runtime.forkSession(OWNER, id, { seq: 999 }))).toMatchObject({ code: 'event_not_found' })
    const foreign = await refusal(h.runtime.forkSession(person('eve'), id, {}))
    expect(foreign).toEqual(await refusal(h.runtime.forkSession(OWNER, 'nothing', {})))
    // An id of somebody else is answered like one that is not there.
    expect(await refusal(h.runtime.forkSession(person('eve'), id, command))).toMatchObject({ status: 404 })
  })

  it('P-8511 survives the erasure of its source, with the blobs that it refers to', async () => {
    const large = `${'long text '.repeat(3_000)}the end`
    const id = await talk(large, 'two')
    const { session } = await h.runtime.forkSession(OWNER, id, { ordinal: 2 })
    await h.runtime.eraseSession(OWNER, id)
    const state = await h.state(session.sessionId)
    const { ref } = [...state.turns.byId.values()][0]!.input
    const { read, size } = await h.runtime.getBlob(OWNER, session.sessionId, ref!.digest)
    const bytes: Uint8Array[] = []
    for await (const piece of await read(0, size)) bytes.push(piece)
    expect(Buffer.concat(bytes).toString()).toBe(large)
    h = await h.restart()
    await say(session.sessionId, 'n1', 'and now')
    expect(texts(await h.state(session.sessionId))).toHaveLength(4)
  })

  it('P-8512 a copy that was never finished is found by nobody, and goes with its source', async () => {
    const id = await talk('one')
    const row = { ...(await h.storage.session(id))!, sessionId: 'half' }
    await h.storage.beginFork(row, id, Date.now() + 60_000)
    expect((await h.runtime.listSessions(OWNER, { limit: 50 })).sessions).toHaveLength(1)
    expect((await h.runtime.listSessions(OWNER, { limit: 50, only: 'deleted' })).sessions).toEqual([])
    expect(await refusal(h.runtime.getSession(OWNER, 'half', 5))).toMatchObject({ status: 404 })
    expect(await refusal(h.runtime.restoreSession(OWNER, 'half'))).toMatchObject({ status: 404 })
    // Whoever tries again under the same id begins anew.
    await h.runtime.forkSession(OWNER, id, { sessionId: 'half' })
    expect(texts(await h.state('half'))).toHaveLength(2)
    await h.storage.beginFork({ ...row, sessionId: 'other' }, id, Date.now() + 60_000)
    await h.runtime.eraseSession(OWNER, id)
    expect(await h.storage.hiddenSession('other')).toBeUndefined()
    expect(texts(await h.state('half'))).toHaveLength(2)
  })
})
