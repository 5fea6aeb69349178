import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerText, apply, createState, messagesInOrder, type SessionEvent, verify } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { type KilledServer as Server, start } from './killed-server.test.kit.ts'

async function fold(server: Server, sessionId: string) {
  const events: SessionEvent[] = []
  for (let next: number | null = 0; next !== null; ) {
    const answer = await server.call('GET', `/sessions/${sessionId}/events?after=${next}`, undefined, {
      accept: 'application/json',
    })
    const page = (await answer.json()) as { events: SessionEvent[]; next: number | null }
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

const idle = (server: Server, sessionId: string) =>
  expect
    .poll(async () => (await fold(server, sessionId)).state.session.activeRunId, { timeout: 10_000, interval: 30 })
    .toBeNull()

async function kill(server: Server): Promise<void> {
  const exited = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await exited
}

it('P-8514 L12 a server that is killed in the middle of edits has each of them whole or not at all', {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'))
  let server = await start(folder)
  let whole = 0
  try {
    for (let round = 0; round < 6; round++) {
      const path = `/sessions/s${round}`
      await server.call('POST', '/sessions', { sessionId: `s${round}`, agentId: 'repeats' })
      await server.call('POST', `${path}/turns`, { turnId: 'first', text: 'one' })
      await idle(server, `s${round}`)
      const edit = { turnId: 'edit', text: 'another' }
      const sent = server.call('POST', `${path}/messages/1/edit`, edit).then(
        ({ ok }) => ok,
        () => false,
      )
      await sleep(Math.random() * 25)
      await kill(server)
      const acknowledged = await sent
      server = await start(folder)
      const { events, state } = await fold(server, `s${round}`)
      const [first] = messagesInOrder(state)
      const rewound = events.findIndex(({ type }) => type === 'history.rewound')
      // The old message is there, or the new one in its place: never neither.
      expect(answerText(state, first!)).toBe(rewound < 0 ? 'one' : 'another')
      if (rewound >= 0) expect(events[rewound + 1]).toMatchObject({ type: 'run.started', turnId: 'edit' })
      if (acknowledged) expect(rewound).toBeGreaterThan(0)
      if (rewound >= 0) whole++
      // Whoever did not hear of it sends it again: it happens once.
      expect((await server.call('POST', `${path}/messages/1/edit`, edit)).status).toBe(202)
      await idle(server, `s${round}`)
      const after = await fold(server, `s${round}`)
      expect(after.events.filter(({ type }) => type === 'history.rewound')).toHaveLength(1)
      expect(answerText(after.state, [...messagesInOrder(after.state)][0]!)).toBe('another')
    }
    expect(whole).toBeGreaterThan(0)
  } finally {
    await kill(server)
    await rm(folder, { recursive: true, force: true })
  }
})

it('P-8514 L12 a server that is killed in the middle of branches has each of them whole or not at all', {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'))
  let server = await start(folder)
  try {
    await server.call('POST', '/sessions', { sessionId: 'source', agentId: 'streams' })
    for (let turn = 0; turn < 6; turn++) {
      await server.call('POST', '/sessions/source/turns', { turnId: `t${turn}`, text: 'long' })
      await idle(server, 'source')
    }
    const source = await fold(server, 'source')
    expect(source.events.length).toBeGreaterThan(500)
    const fork = (sessionId: string) => server.call('POST', '/sessions/source/forks', { sessionId })
    const listed = async () => {
      const { sessions } = (await (await server.call('GET', '/sessions?limit=200')).json()) as {
        sessions: { sessionId: string; seq: number }[]
      }
      return sessions.filter(({ sessionId }) => sessionId !== 'source')
    }
    for (let round = 0; round < 4; round++) {
      const ids = Array.from({ length: 10 }, (_, n) => `f${round}-${n}`)
      const asked = ids.map(id => fork(id).catch(() => {}))
      await sleep(20 + Math.random() * 150)
      await kill(server)
      await Promise.all(asked)
      server = await start(folder)
      for (const { sessionId, seq } of await listed()) {
        const { events, state } = await fold(server, sessionId)
        expect(events).toHaveLength(seq)
        expect(state.counts.messages).toBe(source.state.counts.messages)
        expect(state.session.forkOf).toMatchObject({ sessionId: 'source' })
      }
    }
    // Whoever did not hear of a branch asks for it again: it is made once.
    for (const id of ['f0-0', 'f3-9']) expect((await fork(id)).status).toBe(201)
    expect((await fold(server, 'f3-9')).state.counts).toMatchObject({ messages: source.state.counts.messages })
    expect(new Set((await listed()).map(({ sessionId }) => sessionId)).size).toBe((await listed()).length)
  } finally {
    await kill(server)
    await rm(folder, { recursive: true, force: true })
  }
})
