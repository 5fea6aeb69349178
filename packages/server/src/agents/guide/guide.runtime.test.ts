import { type ActionKind, answerText, type Json, pendingActions, type SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { ended, type Harness, harness, OWNER } from '../../runtime/harness.fixture.ts'
import { alive } from './context.test.kit.ts'
import { createGuide, scenarios } from './guide.ts'
import { createScout } from './scout.ts'

const open: Harness[] = []
const start = async (): Promise<Harness> => {
  const made = await harness({ agents: [createGuide({ pace: 0 }), createScout({ pace: 0 })] })
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

const answered = (state: SessionState, runId: string) => answerText(state, state.messages.byId.get(`${runId}/m`)!)

/** Approves every approval and fills in every other request. */
function agree(h: Harness, sessionId: string): () => void {
  const values: Partial<Record<ActionKind, Json>> = {
    choice: 'sea',
    form: { name: 'Ada', guests: 2, date: '2026-03-15' },
    question: 'Ada',
    correction: { text: 'The capital of Australia is Canberra.' },
  }
  return h.hub.onEvents(sessionId, async () => {
    const state = await h.state(sessionId)
    for (const { actionId, request } of pendingActions(state)) {
      const { kind } = request
      const decision = kind === 'approval' ? 'approve-for-scope' : kind === 'plan' ? 'approve' : 'answer'
      const value = request.multiple ? ['train'] : values[kind]
      const command = { decision, ...(value !== undefined && { value }) } as const
      await h.runtime.respondToAction(OWNER, sessionId, actionId, command)
    }
  })
}

describe('the guide on the real runtime', () => {
  it('P-524 every scenario ends as it should in one session, and the whole log is legal', async () => {
    const h = await start()
    const id = await h.session()
    const stop = agree(h, id)
    const played = scenarios.filter(scenario => scenario.id !== 'tour')
    for (const [n, { id: name, example }] of played.entries()) {
      const text = name === 'slow-work' ? '/slow-work 1 s' : name === 'stress' ? '/stress 500' : example
      const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: `t${n}`, text })
      const state = await h.until(id, now => ended(now) && now.session.latestRunId === runId)
      const outcome = name === 'failing-run' ? 'failed' : 'completed'
      expect({ name, ...state.runs.byId.get(runId) }).toMatchObject({ name, outcome })
      expect(answered(state, runId).length).toBeGreaterThan(20)
    }
    stop()
    const state = await h.state(id)
    expect([...state.diagnostics.byId.values()].filter(one => one.state === 'open')).toEqual([])
    expect([...state.surfaces.byId.values()].map(surface => surface.state)).toEqual(['live', 'live', 'live'])
    const drawn = [...state.tools.byId.values()].filter(tool => tool.result.known && tool.result.value.ui)
    expect(drawn.length).toBeGreaterThanOrEqual(7)
  }, 60_000)

  it('P-524 an interrupt ends the process of the slow work before the run', async () => {
    const h = await start()
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'work slowly for 600 seconds' })
    const pidOf = (state: SessionState) =>
      [...state.tools.byId.values()].map(tool => /process (\d+)/.exec(tool.progress?.message ?? '')?.[1]).find(Boolean)
    const pid = Number(pidOf(await h.until(id, state => pidOf(state) !== undefined)))
    expect(alive(pid)).toBe(true)
    await h.runtime.interruptRun(OWNER, id, runId)
    const state = await h.until(id, ended)
    expect(alive(pid)).toBe(false)
    expect(state.runs.byId.get(runId)?.outcome).toBe('interrupted')
  }, 20_000)

  it('P-514 P-524 a run that fails on purpose keeps what it said, and succeeds on its second attempt', async () => {
    const h = await start()
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'fail on purpose' })
    const failed = await h.until(id, ended)
    expect(failed.runs.byId.get(runId)).toMatchObject({
      outcome: 'failed',
      error: { code: 'scripted_failure', retryable: true },
    })
    await h.runtime.retryRun(OWNER, id, runId, { newRunId: 'second' })
    const retried = await h.until(id, state => ended(state) && state.runs.byId.has('second'))
    expect(retried.runs.byId.get('second')).toMatchObject({ outcome: 'completed', attempt: 2 })
    expect(answered(retried, 'second')).toContain('Attempt 2 worked')
    expect(answered(retried, runId)).toContain('I am going to fail now')
  }, 20_000)

  it('P-516 P-524 a subagent works inside the run, and its words stay apart from the answer', async () => {
    const h = await start()
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: '/subagent' })
    const state = await h.until(id, ended)
    const [subagent] = [...state.subagents.byId.values()]
    expect(subagent).toMatchObject({ name: 'Scout', state: 'completed' })
    const own = [...state.messages.byId.values()].filter(message => message.subagentId === subagent!.subagentId)
    expect(own.map(message => [message.runId, answerText(state, message)])).toEqual([
      [runId, expect.stringMatching(/^Three places, all quiet/)],
    ])
    // The guide quotes the scout on purpose. What the scout itself said is in the scout's message alone.
    expect(answered(state, runId)).toMatch(/^I send the \*\*scout\*\*/)
    expect(answered(state, runId).match(/Three places, all quiet/g)).toHaveLength(1)
  }, 20_000)

  it('P-524 a booking comes back from its surface', async () => {
    const h = await start()
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'show a booking form' })
    const drawn = await h.until(id, state => ended(state) && state.surfaces.byId.size === 1)
    const [surfaceId] = [...drawn.surfaces.byId.keys()]
    const values = { guest: 'Ada', room: 'suite', date: '2026-03-15', breakfast: true, notes: '' }
    const click = { key: 'k1', componentId: 'book', eventType: 'click' as const, payload: { values } }
    await h.runtime.sendSurfaceInteraction(OWNER, id, surfaceId!, click)
    const booked = await h.until(id, state => ended(state) && state.runs.byId.size === 2)
    expect(answered(booked, booked.session.latestRunId!)).toContain('Booked!')
    expect(booked.surfaces.byId.get(surfaceId!)?.data.root).toMatchObject({ status: 'booked', guest: 'Ada' })
  }, 20_000)
})
