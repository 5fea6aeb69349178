import { randomUUID } from 'node:crypto'
import {
  apply,
  type BlobRef,
  type Command,
  createState,
  type Interaction,
  type Json,
  jsonEqual,
  openTasks,
  type RunStatus,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  snapshot,
  type TurnInput,
  windowStart,
} from '@vitrine/protocol'
import type { Agent, LargeText } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import { actorOf, type Principal } from '../auth/principal.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { BlobDamaged } from '../blobs/file-blobs.ts'
import { eventFrom, listed, SessionLog } from '../log/session-log.ts'
import { type NewSession, type RowChange, SessionExists, type SessionRow, type Storage } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { createDeleting } from './deleting.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { type Loaded, loadState, putAway } from './load.ts'
import { OpenSessions } from './open-sessions.ts'
import * as reasons from './reasons.ts'
import { keyReused, notFound, Refusal, type Runtime, summaryOf } from './runtime.ts'
import { SessionActor } from './session-actor.ts'
import { Slots } from './slots.ts'
import { checkUiAction } from './ui-actions.ts'
import { compileUi } from './ui-results.ts'

export interface RuntimeOptions {
  storage: Storage
  blobs: Blobs
  hub: Hub
  /** The first one is what a new session gets when it names none. */
  agents: readonly Agent[]
  limits?: Partial<Limits>
  now?: () => number
  /** Failures of agents and of erasures, with their stack, for whoever runs the server. */
  report?: (line: string, error: unknown) => void
}

const PREVIEW = 8 * 1024
/** What the first event of a session has room for. */
const MAX_FIRST_BYTES = 60 * 1024
/** Histories that are read at once: each takes memory and time of everybody. */
const LOADS = 2
/** About what a snapshot and a page of older messages may be. */
const SNAPSHOT_BYTES = 1024 * 1024
const PAGE_BYTES = 512 * 1024

