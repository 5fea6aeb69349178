import { randomUUID } from 'node:crypto'
import {
  apply,
  type BlobRef,
  type Command,
  createState,
  type JsonObject,
  messagesPage,
  openTasks,
  type RunStatus,
  type SessionState,
  type SessionSummary,
  snapshot,
  type TurnInput,
  windowStart,
} from '@vitrine/protocol'
import type { Agent, LargeText } from '../agents/agent.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { eventFrom, listed, SessionLog } from '../log/session-log.ts'
import { erase } from '../storage/erase.ts'
import { type NewSession, type RowChange, SessionExists, type SessionRow, type Storage } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { loadState, saveCheckpoint } from './load.ts'
import { OpenSessions } from './open-sessions.ts'
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
/** What the first event of a session has room for. */
const MAX_FIRST_BYTES = 60 * 1024
export function createRuntime(options: RuntimeOptions): Runtime {
  const { storage, blobs, hub, agents } = options
  const limits = { ...defaultLimits, ...options.limits }
  const now = options.now ?? Date.now
  const slots = new Slots(limits.runs)
  const open = new OpenSessions({
    open: takeOver,
    row: sessionId => storage.session(sessionId),
    limit: limits.openSessions,
  })
  const reports = new Set<Promise<void>>()
  const agent = (agentId: string): Agent | undefined => agents.find(one => one.agentId === agentId)

  async function rowOf(owner: string, sessionId: string): Promise<SessionRow> {
    const row = await storage.session(sessionId)
    // The same answer for what is not there and for what is somebody else's.
    if (!row || row.owner !== owner) throw notFound()
    return row
  }

  const using = async <T>(owner: string, sessionId: string, use: (actor: SessionActor) => Promise<T>): Promise<T> =>
    open.hold(await rowOf(owner, sessionId), use)

  /** Makes the session this process's own: the lease, its projection, its one writer, and what a crash left open. */
  async function takeOver(row: SessionRow, broken: (error: Error) => void): Promise<SessionActor> {
    const { sessionId, owner } = row
    const { epoch } = await storage.lease(sessionId).catch(async error => {
      // Deleted since it was looked up.
      throw (await storage.session(sessionId)) ? error : notFound()
    })
    const changedMessages = new Set<number>()
    const state = await loadState(storage, sessionId, { messages: Number.POSITIVE_INFINITY }, changedMessages)
    const log = new SessionLog({
      storage,
      hub,
      row,
      state,
      changedMessages,
      epoch,
      batchMs: limits.batchMs,
      now,
      onBroken: broken,
      onRow: change => {
        const report = tellParent(owner, state, change)
          .catch(() => {})
          .finally(() => reports.delete(report))
        reports.add(report)
      },
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
        await saveCheckpoint(storage, log)
      },
    })
    // A run that is open in the log and in nobody's hands was cut off.
    await actor.recover()
    await catchUp(actor)
    return actor
  }

  /** What a child became while its report could not be written (a crash between the two). */
  async function catchUp({ state, log }: SessionActor): Promise<void> {
    for (const { taskId, childSessionId, status: shown } of openTasks(state)) {
      const child = childSessionId === null ? undefined : await storage.session(childSessionId)
      if (!child || child.messageCount === 0) continue
      const { status, attention } = TASK_STATUS[child.status]
      if (status !== shown) {
        await log.write([{ type: 'task.changed', taskId, status, attention, childSessionId: child.sessionId }])
      }
    }
  }

  async function store(
    sessionId: string,
    owner: string,
    large: LargeText,
  ): Promise<{ preview: string; ref?: BlobRef }> {
    const text = large.text.toWellFormed()
    if (text.length <= PREVIEW) return { preview: text }
    const ref = await blobs.put(
      Buffer.from(text),
      large.mediaType ?? 'text/plain; charset=utf-8',
      ({ digest, size, mediaType }) => storage.addBlob(sessionId, owner, { digest, size, mediaType }),
    )
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
    const { taskId } = parent
    await using(owner, parent.sessionId, ({ log }) =>
      log.write([{ type: 'task.changed', taskId, status, attention, childSessionId: state.sessionId }]),
    )
  }

  /** The projection for a reader: from memory when the session is active, else from its checkpoint. Durable only (L1). */
  async function reading<T>(
    sessionId: string,
    window: { before?: number; messages: number },
    take: (state: SessionState) => T,
  ): Promise<T> {
    const actor = await open.find(sessionId)
    if (actor && !actor.log.broken) {
      const taken = take(actor.state)
      const durable = await actor.log.settled().then(
        () => true,
        () => false,
      )
      if (durable) return taken
    }
    return take(await loadState(storage, sessionId, window))
  }

  const runtime: Runtime = {
    async createSession(owner, command) {
      const { sessionId = `ses_${randomUUID()}`, parent } = command
      if (parent) await rowOf(owner, parent.sessionId)
      const row = await made(owner, sessionId, command)
      if (!parent) return { session: summaryOf(row) }
      const taskId = taskOf(parent)
      return open.hold(row, async actor => {
        if (actor.state.session.parent?.taskId !== taskId) throw taken()
        await using(owner, parent.sessionId, above =>
          above.exclusively(async () => {
            if (above.state.tasks.byId.has(taskId)) return
            const task = parent.input.text.trim().split('\n', 1)[0]!.slice(0, 120).toWellFormed()
            const status = 'submitted'
            await above.log.write([
              { type: 'task.changed', taskId, title: task, status, childSessionId: sessionId, attention: 'none' },
            ])
          }),
        )
        await actor.submit({ ...parent.input, turnId: parent.turnId })
        return { session: actor.log.summary, taskId }
      })
    },

    updateSession: (owner, sessionId, command) =>
      using(owner, sessionId, async actor => {
        await actor.exclusively(() => actor.log.write([{ type: 'session.updated', ...command }]))
        return { session: actor.log.summary }
      }),

    async deleteSession(owner, sessionId) {
      const row = await rowOf(owner, sessionId)
      await open.remove(sessionId, 'The session is being deleted.', () => erase(storage, blobs, sessionId))
      hub.publishSummary(owner, { ...summaryOf(row), deleted: true })
    },

    async markRead(owner, sessionId, seq) {
      const row = await rowOf(owner, sessionId)
      const actor = await open.find(sessionId)
      const readSeq = Math.min(seq, actor?.log.durable ?? row.seq)
      if (readSeq <= row.readSeq) return
      if (actor) return actor.log.updateRow({ readSeq })
      await storage.updateSession(sessionId, { readSeq })
      hub.publishSummary(owner, { ...summaryOf(row), readSeq })
    },

    async sessions(owner, { limit, cursor, search, only }) {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rows = await storage.sessions({
        owner,
        limit: limit + 1,
        ...(after && { after }),
        ...(search && { search }),
        ...(only && { only }),
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

    submit: (owner, sessionId, command) => using(owner, sessionId, actor => actor.submit(command)),
    enqueue: (owner, sessionId, command) => using(owner, sessionId, actor => actor.enqueue(command)),
    holdQueue: (owner, sessionId, held) => using(owner, sessionId, actor => actor.hold(held)),
    editQueued: (owner, sessionId, turnId, command) =>
      using(owner, sessionId, actor => actor.editQueued(turnId, command)),
    removeQueued: (owner, sessionId, turnId) => using(owner, sessionId, actor => actor.removeQueued(turnId)),
    steer: (owner, sessionId, runId, command) => using(owner, sessionId, actor => actor.steer(runId, command)),
    retry: (owner, sessionId, runId, newRunId) => using(owner, sessionId, actor => actor.retry(runId, newRunId)),
    respond: (owner, sessionId, actionId, command) =>
      using(owner, sessionId, actor => actor.respond(actionId, command)),
    revoke: (owner, sessionId, permissionId) => using(owner, sessionId, actor => actor.revoke(permissionId)),

    async queue(owner, sessionId) {
      await rowOf(owner, sessionId)
      return reading(sessionId, { messages: 1 }, ({ queue, session }) => ({
        turns: [...queue.turns],
        held: queue.held,
        reason: queue.reason,
        policy: session.queuePolicy,
      }))
    },

    interrupt: (owner, sessionId, target) =>
      using(owner, sessionId, async actor => {
        const tasks = [...actor.state.tasks.byId.values()]
        if (target.taskId !== undefined) {
          const child = tasks.find(task => task.taskId === target.taskId)?.childSessionId
          if (!child) throw new Refusal(404, 'task_not_found', 'There is no such task in this session.')
          return using(owner, child, of => of.interrupt({}))
        }
        const { runIds } = await actor.interrupt(target)
        if (target.runId !== undefined || target.turnId !== undefined) return { runIds }
        for (const { childSessionId } of tasks) {
          const child = childSessionId ? await open.find(childSessionId) : undefined
          if (child?.busy) runIds.push(...(await child.interrupt({})).runIds)
        }
        return { runIds }
      }),

    surfaceAction: (owner, sessionId, surfaceId, { key, edits, ...action }) =>
      using(owner, sessionId, async actor => {
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
      }),

    uiAction: (owner, sessionId, { key, action, toolCallId, values }) =>
      using(owner, sessionId, async actor => {
        // An event is for the host application; the server only confirms that the session exists.
        if (action.type === 'event') return { state: 'event' }
        const said: JsonObject = {
          ...(action as JsonObject),
          ...(toolCallId && { toolCallId }),
          ...(values && { values }),
        }
        return actor.deliver(key, `[ui.action]\n${JSON.stringify(said)}`, 'ui-schema')
      }),

    async blob(owner, sessionId, digest) {
      await rowOf(owner, sessionId)
      const known = await storage.blob(sessionId, digest)
      const bytes = known && (await blobs.get(digest))
      if (!known || !bytes) throw new Refusal(404, 'blob_not_found', 'There is no such content in this session.')
      return { bytes, mediaType: known.mediaType }
    },

    async recover() {
      // One that cannot be opened must not keep the others from their people; a command tries it again.
      for (const row of await storage.unfinished()) await open.hold(row, async () => {}).catch(() => {})
    },

    async close() {
      await open.close('The server was stopped.')
      await Promise.all(reports)
    },
  }
  return runtime

  /** The session of this id: the one that its owner made before, or a new one with its first event, in one commit. */
  async function made(owner: string, sessionId: string, command: Command<'createSession'>): Promise<SessionRow> {
    const existing = await storage.session(sessionId)
    if (existing && existing.owner !== owner) throw taken()
    if (existing) return existing
    const { agentId, title, queuePolicy, metadata, parent } = command
    const chosen = agentId === undefined ? agents[0] : agent(agentId)
    if (!chosen) throw new Refusal(422, 'agent_not_found', 'There is no such agent.', 'GET /api/agents lists them.')
    if (Buffer.byteLength(JSON.stringify([title, metadata])) > MAX_FIRST_BYTES) {
      throw new Refusal(413, 'too_large', 'Title and metadata are too large.', 'Send less.')
    }
    const state = createState(sessionId)
    const first = eventFrom(state, now(), {
      type: 'session.updated',
      agentId: chosen.agentId,
      ...(title && { title }),
      ...(queuePolicy && { queuePolicy }),
      ...(metadata && { metadata }),
      ...(parent && { parent: { sessionId: parent.sessionId, taskId: taskOf(parent) } }),
    })
    apply(state, first)
    const row: NewSession = {
      ...listed(state),
      owner,
      sessionId,
      createdAt: first.at,
      readSeq: 0,
      parentSessionId: parent?.sessionId ?? null,
    }
    const stored = await storage.createSession(row, [first]).catch(error => {
      throw error instanceof SessionExists ? taken() : error
    })
    hub.publishSummary(owner, summaryOf(stored))
    return stored
  }
}

const taskOf = ({ turnId }: { turnId: string }): string => `task_${turnId}`
const notFound = (): Refusal => new Refusal(404, 'session_not_found', 'There is no such session.')
const taken = (): Refusal => new Refusal(409, 'session_exists', 'This session id is taken.', 'Use another id.')

const TASK_STATUS: Record<
  SessionSummary['status'],
  { status: RunStatus; attention: 'none' | 'needs-input' | 'failed' }
> = {
  running: { status: 'streaming', attention: 'none' },
  waiting: { status: 'queued', attention: 'none' },
  'needs-input': { status: 'waiting', attention: 'needs-input' },
  failed: { status: 'failed', attention: 'failed' },
  interrupted: { status: 'interrupted', attention: 'none' },
  unknown: { status: 'unknown', attention: 'none' },
  idle: { status: 'completed', attention: 'none' },
}

function summaryOf({ owner: _, unfinished: __, logId: ___, ...summary }: SessionRow): SessionSummary {
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
