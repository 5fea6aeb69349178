// This program uses the packages as they were installed from their tarballs. It sees nothing of the repository.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import { modelAgent } from '@vitrine/models'
import { apply, createState, verify } from '@vitrine/protocol'
import { jsonSchemas, sessionEvent } from '@vitrine/protocol/schema'
import { openAgentFile, startServer } from '@vitrine/server'
import { createCalculator, createCodeTools, createDataTools, createFileTools, createWebTools } from '@vitrine/tools'

const event = sessionEvent.parse({ type: 'session.updated', seq: 1, sessionId: 's', at: 1, title: 'A title' })
const state = createState('s')
assert.equal(verify(state, event), undefined)
assert.equal(apply(state, event), 'applied')
assert.equal(apply(state, event), 'duplicate')
assert.deepEqual(state.session.title, { known: true, value: 'A title' })
assert.ok(jsonSchemas()['event.session.updated'])

const dataFolder = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
// The thread of an agent is a file of the package. It has to be in the tarball and has to find its imports.
const echo = await openAgentFile(new URL('./echo.mjs', import.meta.url))
// A provider that says "hi" as well, in the format of chat completions.
const chunk = (delta, finish_reason) => {
  const choices = [{ index: 0, delta, finish_reason }]
  return `data: ${JSON.stringify({ id: '1', created: 1, model: 'm', choices })}\n\n`
}
const provider = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunk({ content: 'hi' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
})
await new Promise(resolve => provider.listen(0, '127.0.0.1', resolve))
const baseURL = `http://127.0.0.1:${provider.address().port}/v1`
const model = modelAgent({ agentId: 'model', model: 'openai-compatible:m', provider: { baseURL } })
// The threads and the process of the tools are files of the package as well.
const tools = [
  createFileTools({ folder: import.meta.dirname }),
  createWebTools(),
  createDataTools(),
  createCodeTools(),
  createCalculator(),
]
const calls = {
  files_search: { names: 'use.mjs' },
  calculate: { expression: '0.1 + 0.2' },
  run_javascript: { code: '6 * 7' },
  query_json: { json: '{"a":[1,2]}', query: 'length(a)' },
}
const toolUser = {
  agentId: 'tool-user',
  name: 'Tool user',
  async *run(_, context) {
    const said = []
    for (const [name, args] of Object.entries(calls)) {
      const { result } = await context.tools.find(tool => tool.name === name).call(args)
      said.push(result.preview)
    }
    assert.deepEqual(said, ['use.mjs', '0.3', 'Result: 42', '2'])
    yield { type: 'text.delta', partId: 'p', delta: 'hi' }
  },
}
const agents = [...echo.agents, model, toolUser]
const running = await startServer({ dataFolder, port: 0, host: '127.0.0.1', agents, tools })
try {
  const { origin, searchParams } = new URL(running.url)
  const headers = { authorization: `Bearer ${searchParams.get('token')}` }
  assert.equal((await fetch(`${origin}/api/sessions`)).status, 401)
  assert.equal((await fetch(`${origin}/api/sessions`, { headers })).status, 200)
  const write = async (path, body) => {
    const given = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers: given, body: JSON.stringify(body) })
    assert.ok(answer.ok, await answer.clone().text())
    return answer.json()
  }
  for (const { agentId } of agents) {
    const { session } = await write('/sessions', { agentId })
    await write(`/sessions/${session.sessionId}/turns`, { turnId: 't', text: 'hello' })
    for (let said = ''; !said.includes('run.finished'); ) {
      const page = await fetch(`${origin}/api/sessions/${session.sessionId}/events`, {
        headers: { ...headers, accept: 'application/json' },
      })
      said = await page.text()
      if (said.includes('run.finished')) assert.ok(said.includes('"delta":"hi"'), said)
      assert.ok(!said.includes('run.failed'), said)
    }
  }
} finally {
  await running.close()
  provider.close()
  await echo.close()
  rmSync(dataFolder, { recursive: true })
}
assert.equal(typeof createClient, 'function')

console.log('ok')
