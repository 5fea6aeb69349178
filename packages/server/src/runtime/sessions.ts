import { randomUUID } from 'node:crypto'
import { apply, type Command, createState, type Json, jsonBytes, jsonEqual, type SessionEvent } from '@vitrine/protocol'
import type { Agent } from '../agents/agent.ts'
import type { AgentRegistry } from '../agents/agent-registry.ts'
import { actorOf, type Principal } from '../auth/principal.ts'
import { eventFrom } from '../log/event-from.ts'
import { listed, summaryOf } from '../log/list-row.ts'
import { idTaken, Refusal, sessionNotFound } from '../refusal.ts'
import type { LogStore } from '../storage/log-store.ts'
import type { SessionRow, SessionStore, SessionToStore } from '../storage/session-store.ts'
import { SessionExists } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { type Access, unlessGone } from './access.ts'
import { submitTurn } from './commands/turns.ts'
import type { Folders } from './folders.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { Runtime } from './runtime.ts'

/** What the first event of a session has room for. */
const MAX_FIRST_BYTES = 60 * 1024

export interface SessionsOptions {
  storage: LogStore & SessionStore
  hub: Pick<Hub, 'publishSummary'>
  open: OpenSessions
  access: Access
  folders: Pick<Folders, 'check'>
  registry: Pick<AgentRegistry, 'find' | 'first'>
  now(): number
}

export interface Sessions
  extends Pick<Runtime, 'createSession' | 'updateSession' | 'markSessionRead' | 'listSessions'> {
  /**
   * The session of this id: the one that the very same command of its owner made before, or a new one with its first
   * event in one commit. When the session was made by another command, it is refused with `other`.
   */
  createOnce(
    who: Principal,
    sessionId: string,
    command: Command<'createSession'>,
    other?: () => Refusal,
  ): Promise<SessionRow>
}

/** The sessions as their owners see them: made, changed, listed and marked as read. */
export function createSessions({ storage, hub, open, access, folders, registry, now }: SessionsOptions): Sessions {
  const createOnce: Sessions['createOnce'] = async (who, sessionId, command, other = idTaken) => {
    const { id: owner } = who
    const existing = async (): Promise<SessionRow | undefined> => {
      const row = await storage.session(sessionId)
      if (!row) return undefined
      if (row.owner !== owner) throw sessionNotFound()
      const [first] = await storage.events(sessionId, 0, 1)
      if (!first || !isMadeBy(first, command)) throw other()
      return row
    }
    const before = await existing()
    if (before) return before
    const state = createState(sessionId)
    const { agentId } = command
    const agent = await (agentId === undefined ? registry.first(owner) : registry.find(owner, agentId))
    const first = eventFrom(state, now(), firstDraft(agent, who, command))
    apply(state, first)
    const row: SessionToStore = {
      ...listed(state),
      owner,
      sessionId,
      createdAt: first.at,
      parentSessionId: command.parent?.sessionId ?? null,
    }
    const stored = await storage.createSession(row, [first]).catch(async error => {
      if (!(error instanceof SessionExists)) throw error
      const meanwhile = await existing()
      if (meanwhile) return meanwhile
      // Nobody may learn whether somebody else has deleted a session: the refusal is the same.
      throw (await storage.hiddenSession(sessionId))?.owner === owner ? idTaken() : sessionNotFound()
    })
    hub.publishSummary(owner, summaryOf(stored))
    return stored
  }

  return {
    createOnce,

    async createSession(who, { turn, ...command }) {
      const { sessionId = `ses_${randomUUID()}` } = command
      const row = await createOnce(who, sessionId, command)
      if (!turn) return { session: summaryOf(row) }
      return access.command(who, sessionId, async (session, by) => {
        await submitTurn(session, turn, by)
        return { session: session.log.summary }
      })
    },

    updateSession: (who, sessionId, command) =>
      access.use(who, sessionId, async (session, by) => {
        if (command.folderId) await folders.check(who, command.folderId)
        await session.serially(() => session.log.write([{ type: 'session.updated', by, ...command }]))
        return { session: session.log.summary }
      }),

    async markSessionRead(who, sessionId, { seq }) {
      const row = await access.row(who, sessionId)
      const readSeq = Math.min(seq, row.seq)
      const before = (await storage.readSeqs(who.id, [sessionId])).get(sessionId) ?? 0
      if (readSeq <= before) return
      await unlessGone(storage, sessionId, storage.markRead(sessionId, who.id, readSeq))
      // The row that was read above may be older than what the list shows by now. The log of this process knows, if it
      // still writes.
      const log = (await open.find(sessionId))?.log
      const summary = log && log.durable >= row.seq ? log.summary : summaryOf(row)
      hub.publishSummary(who.id, { ...summary, readSeq })
    },

    async listSessions(who, { limit, cursor, search, only }) {
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
  }
}

/** The id of the task that a turn starts: it follows from the id of the turn, so that a task is made once. */
export const taskOf = ({ turnId }: { turnId: string }): string => `task_${turnId}`

function firstDraft(chosen: Agent | undefined, who: Principal, command: Command<'createSession'>) {
  const { title, queuePolicy, metadata, parent } = command
  if (!chosen) throw new Refusal('agent_not_found', 'There is no such agent.', { next: 'GET /api/agents lists them.' })
  if (jsonBytes([title, metadata]) > MAX_FIRST_BYTES) {
    throw new Refusal('too_large', 'Title and metadata are too large.', { next: 'Send less.' })
  }
  return {
    type: 'session.updated' as const,
    by: actorOf(who),
    agentId: chosen.agentId,
    ...(title && { title }),
    ...(queuePolicy && { queuePolicy }),
    ...(metadata && { metadata }),
    ...(parent && { parent: { sessionId: parent.sessionId, taskId: taskOf(parent) } }),
  }
}

/** Whether a session that begins with this event is what the command asks for. A command without an agent takes any. */
function isMadeBy(first: SessionEvent, command: Command<'createSession'>): boolean {
  if (first.type !== 'session.updated') return false
  const { agentId = first.agentId, title, queuePolicy, metadata, parent } = command
  const of = parent && { sessionId: parent.sessionId, taskId: taskOf(parent) }
  const asked = [agentId, title || null, queuePolicy, metadata, of]
  const has = [first.agentId, first.title, first.queuePolicy, first.metadata, first.parent]
  return asked.every((value, index) => jsonEqual((value ?? null) as Json, (has[index] ?? null) as Json))
}

/** The cursor behind a row of the list. */
export const writeCursor = ({ updatedAt, sessionId }: SessionRow): string =>
  Buffer.from(JSON.stringify([updatedAt, sessionId])).toString('base64url')

/** The place in the list that a cursor names. */
export function readCursor(cursor: string): { updatedAt: number; sessionId: string } {
  try {
    const [updatedAt, sessionId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof updatedAt === 'number' && typeof sessionId === 'string') return { updatedAt, sessionId }
  } catch {
    // This server did not write the cursor: it is refused below.
  }
  const why = 'The cursor is not one that this server gave out.'
  throw new Refusal('cursor_invalid', why, { next: 'Start from the first page.' })
}

/** Whether a row stands behind this place in the list, which has those that changed last first. */
export const isAfter = (row: SessionRow, place: { updatedAt: number; sessionId: string }): boolean =>
  row.updatedAt < place.updatedAt || (row.updatedAt === place.updatedAt && row.sessionId < place.sessionId)
