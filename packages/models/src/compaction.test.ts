import { answerText, latestRun, type SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { OWNER, stage } from './conversation.fixture.ts'
import type { ModelTool } from './tools.ts'
import { openaiChat as wire } from './wire/openai-chat.fixture.ts'
import { prefixReuse } from './wire/provider.fixture.ts'

const on = stage()
const long = (word: string): string => `${word} `.repeat(300)
const says = (...text: string[]) => wire.says({ text })
// biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
const messagesOf = (at = -1): any[] => on.provider.requests.at(at)!.body.messages.filter(isNoSystem)
const isNoSystem = ({ role }: { role: string }): boolean => role !== 'system'
const bodyOf = (at = -1): string => JSON.stringify(on.provider.requests.at(at)!.body.messages)
const compactions = (state: SessionState) => [...state.compactions.byId.values()]
const codes = ({ diagnostics }: SessionState) => [...diagnostics.byId.values()].map(({ code }) => code)
const shown = (state: SessionState): string =>
  answerText(state, [...state.messages.byId.values()].findLast(({ role }) => role === 'assistant')!)

/** Three turns, of which the third fills the context. The model then makes a summary, and answers. */
async function filled(): Promise<SessionState> {
  // The runtime's own tools have long prompts that have nothing to do with the conversation.
  await on.open(wire, { contextTokens: 1_600, runtimeTools: [] })
  on.provider.answers.push(says(long('alpha')), says(long('beta')))
  await on.talk.ask(long('one'))
  await on.talk.ask('two')
  on.provider.answers.push(says('They said one and alpha.'), says('Third answer.'))
  return on.talk.ask(long('three'))
}

describe('a context that fills', () => {
  it('MO-61 is summarised by the model, and newer turns stay as they are', async () => {
    const state = await filled()
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Third answer.'])
    const [made] = compactions(state)
    expect(made).toMatchObject({ state: 'done', summary: 'They said one and alpha.' })
    expect(made!.tokensAfter!).toBeLessThan(made!.tokensBefore!)
    // One request for the summary, which begins as the turn before did, and one for the answer.
    expect(on.provider.requests).toHaveLength(4)
    expect(prefixReuse(on.provider.requests[1]!, on.provider.requests[2]!)).toBeGreaterThan(0.9)
    expect(messagesOf()[0].content).toContain('They said one and alpha.')
    expect(bodyOf()).not.toContain('alpha alpha')
    expect(bodyOf()).toContain('three three')
  })

  it('MO-62 is the same after a restart, and the next turn begins as this one did', async () => {
    await filled()
    await on.talk.restart()
    on.provider.answers.push(says('Fourth.'))
    await on.talk.ask('four')
    const [before, after] = on.provider.requests.slice(-2)
    expect(prefixReuse(before!, after!)).toBe(1)
  })

  it('MO-62 reads what was said again when the conversation goes back before the summary', async () => {
    await filled()
    on.provider.answers.push(says('Edited.'))
    await on.talk.runtime.editMessage(OWNER, on.talk.sessionId, 3, { turnId: 'edited', text: 'other two' })
    await on.talk.until(({ session, turns }) => session.activeRunId === null && turns.byId.has('edited'))
    expect(bodyOf()).toContain('alpha alpha')
    expect(bodyOf()).not.toContain('They said')
  })

  it('MO-61 is summarised when the provider says that it is too long, and the turn is answered', async () => {
    await on.open(wire, { runtimeTools: [] })
    on.provider.answers.push(says(long('alpha')))
    await on.talk.ask(long('one'))
    on.provider.answers.push(wire.fails(400, 'maximum context length is 8192 tokens'), says('Short.'), says('Answer.'))
    const state = await on.talk.ask('two')
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Answer.'])
    expect(bodyOf()).toContain('Short.')
    expect(bodyOf()).not.toContain('alpha')
  })

  it('MO-63 in the middle of a run keeps the newest steps with whole calls and results', async () => {
    const tool: ModelTool = {
      name: 'work',
      description: 'Works',
      inputSchema: { type: 'object', properties: {} },
      effects: 'none',
      execute: () => long('result'),
    }
    await on.open(wire, { contextTokens: 1_000, runtimeTools: [], tools: [tool] })
    const calls = (id: string) => wire.says({ calls: [{ id, name: 'work', args: {} }] })
    on.provider.answers.push(calls('a'), calls('b'), calls('c'), says('I worked twice.'), calls('d'), says('Done.'))
    const state = await on.talk.ask('Work')
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Done.'])
    expect(compactions(state).length).toBeGreaterThan(0)
    const messages = messagesOf()
    const called = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }: { id: string }) => id))
    const results = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
    expect(results).toEqual(called)
    expect(called).toEqual(['c', 'd'])
    expect(messages.some(({ content }) => JSON.stringify(content).includes('Work'))).toBe(true)
  })

  it('MO-64 that cannot be summarised is told, and nothing is lost', async () => {
    await on.open(wire, { contextTokens: 1_600, runtimeTools: [] })
    on.provider.answers.push(says(long('alpha')), says(long('beta')))
    await on.talk.ask(long('one'))
    await on.talk.ask('two')
    on.provider.answers.push(wire.fails(400, 'No.'), says('Third answer.'))
    const state = await on.talk.ask(long('three'))
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'Third answer.'])
    expect(codes(state)).toContain('compaction_failed')
    expect([...state.parts.byId.values()].find(({ kind }) => kind === 'compaction')!.state).toBe('retracted')
    expect(bodyOf()).toContain('alpha alpha')
  })

  it('MO-65 is summarised when a person asks for it with /compact, which the model does not read', async () => {
    await on.open(wire, { runtimeTools: [] })
    on.provider.answers.push(says(long('alpha')))
    await on.talk.ask(long('one'))
    on.provider.answers.push(says('They said alpha.'))
    const state = await on.talk.ask('/compact')
    expect([latestRun(state)!.outcome, compactions(state)[0]!.state]).toEqual(['completed', 'done'])
    on.provider.answers.push(says('Two.'))
    await on.talk.ask('two')
    expect(messagesOf().map(({ role }) => role)).toEqual(['user', 'user'])
    expect(bodyOf()).toContain('They said alpha.')
    expect(bodyOf()).not.toContain('/compact')
  })

  it('MO-65 says so when there is nothing to summarise', async () => {
    await on.open(wire)
    const state = await on.talk.ask('/compact')
    expect([latestRun(state)!.outcome, shown(state)]).toEqual(['completed', 'There is nothing to summarise yet.'])
    expect(on.provider.requests).toHaveLength(0)
  })
})

describe('a server that is stopped in order', () => {
  it('MO-54 leaves a run open that waits for an approval, and the answer after the next start goes on', async () => {
    const ran: string[] = []
    const tool: ModelTool = {
      name: 'write',
      description: 'Writes',
      inputSchema: { type: 'object', properties: {} },
      effects: 'writes',
      execute: (_: never, { idempotencyKey }) => void ran.push(idempotencyKey),
    }
    await on.open(wire, { tools: [tool] })
    on.provider.answers.push(wire.says({ calls: [{ id: 'w', name: 'write', args: {} }] }), says('Done.'))
    await on.talk.send('Work')
    const waits = await on.talk.until(({ session }) => session.needsInput === 1)
    const [action] = [...waits.actions.byId.values()]
    await on.talk.restart()
    const { runtime, sessionId } = on.talk
    await runtime.respondToAction(OWNER, sessionId, action!.actionId, { decision: 'approve' })
    const state = await on.talk.until(({ session }) => session.activeRunId === null)
    expect([latestRun(state)!.outcome, shown(state), ran.length]).toEqual(['completed', 'Done.', 1])
    expect((await on.talk.events()).some(({ type }) => type === 'run.resumed')).toBe(false)
  })
})
