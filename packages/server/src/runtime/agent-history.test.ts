import { afterEach, describe, expect, it } from 'vitest'
import type { AgentOutput, HistoryMessage } from '../agents/agent.ts'
import { openAgentFile } from '../agents/worker/agent-file.ts'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

let kit: Harness
afterEach(() => kit.close())

let read: HistoryMessage[] = []

/** Answers the first turn with everything that an answer can have, and reads the history in the second one. */
const agent = scripted(async function* (input, context): AsyncGenerator<AgentOutput> {
  if (input.text === 'read') {
    read = await context.history()
    return
  }
  yield { type: 'reasoning.delta', partId: 'think', delta: 'Hm.' }
  yield { type: 'reasoning.summary', partId: 'think', signature: 'signed' }
  yield { type: 'text.delta', partId: 'old', delta: 'Half' }
  yield { type: 'part.retracted', partId: 'old', reason: 'once more' }
  const metadata = { google: { sign: 1 } }
  yield { type: 'tool.started', partId: 'call', toolCallId: 'c1', name: 'look', executor: 'agent', metadata }
  yield { type: 'tool.args', toolCallId: 'c1', delta: '{"city":"Paris"}', done: true }
  yield { type: 'tool.result', toolCallId: 'c1', value: { celsius: 18 } }
  yield { type: 'tool.started', partId: 'card', toolCallId: 'c2', name: 'show_ui' }
  yield { type: 'tool.args', toolCallId: 'c2', delta: '{"intent":7}', done: true }
  const showUi = context.tools.find(({ name }) => name === 'show_ui')!
  await showUi.call({ intent: 7 }, { toolCallId: 'c2' })
  yield { type: 'text.delta', partId: 'answer', delta: '18 °C' }
})

const converse = async (text: string): Promise<HistoryMessage[]> => {
  kit = await harness({ agents: [agent] })
  const sessionId = await kit.session()
  for (const [turnId, words] of Object.entries({ first: text, second: 'read' })) {
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId, text: words })
    await kit.until(sessionId, state => ended(state) && state.turns.byId.get(turnId)?.state === 'done')
  }
  return read
}

describe('the history that an agent reads', () => {
  it('MO-30 has the parts of an answer under the ids that its agent gave, and nothing that was withdrawn', async () => {
    const [asked, answered, ...rest] = await converse('How is the weather?')
    expect(rest).toEqual([])
    expect(asked).toEqual({ messageId: expect.any(String), role: 'user', text: 'How is the weather?' })
    expect(answered).toMatchObject({ role: 'assistant', text: '18 °C' })
    expect(answered!.parts).toMatchObject([
      { kind: 'reasoning', partId: 'think', text: 'Hm.', signature: 'signed' },
      {
        kind: 'call',
        partId: 'call',
        toolCallId: 'c1',
        name: 'look',
        args: '{"city":"Paris"}',
        executor: 'agent',
        metadata: { google: { sign: 1 } },
        result: { value: { celsius: 18 } },
      },
      {
        kind: 'call',
        toolCallId: 'c2',
        name: 'show_ui',
        result: { value: { shown: false } },
        error: { code: 'ui_hints' },
      },
      { kind: 'text', partId: 'answer', text: '18 °C' },
    ])
  })

  it('MO-30 has the whole text of a turn that is larger than its event', async () => {
    const text = `begin ${'long '.repeat(30_000)}end`
    const [asked] = await converse(text)
    expect(asked!.text).toBe(text)
  })
})

describe('an agent in a thread', () => {
  it('MO-21 MO-35 stores a file, and gives the id of a call that it has announced', async () => {
    const source = `export default { agentId: 'threaded', async *run(input, { storeFile, tools }) {
      const file = await storeFile({ bytes: new TextEncoder().encode('bytes'), mediaType: 'text/plain', name: 'a.txt' })
      yield { type: 'file.added', partId: 'f', file }
      yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'show_ui' }
      yield { type: 'tool.args', toolCallId: 'c', delta: '{}', done: true }
      const card = { intent: 'status', status: 'success', title: 'Saved' }
      await tools.find(tool => tool.name === 'show_ui').call(card, { toolCallId: 'c' })
    } }`
    const file = await openAgentFile(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    kit = await harness({ agents: file.agents })
    const sessionId = await kit.session()
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: 'Go' })
    const state = await kit.until(sessionId, ended)
    expect([...state.tools.byId.values()].map(tool => [tool.toolCallId.split('/')[1], tool.state])).toEqual([
      ['c', 'done'],
    ])
    const part = [...state.parts.byId.values()].find(({ kind }) => kind === 'file')
    expect(part?.file).toMatchObject({ size: 5, mediaType: 'text/plain', name: 'a.txt' })
    const blob = await kit.runtime.getBlob(OWNER, sessionId, part!.file!.digest)
    for await (const bytes of await blob.read(0, 5)) expect(Buffer.from(bytes).toString()).toBe('bytes')
    await file.close()
  })

  it('MO-35 a file that is too large or no file is refused to the agent', async () => {
    const told: string[] = []
    const storing = scripted(async function* (_, { storeFile }): AsyncGenerator<AgentOutput> {
      for (const bytes of [new Uint8Array(9_000_000), 'text' as never]) {
        await storeFile({ bytes, mediaType: 'text/plain' }).catch(error => told.push(error.code))
      }
    })
    kit = await harness({ agents: [storing] })
    const sessionId = await kit.session()
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: 'Go' })
    await kit.until(sessionId, ended)
    expect(told).toEqual(['invalid_arguments', 'invalid_arguments'])
  })
})
