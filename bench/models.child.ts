import { modelAgent } from '@vitrine/models'
import { startServer } from '@vitrine/server'

/** A server whose agent answers with a model of the provider at this address. */
const [dataFolder = '', baseURL = ''] = process.argv.slice(2)
const agent = modelAgent({
  agentId: 'model',
  model: 'openai-compatible:bench',
  provider: { baseURL, apiKey: 'none' },
  instructions: 'Be brief.',
  tools: [
    {
      name: 'look',
      description: 'Looks something up',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
      effects: 'none',
      execute: () => ({ rows: Array.from({ length: 20 }, (_, row) => ({ row, value: row * row })) }),
    },
  ],
})
const server = await startServer({
  dataFolder,
  port: 0,
  host: '127.0.0.1',
  agents: [agent],
  limits: { runs: 200, openSessions: 500 },
})
process.send!({ url: server.url })
process.on('message', async () => {
  await server.close()
  process.disconnect()
})
