import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerText, apply, createState, type SessionEvent, type SessionState, verify } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { type KilledServer as Server, start } from './killed-server.test.kit.ts'

const KILLS = 20

/** Everything a client of the session's stream receives until the connection breaks. */
async function listen(server: Server, sessionId: string, seen: SessionEvent[]): Promise<void> {
  try {
    const response = await server.call('GET', `/sessions/${sessionId}/events`)
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = text
          .slice(0, end)
          .split('\n')
          .find(line => line.startsWith('data: '))
        if (data) seen.push(JSON.parse(data.slice('data: '.length)) as SessionEvent)
        text = text.slice(end + 2)
      }
    }
  } catch {
    // The kill.
  }
}

async function log(server: Server, sessionId: string): Promise<{ events: SessionEvent[]; state: SessionState }> {
  const events: SessionEvent[] = []
  for (let next: number | null = 0; next !== null; ) {
    const response = await server.call('GET', `/sessions/${sessionId}/events?limit=1000&after=${next}`, undefined, {
      accept: 'application/json',
    })
    const page = (await response.json()) as { events: SessionEvent[]; next: number | null }
    events.push(...page.events)
    next = page.next
  }
  const state = createState(sessionId)
  for (const event of events) {
    expect(verify(state, event), `${event.seq} ${event.type}`).toBeUndefined()
    apply(state, event)
  }
  return { events, state }
}

it(`P-621 L12 L1 ${KILLS} kills at random points of a streaming run with queued turns lose nothing that a client saw`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'))
  let server = await start(folder)
  let midAnswer = 0
  try {
    for (let round = 0; round < KILLS; round++) {
      const sessionId = `s${round}`
      const path = `/sessions/${sessionId}`
      await server.call('POST', '/sessions', { sessionId })
      const seen: SessionEvent[] = []
      const listening = listen(server, sessionId, seen)
      const submitted = await server.call('POST', `${path}/turns`, { turnId: 'first', text: 'one' })
      const { runId } = (await submitted.json()) as { runId: string }
      for (const turnId of ['second', 'third'])
        expect((await server.call('POST', `${path}/queue`, { turnId, text: turnId })).status).toBe(202)
      await sleep(Math.random() * 700)
      server.process.kill('SIGKILL')
      await once(server.process, 'exit')
      await listening

      server = await start(folder)
      const { events, state } = await log(server, sessionId)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
      expect(events.slice(0, seen.length)).toEqual(seen)
      expect(state.runs.byId.get(runId)).toMatchObject({ outcome: 'interrupted' })
      expect(state.queue.turns.map(({ turnId }) => turnId)).toEqual(['second', 'third'])
      if (seen.some(({ type }) => type === 'text.delta')) midAnswer++

      expect((await server.call('POST', `${path}/runs/${runId}/retry`, { newRunId: 'again' })).status).toBe(202)
      await expect
        .poll(async () => (await log(server, sessionId)).state.runs.byId.get('again')?.outcome, {
          timeout: 5_000,
          interval: 50,
        })
        .toBe('completed')
      const after = (await log(server, sessionId)).state
      expect(answerText(after, after.messages.byId.get('again/m')!)).toBe('done with one')
      expect(answerText(after, after.messages.byId.get(`${runId}/m`) ?? after.messages.byId.get('again/m')!)).toContain(
        'one',
      )
    }
    expect(midAnswer).toBeGreaterThan(KILLS / 2)
  } finally {
    server.process.kill('SIGKILL')
    await once(server.process, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)

it('P-338 a session whose making was killed is there with its first event or not at all, and its key makes it once', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'))
  const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`)
  const create = (server: Server, key: string) =>
    server.call('POST', '/sessions', { title: `Title of ${key}` }, { 'idempotency-key': key })
  for (let kill = 0; kill < 10; kill++) {
    const server = await start(folder)
    const exited = once(server.process, 'exit')
    const asked = keys.map(key => create(server, key).catch(() => {}))
    await sleep(Math.random() * 60)
    server.process.kill('SIGKILL')
    await Promise.all([exited, ...asked])
  }
  const server = await start(folder)
  const ids = new Set<string>()
  for (const key of keys) {
    const { session } = (await (await create(server, key)).json()) as { session: { sessionId: string; title: string } }
    expect(session.title).toBe(`Title of ${key}`)
    ids.add(session.sessionId)
  }
  const { sessions } = (await (await server.call('GET', '/sessions?limit=200')).json()) as {
    sessions: { sessionId: string; seq: number }[]
  }
  expect(new Set(sessions.map(({ sessionId }) => sessionId))).toEqual(ids)
  expect(sessions).toHaveLength(keys.length)
  for (const { sessionId } of sessions) {
    const { events } = await log(server, sessionId)
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([['session.updated', 1]])
  }
  server.process.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})
