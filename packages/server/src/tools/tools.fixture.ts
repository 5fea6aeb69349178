import type { Json, SessionState, Tool } from '@vitrine/protocol'
import type { Agent } from '../agents/agent.ts'
import { ended, type Harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import type { SourceTool, ToolSource } from './tool.ts'

/** A tool of a test: it reads, takes anything, and says that it is done. */
export const tool = (name: string, given: Partial<SourceTool> = {}): SourceTool => ({
  toolId: `test:${name}`,
  name,
  description: `The tool ${name} of a test`,
  inputSchema: { type: 'object' },
  effects: 'reads',
  execute: async () => ({ text: 'done' }),
  ...given,
})

/** A source of a test that offers these tools. */
export const source = (tools: readonly SourceTool[], sourceId = 'test'): ToolSource => ({
  sourceId,
  name: `Source ${sourceId}`,
  kind: 'host',
  tools: async () => tools,
})

/** An agent that calls the tool whose name is its turn, with the arguments behind it, and notes what it was answered. */
export function caller(answers: Json[] = []): Agent {
  return scripted(async function* ({ text }, { tools }) {
    const [name, ...rest] = text.split(' ')
    const found = tools.find(one => one.name === name)
    answers.push(found ? ((await found.call(JSON.parse(rest.join(' ') || '{}'))) as Json) : 'no such tool')
    yield { type: 'text.delta', partId: 'answer', delta: 'I am done.' }
  })
}

let turns = 0

/** Sends a turn and waits until its run has ended. */
export async function turn(kit: Harness, sessionId: string, text: string): Promise<SessionState> {
  const turnId = `turn-${++turns}`
  await kit.runtime.submitTurn(OWNER, sessionId, { turnId, text })
  return kit.until(sessionId, state => ended(state) && state.turns.byId.get(turnId)?.state !== 'active')
}

/** The newest call of a session. */
export const lastCall = (state: SessionState): Tool => [...state.tools.byId.values()].at(-1)!
