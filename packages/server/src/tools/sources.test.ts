import type { Json } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { openAgentFile } from '../agents/worker/agent-file.ts'
import { type Harness, harness, OWNER } from '../runtime/harness.fixture.ts'
import { askSources, checkSources } from './sources.ts'
import type { ToolSource } from './tool.ts'
import { caller, source, tool, turn } from './tools.fixture.ts'

let kit: Harness | undefined
afterEach(async () => {
  await kit?.close()
  kit = undefined
})

const audience = { owner: 'ann', sessionId: 's1', agentId: 'test' }
const late = (): void => {}

describe('the tools that sources offer', () => {
  it('TO-16 of one name are called after their source, and the others keep their names', async () => {
    const sources = [
      source([tool('read'), tool('write')], 'files'),
      source([tool('read'), tool('ask')], 'mcp.git'),
      source([tool('mcp_git_read')], 'other'),
    ]
    const { tools, renamed } = await askSources(sources, audience, { taken: ['ask'], late })
    expect(tools.map(({ name }) => name)).toEqual([
      'files_read',
      'write',
      'mcp_git_read_2',
      'mcp_git_ask',
      'mcp_git_read',
    ])
    expect(renamed).toContain('read of Source files is called files_read')
  })

  it('TO-17 leave out what is no tool, and say so', async () => {
    const wrong = [{}, null, { ...tool('a'), name: 'two words' }, { ...tool('b'), inputSchema: { type: 'string' } }]
    const { tools, problems } = await askSources([source([tool('fine'), ...(wrong as never[])])], audience, { late })
    expect(tools.map(({ name }) => name)).toEqual(['fine'])
    expect(problems.get('test')).toContain('4 tools of Source test are left out')
  })

  it.each([
    ['does not answer', () => new Promise<never>(() => {}), 'did not answer within 0.05 s'],
    ['throws', () => Promise.reject(new Error('It is down.')), 'It is down.'],
    ['gives no list', async () => 'tools' as never, 'it gave no list'],
  ])('TO-17 come without a source that %s', async (_, tools, why) => {
    const dead: ToolSource = { ...source([], 'dead'), tools }
    const list = await askSources([dead, source([tool('fine')])], audience, { listMs: 50, late })
    expect(list.tools.map(({ name }) => name)).toEqual(['fine'])
    expect(list.problems.get('dead')).toContain(why)
  })

  it('TO-18 that are left out or renamed are told once as a diagnostic, which is cleared when it is over', async () => {
    let down = true
    const flaky: ToolSource = {
      ...source([], 'flaky'),
      tools: async () => {
        if (down) throw new Error('It is down.')
        return []
      },
    }
    const answers: Json[] = []
    kit = await harness({
      agents: [caller(answers)],
      tools: [flaky, source([tool('look')]), source([tool('look')], 'b')],
    })
    const sessionId = await kit.session()
    await turn(kit, sessionId, 'test_look')
    const twice = await turn(kit, sessionId, 'b_look')
    const told = [...twice.diagnostics.byId.values()]
    expect(told).toMatchObject([
      { code: 'tools_left_out', state: 'open', count: 1, message: expect.stringContaining('It is down.') },
      { code: 'tools_renamed', state: 'open', count: 1 },
    ])
    down = false
    const after = await turn(kit, sessionId, 'b_look')
    expect([...after.diagnostics.byId.values()].map(({ state }) => state)).toEqual(['cleared', 'open'])
    expect(answers).toEqual(Array(3).fill({ result: { preview: 'done' } }))
  })

  it('TO-19 are asked for with the owner, the session and the agent', async () => {
    let asked: unknown
    const curious: ToolSource = {
      ...source([]),
      tools: async given => {
        asked = given
        return []
      },
    }
    kit = await harness({ agents: [caller()], tools: [curious] })
    const sessionId = await kit.session()
    await turn(kit, sessionId, 'x')
    expect(asked).toEqual({ owner: OWNER.id, sessionId, agentId: 'test' })
  })

  it('TO-20 are called by an agent in a thread, which also asks the gate and knows who the turn is by', async () => {
    const file = await openAgentFile(new URL('./calling-agent.fixture.ts', import.meta.url))
    kit = await harness({ agents: file.agents, tools: [source([tool('look', { title: 'Look', effects: 'none' })])] })
    const sessionId = await kit.session()
    const state = await turn(kit, sessionId, 'go')
    expect([...state.tools.byId.values()]).toMatchObject([{ name: 'look', state: 'done' }, { name: 'own' }])
    const said = [...state.parts.byId.values()]
      .filter(({ kind }) => kind === 'text')
      .at(-1)!
      .text.toString()
    expect(JSON.parse(said)).toEqual({
      principal: { kind: 'person', id: 'ann', name: 'Ann' },
      tool: { toolId: 'test:look', title: 'Look', effects: 'none', sourceId: 'test' },
      answer: { result: { preview: 'done' } },
      admitted: true,
    })
    await file.close()
  })

  it('TO-21 that a program gives wrongly are refused when the runtime is made', () => {
    expect(() => checkSources([source([], 'a b')])).toThrow('needs a sourceId')
    expect(() => checkSources([source([]), source([])])).toThrow('Two sources of tools are called test')
    expect(() => checkSources([{ sourceId: 'x' } as never])).toThrow('has no function tools()')
  })
})
