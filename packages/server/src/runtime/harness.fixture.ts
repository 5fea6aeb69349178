import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UiActionPayload } from '@vitrine/genui/schema'
import { apply, createState, type SessionEvent, type SessionState, type TurnInput, verify } from '@vitrine/protocol'
import { expect } from 'vitest'
import type { Agent, AgentContext, AgentOutput } from '../agents/agent.ts'
import type { Principal } from '../auth/principal.ts'
import { openFileBlobs } from '../blobs/file-blobs.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import type { Storage } from '../storage/storage.ts'
import { createHub, type Hub } from '../stream/hub.ts'
import { createRuntime, type RuntimeOptions } from './create-runtime.ts'
import type { Runtime } from './runtime.ts'

/** A person of a test. */
export const person = (id: string, name = ''): Principal => ({ id, name, kind: 'person', roles: [], claims: {} })

export const OWNER = person('ann', 'Ann')

type Script = (input: TurnInput, context: AgentContext) => AsyncIterable<AgentOutput>

export const scripted = (run: Script, agentId = 'test'): Agent => ({
  agentId,
  name: agentId,
  description: 'An agent of a test',
  scripted: true,
  run,
})

/** The outputs of a call whose card has a button for each action. */
export const card = (...actions: readonly unknown[]): AgentOutput[] => [
  { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' },
  {
    type: 'tool.result',
    toolCallId: 'card',
    ui: {
      version: '2.0',
      root: {
        type: 'stack',
        children: actions.map(action => ({ type: 'button', label: 'Press', action: action as UiActionPayload })),
      },
    },
  },
]

export interface Harness {
  runtime: Runtime
  storage: Storage
  hub: Hub
  folder: string
  /** A session whose agent is the first one. */
  session(options?: Parameters<Runtime['createSession']>[1]): Promise<string>
  events(sessionId: string): Promise<SessionEvent[]>
  /** The fold of the log; fails when it is not legal and gapless. */
  state(sessionId: string): Promise<SessionState>
  until(sessionId: string, what: (state: SessionState) => boolean): Promise<SessionState>
  restart(options?: HarnessOptions): Promise<Harness>
  close(): Promise<void>
}

type HarnessOptions = Partial<Omit<RuntimeOptions, 'storage'>> & { folder?: string; storage?: Storage }

/** The real runtime on a real database in a folder of its own. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'vitrine-runtime-')))
  const storage = options.storage ?? (await openSqlite({ folder }))
  const hub = createHub()
  const agents = options.agents ?? [scripted(async function* () {})]
  const runtime = createRuntime({ blobs: await openFileBlobs({ folder }), ...options, storage, hub, agents })
  await runtime.recover()

  const events = (sessionId: string): Promise<SessionEvent[]> => storage.events(sessionId, 0, 1_000_000)
  const state = async (sessionId: string): Promise<SessionState> => {
    const folded = createState(sessionId)
    for (const event of await events(sessionId)) {
      expect(verify(folded, event), `${event.seq} ${event.type}`).toBeUndefined()
      apply(folded, event)
    }
    return folded
  }
  return {
    runtime,
    storage,
    hub,
    folder,
    events,
    state,
    session: async (given = {}) => (await runtime.createSession(OWNER, given)).session.sessionId,
    async until(sessionId, what) {
      const changed = new EventTarget()
      const stop = hub.onEvents(sessionId, () => changed.dispatchEvent(new Event('changed')))
      const deadline = Date.now() + 30_000
      try {
        for (;;) {
          const next = new Promise(resolve => {
            changed.addEventListener('changed', resolve, { once: true })
            setTimeout(resolve, 200)
          })
          const now = await state(sessionId)
          if (what(now)) return now
          if (Date.now() > deadline)
            throw new Error(`never happened; runs: ${JSON.stringify([...now.runs.byId.values()])}`)
          await next
        }
      } finally {
        stop()
      }
    },
    async restart(changes = {}) {
      await runtime.close()
      await storage.close()
      return harness({ ...options, ...changes, folder })
    },
    async close() {
      await runtime.close()
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const ended = (state: SessionState): boolean =>
  state.session.activeRunId === null && state.session.latestRunId !== null
