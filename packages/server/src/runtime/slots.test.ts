import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import type { AgentContext } from '../agents/agent.ts'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'
import { Slots } from './slots.ts'

const statusOf = (state: SessionState) => state.runs.byId.get(state.session.latestRunId!)!.status

async function answer(h: Harness, id: string): Promise<void> {
  const open = [...(await h.state(id)).actions.byId.values()].find(({ state }) => state === 'pending')!
  await h.runtime.respondToAction(OWNER, id, open.actionId, { decision: 'answer', value: 'yes' })
}

/** An agent that does what the text says, and a hold on those that work. */
function crew() {
  const free = new Map<string, () => void>()
  /** The run of each agent that works. */
  const working = new Map<string, string>()
  let most = 0
  const order: string[] = []
  const work = async (name: string, { runId, signal }: AgentContext) => {
    order.push(name)
    most = Math.max(most, new Set(working.set(name, runId).values()).size)
    await new Promise<void>(resolve => {
      free.set(name, resolve)
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
    })
    working.delete(name)
  }
  const agent = scripted(async function* (input, context) {
    const { ask, spawn, signal } = context
    const [what, name] = input.text.split(' ') as [string, string]
    if (what === 'spawn') await Promise.all([spawn('test', `ask ${name}1`), spawn('test', `ask ${name}2`)])
    if (what === 'ask') await ask({ kind: 'question', title: 'Shall I?' })
    if (what === 'expire') await ask({ kind: 'question', title: 'Shall I?', expiresAt: Date.now() + 120 })
    if (what === 'murmur') {
      const asked = ask({ kind: 'question', title: 'Shall I?' })
      for (let i = 0; i < 3; i++) {
        await sleep(30)
        yield { type: 'text.delta', partId: 'm', delta: '…' }
      }
      await asked
    }
    if (!signal.aborted) await work(name, context)
    yield { type: 'text.delta', partId: 'p', delta: name }
  })
  return { agent, free, order, most: () => most }
}

const asks = ({ session }: SessionState) => session.needsInput > 0

