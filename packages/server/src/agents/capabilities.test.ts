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
      guide: { mode: 'text', input: ['text'], output: ['text'], execution: 'local' },
      none: undefined,
      wrong: undefined,
      threaded: spoken,
      odd: { mode: 'voice' },
    })
  })
})
