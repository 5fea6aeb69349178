import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '@vitrine/protocol'
import { describe, expect, it, vi } from 'vitest'
import { ended, harness, OWNER, scripted } from './harness.fixture.ts'

const draw = {
  version: 'v0.9',
  createSurface: {
    surfaceId: 'form',
    root: {
      id: 'root',
      type: 'Column',
      children: [
        { id: 'name', type: 'TextField', props: { label: 'Name', value: { path: '/name' } } },
        { id: 'send', type: 'Button', props: { text: 'Send' } },
      ],
    },
    dataModel: { name: '' },
  },
}
const click = { componentId: 'send', eventType: 'click' as const }

describe('responses', () => {
  it('L6 an action that expires in a month waits for a month, which is longer than a timer can wait', async () => {
    const agent = scripted(async function* (_input, { ask }) {
      await ask({ kind: 'question', title: 'Anyone?', expiresAt: Date.now() + 30 * 24 * 3_600_000 })
      yield { type: 'text.delta', partId: 'p', delta: 'answered' }
    })
    const h = await harness({ agents: [agent] })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, ({ session }) => session.needsInput === 1)
    const [longest] = timers.mock.calls.find(([, ms]) => ms === 2 ** 31 - 1)!
    timers.mockRestore()
    ;(longest as () => void)()
    await sleep(100)
    expect((await h.state(id)).session.needsInput).toBe(1)
    await h.close()
  })

  it('L6 A14 a response that is still being checked when the action expires grants nothing', async () => {
    const outcomes: string[] = []
    const agent = scripted(async function* (_input, { ask }) {
      const scope = { key: 'k', label: 'K' }
      const schema = { type: 'string', pattern: '^(a+)+$' }
      const request = { kind: 'approval' as const, title: 'May I?', scope, schema }
      outcomes.push((await ask({ ...request, expiresAt: Date.now() + 40 })).outcome)
      outcomes.push((await ask({ ...request, expiresAt: Date.now() + 40 })).outcome)
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, state => state.actions.byId.size === 1)
    const { actionId } = [...asked.actions.byId.values()][0]!
    // The pattern is not linear, so that the answer is checked in a thread, which takes longer than the expiry.
    const answer = { decision: 'approve-for-scope' as const, value: 'aaaa' }
    await expect(h.runtime.respondToAction(OWNER, id, actionId, answer)).rejects.toMatchObject({
      code: 'action_expired',
    })
    const state = await h.until(id, ended)
    expect(state.permissions.byId.size).toBe(0)
    expect(outcomes).toEqual(['expired', 'expired'])
    await h.close()
  })

  it('H12 a response that is large for its schema is checked in a thread, and one that no event can carry is not checked', async () => {
    const agent = scripted(async function* (_input, { ask }) {
      const anyOf = Array.from({ length: 450 }, (_, i) => ({ const: `c${i}` }))
      await ask({ kind: 'form', title: 'Fill', schema: { type: 'array', items: { anyOf } } })
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const asked = await h.until(id, state => state.actions.byId.size === 1)
    const { actionId } = [...asked.actions.byId.values()][0]!
    const respond = (value: number[]) => h.runtime.respondToAction(OWNER, id, actionId, { decision: 'answer', value })
    await expect(respond(Array(5_000).fill(1))).rejects.toMatchObject({ code: 'response_invalid' })
    await expect(respond(Array(200_000).fill(1))).rejects.toMatchObject({ code: 'too_large' })
    await h.close()
  })
})

describe('interactions and steers', () => {
  it('L7 A3 an interaction that is refused writes nothing of what was typed, and when it is sent again it writes that once', async () => {
    const agent = scripted(async function* (input, { surfaces }) {
      if (input.text === 'draw') await surfaces.apply([draw])
      else await sleep(60_000)
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent], limits: { queue: 1, interruptMs: 50 } })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    await h.runtime.updateQueue(OWNER, id, { held: true })
    await h.runtime.queueTurn(OWNER, id, { turnId: 'q', text: 'waits' })
    const press = () =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key: 'k', ...click, edits: { '/name': 'Bo' } })
    await expect(press()).rejects.toMatchObject({ code: 'queue_full' })
    expect((await h.state(id)).surfaces.byId.get('form')?.data.root).toEqual({ name: '' })
    await h.runtime.removeQueuedTurn(OWNER, id, 'q')
    await press()
    await press()
    const events = await h.events(id)
    expect(events.filter(event => event.type === 'surface.changed' && event.by)).toHaveLength(1)
    expect((await h.state(id)).surfaces.byId.get('form')?.data.root).toEqual({ name: 'Bo' })
    await h.close()
  })

  it('P-690 other content under the id of a steer or an interaction is refused, by every way', async () => {
    const agent = scripted(async function* (_input, { surfaces, signal }) {
      await surfaces.apply([draw])
      yield { type: 'text.delta', partId: 'p', delta: 'working' }
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const { runId } = await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, state => state.surfaces.byId.size === 1)
    const steer = (steerId: string, text: string) => h.runtime.steerRun(OWNER, id, runId, { steerId, text })
    const press = (key: string, payload?: string) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key, ...click, ...(payload && { payload }) })
    const reused = { code: 'key_reused' }
    await steer('s', 'left')
    expect(await steer('s', 'left')).toMatchObject({ state: 'accepted' })
    await expect(steer('s', 'right')).rejects.toMatchObject(reused)
    await expect(press('s')).rejects.toMatchObject(reused)
    await press('k')
    expect(await press('k')).toMatchObject({ state: 'steered' })
    await expect(press('k', 'other')).rejects.toMatchObject(reused)
    await expect(steer('k', 'text')).rejects.toMatchObject(reused)
    await expect(h.runtime.queueTurn(OWNER, id, { turnId: 'k', text: 'text' })).rejects.toMatchObject(reused)
    await expect(steer('t', 'text')).rejects.toMatchObject(reused)
    await h.close()
  })

  it('P-690 a key stands for what was typed as well: the same text again changes nothing, and another text is refused', async () => {
    const agent = scripted(async function* (input, { surfaces, signal }) {
      if (input.text === 'draw') return void (await surfaces.apply([draw]))
      yield { type: 'text.delta', partId: 'p', delta: 'working' }
      if (input.text === 'work') await new Promise(resolve => signal.addEventListener('abort', resolve))
    })
    let h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'draw' })
    await h.until(id, ended)
    const press = (key: string, edits?: JsonObject) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key, ...click, ...(edits && { edits }) })
    const typed = async () => (await h.state(id)).surfaces.byId.get('form')?.data.root
    const reused = { code: 'key_reused' }
    /** What counts must be the same while it is in memory, and after a restart. */
    const same = async (key: string, state: string, edits: JsonObject) => {
      const before = (await h.events(id)).length
      expect(await press(key, edits)).toMatchObject({ state })
      await expect(press(key, { '/name': 'Eve' })).rejects.toMatchObject(reused)
      await expect(press(key)).rejects.toMatchObject(reused)
      expect(await h.events(id)).toHaveLength(before)
    }

    expect(await press('starts', { '/name': 'Ann' })).toMatchObject({ state: 'started' })
    await h.until(id, ended)
    await same('starts', 'started', { '/name': 'Ann' })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'work' })
    await h.until(id, state => state.session.activeRunId !== null)
    expect(await press('steers', { '/name': 'Bo' })).toMatchObject({ state: 'steered' })
    await same('steers', 'steered', { '/name': 'Bo' })
    await h.runtime.interruptSession(OWNER, id, {})
    await h.until(id, ended)
    expect(await typed()).toEqual({ name: 'Bo' })

    h = await h.restart()
    await same('starts', 'started', { '/name': 'Ann' })
    await same('steers', 'steered', { '/name': 'Bo' })
    expect(await typed()).toEqual({ name: 'Bo' })
    await h.close()
  })

  it('P-690 an interaction of an older log, which does not say what was typed, is still recognised when it is sent again', async () => {
    const agent = scripted(async function* (input, { surfaces }) {
      if (input.text === 'draw') await surfaces.apply([draw])
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const { append } = h.storage
    const older = (digest: string) => digest.split('.', 1)[0]!
    h.storage.append = given =>
      append({
        ...given,
        ids: (given.ids ?? []).map(one => ({ ...one, ...(one.digest && { digest: older(one.digest) }) })),
      })
    const press = (edits: JsonObject) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key: 'k', ...click, edits })
    await press({ '/name': 'Ann' })
    await h.until(id, ended)
    expect(await press({ '/name': 'Ann' })).toMatchObject({ state: 'started' })
    await h.close()
  })
})

