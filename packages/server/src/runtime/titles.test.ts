import { afterEach, describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

/** Answers with a heading; asked to `name it` it gives the session a title, and says whether that was taken. */
const namer = scripted(async function* (input, context): AsyncGenerator<AgentOutput> {
  const named = input.text.startsWith('name it') ? String(await context.setTitle('  The agent’s\n own title ')) : ''
  yield { type: 'text.delta', partId: 'p', delta: `# Moving a database\n\n${named}` }
  yield { type: 'text.final', partId: 'p' }
})

describe('the title of a session', () => {
  let kit: Harness
  afterEach(() => kit.close())

  async function ask(sessionId: string, text: string): Promise<string> {
    await kit.runtime.submitTurn(OWNER, sessionId, { turnId: text, text })
    await kit.until(sessionId, state => state.turns.byId.get(text)?.state === 'done')
    // What follows from the end of a run is done before the next command.
    await kit.runtime.updateSession(OWNER, sessionId, { pinned: true })
    const { session } = await kit.state(sessionId)
    return session.title.known ? session.title.value : ''
  }

  it('P-9221 is made of the question, and of the whole exchange when the question says little', async () => {
    kit = await harness({ agents: [namer] })
    expect(await ask(await kit.session(), 'Hi, could you compare three offers?')).toBe('Compare three offers?')
    const vague = await kit.session()
    expect(await ask(vague, 'explain this')).toBe('Moving a database')
    // Later turns do not change it.
    expect(await ask(vague, 'compare three offers')).toBe('Moving a database')
  })

  it('P-9241 of a session that began with a greeting is made of the first turn that says more', async () => {
    kit = await harness({ agents: [namer] })
    const greeted = await kit.session()
    expect(await ask(greeted, 'hello')).toBe('Hello')
    expect(await ask(greeted, 'hi there')).toBe('Hello')
    expect(await ask(greeted, 'explain this')).toBe('Moving a database')
    expect(await ask(greeted, 'compare three offers')).toBe('Moving a database')
  })

  it('P-9240 of a command is made of what the agent says of it', async () => {
    kit = await harness({ agents: [{ ...namer, commands: [{ name: 'move', description: 'moves a database' }] }] })
    expect(await ask(await kit.session(), '/move')).toBe('Moves a database')
  })

  it('P-9221 that a person gave is never replaced, neither by us nor by an agent', async () => {
    kit = await harness({ agents: [namer] })
    const given = await kit.session({ title: 'hello' })
    expect(await ask(given, 'hello')).toBe('hello')
    const renamed = await kit.session()
    await kit.runtime.updateSession(OWNER, renamed, { title: 'Mine' })
    expect(await ask(renamed, 'name it')).toBe('Mine')
    expect(await ask(renamed, 'hello')).toBe('Mine')
  })

  it('P-9222 can be given by the agent, in one line', async () => {
    kit = await harness({ agents: [namer] })
    const sessionId = await kit.session()
    expect(await ask(sessionId, 'name it')).toBe('The agent’s own title')
    expect(await ask(sessionId, 'hello')).toBe('The agent’s own title')
    await kit.runtime.updateSession(OWNER, sessionId, { title: 'Mine' })
    expect(await ask(sessionId, 'name it again')).toBe('Mine')
  })
})
