import { type Json, MASK } from '@vitrine/protocol'
import { afterEach, expect, it } from 'vitest'
import { openAgentFile } from '../agents/worker/agent-file.ts'
import { turn } from '../tools/tools.fixture.ts'
import { type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

let kit: Harness
afterEach(() => kit.close())

/** An agent whose turns are programs: `set k value`, `get k`, `delete k`; behind `other` for another agent. What it read or why it failed is its answer. */
const rememberer = (agentId = 'test') =>
  scripted(async function* ({ text }, { memory, spawn }) {
    if (text.startsWith('other ')) {
      const { text: delta } = await spawn('other', text.slice('other '.length))
      yield { type: 'text.delta', partId: 'a', delta }
      return
    }
    const [what, key = '', ...rest] = text.split(' ')
    const value = JSON.parse(rest.join(' ') || 'null') as Json
    const work = { set: () => memory.set(key, value), get: () => memory.get(key), delete: () => memory.delete(key) }
    const done = await work[what as 'get']().catch((error: Error) => `failed: ${error.message}`)
    yield { type: 'text.delta', partId: 'a', delta: JSON.stringify(done ?? null) }
  }, agentId)

async function said(sessionId: string, text: string): Promise<Json> {
  const state = await turn(kit, sessionId, text)
  return JSON.parse([...state.parts.byId.values()].at(-1)!.text.toString()) as Json
}

it('TO-70 what an agent remembers is there in its next turn, after a restart and in a branch, as it was there', async () => {
  kit = await harness({ agents: [rememberer()] })
  const sessionId = await kit.session()
  await said(sessionId, 'set city {"name":"Basel"}')
  const { ordinals } = (await kit.state(sessionId)).counts
  await said(sessionId, 'set city {"name":"Bern"}')
  expect(await said(sessionId, 'get city')).toEqual({ name: 'Bern' })
  kit = await kit.restart()
  expect(await said(sessionId, 'get city')).toEqual({ name: 'Bern' })
  const fork = (await kit.runtime.forkSession(OWNER, sessionId, { ordinal: ordinals })).session.sessionId
  expect(await said(fork, 'get city')).toEqual({ name: 'Basel' })
  await said(fork, 'delete city')
  expect(await said(fork, 'get city')).toBeNull()
  expect(await said(sessionId, 'get city')).toEqual({ name: 'Bern' })
})

it('TO-70 each session and each agent has a memory of its own', async () => {
  kit = await harness({ agents: [rememberer(), rememberer('other')] })
  const one = await kit.session()
  await said(one, 'set a 1')
  expect(await said(await kit.session(), 'get a')).toBeNull()
  expect(await said(one, 'other get a')).toBeNull()
  await said(one, 'other set a 2')
  expect([await said(one, 'get a'), await said(one, 'other get a')]).toEqual([1, 2])
})

it('TO-71 what is too large, is no JSON or has no key is refused with words, and nothing is lost', async () => {
  kit = await harness({ agents: [rememberer()] })
  const sessionId = await kit.session()
  await said(sessionId, 'set a 1')
  expect(await said(sessionId, `set b "${'x'.repeat(5_000)}"`)).toBe(
    'failed: A value of the memory has at most 4096 bytes of JSON.',
  )
  expect(await said(sessionId, 'set')).toBe('failed: A key of the memory is a text of 1 to 100 characters.')
  expect(await said(sessionId, 'get a')).toBe(1)
  for (let n = 0; n < 4; n++) await said(sessionId, `set k${n} "${'x'.repeat(4_000)}"`)
  expect(await said(sessionId, `set k5 "${'x'.repeat(4_000)}"`)).toBe(
    'failed: The memory holds at most 16384 bytes of JSON.',
  )
})

it('TO-71 a secret of a known form is a mask in the memory', async () => {
  kit = await harness({ agents: [rememberer()] })
  const sessionId = await kit.session()
  const agent = scripted(async function* (_, { memory }) {
    await memory.set('key', ['sk-proj-Ab3dEfGh1jKl', 'Mn0pQrStUvWxYz'].join(''))
    yield { type: 'text.delta', partId: 'a', delta: JSON.stringify(await memory.get('key')) }
  })
  kit = await kit.restart({ agents: [agent] })
  expect(await said(sessionId, 'go')).toBe(MASK)
})

it('TO-72 agents in threads have the same memory', async () => {
  const file = await openAgentFile(new URL('./remembering-agent.fixture.ts', import.meta.url))
  kit = await harness({ agents: file.agents })
  expect(await said(await kit.session(), 'go')).toEqual([null, { n: 1 }, null])
  await file.close()
})
