import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import {
  addPage,
  apply,
  type Collection,
  createMeter,
  createState,
  type Entity,
  hydrate,
  type SessionState,
  type Snapshot,
  snapshot,
  type WindowLimits,
  weigh,
} from '@vitrine/protocol'
import { noteMessage } from '../log/session-log.ts'
import type { Storage } from '../storage/storage.ts'
import { FOLD } from '../storage/upcast.ts'
import { joinPages, rowsOf, StoredHistory, storedMessages } from './stored-history.ts'

/** Events that are folded before others get their turn. */
const PAGE = 500
/** What a session in memory holds of its history. The rest is in storage. */
export const WINDOW: WindowLimits = { messages: 50, bytes: 512 * 1024 }
/** Characters of the log that are checked where a checkpoint spares reading them: more than what the window shows. */
const CHECKED = 1024 * 1024
/** A log without a checkpoint is folded in pieces: after about so many events what is done is put away. */
const PIECE = 2_000

/** The projection of a session as far as it is in memory. */
export interface Loaded {
  readonly state: SessionState
  /** The rest of it. */
  readonly history: StoredHistory
  /** Ordinals of the messages whose stored pages are older than the state. */
  readonly changedMessages: Set<number>
  /** The seq of the stored checkpoint. */
  savedSeq: number
  /** Messages up to this ordinal may have stored pages. */
  savedMessages: number
  /** About the bytes of the state. */
  bytes: number
}

/** The newest part of a session: its checkpoint with a window of messages, and the events since. */
export async function loadState(storage: Storage, sessionId: string): Promise<Loaded> {
  const state = (await fromCheckpoint(storage, sessionId)) ?? createState(sessionId)
  state.meter = createMeter()
  const history = new StoredHistory(storage, state)
  const { seq: savedSeq, counts } = state
  const savedMessages = counts.messages
  const loaded: Loaded = { state, history, changedMessages: new Set(), savedSeq, savedMessages, bytes: 0 }
  const touch = (entity: Entity): void => noteMessage(state, entity, loaded.changedMessages)
  for (;;) {
    const events = await storage.events(sessionId, state.seq, PAGE)
    for (const event of events) {
      if (history.lacks(event)) await history.reach(event)
      apply(state, event, touch)
      // Mostly a page of events ends in the middle of a run.
      const ends = event.type === 'run.finished' || event.type === 'run.failed'
      const piece = ends && state.seq - loaded.savedSeq >= PIECE && betweenRuns(state)
      if (piece && (await saveCheckpoint(storage, loaded))) history.trim(WINDOW)
    }
    if (events.length < PAGE) break
  }
  loaded.bytes = weighState(state)
  return loaded
}

/** Between runs: stores what changed, and lets go of messages when there are many. True when it let go of some. */
export async function putAway(storage: Storage, loaded: Loaded): Promise<boolean> {
  const { state, history, changedMessages } = loaded
  if (changedMessages.size === 0 && state.seq - loaded.savedSeq < PIECE) return false
  if (!(await saveCheckpoint(storage, loaded))) return false
  if (state.messages.byId.size <= 2 * WINDOW.messages && loaded.bytes <= 3 * WINDOW.bytes) return false
  history.trim(WINDOW)
  loaded.bytes = weighState(state)
  return true
}

const weighState = (state: SessionState): number =>
  Object.values(state).reduce((sum: number, value) => sum + (hasEntities(value) ? weigh(value.byId) : weigh(value)), 0)

const hasEntities = (value: unknown): value is Collection<Entity> =>
  typeof value === 'object' && value !== null && 'byId' in value

/**
 * Nothing when there is no checkpoint, when an older fold made it, or when it is damaged: the log has it all. Of the log
 * before it only the newest rows are looked at: what is shown of a session must be in a log that is whole.
 */
async function fromCheckpoint(storage: Storage, sessionId: string): Promise<SessionState | undefined> {
  const saved = await storage.checkpoint(sessionId)
  if (saved?.fold !== FOLD) return undefined
  const state = hydrate(JSON.parse(saved.state) as Snapshot)
  const [pages] = await Promise.all([
    storedMessages(storage, sessionId, state.windowFrom, WINDOW),
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
 * Saves what opening the session needs. Between runs: then no message is still growing. A checkpoint can be lost: when
 * it could not be saved, what it would have held is part of the next one.
 */
async function saveCheckpoint(storage: Storage, loaded: Loaded): Promise<boolean> {
  const { state, changedMessages } = loaded
  const { seq } = state
  const messages: { ordinal: number; page: string }[] = []
  for (const ordinal of changedMessages) {
    messages.push(...(await rowsOf(storage, state, ordinal, ordinal <= loaded.savedMessages)))
    await turnOfTheLoop()
    if (state.seq !== seq) return false
  }
  const shell = JSON.stringify(snapshot(state, state.counts.messages + 1))
  try {
    await storage.saveCheckpoint(state.sessionId, { seq, fold: FOLD, state: shell, messages })
    // Storage keeps a newer one that is there already, and then not these pages.
    if ((await storage.checkpoint(state.sessionId))?.seq !== seq) return false
  } catch {
    return false
  }
  if (state.seq !== seq) return false
  changedMessages.clear()
  loaded.savedSeq = seq
  loaded.savedMessages = state.counts.messages
  return true
}