describe('P-658 a run that waits for people', () => {
  for (const what of ['ask', 'spawn', 'murmur']) {
    it(`gives its slot to others (${what})`, async () => {
      const { agent, free } = crew()
      const h = await harness({ agents: [agent], limits: { runs: 2 } })
      for (const turnId of ['a', 'b', 'c']) {
        const id = await h.session()
        await h.runtime.submitTurn(OWNER, id, { turnId, text: `${what} ${turnId}` })
        const state = await h.until(id, asks)
        expect(statusOf(state)).toMatch(/waiting|preparing|streaming/)
      }
      const id = await h.session()
      await h.runtime.submitTurn(OWNER, id, { turnId: 'd', text: 'work d' })
      await expect.poll(() => free.has('d')).toBe(true)
      free.get('d')!()
      await h.until(id, ended)
      await h.close()
    })
  }

  it('has a slot again before its agent gets the response, and before runs that never had a slot', async () => {
    const { agent, free, order } = crew()
    const h = await harness({ agents: [agent], limits: { runs: 1 } })
    const start = async (text: string) => {
      const id = await h.session()
      await h.runtime.submitTurn(OWNER, id, { turnId: text, text })
      return id
    }
    const first = await start('ask first')
    await h.until(first, asks)
    await start('work other')
    await expect.poll(() => order).toEqual(['other'])
    const later = await start('work later')
    await h.until(later, state => statusOf(state) === 'queued')
    await answer(h, first)
    const queued = await h.until(first, state => statusOf(state) === 'queued')
    expect([...queued.runs.byId.values()][0]?.reason).toMatchObject({ code: 'waiting_for_slot', params: { ahead: 0 } })
    const behind = await h.until(later, state => [...state.runs.byId.values()][0]?.reason?.params?.ahead === 1)
    expect(statusOf(behind)).toBe('queued')
    expect(order).toEqual(['other'])
    free.get('other')!()
    await h.until(first, state => statusOf(state) === 'streaming')
    expect(order).toEqual(['other', 'first'])
    free.get('first')!()
    await h.until(first, ended)
    await expect.poll(() => order).toEqual(['other', 'first', 'later'])
    free.get('later')!()
    await h.until(later, ended)
    await h.close()
  })

  it('is interrupted while it waits for a slot again', async () => {
    const { agent, free, order } = crew()
    const h = await harness({ agents: [agent], limits: { runs: 1 } })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'ask first' })
    await h.until(id, asks)
    const other = await h.session()
    await h.runtime.submitTurn(OWNER, other, { turnId: 't', text: 'work other' })
    await expect.poll(() => order).toEqual(['other'])
    await answer(h, id)
    await h.until(id, state => statusOf(state) === 'queued')
    await h.runtime.interruptSession(OWNER, id, {})
    expect(statusOf(await h.until(id, ended))).toBe('interrupted')
    free.get('other')!()
    await h.until(other, ended)
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'work second' })
    await expect.poll(() => free.has('second')).toBe(true)
    await h.close()
  })

  for (const seed of [1, 2, 3]) {
    it(`loses no slot and takes none twice, in whichever order agents ask and people respond and interrupt (${seed})`, async () => {
      let at = seed * 7_919
      const random = (below: number) => {
        at = (at * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor((at / 2_147_483_648) * below)
      }
      const { agent, free, most } = crew()
      const h = await harness({ agents: [agent], limits: { runs: 2, interruptMs: 500 } })
      const ids = await Promise.all(Array.from({ length: 6 }, () => h.session()))
      for (let step = 0; step < 60; step++) {
        const id = ids[random(ids.length)]!
        const state = await h.state(id)
        const chosen = random(6)
        if (state.session.activeRunId === null) {
          const what = ['ask', 'ask', 'work', 'expire', 'spawn', 'murmur'][chosen]!
          await h.runtime.submitTurn(OWNER, id, { turnId: `t${step}`, text: `${what} n${step}` }).catch(() => {})
        } else if (chosen === 0) await h.runtime.interruptSession(OWNER, id, {})
        else if (state.session.needsInput > 0) await answer(h, id).catch(() => {})
        else for (const done of free.values()) done()
        if (random(3) === 0) await sleep(random(70))
      }
      for (const id of ids) await h.runtime.interruptSession(OWNER, id, {})
      for (const id of ids) if ((await h.state(id)).session.latestRunId) await h.until(id, ended)
      expect(most()).toBeLessThanOrEqual(2)
      // As many as may work at once do so, and no more.
      free.clear()
      for (const [index, id] of ids.entries())
        await h.runtime.submitTurn(OWNER, id, { turnId: `last${index}`, text: `work last${index}` })
      for (let done = 0; done < ids.length; done++) {
        const now = Math.min(done + 2, ids.length)
        await expect.poll(() => free.size).toBe(now)
        await sleep(20)
        expect(free.size).toBe(now)
        free.get(`last${done}`)!()
      }
      for (const id of ids) await h.until(id, ended)
      await h.close()
    }, 30_000)
  }
})

describe('H11 slots', () => {
  it('a work that is stopped before it waits takes no slot, and one that has left is not told of any', async () => {
    const slots = new Slots(1)
    const release = await slots.take()
    await expect(slots.take(AbortSignal.abort())).rejects.toThrow()
    const stop = new AbortController()
    const gone = slots.take(stop.signal)
    stop.abort()
    await expect(gone).rejects.toThrow()
    release()
    release()
    const next = await slots.take()
    const told: number[] = []
    const waits = slots.take(undefined, ahead => told.push(ahead))
    const before = slots.take(undefined, () => {}, { again: true })
    next()
    ;(await before)()
    ;(await waits)()
    expect(told).toEqual([0, 1, 0])
  })
})
