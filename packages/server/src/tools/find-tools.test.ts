import type { Json, JsonObject } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { openAgentFile } from '../agents/worker/agent-file.ts'
import { type Harness, harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import { searchTools } from './find-tools.ts'
import type { OfferedTool } from './sources.ts'
import { lastCall, source, tool, turn } from './tools.fixture.ts'

let kit: Harness | undefined
afterEach(async () => {
  await kit?.close()
  kit = undefined
})

const named = (name: string, description: string, title?: string) =>
  tool(name, { description, ...(title !== undefined && { title }) })
const offered = (...tools: ReturnType<typeof named>[]): OfferedTool[] =>
  tools.map(one => ({ name: one.name, tool: one, source: source([], 'git') }))
const many = (count: number, prefix = 'thing') =>
  Array.from({ length: count }, (_, n) => named(`${prefix}_${n}`, `Does number ${n}`))

/** Each line of a turn is a call: the name of a tool and its arguments. It notes what there was before each call. */
const lists: string[][] = []
const caller = scripted(async function* ({ text }, context) {
  for (const line of text.split('\n')) {
    lists.push(context.tools.filter(({ sourceId }) => sourceId !== undefined).map(({ name }) => name))
    const [name, ...rest] = line.split(' ')
    const found = context.tools.find(one => one.name === name)
    const answer: Json = found ? ((await found.call(JSON.parse(rest.join(' ') || '{}'))) as JsonObject) : 'no such tool'
    yield { type: 'text.delta', partId: `answer-${lists.length}`, delta: JSON.stringify(answer) }
  }
})
const open = async (count: number, toolsAtOnce = 60): Promise<string> => {
  lists.length = 0
  kit = await harness({ agents: [caller], tools: [source(many(count))], limits: { toolsAtOnce } })
  return kit.session()
}

describe('searching tools', () => {
  const tools = offered(
    named('create_issue', 'Opens a new issue in a repository'),
    named('listIssues', 'Lists what was reported'),
    named('delete_file', 'Removes a file for ever'),
    named('search_code', 'Finds text in the files of a repository', 'Code search'),
  )
  const found = (query: string) => searchTools(tools, query).map(({ name }) => name)

  it('MC-28 finds them by the words of name, title and description, the best one first and always alike', () => {
    expect(found('create an issue')[0]).toBe('create_issue')
    expect(found('issues')).toEqual(['listIssues', 'create_issue'])
    expect(found('CODE')).toEqual(['search_code'])
    expect(found('remove a file')[0]).toBe('delete_file')
    expect(found('search_code')[0]).toBe('search_code')
    expect(found('weather')).toEqual([])
    expect(found('\u0000 … !')).toEqual([])
    expect(found('repository issue')).toEqual(found('issue repository'))
  })

  it('MC-28 tells of twenty at most', () => {
    expect(searchTools(offered(...many(500)), 'number')).toHaveLength(20)
  })
})

describe('a session with many tools', () => {
  it('MC-28 offers all of them up to the limit, and above it only find_tools and what was chosen', async () => {
    let sessionId = await open(60)
    await turn(kit!, sessionId, 'thing_3')
    expect(lists[0]).toHaveLength(60)
    await kit!.close()
    sessionId = await open(500)
    const state = await turn(
      kit!,
      sessionId,
      'find_tools {"query": "number 77"}\nthing_77\nfind_tools {"names": ["thing_77", "nobody"]}\nthing_77',
    )
    expect(lists).toEqual([[], [], [], ['thing_77']])
    const calls = [...state.tools.byId.values()]
    expect(calls.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'find_tools done',
      'find_tools done',
      'thing_77 done',
    ])
    expect(calls[1]!.result).toMatchObject({ value: { value: { chosen: ['thing_77'], unknown: ['nobody'] } } })
    const listed = await kit!.runtime.listTools(OWNER, sessionId)
    expect(listed.items.filter(({ source }) => source.kind === 'host')).toHaveLength(500)
    expect(listed.items.map(({ name }) => name)).toContain('find_tools')
  })

  it('MC-29 keeps what was chosen, in the same order, over turns and a restart', async () => {
    const sessionId = await open(200)
    await turn(
      kit!,
      sessionId,
      'find_tools {"names": ["thing_9"]}\nfind_tools {"names": ["thing_4", "thing_9"]}\nthing_4',
    )
    expect(lists.at(-1)).toEqual(['thing_9', 'thing_4'])
    kit = await kit!.restart()
    const state = await turn(kit, sessionId, 'thing_9')
    expect(lists.at(-1)).toEqual(['thing_9', 'thing_4'])
    expect(lastCall(state)).toMatchObject({ name: 'thing_9', state: 'done' })
    expect(state.session.metadata.foundTools).toEqual(['test:thing_9', 'test:thing_4'])
    await kit.runtime.updateTools(OWNER, sessionId, { policies: { 'test:thing_9': 'off' } })
    await turn(kit, sessionId, 'thing_4')
    expect(lists.at(-1)).toEqual(['thing_4'])
  })

  it('MC-29 keeps what was used before there were so many, and drops the oldest when too many were chosen', async () => {
    const sessionId = await open(8, 10)
    await turn(kit!, sessionId, 'thing_5')
    kit = await kit!.restart({ tools: [source(many(40))], limits: { toolsAtOnce: 3 } })
    await turn(
      kit,
      sessionId,
      'find_tools {"names": ["thing_1"]}\nfind_tools {"names": ["thing_2", "thing_3"]}\nthing_5',
    )
    expect(lists.slice(-3)).toEqual([['thing_5'], ['thing_5', 'thing_1'], ['thing_5', 'thing_1', 'thing_2', 'thing_3']])
    await turn(kit, sessionId, 'thing_1')
    expect(lists.at(-1)).toEqual(['thing_1', 'thing_2', 'thing_3'])
  })

  it('MC-28 says what is wrong with a search for nothing', async () => {
    const sessionId = await open(100)
    const state = await turn(kit!, sessionId, 'find_tools {}')
    expect(lastCall(state)).toMatchObject({ state: 'failed', error: { code: 'invalid_arguments' } })
  })

  it('MC-28 works for an agent in a thread', async () => {
    const file = await openAgentFile(new URL('./finding-agent.fixture.ts', import.meta.url))
    try {
      kit = await harness({ agents: file.agents, tools: [source(many(100))] })
      const state = await turn(kit, await kit.session(), 'go')
      expect(lastCall(state)).toMatchObject({ name: 'thing_7', state: 'done', executor: 'runtime' })
    } finally {
      await file.close()
    }
  })
})
