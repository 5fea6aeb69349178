import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { startServer } from '@vitrine/server'
import { modelAgent } from './model-agent.ts'
import type { ModelTool, ToolRun } from './tools.ts'
import { openaiChat } from './wire/openai-chat.fixture.ts'

/** A server to be killed. Its model is at a provider in another process, and its tools note what they do. */
const [dataFolder = '', providerUrl = '', journal = ''] = process.argv.slice(2)

/** Notes the call and hangs the first time; the second time it ends at once. */
async function hangsOnce(name: string, { idempotencyKey }: ToolRun): Promise<string> {
  const line = `${name} ${idempotencyKey}\n`
  const before = existsSync(journal) && readFileSync(journal, 'utf8').includes(line)
  appendFileSync(journal, line)
  if (!before) await new Promise(() => {})
  return `${name} is done`
}

const tool = (name: string, more: Partial<ModelTool> = {}): ModelTool => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object', properties: {} },
  effects: 'none',
  execute: (_: never, run: ToolRun) => hangsOnce(name, run),
  ...more,
})

const notes = (name: string) => (_: never, run: ToolRun) => {
  appendFileSync(journal, `${name} ${run.idempotencyKey}\n`)
  return `${name} is done`
}

const agent = modelAgent({
  agentId: 'model',
  model: openaiChat.model(providerUrl),
  runtimeTools: ['ask'],
  tools: [
    tool('look', { repeatable: true }),
    tool('pay'),
    tool('fast', { execute: notes('fast') }),
    tool('write', { effects: 'writes', execute: notes('write') }),
  ],
})
const { url } = await startServer({ dataFolder, host: '127.0.0.1', port: 0, agents: [agent] })
process.stdout.write(`${url}\n`)
