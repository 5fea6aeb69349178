import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startServer } from '../start-server.ts'
import type { Agent } from './agent.ts'
import { createGuide } from './guide/guide.ts'
import { openAgentFile } from './worker/agent-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-capabilities-'))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

const quiet = (agentId: string, capabilities: unknown) =>
  ({ agentId, name: agentId, description: '', scripted: true, capabilities, async *run() {} }) as unknown as Agent

describe('P-470 what an agent says about itself', () => {
  it('P-470 is told by GET /agents, also of an agent in a thread; what has another shape is left out', async () => {
    const spoken = {
      mode: 'voice',
      input: ['text', 'audio'],
      output: ['audio'],
      execution: 'realtime',
      voiceId: 'alto',
    }
    const source = `export default [
      { agentId: 'threaded', name: 'T', description: '', capabilities: ${JSON.stringify(spoken)}, async *run() {} },
      { agentId: 'odd', name: 'O', description: '', capabilities: { run() {}, mode: 'voice' }, async *run() {} },
    ]`
    const file = await openAgentFile(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    closing.push(() => file.close())
    const agents = [
      createGuide({ pace: 0 }),
      quiet('none', undefined),
      quiet('wrong', { mode: 'telepathy' }),
      ...file.agents,
    ]
    const server = await startServer({ dataFolder: folder, host: '127.0.0.1', port: 0, agents })
    closing.push(() => server.close())
    const { origin, searchParams } = new URL(server.url)
    const headers = { authorization: `Bearer ${searchParams.get('token')}` }
    const answer = (await (await fetch(`${origin}/api/agents`, { headers })).json()) as { agents: Agent[] }
    expect(Object.fromEntries(answer.agents.map(agent => [agent.agentId, agent.capabilities]))).toEqual({
      guide: { mode: 'text', input: ['text', 'file'], output: ['text'], execution: 'local' },
      none: undefined,
      wrong: undefined,
      threaded: spoken,
      odd: { mode: 'voice' },
    })
  })

  it('P-9305 tells the commands of an agent, also of one in a thread; a command of another shape is left out', async () => {
    const source = `export default {
      agentId: 'threaded',
      commands: [{ name: 'book', description: 'Books a room', argument: 'nights' }, { name: 'no spaces' }, 7],
      async *run() {},
    }`
    const file = await openAgentFile(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    closing.push(() => file.close())
    const many = Array.from({ length: 130 }, (_, at) => ({ name: `c${at}` }))
    const wrong = { ...quiet('wrong', undefined), commands: 'tour' } as unknown as Agent
    const agents = [createGuide({ pace: 0 }), { ...quiet('many', undefined), commands: many }, wrong, ...file.agents]
    const server = await startServer({ dataFolder: folder, host: '127.0.0.1', port: 0, agents })
    closing.push(() => server.close())
    const { origin, searchParams } = new URL(server.url)
    const headers = { authorization: `Bearer ${searchParams.get('token')}` }
    const answer = (await (await fetch(`${origin}/api/agents`, { headers })).json()) as { agents: Agent[] }
    const commands = Object.fromEntries(answer.agents.map(agent => [agent.agentId, agent.commands]))
    expect(commands.guide).toContainEqual(expect.objectContaining({ name: 'slow-work', argument: 'seconds' }))
    expect(commands.guide![0]).toEqual({
      name: 'tour',
      description: 'Tour of everything',
      argument: 'part',
    })
    expect(commands.many).toHaveLength(100)
    expect(commands.wrong).toBeUndefined()
    expect(commands.threaded).toEqual([{ name: 'book', description: 'Books a room', argument: 'nights' }])
  })
})
