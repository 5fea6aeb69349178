import {
  addPage,
  addParts,
  answerText,
  hydrate,
  type Json,
  type MessagesPage,
  type SessionEvent,
  type SessionState,
  type Snapshot,
  snapshot,
} from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { card, ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const open: Harness[] = []
async function make(...args: Parameters<typeof harness>): Promise<Harness> {
  const made = await harness(...args)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

const refused = (code: string) => expect.objectContaining({ code })
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const say = (delta: string) => ({ type: 'text.delta', partId: 'p', delta }) as const

const echo = scripted(async function* ({ text }) {
  yield say(`echo ${text}`)
})

/** One turn after another, to their ends. */
async function turns(h: Harness, id: string, names: readonly string[]): Promise<void> {
  for (const turnId of names) {
    await h.runtime.queueTurn(OWNER, id, { turnId, text: turnId })
    await h.until(id, state => ended(state) && state.queue.turns.length === 0)
  }
}

/** So many messages of earlier runs that what was before them leaves every window. */
async function longPast(h: Harness, id: string, runs = 80): Promise<void> {
  const { epoch, seq } = await h.storage.lease(id, 'test')
  const events: SessionEvent[] = []
  for (let n = 0; n < runs; n++) {
    const runId = `past-${seq}-${n}`
    const messageId = `${runId}/m`
    const at = { runId, turnId: `t-${runId}` }
    for (const event of [
      {
        type: 'run.started',
        ...at,
        agentId: 'test',
        messageId: `u-${runId}`,
        input: { text: `past ${n}` },
        attempt: 1,
      },
      { type: 'text.delta', ...at, messageId, partId: `${messageId}/p`, delta: `answer ${n}` },
      { type: 'run.finished', ...at, outcome: 'completed' },
    ]) {
      events.push({ ...event, seq: seq + events.length + 1, sessionId: id, at: 5 } as SessionEvent)
    }
  }
  await h.storage.append({ sessionId: id, epoch, events })
}

/** Everything that a reader can get: the window and all pages before it. */
async function readAll(h: Harness, id: string): Promise<SessionState> {
  const state = hydrate(wire(await h.runtime.getSession(OWNER, id, 50)))
  for (let left = 100; state.windowFrom > 1 && left > 0; left--) {
    const page: MessagesPage = wire(await h.runtime.listMessages(OWNER, id, state.windowFrom, 20))
    expect(page.from).toBeLessThan(state.windowFrom)
    expect(addPage(state, page)).toBe(true)
  }
  for (const message of state.messages.byId.values()) {
    while (message.partsFrom > 0) {
      expect(
        addParts(state, wire(await h.runtime.listMessageParts(OWNER, id, message.ordinal, message.partsFrom))),
      ).toBe(true)
    }
  }
  return state
}

async function expectWhole(h: Harness, id: string): Promise<void> {
  const read = await readAll(h, id)
  expect(comparable(snapshot(read, 1))).toEqual(comparable(snapshot(await h.state(id), 1)))
}

function comparable(whole: Snapshot): unknown {
  const entities = Object.entries(wire(whole).entities).map(([name, list]) => {
    if (!Array.isArray(list)) return [name, list]
    const plain = (list as { key: string }[]).map(entity => ({ ...entity, asOf: 0 }))
    return [name, name === 'messages' ? plain : plain.sort((a, b) => (a.key < b.key ? -1 : 1))]
  })
  return Object.fromEntries(entities)
}

describe('a turn is accepted once, for ever', () => {
  it('P-690 whichever way it was sent: also merged, after a restart and when it has left the memory', async () => {
    const asked: string[] = []
    const action = { type: 'payload' as const, payload: { x: 'y'.repeat(20_000) } }
    let go = (): void => {}
    const agent = scripted(async function* ({ text }) {
      asked.push(text)
      if (text === 'wait') yield* card(action)
      if (text === 'wait') await new Promise<void>(resolve => (go = resolve))
      yield say('ok')
    })
    let h = await make({ agents: [agent] })
    const id = await h.session({ queuePolicy: { mode: 'merge', onFailure: 'hold' } })
    const submitted = await h.runtime.submitTurn(OWNER, id, { turnId: 'm0', text: 'wait' })
    for (const turnId of ['m1', 'm2', 'm3', 'gone']) await h.runtime.queueTurn(OWNER, id, { turnId, text: turnId })
    await h.runtime.removeQueuedTurn(OWNER, id, 'gone')
    const shown = await h.until(id, ({ tools }) => [...tools.byId.values()].some(({ result }) => result.known))
    const press = { key: 'press', toolCallId: [...shown.tools.byId.keys()][0]!, action }
    await h.runtime.sendUiAction(OWNER, id, press)
    go()
    await h.until(id, state => ended(state) && state.counts.runs === 3)
    const merged = [...(await h.state(id)).runs.byId.values()].find(run => run.turnId === 'm1')!.runId
    const task = { turnId: 'child', parent: { sessionId: id, turnId: 'task', input: { text: 'a task' } } }
    await h.runtime.createSession(OWNER, { sessionId: 'child', parent: task.parent })
    await h.until('child', ended)

    const again = async (): Promise<void> => {
      expect(await h.runtime.submitTurn(OWNER, id, { turnId: 'm0', text: 'wait' })).toEqual(submitted)
      for (const turnId of ['m1', 'm2', 'm3']) {
        const answer = { turnId, runId: merged, state: 'started' }
        expect(await h.runtime.submitTurn(OWNER, id, { turnId, text: turnId })).toEqual(answer)
        expect(await h.runtime.queueTurn(OWNER, id, { turnId, text: turnId })).toMatchObject({ state: 'started' })
        const other = { turnId, text: 'other' }
        await expect(h.runtime.submitTurn(OWNER, id, other)).rejects.toEqual(refused('key_reused'))
        await expect(h.runtime.queueTurn(OWNER, id, other)).rejects.toEqual(refused('key_reused'))
      }
      const gone = { turnId: 'gone', text: 'gone' }
      await expect(h.runtime.submitTurn(OWNER, id, gone)).rejects.toEqual(refused('turn_removed'))
      await expect(h.runtime.queueTurn(OWNER, id, gone)).rejects.toEqual(refused('turn_removed'))
      expect(await h.runtime.sendUiAction(OWNER, id, press)).toEqual({ state: 'started' })
      const child = { turnId: 'task', text: 'a task' }
      expect(await h.runtime.submitTurn(OWNER, 'child', child)).toMatchObject({ turnId: 'task', state: 'started' })
      await expect(h.runtime.submitTurn(OWNER, 'child', { ...child, text: 'b' })).rejects.toEqual(refused('key_reused'))
    }
    await again()
    h = await h.restart()
    open.push(h)
    await again()
    await h.restart().then(async next => {
      h = next
      open.push(h)
      await longPast(h, id)
      await longPast(h, 'child')
    })
    await again()
    expect(asked).toHaveLength(4)
    expect((await h.state(id)).counts.runs).toBe(3 + 80)
    // Its card has left the memory and is still there for a person who scrolls back.
    expect(await h.runtime.sendUiAction(OWNER, id, { ...press, key: 'later' })).toEqual({ state: 'started' })
    const forged = { ...press, key: 'forged', action: { type: 'payload' as const, payload: { x: 'z' } } }
    await expect(h.runtime.sendUiAction(OWNER, id, forged)).rejects.toBeDefined()
  }, 60_000)

  it('P-690 a retry, a steer, a response and an interrupt of long ago are still known', async () => {
    const agent = scripted(async function* ({ text }, { ask, steers }) {
      if (text === 'ask') yield say((await ask({ kind: 'question', title: 'Which?' })).outcome)
      if (text === 'hear') {
        await steers.wait()
        for (const { text: heard } of await steers.take()) yield say(heard)
      }
      if (text === 'fail') throw new Error('no')
    })
    let h = await make({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 'a', text: 'ask' })
    const waiting = await h.until(id, state => state.session.needsInput === 1)
    const [actionId] = waiting.actions.byId.keys()
    const answer = { decision: 'answer' as const, value: 'this' }
    await h.runtime.respondToAction(OWNER, id, actionId!, answer)
    await h.until(id, ended)
    const { runId: heard } = await h.runtime.submitTurn(OWNER, id, { turnId: 'h', text: 'hear' })
    await h.runtime.steerRun(OWNER, id, heard, { steerId: 's', text: 'left' })
    await h.until(id, ended)
    await expect(h.runtime.steerRun(OWNER, id, heard, { steerId: 'late', text: 'x' })).rejects.toBeDefined()
    const { runId: failed } = await h.runtime.submitTurn(OWNER, id, { turnId: 'f', text: 'fail' })
    await h.until(id, ended)
    await h.runtime.retryRun(OWNER, id, failed, { newRunId: 'second' })
    await h.until(id, state => ended(state) && state.runs.byId.has('second'))
    await h.runtime.close()
    await longPast(h, id)
    h = await h.restart()
    open.push(h)

    expect(await h.runtime.respondToAction(OWNER, id, actionId!, answer)).toEqual({
      actionId,
      outcome: 'answered',
      first: false,
    })
    expect(await h.runtime.steerRun(OWNER, id, heard, { steerId: 's', text: 'left' })).toMatchObject({
      state: 'accepted',
    })
    for (const steerId of ['late', 'new']) {
      const steer = h.runtime.steerRun(OWNER, id, heard, { steerId, text: 'x' })
      await expect(steer).rejects.toEqual(refused('steer_rejected'))
    }
    expect(await h.runtime.retryRun(OWNER, id, failed, { newRunId: 'second' })).toEqual({ runId: 'second' })
    await expect(h.runtime.retryRun(OWNER, id, heard, { newRunId: 'second' })).rejects.toEqual(refused('key_reused'))
    await expect(h.runtime.retryRun(OWNER, id, failed, { newRunId: 'third' })).rejects.toEqual(refused('run_retried'))
    expect(await h.runtime.interruptRun(OWNER, id, failed)).toEqual({ runIds: [] })
    expect(await h.runtime.interruptSession(OWNER, id, { turnId: 'f' })).toEqual({ runIds: [] })
    await expect(h.runtime.interruptSession(OWNER, id, { turnId: 'never' })).rejects.toEqual(refused('turn_not_found'))
    await h.runtime.retryRun(OWNER, id, 'second', { newRunId: 'third' })
    await h.until(id, state => ended(state) && state.session.latestRunId === 'third')
    expect((await h.storage.session(id))?.status).toBe('failed')
    await expectWhole(h, id)
    h = await h.restart()
    open.push(h)
    expect((await h.storage.session(id))?.status).toBe('failed')
    await expectWhole(h, id)
  }, 60_000)
})

describe('a session in memory is a window', () => {
  const envelopes = (text: string): Json[] => [
    { version: 'v0.9', updateComponents: { surfaceId: 's', components: [{ id: 'root', component: 'Text', text }] } },
  ]
  const create: Json = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic' } }

  it('L11 P-691 an event that changes a message that left the memory is in its stored page, also after a crash', async () => {
    const drawing = scripted(async function* ({ text }, { surfaces }) {
      if (text === 'plain') return yield say('plain')
      await surfaces.apply(text === 'first' ? [create, ...envelopes(text)] : envelopes(text))
      yield say(text)
    })
    let h = await make({ agents: [drawing] })
    const id = await h.session()
    await turns(h, id, ['first'])
    expect((await h.state(id)).surfaces.byId.get('s')?.components.size).toBe(1)
    for (const text of ['second', 'third']) {
      await h.runtime.close()
      await longPast(h, id)
      h = await h.restart()
      open.push(h)
      await turns(h, id, [text])
      await expectWhole(h, id)
    }
    // The server dies before the checkpoint of the last change.
    const { storage } = h
    const dying = { ...storage, saveCheckpoint: () => Promise.reject(new Error('no')) }
    const last = await harness({ folder: h.folder, storage: dying, agents: [drawing] })
    await turns(last, id, ['fourth'])
    const after = await harness({ folder: h.folder, storage, agents: [drawing] })
    await turns(after, id, ['plain'])
    await expectWhole(after, id)
    expect(JSON.stringify([...(await readAll(after, id)).surfaces.byId.get('s')!.components.values()])).toContain(
      'fourth',
    )
  }, 60_000)

  it('P-691 an agent reads the history that left the memory', async () => {
    const read: string[][] = []
    const reader = scripted(async function* ({ text }, { history }) {
      if (text === 'read') for (const limit of [3, 100, 400]) read.push((await history(limit)).map(said => said.text))
      yield say('done')
    })
    const h = await make({ agents: [reader] })
    const id = await h.session()
    await longPast(h, id, 150)
    await turns(h, id, ['read'])
    const all = [...Array(150).keys()].flatMap(n => [`past ${n}`, `answer ${n}`])
    expect(read).toEqual([all.slice(-3), all.slice(-100), all])
  })

  it('P-691 a repair of the history reaches messages that left the memory', async () => {
    const repairing = scripted(async function* ({ text }) {
      if (text !== 'repair' && text !== 'steal') return
      const messages = [
        {
          messageId: 'fixed',
          ordinal: 4,
          role: 'assistant' as const,
          at: 1,
          parts: [{ partId: 'f', kind: 'text' as const, text: 'fixed' }],
        },
      ]
      // Another page names old ids at a place where they never were.
      const stolen = ['msg_person', 'new'].map((messageId, index) => ({
        messageId,
        ordinal: 180 + index,
        role: 'assistant' as const,
        at: 1,
        parts: [{ partId: 'msg_person/input', kind: 'text' as const, text: 'never said' }],
      }))
      yield { type: 'messages.snapshot', snapshotId: 'w', page: 0, last: true, fromOrdinal: 181, messages: stolen }
      if (text === 'repair')
        yield { type: 'messages.snapshot', snapshotId: 'x', page: 0, last: true, fromOrdinal: 4, messages }
    })
    let h = await make({ agents: [repairing] })
    const id = await h.session()
    await turns(h, id, ['person'])
    await h.runtime.close()
    await longPast(h, id, 90)
    h = await h.restart()
    open.push(h)
    await turns(h, id, ['plain', 'steal'])
    const person = (await readAll(h, id)).messages.byId.get('msg_person')!
    expect(answerText(await readAll(h, id), person)).toBe('person')
    await expectWhole(h, id)
    await turns(h, id, ['repair'])
    await expectWhole(h, id)
    h = await h.restart()
    open.push(h)
    await expectWhole(h, id)
  })

  it('P-691 old messages leave the memory of a session that stays open', async () => {
    const long = scripted(async function* ({ text }) {
      for (let n = 0; n < 10; n++) yield say(`${text}${'x'.repeat(10_000)}`)
    })
    const h = await make({ agents: [long] })
    const id = await h.session()
    await turns(
      h,
      id,
      [...Array(40).keys()].map(n => `t${n}`),
    )
    const { seq } = (await h.storage.session(id))!
    const shown = await h.runtime.getSession(OWNER, id, 200)
    expect(shown.seq).toBe(seq)
    expect(shown.windowFrom).toBeGreaterThan(60)
    expect(JSON.stringify(shown).length).toBeLessThan(1_200_000)
    await expectWhole(h, id)
  }, 60_000)

  it('L11 P-693 a message with thousands of calls opens in pieces, and a surface at its beginning still changes', async () => {
    const busy = scripted(async function* ({ text }, { surfaces }) {
      if (text === 'plain') return yield say('plain')
      if (text === 'change') return void (await surfaces.apply(envelopes('changed')))
      yield say('before')
      await surfaces.apply([create, ...envelopes('first')])
      for (let n = 0; n < 3_000; n++) {
        yield { type: 'tool.started', partId: `t${n}`, toolCallId: `c${n}`, name: 'search' }
        yield { type: 'tool.result', toolCallId: `c${n}`, preview: 'found it '.repeat(20) }
      }
      throw new Error('no')
    })
    let h = await make({ agents: [busy] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 'busy', text: 'busy' })
    await h.until(id, ended)
    const size = async (): Promise<number> => JSON.stringify(await h.runtime.getSession(OWNER, id, 50)).length
    const whole = JSON.stringify(snapshot(await h.state(id), 1)).length
    expect(whole).toBeGreaterThan(2_500_000)
    expect(await size()).toBeLessThan(1_300_000)
    await expectWhole(h, id)
    for (const text of ['plain', 'change']) {
      h = await h.restart()
      open.push(h)
      expect(await size()).toBeLessThan(1_300_000)
      await expectWhole(h, id)
      await turns(h, id, [text])
      await expectWhole(h, id)
    }
    expect(JSON.stringify([...(await readAll(h, id)).surfaces.byId.get('s')!.components.values()])).toContain('changed')
    await h.runtime.retryRun(OWNER, id, runId, { newRunId: 'second' })
    await h.until(id, state => ended(state) && state.runs.byId.has('second'))
    await expectWhole(h, id)
  }, 90_000)

  it('P-691 damaged pages cost time, and nothing is lost', async () => {
    let h = await make({ agents: [echo] })
    const id = await h.session()
    await longPast(h, id, 120)
    await turns(h, id, ['now'])
    const damaged = { ...h.storage, messagePages: async () => undefined }
    h = await harness({ folder: h.folder, storage: damaged, agents: [echo] })
    await expectWhole(h, id)
    await turns(h, id, ['again'])
    await expectWhole(h, id)
    expect(answerText(await h.state(id), [...(await h.state(id)).messages.byId.values()].at(-1)!)).toBe('echo again')
  })
})
