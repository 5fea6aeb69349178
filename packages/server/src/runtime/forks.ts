import { randomUUID } from 'node:crypto'
import { setImmediate as letOthersWork } from 'node:timers/promises'
import {
  type Actor,
  apply,
  type Command,
  createMeter,
  createState,
  type EventDraft,
  type EventOf,
  type Message,
  openTasks,
  type SessionEvent,
  type SessionState,
  verify,
} from '@vitrine/protocol'
import { actorOf, type Principal } from '../auth/principal.ts'
import { acceptedIds } from '../log/accepted-ids.ts'
import { eventFrom, IllegalEvent } from '../log/event-from.ts'
import { listed, summaryOf } from '../log/list-row.ts'
import { idTaken, Refusal, sessionNotFound } from '../refusal.ts'
import type { ForkPiece, ForkStore } from '../storage/fork-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import type { SessionRow, SessionStore, SessionToStore } from '../storage/session-store.ts'
import { ForkLost, SessionExists } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import type { Access } from './access.ts'
import { messageAt } from './commands/messages.ts'
import { branched } from './reasons.ts'
import { closeOpen } from './run/closing.ts'
import type { Runtime } from './runtime.ts'
import { storageRefusal } from './storage-refusal.ts'

/** Events that are copied before others may work. */
const PIECE = 500
/** A copy that nobody goes on with is thrown away after this time. */
const UNFINISHED_MS = 60 * 60_000

export interface ForksOptions {
  storage: LogStore & ForkStore & Pick<SessionStore, 'session' | 'hiddenSession'>
  hub: Pick<Hub, 'publishSummary'>
  access: Access
  now(): number
}

/** Where a session is branched off. */
interface ForkPoint {
  sessionId: string
  ordinal: number | undefined
  seq: number | undefined
}

/** Branches: new sessions that begin as a copy of another one and then go their own way. */
export function createForks({ storage, hub, access, now }: ForksOptions): Pick<Runtime, 'forkSession'> {
  /** The same copy asked for twice at the same time: the second waits for the first. */
  const underWay = new Map<string, Promise<SessionRow>>()

  async function existing(who: Principal, sessionId: string, of: ForkPoint): Promise<SessionRow | undefined> {
    const row = await storage.session(sessionId)
    if (!row) return undefined
    if (row.owner !== who.id) throw sessionNotFound()
    const [first] = await storage.events(sessionId, 0, 1)
    const forkOf = first?.type === 'session.updated' ? first.forkOf : undefined
    const isSame = forkOf?.sessionId === of.sessionId && forkOf.ordinal === of.ordinal
    if (!isSame || (of.seq !== undefined && forkOf.seq !== of.seq)) throw idTaken()
    return row
  }

  /** The last event of what is copied. */
  async function endOf(who: Principal, source: SessionRow, { ordinal, seq }: ForkPoint): Promise<number> {
    if (seq !== undefined && seq > source.seq) {
      const next = `The newest event is ${source.seq}.`
      throw new Refusal('event_not_found', 'There is no such event in this session.', { next })
    }
    if (ordinal === undefined) return seq ?? source.seq
    return access.command(who, source.sessionId, async session => {
      const message = await messageAt(session, ordinal)
      return lastEventOf(source.sessionId, message, session.log.durable)
    })
  }

  /** The event with which a person said a message, or with which the run of an answer ended. */
  async function lastEventOf(sessionId: string, message: Message, newest: number): Promise<number> {
    const { messageId, role, runId } = message
    const known = runId === null ? undefined : await storage.accepted(sessionId, 'run', runId)
    for (let after = (known?.seq ?? 1) - 1; after < newest; ) {
      const events = await storage.events(sessionId, after, PIECE)
      if (events.length === 0) break
      for (const event of events) {
        if (event.runId !== runId) continue
        const isSaid = role === 'user' && event.type === 'run.started' && event.messageId === messageId
        if (isSaid || event.type === 'run.finished' || event.type === 'run.failed') return event.seq
      }
      after = events.at(-1)!.seq
    }
    return newest
  }

  /** Copies the events up to `end` in pieces, closes what is open there, and only then lets the session be found. */
  async function copy(
    who: Principal,
    sessionId: string,
    forkOf: NonNullable<EventOf<'session.updated'>['forkOf']>,
    title: string | undefined,
  ): Promise<SessionRow> {
    const by = actorOf(who)
    const state = createState(sessionId)
    state.meter = createMeter()
    const row = (): SessionToStore => ({
      ...listed(state),
      sessionId,
      owner: who.id,
      parentSessionId: null,
      createdAt: state.session.createdAt,
    })
    const token = await storage.beginFork(row(), forkOf.sessionId, now() + UNFINISHED_MS)
    while (state.seq < forkOf.seq) {
      const events = await storage.events(forkOf.sessionId, state.seq, Math.min(PIECE, forkOf.seq - state.seq))
      // The session was deleted meanwhile.
      if (events.length === 0) throw sessionNotFound()
      const taken = events.map(event => copied(event, { sessionId, forkOf, by }))
      for (const event of taken) apply(state, event)
      await storage.extendFork(sessionId, token, pieceOf(taken))
      await letOthersWork()
    }
    const last: SessionEvent[] = []
    for (const draft of closing(state, title, by)) {
      const event = eventFrom(state, now(), draft)
      const violation = verify(state, event)
      if (violation) throw new IllegalEvent(violation.code, violation.detail, draft)
      apply(state, event)
      last.push(event)
    }
    return storage.finishFork(row(), token, pieceOf(last))
  }

  async function forkSession(who: Principal, sourceId: string, command: Command<'forkSession'>): Promise<SessionRow> {
    const { sessionId = `ses_${randomUUID()}`, ordinal, title } = command
    const source = await access.row(who, sourceId)
    const of = { sessionId: sourceId, ordinal, seq: ordinal === undefined ? command.seq : undefined }
    const before = await existing(who, sessionId, of)
    if (before) return before
    const name = JSON.stringify([who.id, sessionId])
    const first = underWay.get(name)
    if (first) {
      await first.catch(() => {})
      return forkSession(who, sourceId, { ...command, sessionId })
    }
    const making = endOf(who, source, of).then(seq =>
      copy(who, sessionId, { sessionId: sourceId, seq, ...(ordinal !== undefined && { ordinal }) }, title),
    )
    underWay.set(name, making)
    try {
      return await making
    } catch (error) {
      if (error instanceof ForkLost) throw sessionNotFound()
      if (!(error instanceof SessionExists)) throw storageRefusal(error) ?? error
      const meanwhile = await existing(who, sessionId, of)
      if (meanwhile) return meanwhile
      // Nobody may learn whether somebody else has deleted a session: the refusal is the same.
      throw (await storage.hiddenSession(sessionId))?.owner === who.id ? idTaken() : sessionNotFound()
    } finally {
      underWay.delete(name)
    }
  }

  return {
    async forkSession(who, sourceId, command) {
      const row = await forkSession(who, sourceId, command)
      hub.publishSummary(who.id, summaryOf(row))
      return { session: summaryOf(row) }
    },
  }
}

