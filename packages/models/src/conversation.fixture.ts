import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apply, createState, type SessionEvent, type SessionState, verify } from '@vitrine/protocol'
import {
  type Agent,
  createHub,
  createRuntime,
  openFileBlobs,
  openSqlite,
  type Principal,
  type Runtime,
  type ToolSource,
} from '@vitrine/server'
import { afterEach, beforeEach, expect } from 'vitest'
import { type ModelAgentOptions, modelAgent } from './model-agent.ts'
import { type Provider, startProvider, type Wire } from './wire/provider.fixture.ts'

export const OWNER: Principal = { id: 'ann', name: 'Ann', kind: 'person', roles: [], claims: {} }

/** A session with an agent, on the real runtime with a real database. */
export interface Conversation {
  readonly runtime: Runtime
  sessionId: string
  /** Sends a turn and does not wait for its end. */
  send(text: string, files?: { digest: string; name: string }[]): Promise<void>
  /** Sends a turn and waits until its run has ended. */
  ask(text: string, files?: { digest: string; name: string }[]): Promise<SessionState>
  upload(bytes: Uint8Array, mediaType: string): Promise<string>
  events(): Promise<SessionEvent[]>
  state(): Promise<SessionState>
  until(what: (state: SessionState) => boolean): Promise<SessionState>
  /** Stops the runtime in order and starts another one on the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function converse(agent: Agent, tools: readonly ToolSource[] = []): Promise<Conversation> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-models-'))
  const hub = createHub()
  let storage = await openSqlite({ folder })
  const open = async () =>
    createRuntime({ storage, hub, blobs: await openFileBlobs({ folder }), agents: [agent], tools })
  let runtime = await open()
  const { sessionId } = (await runtime.createSession(OWNER, {})).session
  let turns = 0

  const events = (): Promise<SessionEvent[]> => storage.events(sessionId, 0, 1_000_000)
  const state = async (): Promise<SessionState> => {
    const folded = createState(sessionId)
    for (const event of await events()) {
      expect(verify(folded, event), `${event.seq} ${event.type}`).toBeUndefined()
      apply(folded, event)
    }
    return folded
  }
  const until: Conversation['until'] = async what => {
    let changed = Promise.withResolvers<void>()
    const stop = hub.onEvents(sessionId, () => changed.resolve())
    try {
      for (;;) {
        changed = Promise.withResolvers<void>()
        const now = await state()
        if (what(now)) return now
        await changed.promise
      }
    } finally {
      stop()
    }
  }
  const send: Conversation['send'] = async (text, files = []) => {
    turns++
    await runtime.submitTurn(OWNER, sessionId, { turnId: `t${turns}`, text, ...(files.length > 0 && { files }) })
  }
  return {
    get runtime() {
      return runtime
    },
    sessionId,
    send,
    ask: async (text, files) => {
      await send(text, files)
      const count = turns
      return until(({ session, counts }) => counts.runs === count && session.activeRunId === null)
    },
    upload: async (bytes, mediaType) => {
      const one = async function* () {
        yield bytes
      }
      const { digest } = await runtime.uploadFile(OWNER, { bytes: one(), mediaType })
      return digest
    },
    events,
    state,
    until,
    restart: async () => {
      await runtime.close()
      await storage.close()
      storage = await openSqlite({ folder })
      runtime = await open()
      await runtime.recover()
    },
    close: async () => {
      await runtime.close()
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A provider and a conversation for each test of a file. */
export interface Stage {
  provider: Provider
  talk: Conversation
  /** Begins a conversation with an agent whose model is at the provider. */
  open(wire: Wire, options?: Partial<ModelAgentOptions>, tools?: readonly ToolSource[]): Promise<Conversation>
}

export function stage(): Stage {
  const talks: Conversation[] = []
  const made = {
    async open(wire: Wire, options: Partial<ModelAgentOptions> = {}, tools: readonly ToolSource[] = []) {
      const agent = modelAgent({ agentId: 'model', model: wire.model(made.provider.url), ...options })
      made.talk = await converse(agent, tools)
      talks.push(made.talk)
      return made.talk
    },
  } as Stage
  beforeEach(async () => {
    made.provider = await startProvider()
  })
  afterEach(async () => {
    for (const talk of talks.splice(0)) await talk.close()
    await made.provider.close()
  })
  return made
}
