import {
  addPage,
  apply,
  createState,
  hydrate,
  type MessagesPage,
  messagesPage,
  type SessionState,
  type Snapshot,
  snapshot,
} from '@vitrine/protocol'
import type { Storage } from '../storage/storage.ts'

const PAGE = 1_000

/**
 * The projection from its last checkpoint, a window of messages, and the events since.
 * With `messages: Infinity` everything is loaded.
 */
export async function loadState(
  storage: Storage,
  sessionId: string,
  window: { before?: number; messages: number },
): Promise<SessionState> {
  const saved = await storage.checkpoint(sessionId)
  let state = createState(sessionId)
  if (saved) {
    state = hydrate(JSON.parse(saved.state) as Snapshot)
    const limit = Math.min(window.messages, state.counts.messages)
    const rows = await storage.messagePages(sessionId, window.before ?? state.counts.messages + 1, limit)
    if (rows.length > 0)
      addPage(
        state,
        joinPages(
          rows.map(row => JSON.parse(row.page) as MessagesPage),
          state.seq,
        ),
      )
    // Pages of the middle leave the newer messages out: the window begins where the page does.
    if (rows.length === state.counts.messages) state.windowFrom = 1
  }
  for (;;) {
    const events = await storage.events(sessionId, state.seq, PAGE)
    for (const event of events) apply(state, event)
    if (events.length < PAGE) return state
  }
}

function joinPages(pages: MessagesPage[], seq: number): MessagesPage {
  const first = pages[0]!
  const names = Object.keys(first.entities) as (keyof MessagesPage['entities'])[]
  const entities = Object.fromEntries(names.map(name => [name, pages.flatMap(page => page.entities[name])]))
  return { ...first, seq, entities: entities as MessagesPage['entities'] }
}

/** Saves what opening the session needs. Only between runs: then no message is still growing. */
export async function saveCheckpoint(
  storage: Storage,
  state: SessionState,
  changedMessages: Set<string>,
): Promise<void> {
  const changed = [...changedMessages].map(id => state.messages.byId.get(id)).filter(message => message !== undefined)
  changedMessages.clear()
  await storage.saveCheckpoint(state.sessionId, {
    seq: state.seq,
    state: JSON.stringify(snapshot(state, state.counts.messages + 1)),
    messages: changed.map(({ ordinal }) => ({
      ordinal,
      page: JSON.stringify(messagesPage(state, ordinal, ordinal + 1)),
    })),
  })
}
