import { answerText, partsOf } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { Agent, AgentContext, AgentOutput } from '../agents/agent.ts'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const open: Harness[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

const say = (delta: string, partId = 'p'): AgentOutput => ({ type: 'text.delta', partId, delta })
const final = (text?: string): AgentOutput => ({ type: 'text.final', partId: 'p', ...(text !== undefined && { text }) })

/** One run of an agent that yields this: its message as kinds and texts of its parts. */
async function ran(outputs: (context: AgentContext) => AsyncIterable<AgentOutput>, others: Agent[] = []) {
  const h = await harness({ agents: [scripted((_input, context) => outputs(context)), ...others] })
  open.push(h)
  const sessionId = await h.session()
  const { runId } = await h.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: 'Think.' })
  const state = await h.until(sessionId, ended)
  const message = state.messages.byId.get(`${runId}/m`)
  const parts = message ? partsOf(state, message) : []
  return {
    h,
    sessionId,
    state,
    run: state.runs.byId.get(runId)!,
    said: parts.map(part => `${part.kind} ${part.state}: ${part.text.toString()}`),
    parts,
    answer: message ? answerText(state, message) : '',
  }
}

describe('P-8710 L5 a think block of an agent', () => {
  it('P-8710 L5 is a part of its own before the answer, however it is cut', async () => {
    const { said, answer, run } = await ran(async function* () {
      for (const delta of ['\n<th', 'ink>Two ', 'waits.</t', 'hink>', '\n\nThe ', 'answer.']) yield say(delta)
      yield final()
    })
    expect([run.outcome, answer]).toEqual(['completed', 'The answer.'])
    expect(said).toEqual(['reasoning final: Two waits.', 'text final: The answer.'])
  })

  it('P-8710 is the same in a final text that was not streamed, and citations count from the answer on', async () => {
    const whole = '<think>Why?</think>It rains.'
    const { said, parts } = await ran(async function* () {
      const citations = [{ start: whole.indexOf('It'), end: whole.length, url: 'https://example.org/rain' }]
      yield { ...final(whole), citations } as AgentOutput
    })
    expect(said).toEqual(['reasoning final: Why?', 'text final: It rains.'])
    expect(parts[1]!.citations).toEqual([{ start: 0, end: 9, url: 'https://example.org/rain' }])
  })

  it('P-8710 a final text with the block does not replace the answer that was streamed without it', async () => {
    const { said, parts } = await ran(async function* () {
      yield say('<think>Why?</think>It rains.')
      yield final('<think>Why?</think>It rains.')
    })
    expect(said).toEqual(['reasoning final: Why?', 'text final: It rains.'])
    expect(parts[1]!.replaced).toBe(false)
  })

  it('P-8710 a run that ends in the middle of a block or of a tag loses nothing of it', async () => {
    const inside = await ran(async function* () {
      yield say('<think>half a thou')
      yield say('ght </th')
    })
    expect(inside.said).toEqual(['reasoning final: half a thought </th'])
    const before = await ran(async function* () {
      yield say(' <thin')
    })
    expect(before.said).toEqual(['text final:  <thin'])
    const failed = await ran(async function* () {
      yield say('<')
      throw new Error('gone')
    })
    expect(failed.said).toEqual(['text incomplete: <'])
  })

  it('P-8710 parts stand in the order in which they began', async () => {
    const { parts } = await ran(async function* () {
      yield say('<')
      yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'look' }
      yield { type: 'tool.result', toolCallId: 'c', preview: 'seen' }
      yield say('b> is bold')
    })
    expect(parts.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['text <b> is bold', 'tool '])
  })

  it('P-8710 a text that is withdrawn takes its reasoning along, also when it is all there is', async () => {
    const { said, run } = await ran(async function* () {
      yield say('<think>Too early')
      yield { type: 'part.retracted', partId: 'p', reason: 'tried again' }
      yield say('<think>Better.</think>Yes.', 'q')
    })
    expect(run.outcome).toBe('completed')
    expect(said).toEqual(['reasoning retracted: Too early', 'reasoning final: Better.', 'text final: Yes.'])
  })

  it('P-8710 who asked a subagent reads its answer without the reasoning', async () => {
    const child = scripted(async function* () {
      yield say('<think>hm</think>')
      yield say('42')
    }, 'child')
    const { run } = await ran(
      async function* ({ spawn }) {
        expect(await spawn('child', 'go')).toEqual({ outcome: 'completed', text: '42' })
        yield say('done')
      },
      [child],
    )
    expect(run.outcome).toBe('completed')
  })

  it('P-8710 a repair by the agent is divided as well', async () => {
    const { state } = await ran(async function* () {
      const parts = [{ partId: 'old', kind: 'text', text: '<think>a</think>b' }]
      const messages = [{ messageId: 'x', ordinal: 9, role: 'assistant', at: 1, parts }]
      yield { type: 'messages.snapshot', snapshotId: 's', page: 0, last: true, fromOrdinal: 9, messages } as never
    })
    const message = state.messages.byId.get('x')!
    expect(partsOf(state, message).map(({ kind, text }) => `${kind} ${text}`)).toEqual(['reasoning a', 'text b'])
  })
})

describe('P-8713 a text that is too large for an event', () => {
  it('P-8713 has its beginning and its end in the event, and all of it in the blob', async () => {
    const text = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
    const { h, sessionId, state } = await ran(async function* ({ store }) {
      yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'log' }
      yield { type: 'tool.result', toolCallId: 'c', ...(await store({ text })) }
      yield { type: 'tool.started', partId: 'd', toolCallId: 'd', name: 'log' }
      yield { type: 'tool.result', toolCallId: 'd', preview: text }
    })
    const [stored, given] = [...state.tools.byId.values()].map(({ result }) => (result.known ? result.value : null))
    for (const result of [stored, given]) {
      expect(text.startsWith(result!.preview!)).toBe(true)
      expect(text.endsWith(result!.tail!)).toBe(true)
      expect(result!.preview!.length + result!.tail!.length).toBe(8 * 1024)
      const whole = await h.runtime.getBlob(OWNER, sessionId, result!.ref!.digest)
      const pieces: Uint8Array[] = []
      for await (const piece of await whole.read(0, whole.size)) pieces.push(piece)
      expect(Buffer.concat(pieces).toString()).toBe(text)
    }
  })
})
