import { randomUUID } from 'node:crypto'
import {
  type BlobRef,
  type EventDraft,
  type JsonObject,
  messagesPage,
  type RunStatus,
  type SessionState,
  type SessionSummary,
  snapshot,
  type TurnInput,
  windowStart,
} from '@vitrine/protocol'
import type { Agent, LargeText } from '../agents/agent.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { SessionLog } from '../log/session-log.ts'
import type { RowChange, SessionRow, Storage } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { loadState, saveCheckpoint } from './load.ts'
import { Refusal, type Runtime } from './runtime.ts'
import { SessionActor } from './session-actor.ts'
import { Slots } from './slots.ts'
import { compileUi } from './ui-results.ts'

export interface RuntimeOptions {
  storage: Storage
  blobs: Blobs
  hub: Hub
  /** The first one is what a new session gets when it names none. */
  agents: readonly Agent[]
  limits?: Partial<Limits>
  now?: () => number
}

const PREVIEW = 8 * 1024

export function createRuntime(options: RuntimeOptions): Runtime {
  const { storage, blobs, hub, agents } = options
  const limits = { ...defaultLimits, ...options.limits }
  const now = options.now ?? Date.now
  const slots = new Slots(limits.runs)
  const actors = new Map<string, Promise<SessionActor>>()
  const agent = (agentId: string): Agent | undefined => agents.find(one => one.agentId === agentId)
  let closing = false

  async function rowOf(owner: string, sessionId: string): Promise<SessionRow> {
    const row = await storage.session(sessionId)
    // The same answer for what is not there and for what is somebody else's.
    if (!row || row.owner !== owner) throw new Refusal(404, 'session_not_found', 'There is no such session.')
    return row
  }

  /** The session in memory, taken over under a new lease when it was not. */
  async function actorOf(owner: string, sessionId: string): Promise<SessionActor> {
    const row = await rowOf(owner, sessionId)
    return actors.get(sessionId) ?? activate(row)
  }

  function activate(row: SessionRow): Promise<SessionActor> {
    if (closing) throw new Refusal(503, 'stopping', 'The server is stopping.', 'Try again in a moment.')
    const { sessionId } = row
    const opening = open(row)
    actors.set(sessionId, opening)
    opening.catch(() => actors.delete(sessionId))
    evict()
    return opening
  }

  async function open(row: SessionRow): Promise<SessionActor> {
    const { sessionId, owner } = row
    const { epoch } = await storage.lease(sessionId)
    const state = await loadState(storage, sessionId, { messages: Number.POSITIVE_INFINITY })
    const log = new SessionLog({
      storage,
      hub,
      row,
      state,
      epoch,
      batchMs: limits.batchMs,
      now,
      onBroken: () => {
        actors.delete(sessionId)
        void actor.close('The log of this session could not be written.')
      },
      onRow: change => void tellParent(owner, state, change).catch(() => {}),
    })
    const actor: SessionActor = new SessionActor({
      log,
      slots,
      agent,
      limits,
      now,
      store: large => store(sessionId, owner, large),
      whole,
      compileUi: hints => {
        const { locale } = state.session.metadata
        return compileUi(hints, typeof locale === 'string' ? locale : undefined)
      },
      onIdle: async () => {
        await log.settled()
        if (log.changedMessages.size > 0) await saveCheckpoint(storage, state, log.changedMessages)
      },
    })
    // A run that is open in the log and in nobody's hands was cut off.
    await actor.recover()
    return actor
  }

  /** Sessions in which nothing happens leave memory, the ones used longest ago first. */
  function evict(): void {
    for (const [sessionId, opening] of actors) {
      if (actors.size <= limits.openSessions) return
      void opening.then(actor => {
        if (actor.idle && actors.size > limits.openSessions) actors.delete(sessionId)
      })
    }
  }

  async function store(
    sessionId: string,
    owner: string,
    large: LargeText,
  ): Promise<{ preview: string; ref?: BlobRef }> {
    const text = large.text.toWellFormed()
    if (text.length <= PREVIEW) return { preview: text }
    const ref = await blobs.put(Buffer.from(text), large.mediaType ?? 'text/plain; charset=utf-8')
    await storage.addBlob(sessionId, owner, { digest: ref.digest, size: ref.size, mediaType: ref.mediaType })
    return { preview: text.slice(0, PREVIEW).toWellFormed(), ref }
  }

  async function whole(input: TurnInput): Promise<TurnInput> {
    const bytes = input.ref && (await blobs.get(input.ref.digest))
    return bytes ? { ...input, text: Buffer.from(bytes).toString() } : input
  }

  /** A background task reports to the session that started it. */
  async function tellParent(owner: string, state: SessionState, change: RowChange): Promise<void> {
    const { parent } = state.session
    if (!parent?.taskId || change.status === undefined) return
    const { status, attention } = TASK_STATUS[change.status]
    const actor = await actorOf(owner, parent.sessionId)
    await actor.log.write([
      { type: 'task.changed', taskId: parent.taskId, status, attention, childSessionId: state.sessionId },
    ])
  }

  /** The projection for a reader: from memory when the session is active, else from its checkpoint. Durable only (L1). */
  async function reading<T>(
    sessionId: string,
    window: { before?: number; messages: number },
    take: (state: SessionState) => T,
  ): Promise<T> {
    const actor = await actors.get(sessionId)
    if (!actor) return take(await loadState(storage, sessionId, window))
    const taken = take(actor.state)
    await actor.log.settled()
    return taken
  }

  const runtime: Runtime = {
    async createSession(owner, command) {
      const sessionId = command.sessionId ?? `ses_${randomUUID()}`
      const existing = await storage.session(sessionId)
      if (existing) {
        if (existing.owner !== owner)
          throw new Refusal(409, 'session_exists', 'This session id is taken.', 'Use another id.')
        return { session: summaryOf(existing) }
      }
      const chosen = command.agentId === undefined ? agents[0] : agent(command.agentId)
      if (!chosen) throw new Refusal(422, 'agent_not_found', 'There is no such agent.', 'GET /api/agents lists them.')
      const { parent } = command
      if (parent) await rowOf(owner, parent.sessionId)
      const taskId = parent && `task_${parent.turnId}`
      const at = now()
      const row: SessionRow = {
        owner,
        sessionId,
        title: '',
        agentId: chosen.agentId,
        createdAt: at,
        updatedAt: at,
        seq: 0,
        readSeq: 0,
        pinned: false,
        archived: false,
        status: 'idle',
        queued: 0,
        messageCount: 0,
        parentSessionId: parent?.sessionId ?? null,
        unfinished: false,
      }
      await storage.createSession(row)
      const actor = await activate(row)
      const { title, queuePolicy, metadata } = command
      const first: EventDraft = {
        type: 'session.updated',
        agentId: chosen.agentId,
        ...(title && { title }),
        ...(queuePolicy && { queuePolicy }),
        ...(metadata && { metadata }),
        ...(parent && { parent: { sessionId: parent.sessionId, taskId: taskId! } }),
      }
      await actor.log.write([first])
      if (parent && taskId) {
        const task = parent.input.text.trim().split('\n', 1)[0]!.slice(0, 120).toWellFormed()
        const above = await actorOf(owner, parent.sessionId)
        await above.log.write([
          {
            type: 'task.changed',
            taskId,
            title: task,
            status: 'submitted',
            childSessionId: sessionId,
            attention: 'none',
          },
        ])
        await actor.submit({ ...parent.input, turnId: parent.turnId })
        return { session: actor.log.summary, taskId }
      }
      return { session: actor.log.summary }
    },

    async updateSession(owner, sessionId, command) {
      const actor = await actorOf(owner, sessionId)
      await actor.exclusively(() => actor.log.write([{ type: 'session.updated', ...command }]))
      return { session: actor.log.summary }
    },

    async deleteSession(owner, sessionId) {
      const row = await rowOf(owner, sessionId)
      const actor = await actors.get(sessionId)
      await actor?.close('The session is being deleted.')
      actors.delete(sessionId)
      await storage.deleteSession(sessionId)
      hub.publishSummary(owner, { ...summaryOf(row), deleted: true })
    },

    async markRead(owner, sessionId, seq) {
      const row = await rowOf(owner, sessionId)
      const actor = await actors.get(sessionId)
      const readSeq = Math.min(seq, actor?.log.durable ?? row.seq)
      if (readSeq <= row.readSeq) return
      if (actor) return actor.log.updateRow({ readSeq })
      await storage.updateSession(sessionId, { readSeq })
      hub.publishSummary(owner, { ...summaryOf(row), readSeq })
    },

    async sessions(owner, { limit, cursor, search }) {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rows = await storage.sessions({
        owner,
        limit: limit + 1,
        ...(after && { after }),
        ...(search && { search }),
      })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return { sessions: page.map(summaryOf), cursor: rows.length > limit && last ? writeCursor(last) : null }
    },

    summary: async (owner, sessionId) => summaryOf(await rowOf(owner, sessionId)),

    async snapshot(owner, sessionId, messages) {
      await rowOf(owner, sessionId)
      return reading(sessionId, { messages }, state => snapshot(state, windowStart(state, messages)))
    },

    async messages(owner, sessionId, before, limit) {
      await rowOf(owner, sessionId)
      const from = Math.max(before - limit, 1)
      return reading(sessionId, { before, messages: limit }, state => messagesPage(state, from, before))
    },

    submit: async (owner, sessionId, command) => (await actorOf(owner, sessionId)).submit(command),
    enqueue: async (owner, sessionId, command) => (await actorOf(owner, sessionId)).enqueue(command),
    holdQueue: async (owner, sessionId, held) => (await actorOf(owner, sessionId)).hold(held),
    editQueued: async (owner, sessionId, turnId, command) =>
      (await actorOf(owner, sessionId)).editQueued(turnId, command),
    removeQueued: async (owner, sessionId, turnId) => (await actorOf(owner, sessionId)).removeQueued(turnId),
    steer: async (owner, sessionId, runId, command) => (await actorOf(owner, sessionId)).steer(runId, command),
    retry: async (owner, sessionId, runId, newRunId) => (await actorOf(owner, sessionId)).retry(runId, newRunId),
    respond: async (owner, sessionId, actionId, command) =>
      (await actorOf(owner, sessionId)).respond(actionId, command),
    revoke: async (owner, sessionId, permissionId) => (await actorOf(owner, sessionId)).revoke(permissionId),

    async queue(owner, sessionId) {
      await rowOf(owner, sessionId)
      return reading(sessionId, { messages: 1 }, ({ queue, session }) => ({
        turns: [...queue.turns],
        held: queue.held,
        reason: queue.reason,
        policy: session.queuePolicy,
      }))
    },

    async interrupt(owner, sessionId, target) {
      const actor = await actorOf(owner, sessionId)
      const tasks = [...actor.state.tasks.byId.values()]
      if (target.taskId !== undefined) {
        const child = tasks.find(task => task.taskId === target.taskId)?.childSessionId
        if (!child) throw new Refusal(404, 'task_not_found', 'There is no such task in this session.')
        return (await actorOf(owner, child)).interrupt({})
      }
      const { runIds } = await actor.interrupt(target)
      if (target.runId !== undefined || target.turnId !== undefined) return { runIds }
      for (const { childSessionId } of tasks) {
        const child = childSessionId ? await actors.get(childSessionId) : undefined
        if (child?.busy) runIds.push(...(await child.interrupt({})).runIds)
      }
      return { runIds }
    },

    async surfaceAction(owner, sessionId, surfaceId, { key, edits, ...action }) {
      const actor = await actorOf(owner, sessionId)
      if (actor.state.surfaces.byId.get(surfaceId)?.state !== 'live') {
        throw new Refusal(
          404,
          'surface_not_found',
          'This surface is no longer there.',
          'Ask the agent to show it again.',
        )
      }
      if (edits) await actor.exclusively(() => actor.surfaces.accept(surfaceId, edits))
      return actor.deliver(key, `[a2ui.action]\n${JSON.stringify({ surfaceId, ...action })}`, 'a2ui')
    },

    async uiAction(owner, sessionId, { key, action, toolCallId, values }) {
      const actor = await actorOf(owner, sessionId)
      // An event is for the host application; the server only confirms that the session exists.
      if (action.type === 'event') return { state: 'event' }
      const said: JsonObject = {
        ...(action as JsonObject),
        ...(toolCallId && { toolCallId }),
        ...(values && { values }),
      }
      return actor.deliver(key, `[ui.action]\n${JSON.stringify(said)}`, 'ui-schema')
    },

    async blob(owner, sessionId, digest) {
      await rowOf(owner, sessionId)
      const known = await storage.blob(sessionId, digest)
      const bytes = known && (await blobs.get(digest))
      if (!known || !bytes) throw new Refusal(404, 'blob_not_found', 'There is no such content in this session.')
      return { bytes, mediaType: known.mediaType }
    },

    async recover() {
      for (const row of await storage.unfinished()) await activate(row)
    },

    async close() {
      closing = true
      const open = await Promise.allSettled(actors.values())
      await Promise.all(
        open.map(result => result.status === 'fulfilled' && result.value.close('The server was stopped.')),
      )
    },
  }
  return runtime
}

const TASK_STATUS: Record<
  SessionSummary['status'],
  { status: RunStatus; attention: 'none' | 'needs-input' | 'failed' }
> = {
  running: { status: 'streaming', attention: 'none' },
  waiting: { status: 'queued', attention: 'none' },
  'needs-input': { status: 'waiting', attention: 'needs-input' },
  failed: { status: 'failed', attention: 'failed' },
  interrupted: { status: 'interrupted', attention: 'failed' },
  unknown: { status: 'unknown', attention: 'none' },
  idle: { status: 'completed', attention: 'none' },
}

function summaryOf({ owner: _, unfinished: __, ...summary }: SessionRow): SessionSummary {
  return summary
}

const writeCursor = ({ updatedAt, sessionId }: SessionRow): string =>
  Buffer.from(JSON.stringify([updatedAt, sessionId])).toString('base64url')

function readCursor(cursor: string): { updatedAt: number; sessionId: string } {
  try {
    const [updatedAt, sessionId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof updatedAt === 'number' && typeof sessionId === 'string') return { updatedAt, sessionId }
  } catch {
    // Not one of ours: refused below.
  }
  throw new Refusal(
    400,
    'cursor_invalid',
    'The cursor is not one that this server gave out.',
    'Start from the first page.',
  )
}