export function createRuntime(options: RuntimeOptions): Runtime {
  const { storage, blobs, hub, agents } = options
  const limits = { ...defaultLimits, ...options.limits }
  const now = options.now ?? Date.now
  const report = options.report ?? (() => {})
  const slots = new Slots(limits.runs)
  const open = new OpenSessions({
    open: takeOver,
    row: sessionId => storage.session(sessionId),
    damaged: sessionId =>
      storage.noteDamage(sessionId).then(
        row => row && hub.publishSummary(row.owner, summaryOf(row)),
        error => report(`the damage of session ${sessionId} could not be noted`, error),
      ),
    limit: limits.openSessions,
    bytes: limits.openBytes,
  })
  const { eraseAfterMs } = limits
  const deleting = createDeleting({ storage, blobs, hub, open, eraseAfterMs, now, report })
  const loads = new Slots(LOADS)
  const reports = new Set<Promise<void>>()
  const agent = (agentId: string): Agent | undefined => agents.find(one => one.agentId === agentId)

  async function rowOf(who: Principal, sessionId: string): Promise<SessionRow> {
    const row = await storage.session(sessionId)
    // The same answer for what is not there and for what is somebody else's.
    if (!row || row.owner !== who.id) throw notFound()
    return row
  }

  /** A write to a session that was deleted since it was looked up. */
  const unlessGone = <T>(sessionId: string, write: Promise<T>): Promise<T> =>
    write.catch(async error => {
      throw (await storage.session(sessionId)) ? error : notFound()
    })

  const using = async <T>(who: Principal, sessionId: string, use: (actor: SessionActor) => Promise<T>): Promise<T> =>
    open.hold(await rowOf(who, sessionId), use)

  async function load(sessionId: string): Promise<Loaded> {
    const release = await loads.take()
    return loadState(storage, sessionId).finally(release)
  }

  /** Makes the session this process's own: the lease, its projection, its one writer, and what a crash left open. */
  async function takeOver(row: SessionRow, broken: (error: Error) => void): Promise<SessionActor> {
    const { sessionId, owner } = row
    const { epoch } = await unlessGone(sessionId, storage.lease(sessionId))
    const loaded = await load(sessionId)
    const { state } = loaded
    const log = new SessionLog({
      storage,
      hub,
      row,
      loaded,
      epoch,
      batchMs: limits.batchMs,
      now,
      onBroken: broken,
      onRow: change => {
        const report = tellParent(state, change)
          .catch(() => {})
          .finally(() => reports.delete(report))
        reports.add(report)
      },
    })
    const actor: SessionActor = new SessionActor({
      log,
      loaded,
      slots,
      agent,
      limits,
      now,
      store: large => store(sessionId, owner, large),
      whole,
      report,
      compileUi: hints => {
        const { locale } = state.session.metadata
        return compileUi(hints, typeof locale === 'string' ? locale : undefined)
      },
      onIdle: async () => {
        await log.settled()
        return putAway(storage, loaded)
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
    const { text: given, mediaType } = large as { text: unknown; mediaType?: unknown }
    if (typeof given !== 'string' || (mediaType !== undefined && typeof mediaType !== 'string')) {
      throw new AgentError('What is stored is a text with a media type.', { code: 'request_invalid', retryable: false })
    }
    const text = given.toWellFormed()
    if (text.length <= PREVIEW) return { preview: text }
    const ref = await blobs.put(
      Buffer.from(text),
      mediaType ?? 'text/plain; charset=utf-8',
      ({ digest, size, mediaType }) => storage.addBlob(sessionId, owner, { digest, size, mediaType }),
    )
    return { preview: text.slice(0, PREVIEW).toWellFormed(), ref }
  }

  /** Bytes that a fact refers to. When they are gone or damaged, nobody may go on with a part of them. */
  async function bytesOf(digest: string): Promise<Uint8Array> {
    const bytes = await blobs.get(digest).catch(error => {
      if (!(error instanceof BlobDamaged)) throw error
    })
    if (bytes) return bytes
    const why = 'Content that this session refers to is missing or damaged in the data folder.'
    throw new Refusal(503, 'content_lost', why, 'Restore the data folder of the server from a backup.')
  }

  async function whole(input: TurnInput): Promise<TurnInput> {
    if (!input.ref) return input
    const bytes = await bytesOf(input.ref.digest)
    const text = Buffer.from(bytes).toString()
    return input.interaction ? { ...input, interaction: JSON.parse(text) as Interaction } : { ...input, text }
  }

  /** A background task reports to the session that started it. */
  async function tellParent(state: SessionState, change: RowChange): Promise<void> {
    const { parent } = state.session
    if (!parent?.taskId || change.status === undefined) return
    const { status, attention } = TASK_STATUS[change.status]
    const { taskId } = parent
    const row = await storage.session(parent.sessionId)
    if (!row) return
    await open.hold(row, ({ log }) =>
      log.write([{ type: 'task.changed', taskId, status, attention, childSessionId: state.sessionId }]),
    )
  }

  /** The projection for a reader: from memory when the session is active, else from its checkpoint. Durable only (L1). */
  async function reading<T>(sessionId: string, take: (loaded: Loaded) => T | Promise<T>): Promise<T> {
    const actor = await open.find(sessionId)
    if (actor && !actor.log.broken) {
      const taken = await take(actor.loaded)
      const durable = await actor.log.settled().then(
        () => true,
        () => false,
      )
      if (durable) return taken
    }
    return take(await load(sessionId))
  }

  const runtime: Runtime = {
    async createSession(who, command) {
      const { sessionId = `ses_${randomUUID()}`, parent } = command
      if (!parent) return { session: summaryOf(await made(who, sessionId, command, taken)) }
      const taskId = taskOf(parent)
      const by = actorOf(who)
      const row = await using(who, parent.sessionId, above =>
        above.exclusively(async () => {
          const known = above.state.tasks.byId.get(taskId)
          // The id of the turn is that of the task: sent again it is the first one, whichever session it asks for.
          if (known) return made(who, known.childSessionId ?? sessionId, command, keyReused)
          const child = await made(who, sessionId, command, taken)
          const title = parent.input.text.trim().split('\n', 1)[0]!.slice(0, 120).toWellFormed()
          const task = { taskId, title, status: 'submitted', childSessionId: sessionId, attention: 'none' } as const
          await above.log.write([{ type: 'task.changed', by, ...task }])
          return child
        }),
      )
      return open.hold(row, async actor => {
        await actor.submit({ ...parent.input, turnId: parent.turnId }, by).catch(error => {
          throw error instanceof Refusal && error.code === 'turn_reused' ? keyReused() : error
        })
        return { session: actor.log.summary, taskId }
      })
    },

    updateSession: (who, sessionId, command) =>
      using(who, sessionId, async actor => {
        await actor.exclusively(() => actor.log.write([{ type: 'session.updated', by: actorOf(who), ...command }]))
        return { session: actor.log.summary }
      }),

    deleteSession: deleting.deleteSession,
    restoreSession: deleting.restoreSession,
    eraseSession: deleting.eraseSession,

    async markRead(who, sessionId, seq) {
      const row = await rowOf(who, sessionId)
      const log = (await open.find(sessionId))?.log
      const readSeq = Math.min(seq, log?.durable ?? row.seq)
      const before = (await storage.readSeqs(who.id, [sessionId])).get(sessionId) ?? 0
      if (readSeq <= before) return
      await unlessGone(sessionId, storage.markRead(sessionId, who.id, readSeq))
      // The log's own row: what was read above may be older than what the list shows by now.
      hub.publishSummary(who.id, { ...(log?.summary ?? summaryOf(row)), readSeq })
    },

    async sessions(who, { limit, cursor, search, only }) {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rows = await storage.sessions({
        owner: who.id,
        limit: limit + 1,
        ...(after && { after }),
        ...(search && { search }),
        ...(only && { only }),
      })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const read = await storage.readSeqs(
        who.id,
        page.map(({ sessionId }) => sessionId),
      )
      const sessions = page.map(row => ({ ...summaryOf(row), readSeq: read.get(row.sessionId) ?? 0 }))
      return { sessions, cursor: rows.length > limit && last ? writeCursor(last) : null }
    },

    async position(who, sessionId) {
      const { logId, seq } = await rowOf(who, sessionId)
      return { log: logId, seq }
    },

    async snapshot(who, sessionId, messages) {
      const { logId } = await rowOf(who, sessionId)
      const limits = { messages, bytes: SNAPSHOT_BYTES }
      const taken = await reading(sessionId, ({ state }) => snapshot(state, windowStart(state, limits), limits.bytes))
      return { ...taken, log: logId }
    },

    async messages(who, sessionId, before, limit) {
      await rowOf(who, sessionId)
      const limits = { messages: limit, bytes: PAGE_BYTES }
      return reading(sessionId, ({ history }) => history.page(before, limits))
    },

    async parts(who, sessionId, ordinal, before) {
      await rowOf(who, sessionId)
      return reading(sessionId, async ({ history, state }) => {
        const exists = Number.isSafeInteger(ordinal) && ordinal > 0 && ordinal <= state.counts.messages
        if (!exists) throw new Refusal(404, 'message_not_found', 'There is no such message in this session.')
        return history.parts(ordinal, before)
      })
    },

    submit: (who, sessionId, command) => using(who, sessionId, actor => actor.submit(command, actorOf(who))),
    enqueue: (who, sessionId, command) => using(who, sessionId, actor => actor.enqueue(command, actorOf(who))),
    holdQueue: (who, sessionId, held) => using(who, sessionId, actor => actor.hold(held, actorOf(who))),
    editQueued: (who, sessionId, turnId, command) =>
      using(who, sessionId, actor => actor.editQueued(turnId, command, actorOf(who))),
    removeQueued: (who, sessionId, turnId) => using(who, sessionId, actor => actor.removeQueued(turnId, actorOf(who))),
    steer: (who, sessionId, runId, command) =>
      using(who, sessionId, actor => actor.steer(runId, command, actorOf(who))),
    retry: (who, sessionId, runId, newRunId) =>
      using(who, sessionId, actor => actor.retry(runId, newRunId, actorOf(who))),
    respond: (who, sessionId, actionId, command) =>
      using(who, sessionId, actor => actor.respond(actionId, command, actorOf(who))),
    revoke: (who, sessionId, permissionId) => using(who, sessionId, actor => actor.revoke(permissionId, actorOf(who))),

    async queue(who, sessionId) {
      await rowOf(who, sessionId)
      return reading(sessionId, ({ state: { queue, session } }) => ({
        turns: [...queue.turns],
        held: queue.held,
        reason: queue.reason,
        policy: session.queuePolicy,
      }))
    },

    interrupt: (who, sessionId, target) =>
      using(who, sessionId, async actor => {
        const tasks = [...actor.state.tasks.byId.values()]
        if (target.taskId !== undefined) {
          const child = tasks.find(task => task.taskId === target.taskId)?.childSessionId
          if (!child) throw new Refusal(404, 'task_not_found', 'There is no such task in this session.')
          return using(who, child, of => of.interrupt({}, actorOf(who)))
        }
        const { runIds } = await actor.interrupt(target, actorOf(who))
        if (target.runId !== undefined || target.turnId !== undefined) return { runIds }
        for (const { childSessionId } of tasks) {
          const child = childSessionId ? await open.find(childSessionId) : undefined
          if (child?.busy) runIds.push(...(await child.interrupt({}, actorOf(who))).runIds)
        }
        return { runIds }
      }),

    surfaceAction: (who, sessionId, surfaceId, { key, edits, ...action }) =>
      using(who, sessionId, actor => {
        const by = actorOf(who)
        return actor.deliver(key, { kind: 'a2ui', surfaceId, ...action }, by, edits ?? {})
      }),

    uiAction: (who, sessionId, command) =>
      using(who, sessionId, async actor => {
        const { key, ...pressed } = command
        // Sent again, it gets the first answer, also when the card is gone meanwhile.
        if (!(await actor.knows(key))) {
          const card = await actor.loaded.history.call(pressed.toolCallId)
          await checkUiAction({ ...actor.state, ...card }, command, blobs.get)
        }
        return actor.deliver(key, { kind: 'ui_schema', ...pressed }, actorOf(who))
      }),

    async blob(who, sessionId, digest) {
      await rowOf(who, sessionId)
      const known = await storage.blob(sessionId, digest)
      if (!known) throw new Refusal(404, 'blob_not_found', 'There is no such content in this session.')
      return { bytes: await bytesOf(digest), mediaType: known.mediaType }
    },

    async recover() {
      await deleting.start()
      // One that cannot be opened must not keep the others from their people: it is tried again in the background.
      for (const row of await storage.unfinished()) {
        await open.hold(row, async () => {}).catch(() => open.takeUp(row.sessionId))
      }
    },

    async close() {
      await deleting.stop()
      await open.close(reasons.serverStopped)
      await Promise.all(reports)
    },
  }
  return runtime

  /**
   * The session of this id: the one that the very same request of its owner made before, or a new one with its first
   * event, in one commit. Other content is refused with `other`.
   */
  async function made(
    who: Principal,
    sessionId: string,
    command: Command<'createSession'>,
    other: () => Refusal,
  ): Promise<SessionRow> {
    const { id: owner } = who
    const existing = async (): Promise<SessionRow | undefined> => {
      const row = await storage.session(sessionId)
      if (!row) return undefined
      if (row.owner !== owner) throw notFound()
      const [first] = await storage.events(sessionId, 0, 1)
      if (!first || !isMadeBy(first, command)) throw other()
      return row
    }
    const before = await existing()
    if (before) return before
    const { agentId, title, queuePolicy, metadata, parent } = command
    const chosen = agentId === undefined ? agents[0] : agent(agentId)
    if (!chosen) throw new Refusal(422, 'agent_not_found', 'There is no such agent.', 'GET /api/agents lists them.')
    if (Buffer.byteLength(JSON.stringify([title, metadata])) > MAX_FIRST_BYTES) {
      throw new Refusal(413, 'too_large', 'Title and metadata are too large.', 'Send less.')
    }
    const state = createState(sessionId)
    const first = eventFrom(state, now(), {
      type: 'session.updated',
      by: actorOf(who),
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
      parentSessionId: parent?.sessionId ?? null,
    }
    const stored = await storage.createSession(row, [first]).catch(async error => {
      if (!(error instanceof SessionExists)) throw error
      const meanwhile = await existing()
      if (meanwhile) return meanwhile
      // Whether somebody else has deleted theirs is nobody's business: the answer is the same.
      throw (await storage.hiddenSession(sessionId))?.owner === owner ? taken() : notFound()
    })
    hub.publishSummary(owner, summaryOf(stored))
    return stored
  }
}

const taskOf = ({ turnId }: { turnId: string }): string => `task_${turnId}`
/** Whether a session that begins with this event is what the request asks for. One that names no agent takes any. */
function isMadeBy(first: SessionEvent, command: Command<'createSession'>): boolean {
  if (first.type !== 'session.updated') return false
  const { agentId = first.agentId, title, queuePolicy, metadata, parent } = command
  const of = parent && { sessionId: parent.sessionId, taskId: taskOf(parent) }
  const asked = [agentId, title || null, queuePolicy, metadata, of]
  const has = [first.agentId, first.title, first.queuePolicy, first.metadata, first.parent]
  return asked.every((value, index) => jsonEqual((value ?? null) as Json, (has[index] ?? null) as Json))
}

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