describe('content that is lost', () => {
  it('H14 a turn whose text is lost does not run with the beginning of the text: the queue is held and says why', async () => {
    const read: string[] = []
    const agent = scripted(async function* (input) {
      read.push(input.text)
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.updateQueue(OWNER, id, { held: true })
    await h.runtime.queueTurn(OWNER, id, { turnId: 't', text: 'x'.repeat(30_000) })
    const blobs = join(h.folder, 'blobs')
    for (const shelf of readdirSync(blobs)) if (shelf.length === 2) rmSync(join(blobs, shelf), { recursive: true })
    await h.runtime.updateQueue(OWNER, id, { held: false })
    const state = await h.until(id, ({ queue }) => queue.held)
    expect(state.queue.reason).toMatchObject({ code: 'data_damaged' })
    expect(read).toEqual([])
    await h.runtime.removeQueuedTurn(OWNER, id, 't')
    expect((await h.state(id)).queue.turns).toEqual([])
    await h.close()
  })
})

describe('agents', () => {
  it('C11 an agent cannot state the review of a person', async () => {
    const agent = scripted(async function* () {
      const review = { verdict: 'accepted' as const, by: 'Ann' }
      yield { type: 'evidence.changed', evidenceId: 'e', evidence: { kind: 'pack', review } }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    expect(state.evidence.byId.size).toBe(0)
    expect([...state.diagnostics.byId.values()].map(({ code }) => code)).toEqual(['output_not_for_agents'])
    await h.close()
  })

  it('H11 a run that begins parts without end is stopped, and the session goes on', async () => {
    const agent = scripted(async function* (input) {
      if (input.text !== 'flood') return
      for (let i = 0; ; i++) yield { type: 'text.delta', partId: `p${i}`, delta: 'x' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'flood' })
    await expect
      .poll(async () => (await h.runtime.listSessions(OWNER, { limit: 1 })).sessions[0]?.status, { timeout: 60_000 })
      .toBe('failed')
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'hello' })
    await h.close()
  }, 90_000)

  it('H11 agents that speak without a pause leave time on the event loop to the others', async () => {
    let said = 0
    const agent = scripted(async function* () {
      for (let i = 0; i < 800; i++) {
        said++
        yield { type: 'text.delta', partId: `p${i % 2}`, delta: 'x' }
      }
    })
    const h = await harness({ agents: [agent], limits: { runs: 40 } })
    const ids = await Promise.all(Array.from({ length: 40 }, () => h.session()))
    const atTurns: number[] = []
    let watching = true
    const watch = () => {
      atTurns.push(said)
      if (watching) setImmediate(watch)
    }
    watch()
    await Promise.all(ids.map((id, index) => h.runtime.submitTurn(OWNER, id, { turnId: `t${index}`, text: 'go' })))
    for (const id of ids) await h.until(id, ended)
    watching = false
    const inOneTurn = atTurns.map((count, index) => count - (atTurns[index - 1] ?? count))
    expect(said).toBe(40 * 800)
    expect(inOneTurn.reduce((most, count) => Math.max(most, count), 0)).toBeLessThan(said / 4)
    await h.close()
  }, 60_000)
})
