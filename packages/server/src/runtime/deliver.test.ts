import { describe, expect, it } from 'vitest'
import { card, ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const draw = {
  version: 'v0.9',
  createSurface: {
    surfaceId: 'form',
    root: { id: 'root', type: 'Column', children: [{ id: 'send', type: 'Button', props: { text: 'Send' } }] },
    dataModel: {},
  },
}
const action = { type: 'tool', toolId: 'refresh' } as const
const ways = {
  'surface action': (h: Harness, id: string, key: string) =>
    h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key, componentId: 'send', eventType: 'click' }),
  'ui action': (h: Harness, id: string, key: string, toolCallId: string) =>
    h.runtime.sendUiAction(OWNER, id, { key, toolCallId, action }),
}

describe('P-683 an interaction that arrives as a run ends', () => {
  for (const [way, press] of Object.entries(ways)) {
    it(`a ${way} is taken, at whichever moment of its delivery the run ends, and acts once`, async () => {
      let end = () => {}
      const pressed: string[] = []
      const agent = scripted(async function* (input, { surfaces, steers, signal }) {
        if (input.interaction) pressed.push(input.interaction.kind)
        if (input.text === 'draw') {
          await surfaces.apply([draw])
          yield* card(action)
        }
        if (input.text !== 'work') return
        yield { type: 'text.delta', partId: 'p', delta: 'working' }
        await new Promise<void>(resolve => {
          end = resolve
          signal.addEventListener('abort', () => resolve())
        })
        for (const { interaction } of await steers.take()) if (interaction) pressed.push(interaction.kind)
      })
      const h = await harness({ agents: [agent] })
      const { accepted } = h.storage
      const id = await h.session()
      await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
      const [call] = (await h.until(id, ended)).tools.byId.keys()
      for (let lookup = 0; lookup < 8; lookup++) {
        await h.runtime.submitTurn(OWNER, id, { turnId: `t${lookup}`, text: 'work' })
        await h.until(id, state => state.session.activeRunId !== null && state.parts.byId.size > lookup + 1)
        let left = lookup
        h.storage.accepted = async (...given) => {
          const answer = await accepted(...given)
          if (left-- === 0) {
            end()
            await h.until(id, ended)
          }
          return answer
        }
        const key = `k${lookup}`
        const first = await press(h, id, key, call!)
        h.storage.accepted = accepted
        end()
        await h.until(id, state => ended(state) && state.queue.turns.length === 0)
        await expect.poll(() => pressed.length).toBe(lookup + 1)
        // Sent again it gets its answer, and changes nothing.
        expect((await press(h, id, key, call!)).state).toBe(first.state === 'steered' ? 'steered' : 'started')
      }
      const events = await h.events(id)
      expect(pressed).toHaveLength(8)
      expect(events.filter(({ type }) => type === 'steer.rejected')).toEqual([])
      await h.close()
    })
  }

  it('is queued under the id of a steer that was rejected, and is still checked against its document', async () => {
    const agent = scripted(async function* (input, { signal }) {
      if (input.text === 'draw') yield* card(action)
      if (input.text === 'work') await new Promise(resolve => signal.addEventListener('abort', resolve))
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const [call] = (await h.until(id, ended)).tools.byId.keys()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'work' })
    await expect(h.runtime.steerRun(OWNER, id, runId, { steerId: 'k', text: 'left' })).rejects.toMatchObject({
      code: 'steer_rejected',
    })
    const other = { type: 'tool', toolId: 'erase' } as const
    await expect(
      h.runtime.sendUiAction(OWNER, id, { key: 'k', toolCallId: call!, action: other }),
    ).rejects.toMatchObject({
      code: 'ui_action_not_offered',
    })
    expect(await h.runtime.sendUiAction(OWNER, id, { key: 'k', toolCallId: call!, action })).toMatchObject({
      state: 'queued',
    })
    await h.close()
  })
})

describe('P-690 a session and a task are made once', () => {
  const quick = scripted(async function* (input) {
    yield { type: 'text.delta', partId: 'p', delta: input.text }
  })

  it('a task that is started again is the first one, and other content under its id is refused', async () => {
    const second = scripted(async function* () {}, 'second')
    const h = await harness({ agents: [quick, second] })
    const id = await h.session()
    const task = (text: string, rest: { sessionId?: string; agentId?: string; title?: string } = {}) =>
      h.runtime.createSession(OWNER, { ...rest, parent: { sessionId: id, turnId: 'once', input: { text } } })
    const answers = await Promise.all([task('count'), task('count'), task('count', { sessionId: 'other' })])
    const [first] = answers
    const child = first!.session.sessionId
    expect(answers.map(({ session, taskId }) => [session.sessionId, taskId])).toEqual(
      answers.map(() => [child, 'task_once']),
    )
    await h.until(child, ended)
    const reused = { code: 'key_reused' }
    await expect(task('count more')).rejects.toMatchObject(reused)
    await expect(task('count more', { sessionId: 'other' })).rejects.toMatchObject(reused)
    await expect(task('count', { agentId: 'second' })).rejects.toMatchObject(reused)
    await expect(task('count', { title: 'Other' })).rejects.toMatchObject(reused)
    expect((await task('count')).session.sessionId).toBe(child)
    const { sessions } = await h.runtime.listSessions(OWNER, { limit: 10 })
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([id, child].sort())
    const { tasks } = await h.until(id, state => state.tasks.byId.get('task_once')?.status === 'completed')
    expect([...tasks.byId.values()]).toMatchObject([{ title: { value: 'count' }, childSessionId: child }])
    expect((await h.state(child)).turns.byId.size).toBe(1)
    await h.close()
  })

  it('a session that is made again is the first one, and other content under its id is refused', async () => {
    const h = await harness({ agents: [quick] })
    const asked = { sessionId: 's', title: 'Plans', metadata: { a: 1, b: [2] } }
    const make = (rest: object = {}) => h.runtime.createSession(OWNER, { ...asked, ...rest })
    await Promise.all([make(), make()])
    await h.runtime.updateSession(OWNER, 's', { title: 'Renamed', metadata: { c: 3 } })
    expect((await make({ metadata: { b: [2], a: 1 } })).session).toMatchObject({ sessionId: 's', title: 'Renamed' })
    const exists = { code: 'session_exists' }
    for (const other of [
      { title: 'Renamed' },
      { metadata: {} },
      { agentId: 'nobody' },
      { queuePolicy: { mode: 'merge' } },
    ])
      await expect(make(other)).rejects.toMatchObject(exists)
    const parent = { sessionId: await h.session(), turnId: 't', input: { text: 'go' } }
    await expect(make({ parent })).rejects.toMatchObject(exists)
    expect((await h.state(parent.sessionId)).tasks.byId.size).toBe(0)
    await h.close()
  })
})
