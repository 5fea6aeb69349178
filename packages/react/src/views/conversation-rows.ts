import type { SessionHandle } from '@vitrine/client'
import { type Entity, type Message, messagesInOrder, type Part, type SessionState } from '@vitrine/protocol'
import { piecesOf } from './text-pieces.ts'
import { mayDraw } from './tool-row.tsx'
import { retriedBy } from './tool-state.ts'

/** How far a row stands from the one above it. */
type Gap = 'turn' | 'part' | 'text' | 'none'

interface InMessage {
  key: string
  messageId: string
  gap: Gap
}

/** A row of a message. Each is drawn, measured and taken down by itself, so that a long message costs what is in view. */
export type MessageRow = InMessage &
  (
    | { kind: 'user' | 'head' | 'earlier' | 'footer' }
    | { kind: 'part'; partId: string }
    /** `at`: which of the pieces of its text, or -1 for all of it. */
    | { kind: 'text'; partId: string; at: number }
    /**
     * Calls that follow each other stand on one plate: which of its rows this is, whether it is the last one, and whether
     * it is in the light of the lamp that is on while one of them works.
     */
    | { kind: 'tool'; partId: string; place: number; last: boolean; lit: boolean }
  )

/**
 * A row that belongs to no message: how a run stands, a request, an earlier version of a message and of what followed,
 * or what was sent and is no fact yet.
 */
export interface LooseRow {
  key: string
  kind: 'run' | 'action' | 'version' | 'unsent'
  id: string
  messageId: null
  gap: Gap
}

export type Row = MessageRow | LooseRow

/** Subagents whose work is shown inside the part that started them. */
function nestedAgents(state: SessionState): Set<string> {
  const nested = new Set<string>()
  for (const part of state.parts.byId.values()) if (part.kind === 'subagent' && part.refId) nested.add(part.refId)
  return nested
}

export const messagesOfSubagent = (state: SessionState, subagentId: string): Message[] =>
  [...messagesInOrder(state)].filter(message => message.subagentId === subagentId)

/** A call that is one line. One that draws an interface, or was withdrawn, stands apart. */
function isLine(state: SessionState, part: Part | undefined): boolean {
  if (part?.kind !== 'tool' || part.state === 'retracted') return false
  const tool = state.tools.byId.get(part.refId ?? '')
  return tool !== undefined && tool.name !== 'a2ui' && !mayDraw(tool)
}

/** So many rows of a plate are in the light of its lamp. */
const LIT = 3

function partRows(state: SessionState, { messageId, parts }: Message, listed: boolean): MessageRow[] {
  const rows: MessageRow[] = []
  const line = (partId: string | undefined) => isLine(state, state.parts.byId.get(partId ?? ''))
  let plate: Extract<MessageRow, { kind: 'tool' }>[] = []
  // A call that was tried again stands under the newer call.
  const again = retriedBy(state)
  const shown = parts.filter(partId => !again.has(state.parts.byId.get(partId)?.refId ?? ''))
  shown.forEach((partId, at) => {
    const part = state.parts.byId.get(partId)
    const key = `part:${partId}`
    if (part && line(partId)) {
      const place = plate.length
      const row = { kind: 'tool', key, messageId, partId, place, last: false, lit: false, gap: 'none' } as const
      plate.push({ ...row, gap: place === 0 ? 'part' : 'none', last: !line(shown[at + 1]) })
      rows.push(plate[place]!)
      if (listed && works(state, part)) for (const lit of plate.slice(0, LIT)) lit.lit = true
      // Those behind the call that works are lit too.
      if (listed && place > 0 && place < LIT) plate[place]!.lit ||= plate[0]!.lit
      return
    }
    plate = []
    if (part?.kind !== 'text' || part.state === 'retracted') {
      rows.push({ kind: 'part', key, messageId, partId, gap: 'part' })
      return
    }
    const pieces = listed ? piecesOf(part) : []
    rows.push({ kind: 'text', key, messageId, partId, at: pieces.length > 1 ? 0 : -1, gap: 'part' })
    pieces.slice(1).forEach(({ start }, before) => {
      rows.push({ kind: 'text', key: `${key}/${start}`, messageId, partId, at: before + 1, gap: 'text' })
    })
  })
  return rows
}

const works = (state: SessionState, { refId }: Part): boolean => state.tools.byId.get(refId ?? '')?.endedAt === null

/**
 * The rows of a message. `before` is the message above it: an agent that goes on speaking in the same run is not named
 * again. In a list (`listed`) a long text is divided, because only what is in view is drawn there, and plates have a
 * lamp.
 */
export function messageRows(state: SessionState, message: Message, before?: Message, listed = false): MessageRow[] {
  const { messageId } = message
  const row = (kind: 'user' | 'head' | 'earlier' | 'footer', gap: Gap): MessageRow => ({
    kind,
    // The first row of a message stands for it.
    key: gap === 'turn' ? `message:${messageId}` : `${kind}:${messageId}`,
    messageId,
    gap,
  })
  if (message.role === 'user') return [row('user', 'turn')]
  const rows = partRows(state, message, listed)
  const goesOn =
    before?.role === message.role && before.runId === message.runId && before.subagentId === message.subagentId
  if (message.partsFrom - message.loose > 0) rows.unshift(row('earlier', 'part'))
  if (!goesOn) rows.unshift(row('head', 'turn'))
  rows.push(row('footer', 'part'))
  return rows
}

/**
 * The conversation in order: the rows of each message, after the last one of each run how that run stands unless it
 * completed, and requests that belong to no message at the end.
 */
