import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SessionEvent } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { openSqlite } from '../storage/sqlite/sqlite.ts'

const SESSIONS = Number(process.env.VITRINE_LONG_SESSIONS ?? 15)
const EVENTS = Number(process.env.VITRINE_LONG_EVENTS ?? 10_000)
/**
 * Megabytes of old space that the process may have. It holds about 20 MB without sessions, and V8 needs room for what it
 * has not collected yet when the machine is busy. With their whole history in memory the sessions alone would take more.
 */
const HEAP_MB = Number(process.env.VITRINE_LONG_HEAP ?? 64)

/** About 500 events a run: text, reasoning and calls. */
function* run(sessionId: string, n: number, seq: number): Iterable<SessionEvent> {
  const ids = { sessionId, at: 1, runId: `r${n}`, turnId: `t${n}` }
  const messageId = `r${n}/m`
  const event = (fields: object): SessionEvent => ({ ...ids, seq: seq++, ...fields }) as SessionEvent
  yield event({ type: 'run.started', agentId: 'echo', messageId: `u${n}`, input: { text: `turn ${n}` }, attempt: 1 })
  for (let call = 0; call < 70; call++) {
    const partId = `${messageId}/${call}`
    const toolCallId = partId
    yield event({ type: 'text.delta', messageId, partId: `${partId}t`, delta: 'some words of an answer '.repeat(4) })
    yield event({ type: 'reasoning.delta', messageId, partId: `${partId}r`, delta: 'some words of a thought ' })
    yield event({ type: 'tool.started', messageId, partId, toolCallId, name: 'search' })
    yield event({ type: 'tool.args', toolCallId, delta: '{"query":"something"}', done: true })
    yield event({ type: 'tool.output.delta', toolCallId, delta: 'a line of output\n'.repeat(5) })
    yield event({ type: 'tool.result', toolCallId, preview: 'found' })
  }
  yield event({ type: 'run.finished', outcome: 'completed' })
}

it(
  'P-692 a process with little memory opens many long sessions, one after another and at once',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-long-'))
    try {
      const storage = await openSqlite({ folder })
      for (let index = 0; index < SESSIONS; index++) {
        const sessionId = `s${index}`
        const first = {
          type: 'session.updated',
          seq: 1,
          sessionId,
          at: 1,
          agentId: 'echo',
          title: 'Long',
        } as SessionEvent
        const row = {
          title: 'Long',
          agentId: 'echo',
          status: 'idle',
          messageCount: 0,
          createdAt: 1,
          updatedAt: 1,
        } as const
        const rest = {
          owner: 'ann',
          pinned: false,
          archived: false,
          folderId: null,
          waitsFor: null,
          queued: 0,
          readSeq: 0,
          unfinished: false,
        }
        await storage.createSession({ sessionId, parentSessionId: null, ...row, ...rest }, [first])
        const { epoch } = await storage.lease(sessionId, 'test')
        for (let n = 0, seq = 2; seq < EVENTS; n++) {
          const events = [...run(sessionId, n, seq)]
          await storage.append({ sessionId, epoch, events })
          seq += events.length
        }
      }
      await storage.close()
      const file = join(import.meta.dirname, 'long-sessions.fixture.ts')
      const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--conditions=vitrine-source']
      // Twice: without any checkpoint, as after a new version of the fold, and with them.
      for (const _ of ['first', 'again']) {
        const { stdout } = await promisify(execFile)(process.execPath, [...flags, file, folder])
        const said = JSON.parse(stdout) as { sessions: number; heap: number; pauseMs: number }
        if (process.env.VITRINE_LONG_EVENTS) console.log(said)
        expect(said.sessions).toBe(SESSIONS)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  SESSIONS * EVENTS > 100_000 ? 1_800_000 : 120_000,
)
