import {
  pendingActions,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  sessionStatus,
} from '@vitrine/protocol'
import type { RowChange, SessionRow } from '../storage/session-store.ts'

/** What the list shows of a session that is stored. */
export function summaryOf({ owner: _, unfinished: __, logId: ___, ...summary }: SessionRow): SessionSummary {
  return summary.eraseAt === undefined ? summary : { ...summary, deleted: true }
}

/** The part of a row that follows from the state of its session. */
export function listed(state: SessionState) {
  const { session, queue, counts } = state
  return {
    title: session.title.known ? session.title.value : '',
    agentId: session.agentId.known ? session.agentId.value : '',
    pinned: session.pinned,
    archived: session.archived,
    folderId: session.folderId,
    status: sessionStatus(state),
    waitsFor: waitsFor(state),
    queued: queue.turns.length,
    messageCount: counts.messages,
    updatedAt: session.updatedAt,
    unfinished: session.activeRunId !== null || queue.turns.length > 0 || openCall(state),
  }
}

const openCall = ({ runs }: SessionState): boolean =>
  runs.byId.values().some(({ call, outcome }) => call !== null && outcome === null)

/** A row of the list has one line for it. */
const MOST_ASKED = 120

function waitsFor(state: SessionState): string | null {
  const [oldest] = pendingActions(state)
  if (!oldest) return null
  const asked = [...oldest.request.title.replaceAll(/\s+/g, ' ').trim()]
  return asked.length > MOST_ASKED ? `${asked.slice(0, MOST_ASKED - 1).join('')}…` : asked.join('')
}

/** Events of these types change nothing that the list shows, and they are most of all events. */
const QUIET = new Set([
  'text.delta',
  'reasoning.delta',
  'tool.args',
  'tool.output.delta',
  'tool.progress',
  'surface.changed',
])

/** What of the row these events have changed. It is worked out only when one of them can have changed it. */
export function rowChange(row: SessionRow, state: SessionState, events: readonly SessionEvent[]): RowChange {
  if (events.every(event => QUIET.has(event.type))) return {}
  const now: RowChange = listed(state)
  const names = Object.keys(now) as (keyof RowChange)[]
  return Object.fromEntries(names.filter(name => now[name] !== row[name]).map(name => [name, now[name]]))
}