/** The event as it stands in the copy. */
function copied(
  event: SessionEvent,
  { sessionId, forkOf, by }: { sessionId: string; forkOf: EventOf<'session.updated'>['forkOf']; by: Actor },
): SessionEvent {
  if (event.type === 'session.updated' && event.seq === 1) {
    // A copy is nobody's task.
    const { parent: _, ...rest } = event
    return { ...rest, sessionId, forkOf, by }
  }
  if (event.type === 'task.changed') {
    // The task works for the session that was copied: stopping the copy must not stop it.
    const { childSessionId: _, ...rest } = event
    return { ...rest, sessionId }
  }
  return { ...event, sessionId }
}

/** Closes what is open at the end of a copy, and drops what waits and what was granted. */
function closing(state: SessionState, title: string | undefined, by: Actor): EventDraft[] {
  const { runs, queue, permissions } = state
  const open = [...runs.byId.values()].filter(({ outcome }) => outcome === null)
  return [
    ...open.flatMap((run): EventDraft[] => [
      // An interaction that nobody has taken up would become a turn that waits. Here nothing waits.
      ...closeOpen(state, run, branched).filter(({ type }) => type !== 'queue.changed'),
      { type: 'run.finished', runId: run.runId, turnId: run.turnId, outcome: 'interrupted', reason: branched },
    ]),
    ...queue.turns.map(({ turnId }): EventDraft => ({ type: 'queue.changed', change: 'removed', turnId, by })),
    ...(queue.held ? [{ type: 'queue.changed', change: 'released', by } satisfies EventDraft] : []),
    ...[...permissions.byId.values()]
      .filter(permission => permission.state === 'granted')
      .map(({ permissionId }): EventDraft => ({ type: 'permission.changed', permissionId, state: 'revoked', by })),
    ...openTasks(state)
      .filter(({ status }) => status !== 'failed' && status !== 'interrupted')
      .map(({ taskId }): EventDraft => ({ type: 'task.changed', taskId, status: 'cancelled', attention: 'none' })),
    { type: 'session.updated', by, pinned: false, archived: false, ...(title && { title }) },
  ]
}

/** How blobs are named in events. */
const DIGEST = /\b[0-9a-f]{64}\b/g

const pieceOf = (events: readonly SessionEvent[]): ForkPiece => ({
  events,
  ids: events.flatMap(event => acceptedIds(event).map(id => ({ ...id, seq: event.seq }))),
  digests: [...new Set(events.flatMap(event => JSON.stringify(event).match(DIGEST) ?? []))],
})
