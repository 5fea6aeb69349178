// This program uses the packages as they were installed from their tarballs. It sees nothing of the repository.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import { apply, createState, verify } from '@vitrine/protocol'
import { jsonSchemas, sessionEvent } from '@vitrine/protocol/schema'
import { openAgentFile, startServer } from '@vitrine/server'

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
const running = await startServer({ dataFolder, port: 0, host: '127.0.0.1', agents: echo.agents })
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
  const { session } = await write('/sessions', {})
  await write(`/sessions/${session.sessionId}/turns`, { turnId: 't', text: 'hello' })
  for (let said = ''; !said.includes('run.finished'); ) {
    const page = await fetch(`${origin}/api/sessions/${session.sessionId}/events`, {
      headers: { ...headers, accept: 'application/json' },
    })
    said = await page.text()
    if (said.includes('run.finished')) assert.ok(said.includes('"delta":"hi"'), said)
    assert.ok(!said.includes('run.failed'), said)
  }
} finally {
  await running.close()
  await echo.close()
  rmSync(dataFolder, { recursive: true })
}
assert.equal(typeof createClient, 'function')

console.log('ok')
