import {
  addPage,
  apply,
  createState,
  type Entity,
  hydrate,
  type MessagesPage,
  messagesPage,
  type SessionState,
  type Snapshot,
  snapshot,
} from '@vitrine/protocol'
import { noteMessage, type SessionLog } from '../log/session-log.ts'
import type { Storage } from '../storage/storage.ts'
import { FOLD } from '../storage/upcast.ts'

const PAGE = 1_000

/**
 * The projection from its last checkpoint, a window of messages, and the events since.
 * With `messages: Infinity` everything is loaded. `changed` learns which messages the checkpoint does not have yet.
 */
export async function loadState(
  storage: Storage,
  sessionId: string,
  window: { before?: number; messages: number },
  changed: Set<number> = new Set(),
): Promise<SessionState> {
  const state = (await fromCheckpoint(storage, sessionId, window)) ?? createState(sessionId)
  const touch = (entity: Entity): void => noteMessage(state, entity, changed)
  for (;;) {
    const events = await storage.events(sessionId, state.seq, PAGE)
    for (const event of events) apply(state, event, touch)
    if (events.length < PAGE) return state
  }
}

/** Nothing when there is no checkpoint, when an older fold made it, or when it is damaged: the log has it all. */
async function fromCheckpoint(
  storage: Storage,
  sessionId: string,
  window: { before?: number; messages: number },
): Promise<SessionState | undefined> {
  const saved = await storage.checkpoint(sessionId)
  if (saved?.fold !== FOLD) return undefined
  const state = hydrate(JSON.parse(saved.state) as Snapshot)
  const limit = Math.min(window.messages, state.counts.messages)
  const rows = await storage.messagePages(sessionId, window.before ?? state.counts.messages + 1, limit)
  if (!rows) return undefined
  const pages = rows.map(row => JSON.parse(row.page) as MessagesPage)
  if (pages.length > 0) addPage(state, joinPages(pages, state.seq))
  // Pages of the middle leave the newer messages out: the window begins where the page does.
  if (pages.length === state.counts.messages) state.windowFrom = 1
  return state
}

function joinPages(pages: MessagesPage[], seq: number): MessagesPage {
  const first = pages[0]!
  const names = Object.keys(first.entities) as (keyof MessagesPage['entities'])[]
  const entities = Object.fromEntries(names.map(name => [name, pages.flatMap(page => page.entities[name])]))
  return { ...first, seq, entities: entities as MessagesPage['entities'] }
}

/**
 * Saves what opening the session needs. Between runs: then no message is still growing. A checkpoint can be lost: when
 * it could not be saved, what it would have held is part of the next one.
 */
export async function saveCheckpoint(storage: Storage, log: SessionLog): Promise<void> {
  const { state, changedMessages: changed } = log
  if (changed.size === 0 || log.durable !== state.seq) return
  log.changedMessages = new Set()
  // The page of a message that was removed is empty, so that it does not come back.
  const messages = [...changed].map(ordinal => ({
    ordinal,
    page: JSON.stringify(messagesPage(state, ordinal, ordinal + 1)),
  }))
  const { seq } = state
  const shell = JSON.stringify(snapshot(state, state.counts.messages + 1))
  try {
    await storage.saveCheckpoint(state.sessionId, { seq, fold: FOLD, state: shell, messages })
  } catch {
    for (const ordinal of changed) log.changedMessages.add(ordinal)
  }
}