export function conversationRows(state: SessionState): Row[] {
  const nested = nestedAgents(state)
  const messages = [...messagesInOrder(state)].filter(({ subagentId }) => !subagentId || !nested.has(subagentId))
  const runsOfTurn = Map.groupBy(state.runs.byId.values(), run => run.turnId)
  const lastOfRun = new Map<string, Message>()
  const lastOfTurn = new Map<string, Message>()
  for (const message of messages) {
    if (message.runId) lastOfRun.set(message.runId, message)
    if (message.turnId) lastOfTurn.set(message.turnId, message)
  }
  const rows: Row[] = []
  const loose = (kind: 'run' | 'action', { key }: Entity, id: string) =>
    rows.push({ key, kind, id, messageId: null, gap: 'part' })
  const shown = new Set<string>()
  const addRun = (runId: string) => {
    const run = state.runs.byId.get(runId)
    // The row of its one call says how a call stands that no agent has made.
    if (!run || run.parentRunId || run.call || run.outcome === 'completed') return
    shown.add(runId)
    loose('run', run, runId)
  }
  messages.forEach((message, at) => {
    for (const row of messageRows(state, message, messages[at - 1], true)) rows.push(row)
    if (message.runId && lastOfRun.get(message.runId) === message) addRun(message.runId)
    if (message.turnId && lastOfTurn.get(message.turnId) === message) {
      // Attempts that said nothing have no message to stand after.
      for (const { runId } of runsOfTurn.get(message.turnId) ?? []) if (!lastOfRun.has(runId)) addRun(runId)
    }
  })
  const active = state.session.activeRunId
  if (active && !shown.has(active)) addRun(active)
  for (const action of state.actions.byId.values()) {
    if (action.state === 'pending' && !action.messageId) loose('action', action, action.actionId)
  }
  return rows
}

/** The rows of a session as they are now. A row that did not change keeps its identity, and so does the list. */
export interface RowSource {
  get(): readonly Row[]
  subscribe(listener: () => void): () => void
}

export function createRowSource(handle: SessionHandle): RowSource {
  const listeners = new Set<() => void>()
  const followed = new Map<string, () => void>()
  let rows: readonly Row[] = conversationRows(handle.state)
  let asked = false

  const refresh = () => {
    asked = false
    if (listeners.size === 0) return
    follow()
    const next = reuse(rows, conversationRows(handle.state))
    if (next === rows) return
    rows = next
    for (const listener of [...listeners]) listener()
  }
  /** The store tells of many entities in one go. */
  const later = () => {
    if (asked) return
    asked = true
    queueMicrotask(refresh)
  }
  const follow = () => {
    const keys = new Set(followedKeys(handle.state))
    for (const [key, stop] of followed) {
      if (keys.has(key)) continue
      stop()
      followed.delete(key)
    }
    for (const key of keys) if (!followed.has(key)) followed.set(key, handle.subscribe(key, heard(key)))
  }
  const heard = (key: string) => {
    if (!key.startsWith('tool:')) return later
    // A call says a lot while it works; which rows there are depends only on whether it still does.
    return () => {
      if (handle.state.tools.byId.get(key.slice('tool:'.length))?.endedAt !== null) later()
    }
  }
  return {
    get: () => rows,
    subscribe(listener) {
      listeners.add(listener)
      // Something may have changed before anybody listened.
      later()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        for (const stop of followed.values()) stop()
        followed.clear()
      }
    },
  }
}

/** Waits until the rows of a page that was just loaded are in the list: the store tells of them with the next frame. */
export async function rowsOfPage(): Promise<void> {
  for (let frames = 2; frames > 0; frames--) await new Promise(requestAnimationFrame)
}

/** Everything that changes which rows there are. */
function* followedKeys({ messages, parts, tools }: SessionState): Iterable<string> {
  yield* ['messages', 'runs', 'actions', 'tools', 'rewinds', 'session']
  for (const message of messages.byId.values()) {
    yield message.key
    for (const partId of message.parts) {
      const part = parts.byId.get(partId)
      if (part?.kind === 'text' && part.state === 'streaming') yield part.key
    }
  }
  for (const tool of tools.byId.values()) if (tool.endedAt === null) yield tool.key
}

function reuse(before: readonly Row[], now: Row[]): readonly Row[] {
  const known = new Map(before.map(row => [row.key, row]))
  let same = before.length === now.length
  const rows = now.map((row, at) => {
    const old = known.get(row.key)
    const kept = old && isSame(old, row) ? old : row
    same &&= kept === before[at]
    return kept
  })
  return same ? before : rows
}

const isSame = (a: object, b: object): boolean =>
  Object.entries(a).every(([name, value]) => (b as Record<string, unknown>)[name] === value)

/** About how high a row will be, in pixels, as long as nobody has measured it. */
export function estimate(state: SessionState, row: Row): number {
  const gap = { turn: 24, part: 12, text: 14, none: 0 }[row.gap]
  const part = 'partId' in row ? state.parts.byId.get(row.partId) : undefined
  if (row.kind === 'tool') return gap + 38
  if (row.kind === 'text' && part) {
    const piece = piecesOf(part)[Math.max(0, row.at)]
    // What is longer than a piece is code that is folded, or a table in a box that scrolls.
    return gap + Math.min(piece?.lines || 1, 150) * 26
  }
  if (row.kind === 'user') {
    const message = state.messages.byId.get(row.messageId)
    const length = Math.min(1_200, state.parts.byId.get(message?.parts[0] ?? '')?.text.length ?? 0)
    return gap + 50 + linesIn(length) * 24
  }
  if (part?.kind === 'action' || part?.kind === 'surface' || row.kind === 'action') return gap + 200
  return gap + 28
}

const linesIn = (characters: number): number => Math.ceil(characters / 60) || 1
