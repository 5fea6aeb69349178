import { setImmediate as letOthersWork } from 'node:timers/promises'
import {
  addPage,
  apply,
  type Collection,
  createMeter,
  createState,
  type Entity,
  hydrate,
  type Message,
  type Run,
  roughBytes,
  type SessionState,
  type Snapshot,
  snapshot,
  type WindowLimits,
} from '@vitrine/protocol'
import type { CheckpointStore } from '../storage/checkpoint-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import { FOLD } from '../storage/upcast.ts'
import { HistoryMoved, joinPages, rowsOf, StoredHistory, storedMessages } from './stored-history.ts'

/** Events that are folded before others may work. */
const PAGE = 500
/** What a session in memory holds of its history. The rest is in storage. */
const WINDOW: WindowLimits = { messages: 50, bytes: 512 * 1024 }
/** Characters of the log before a checkpoint that are checked though nobody has to read them: more than the window shows. */
const CHECKED = 1024 * 1024
/** A log without a checkpoint is folded in pieces: after about so many events a checkpoint is stored. */
const PIECE = 2_000

/** The projection of a session as far as it is in memory. */
export interface LoadedSession {
  readonly state: SessionState
  /** The rest of the session, which is in storage. */
  readonly history: StoredHistory
  /** Ordinals of the messages whose stored pages are older than the state. */
  readonly changedMessages: Set<number>
  /** The seq of the stored checkpoint. */
  savedSeq: number
  /** Messages up to this ordinal may have stored pages. */
  savedMessages: number
  /** About how many bytes the state has. */
  bytes: number
}

/** The newest part of a session: its checkpoint with a window of messages, and the events since. */
export async function loadSession(storage: LogStore & CheckpointStore, sessionId: string): Promise<LoadedSession> {
  // A checkpoint that somebody saves meanwhile brings pages that do not fit what was read before.
  for (;;) {
    try {
      return await loadOnce(storage, sessionId)
    } catch (error) {
      if (!(error instanceof HistoryMoved)) throw error
    }
  }
}

async function loadOnce(storage: LogStore & CheckpointStore, sessionId: string): Promise<LoadedSession> {
  const state = (await fromCheckpoint(storage, sessionId)) ?? createState(sessionId)
  state.meter = createMeter()
  const history = new StoredHistory(storage, state)
  const { seq: savedSeq, counts } = state
  const savedMessages = counts.ordinals
  const loaded: LoadedSession = { state, history, changedMessages: new Set(), savedSeq, savedMessages, bytes: 0 }
  const touch = (entity: Entity): void => noteMessage(state, entity, loaded.changedMessages)
  for (;;) {
    const events = await storage.events(sessionId, state.seq, PAGE)
    for (const event of events) {
      if (history.lacks(event)) await history.reach(event)
      apply(state, event, touch)
      // A checkpoint is stored only between runs, and a page of events mostly ends in the middle of one.
      const ends = event.type === 'run.finished' || event.type === 'run.failed'
      const piece = ends && state.seq - loaded.savedSeq >= PIECE && betweenRuns(state)
      if (piece && (await saveCheckpoint(storage, loaded))) history.trim(WINDOW)
    }
    if (events.length < PAGE) break
  }
  loaded.bytes = weighState(state)
  return loaded
}

/** Between runs: stores what changed, and lets messages leave memory when there are many. True when some have left. */
export async function putAway(storage: LogStore & CheckpointStore, loaded: LoadedSession): Promise<boolean> {
  const { state, history, changedMessages } = loaded
  if (changedMessages.size === 0 && state.seq - loaded.savedSeq < PIECE) return false
  if (!(await saveCheckpoint(storage, loaded))) return false
  if (state.messages.byId.size <= 2 * WINDOW.messages && loaded.bytes <= 3 * WINDOW.bytes) return false
  history.trim(WINDOW)
  loaded.bytes = weighState(state)
  return true
}

/** Remembers the messages whose stored page an event makes old. */
export function noteMessage(state: SessionState, entity: Entity, changed: Set<number>): void {
  const { messageId, retriedBy, runId } = entity as Partial<Message & Run>
  const ordinal = messageId ? state.messages.byId.get(messageId)?.ordinal : undefined
  if (ordinal !== undefined) changed.add(ordinal)
  // A run is part of the page of each of its messages; only a retry changes one that has ended.
  if (!retriedBy) return
  for (const message of state.messages.byId.values()) if (message.runId === runId) changed.add(message.ordinal)
}

const weighState = (state: SessionState): number =>
  Object.values(state).reduce(
    (sum: number, value) => sum + (hasEntities(value) ? roughBytes(value.byId) : roughBytes(value)),
    0,
  )

const hasEntities = (value: unknown): value is Collection<Entity> =>
  typeof value === 'object' && value !== null && 'byId' in value

/**
 * Nothing when there is no checkpoint, when an older fold made it, or when it is damaged: the log has everything. Only the
 * newest rows of the log before the checkpoint are checked: what is shown of a session must be in a log that is whole.
 */
async function fromCheckpoint(
  storage: LogStore & CheckpointStore,
  sessionId: string,
): Promise<SessionState | undefined> {
  const saved = await storage.checkpoint(sessionId)
  if (saved?.fold !== FOLD) return undefined
  const state = hydrate(JSON.parse(saved.state) as Snapshot)
  const [pages] = await Promise.all([
    storedMessages(storage, state, state.windowFrom, WINDOW),
    storage.check(sessionId, CHECKED),
  ])
  if (!pages) return undefined
  if (pages.length > 0) addPage(state, joinPages(pages, state.seq))
  else state.windowFrom = 1
  return state
}

const betweenRuns = (state: SessionState): boolean =>
  state.session.activeRunId === null && [...state.runs.byId.values()].every(({ outcome }) => outcome !== null)

/**
 * Saves what opening the session needs. It is called between runs, when no message is still growing. A checkpoint may be
 * lost: what it would have held is part of the next one.
 */
async function saveCheckpoint(storage: LogStore & CheckpointStore, loaded: LoadedSession): Promise<boolean> {
  const { state, changedMessages } = loaded
  const { seq } = state
  const messages: { ordinal: number; page: string }[] = []
  for (const ordinal of changedMessages) {
    messages.push(...(await rowsOf(storage, state, ordinal, ordinal <= loaded.savedMessages)))
    await letOthersWork()
    if (state.seq !== seq) return false
  }
  const shell = JSON.stringify(snapshot(state, state.counts.ordinals + 1))
  try {
    await storage.saveCheckpoint(state.sessionId, { seq, fold: FOLD, state: shell, messages })
    // When storage has a newer checkpoint already, it keeps that one and does not store these pages.
    if ((await storage.checkpoint(state.sessionId))?.seq !== seq) return false
  } catch {
    return false
  }
  if (state.seq !== seq) return false
  changedMessages.clear()
  loaded.savedSeq = seq
  loaded.savedMessages = state.counts.ordinals
  return true
}
