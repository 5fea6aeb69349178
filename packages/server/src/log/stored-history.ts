import { setImmediate as letOthersWork } from 'node:timers/promises'
import {
  addMessages,
  addPage,
  addParts,
  apply,
  createMeter,
  createState,
  type EventDraft,
  inVersion,
  type Message,
  type MessagesPage,
  messagesInOrder,
  messagesPage,
  onPath,
  partsPage,
  partsStart,
  pathStart,
  type Rewind,
  roughBytes,
  type SessionEvent,
  type SessionState,
  type TurnInput,
  trim,
  type WindowLimits,
  windowStart,
} from '@vitrine/protocol'
import type { HistoryMessage, HistoryPart } from '../agents/agent.ts'
import type { CheckpointStore } from '../storage/checkpoint-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import { answer, asked, callEndedAt, called } from './history-message.ts'

/** How many rows of stored messages are read at once. */
const BATCH = 8
/**
 * A message is stored in rows of about so many bytes. The newest parts come in the row that has the message itself. The
 * row of parts from place p on has the number `ordinal * SPAN + p`, so that rows in falling order go back in history.
 */
const ROW_BYTES = 256 * 1024
const SPAN = 2 ** 20
const EVENTS = 1_000

type Kind = 'turn' | 'steer' | 'run' | 'action'

/** A stored page is newer than the state beside it: somebody else writes the session. Load the state again. */
export class HistoryMoved extends Error {
  override name = 'HistoryMoved'
}

function checkAge(state: SessionState, { seq }: { seq: number }): void {
  if (seq > state.seq) throw new HistoryMoved(`Session ${state.sessionId} was written up to ${seq} by somebody else`)
}

/**
 * What a session's state does not hold any more: messages from before its window come from their stored pages, and ids
 * that were accepted once from the index. A message that changed since its page was stored is always in the state.
 */
export class StoredHistory {
  readonly #storage: LogStore & CheckpointStore
  readonly #state: SessionState
  /** Counts how often messages left the state. */
  #trims = 0

  constructor(storage: LogStore & CheckpointStore, state: SessionState) {
    this.#storage = storage
    this.#state = state
  }

  accepted(kind: Kind, id: string): ReturnType<LogStore['accepted']> {
    return this.#storage.accepted(this.#state.sessionId, kind, id)
  }

  /** The events from `seq` on. So many are read at once, and others can work between two reads. */
  async *events(seq: number, atOnce = EVENTS): AsyncIterable<SessionEvent> {
    for (let after = seq - 1; ; ) {
      const events = await this.#storage.events(this.#state.sessionId, after, atOnce)
      yield* events
      if (events.length < atOnce) return
      after = events.at(-1)!.seq
    }
  }

  /** Whether the event changes messages that are not in the state. They must be there, because their pages are stored anew. */
  lacks(event: EventDraft): boolean {
    const state = this.#state
    if (state.windowFrom === 1) return false
    switch (event.type) {
      case 'surface.changed':
        return state.surfaces.byId.get(event.surfaceId)?.loaded === false
      case 'run.started':
        return event.retryOf !== undefined && !state.messages.byId.has(event.messageId)
      case 'history.rewound':
        return event.fromOrdinal < state.windowFrom && !state.messages.byId.has(event.fromMessageId)
      case 'feedback.changed':
        return event.ordinal < state.windowFrom && !state.messages.byId.has(event.messageId)
      case 'messages.snapshot':
        return isWellFormed(event) && (firstNamed(event) < state.windowFrom || unknownIn(state, event).size > 0)
      default:
        return false
    }
  }

  async reach(event: EventDraft): Promise<void> {
    if (!this.lacks(event)) return
    if (event.type === 'surface.changed') await this.loadSurfaces(event.surfaceId)
    else if (event.type === 'history.rewound') await this.message(event.fromOrdinal)
    else if (event.type === 'feedback.changed') await this.message(event.ordinal)
    else if (event.type === 'run.started') await this.loadRun(event.retryOf!, event.messageId)
    else if (event.type === 'messages.snapshot') await this.#loadRepaired(event)
  }

  /** Lets the messages that do not fit leave the state. Their pages must be stored. */
  trim(limits: WindowLimits): void {
    this.#trims++
    trim(this.#state, windowStart(this.#state, limits), limits.bytes)
  }

  /** Brings the messages of one surface, or of all live surfaces, back into the state. */
  async loadSurfaces(surfaceId?: string): Promise<void> {
    const shells = [...this.#state.surfaces.byId.values()].filter(
      surface =>
        !surface.loaded && (surfaceId === undefined ? surface.state === 'live' : surface.surfaceId === surfaceId),
    )
    for (const { surfaceId: id, ordinal } of shells) {
      if (ordinal === null) continue
      const isShell = (): boolean => this.#state.surfaces.byId.get(id)?.loaded === false
      if (isShell()) this.#add(await this.#newest(ordinal + 1, 1))
      const message = messageAt(this.#state, ordinal)
      while (message && message.partsFrom > 0 && isShell()) {
        if (!addParts(this.#state, await this.parts(ordinal, message.partsFrom))) break
      }
    }
  }

  /** Brings a run back into the state, with its messages and the message that it answers. The newest are looked at first. */
  async loadRun(runId: string, messageId: string): Promise<void> {
    for await (const pages of this.#backwards()) {
      this.#add(pages.filter(({ entities }) => entities.runs.some(run => run.runId === runId)))
      if (pages.some(({ entities }) => entities.messages.some(message => message.messageId === messageId))) return
    }
  }

  /** The calls and parts among which this call is found, from memory or from storage. */
  async call(toolCallId: string): Promise<Pick<SessionState, 'tools' | 'parts'>> {
    const state = this.#state
    if (state.tools.byId.has(toolCallId)) return state
    // The older parts of a message in the window may be in storage as well.
    for await (const pages of this.#backwards(true, state.counts.ordinals + 1)) {
      const page = pages.find(({ entities }) => entities.tools.some(tool => tool.toolCallId === toolCallId))
      if (!page) continue
      const found = createState(state.sessionId)
      addPage(found, page)
      return found
    }
    return state
  }

  /** Loads what a repair covers and what it names elsewhere, because an id that seems new may be that of a person's message. */
  async #loadRepaired(event: Repair): Promise<void> {
    await this.#loadFrom(firstNamed(event))
    const named = unknownIn(this.#state, event)
    if (named.size === 0) return
    for await (const pages of this.#backwards(true)) {
      this.#add(
        pages.filter(({ entities }) =>
          [...entities.messages, ...entities.parts].some(
            ({ messageId, partId }) => named.has(messageId as string) || named.has(partId as string),
          ),
        ),
      )
    }
  }

  /** Makes the window begin at this ordinal or before it. */
  async #loadFrom(ordinal: number): Promise<void> {
    const state = this.#state
    while (state.windowFrom > Math.max(ordinal, 1)) {
      const pages = await this.#newest(state.windowFrom, BATCH)
      if (pages.length === 0) state.windowFrom = 1
      else addPage(state, joinPages(pages, state.seq))
    }
  }

  /** The messages before an ordinal, in the state or not: the newest that fit, and at least one. */
  async page(before: number, limits: WindowLimits): Promise<MessagesPage> {
    const state = this.#state
    const end = Math.min(before, state.counts.ordinals + 1)
    const least = pathStart(state, end, limits.messages)
    if (least >= state.windowFrom) {
      return messagesPage(state, windowStart(state, limits, end), end, limits.bytes)
    }
    const trims = this.#trims
    const stored = await this.#stored(Math.min(end, state.windowFrom), limits)
    // Messages that left the state meanwhile may have been stored after these pages were read.
    if (this.#trims !== trims) return this.page(before, limits)
    const from = stored.length === 0 ? 1 : Math.max(stored[0]!.from, least)
    const kept = stored.filter(page => page.from >= from && !isLoaded(state, page))
    return { ...joinPages([...kept, messagesPage(state, from, end, limits.bytes)], state.seq), from }
  }

  /** The message at this ordinal. One of the active path is brought into the state when it is not there. */
  async message(ordinal: number): Promise<Message | undefined> {
    const state = this.#state
    if (!messageAt(state, ordinal) && onPath(state, ordinal)) this.#add(await this.#newest(ordinal + 1, 1))
    return messageAt(state, ordinal)
  }

  /** Messages that left the active path with this rewind, after an ordinal: the oldest that fit, and at least one. */
  async version(rewind: Rewind, after: number, limits: WindowLimits): Promise<MessagesPage> {
    const state = this.#state
    const pages: MessagesPage[] = []
    let next: number | null = null
    let bytes = 0
    for (let at = Math.max(after + 1, rewind.fromOrdinal); at <= rewind.toOrdinal; at++) {
      if (!inVersion(state, rewind, at)) continue
      if (pages.length >= limits.messages || bytes > limits.bytes) {
        next = pages.at(-1)!.from
        break
      }
      const page = await this.#at(at)
      if (!page) continue
      bytes += roughBytes(page)
      // A page that was stored before the rewind does not know of it.
      for (const message of page.entities.messages) message.rewindId = rewind.rewindId
      for (const surface of page.entities.surfaces) surface.state = 'removed'
      pages.push(page)
    }
    const from = pages[0]?.from ?? rewind.fromOrdinal
    return { ...(pages.length > 0 ? joinPages(pages, state.seq) : noEntities(state, from)), from, next }
  }

  /** The message at this ordinal with its newest parts, on the active path or not. */
  async #at(ordinal: number): Promise<MessagesPage | undefined> {
    const state = this.#state
    if (messageAt(state, ordinal)) return messagesPage(state, ordinal, ordinal + 1, ROW_BYTES, true)
    const rows = await this.#storage.messagePages(state.sessionId, (ordinal + 1) * SPAN, 1)
    if (!rows) return messagesPage(await this.#whole(), ordinal, ordinal + 1, ROW_BYTES, true)
    const [row] = rows
    if (!row || Math.floor(row.ordinal / SPAN) !== ordinal) return undefined
    const page = JSON.parse(row.page) as MessagesPage
    checkAge(state, page)
    return page
  }

  /** Parts of a message before a place, in the state or not: the newest that fit, and at least one if there are any. */
  async parts(ordinal: number, before: number): Promise<MessagesPage> {
    const state = this.#state
    const trims = this.#trims
    const { seq } = state
    const loaded = messageAt(state, ordinal)
    if (loaded && loaded.partsFrom < before) {
      const end = Math.min(before, loaded.partsFrom + loaded.parts.length - loaded.loose)
      return partsPage(state, loaded, partsStart(state, loaded, end, ROW_BYTES), end)
    }
    for (let end = ordinal * SPAN + before; ; ) {
      const rows = await this.#storage.messagePages(state.sessionId, end, 1)
      if (this.#trims !== trims) return this.parts(ordinal, before)
      if (!rows) return new StoredHistory(this.#storage, await this.#whole()).parts(ordinal, before)
      const [row] = rows
      if (!row || Math.floor(row.ordinal / SPAN) !== ordinal) return { ...noEntities(state, ordinal), partsFrom: 0 }
      end = row.ordinal
      const page = JSON.parse(row.page) as MessagesPage
      checkAge(state, page)
      const partsFrom = row.ordinal % SPAN
      if (page.entities.parts.length > 0) return { ...firstParts(page, before - partsFrom), seq, partsFrom }
    }
  }

  /**
   * The newest messages except those of one turn, as an agent reads them, in order. `whole` gives the input of a turn
   * that is larger than its event.
   */
  async said(
    limit: number,
    exceptTurnId: string,
    whole: (input: TurnInput) => Promise<TurnInput>,
  ): Promise<HistoryMessage[]> {
    const said: Said[] = []
    let until = Number.POSITIVE_INFINITY
    const take = (state: SessionState): void => {
      for (const message of [...messagesInOrder(state)].reverse()) {
        // A message that stands alone before the window is read from storage, together with its neighbours.
        if (said.length >= limit || message.ordinal < state.windowFrom) return
        if (message.turnId === exceptTurnId && message.role === 'user') until = message.at
        if (message.turnId === exceptTurnId || message.subagentId !== null) continue
        const call = state.runs.byId.get(message.runId ?? '')?.call
        if (call) {
          const endedAt = callEndedAt(state, message)
          if (endedAt !== null) said.push({ call: endedAt, message: Promise.resolve(called(state, message)) })
        } else if (message.role === 'user') said.push({ turn: message.at, message: asked(state, message, whole) })
        else said.push({ message: this.#answer(state, message) })
      }
    }
    take(this.#state)
    if (said.length < limit) {
      for await (const pages of this.#backwards(true)) {
        const batch = createState(this.#state.sessionId)
        addPage(batch, joinPages(pages, 0))
        take(batch)
        if (said.length >= limit) break
      }
    }
    return Promise.all(inOrder(said.reverse(), until).map(({ message }) => message))
  }

  /** What stands in a message of a run that is under way. */
  underWay(messageId: string): readonly HistoryPart[] {
    const message = this.#state.messages.byId.get(messageId)
    return (message && answer(this.#state, message).parts) ?? []
  }

  /** An answer with all of its parts: the older ones of a long message may have left the state. */
  async #answer(state: SessionState, message: Message): Promise<HistoryMessage> {
    const { compactions } = this.#state
    if (message.partsFrom === 0) return answer(state, message, compactions)
    const { ordinal, messageId } = message
    const whole = createState(state.sessionId)
    addPage(whole, messagesPage(state, ordinal, ordinal + 1))
    const found = whole.messages.byId.get(messageId)!
    while (found.partsFrom > 0 && addParts(whole, await this.parts(ordinal, found.partsFrom)));
    return answer(whole, found, compactions)
  }

  /** Batches of the messages before the window, with all of their parts or with the newest. */
  async *#backwards(whole = false, before = this.#state.windowFrom): AsyncIterable<MessagesPage[]> {
    for (let end = before; end > 1; ) {
      const pages = await (whole ? this.#stored(end, { messages: BATCH, bytes: ALL }) : this.#newest(end, BATCH))
      if (pages.length === 0) return
      yield pages
      end = pages[0]!.from
    }
  }

  #add(pages: MessagesPage[]): void {
    const missing = pages.filter(page => !isLoaded(this.#state, page))
    if (missing.length > 0) addMessages(this.#state, joinPages(missing, this.#state.seq))
  }

  #newest(before: number, messages: number): Promise<MessagesPage[]> {
    return this.#stored(before, { messages, bytes: ALL }, 'newest')
  }

  async #stored(before: number, limits: WindowLimits, parts?: 'newest'): Promise<MessagesPage[]> {
    const stored = await storedMessages(this.#storage, this.#state, before, limits, parts)
    if (stored) return stored
    // The pages are damaged, but they are only a copy: the log has everything, and the next opening stores them anew.
    const whole = await this.#whole()
    const from = windowStart(whole, limits, before)
    const messages = [...messagesInOrder(whole)].filter(({ ordinal }) => ordinal >= from && ordinal < before)
    return messages.map(({ ordinal }) => messagesPage(whole, ordinal, ordinal + 1))
  }

  async #whole(): Promise<SessionState> {
    const whole = createState(this.#state.sessionId)
    whole.meter = createMeter()
    for await (const event of this.events(1)) apply(whole, event)
    checkAge(this.#state, whole)
    return whole
  }
}

const ALL = Number.POSITIVE_INFINITY

/** A message for agents: the turn of a person with the time at which it began, a call with its end, or an answer. */
interface Said {
  message: Promise<HistoryMessage>
  turn?: number
  call?: number
}

/**
 * A call that no agent has made may work while a turn runs. The agent learns of it with the next turn that began after the
 * call had ended, so the call stands right before that turn: what one turn has read stays the beginning of what the next
 * one reads. `until` is when the turn began for which the history is read.
 */
function inOrder(said: readonly Said[], until: number): Said[] {
  const ordered: Said[] = []
  let calls: Said[] = []
  const tell = (before: number): void => {
    ordered.push(...calls.filter(({ call }) => call! <= before))
    calls = calls.filter(({ call }) => call! > before)
  }
  for (const one of said) {
    if (one.call !== undefined) calls.push(one)
    else {
      if (one.turn !== undefined) tell(one.turn)
      ordered.push(one)
    }
  }
  tell(until)
  return ordered
}

const messageAt = (state: SessionState, ordinal: number): Message | undefined =>
  [...state.messages.byId.values()].find(message => message.ordinal === ordinal)

const noEntities = (state: SessionState, ordinal: number): MessagesPage => messagesPage(state, ordinal, ordinal)

/** The first parts of a page, with the calls, actions and surfaces that they show. */
function firstParts(page: MessagesPage, count: number): MessagesPage {
  const parts = page.entities.parts.slice(0, count)
  const keys = new Set(parts.map(({ kind, refId }) => `${kind}:${refId}`))
  const shown = (list: MessagesPage['entities']['parts']) => list.filter(({ key }) => keys.has(key as string))
  const { tools, actions, surfaces } = page.entities
  const none = { runs: [], turns: [], messages: [], steers: [], subagents: [] }
  const entities = { ...none, parts, tools: shown(tools), actions: shown(actions), surfaces: shown(surfaces) }
  return { ...page, entities }
}

/** The rows in which a message is stored. Rows that only its older form had are emptied. */
export async function rowsOf(
  storage: CheckpointStore,
  state: SessionState,
  ordinal: number,
  stored: boolean,
): Promise<{ ordinal: number; page: string }[]> {
  const message = messageAt(state, ordinal)
  const rows = new Map<number, MessagesPage>()
  const first = ordinal * SPAN
  if (message) {
    const end = message.partsFrom + message.parts.length - message.loose
    let from = partsStart(state, message, end, ROW_BYTES)
    rows.set(first + from, messagesPage(state, ordinal, ordinal + 1, ROW_BYTES, true))
    while (from > message.partsFrom) {
      const before = from
      from = partsStart(state, message, before, ROW_BYTES)
      rows.set(first + from, partsPage(state, message, from, before))
    }
  }
  const least = first + (message?.partsFrom ?? 0)
  for (let before = first + SPAN; stored && before > least; ) {
    const old = (await storage.messagePages(state.sessionId, before, BATCH)) ?? []
    for (const { ordinal: at } of old) if (at >= least && !rows.has(at)) rows.set(at, noEntities(state, ordinal))
    before = old[0]?.ordinal ?? 0
  }
  return [...rows].map(([at, page]) => ({ ordinal: at, page: JSON.stringify(page) }))
}

const isLoaded = (state: SessionState, { entities }: MessagesPage): boolean =>
  entities.messages.some(({ messageId }) => state.messages.byId.has(messageId as string))

type Repair = Extract<EventDraft, { type: 'messages.snapshot' }>

/** A draft of an agent may be anything. The log refuses a malformed one later. */
const isWellFormed = ({ messages }: Repair): boolean =>
  Array.isArray(messages) && messages.every(message => Array.isArray(message?.parts) && message.parts.every(Boolean))

const firstNamed = ({ fromOrdinal, messages }: Repair): number =>
  messages.reduce((first, { ordinal }) => Math.min(first, ordinal), fromOrdinal)

/** The messages and parts that a repair names and that are not in the state. */
function unknownIn(state: SessionState, { messages }: Repair): Set<string> {
  const ids = messages.filter(({ messageId }) => !state.messages.byId.has(messageId)).map(({ messageId }) => messageId)
  const parts = messages.flatMap(message => message.parts.map(({ partId }) => partId))
  return new Set([...ids, ...parts.filter(partId => !state.parts.byId.has(partId))])
}

/**
 * The newest stored messages of the active path before an ordinal that fit, and at least one; undefined when they are
 * damaged.
 */
export async function storedMessages(
  storage: CheckpointStore,
  state: SessionState,
  before: number,
  limits: WindowLimits,
  parts: 'newest' | 'fitting' = 'fitting',
): Promise<MessagesPage[] | undefined> {
  const pages: MessagesPage[] = []
  let bytes = 0
  for (let end = before * SPAN; ; ) {
    const rows = await storage.messagePages(state.sessionId, end, BATCH)
    if (!rows) return undefined
    if (rows.length === 0) return pages
    for (const { ordinal: at, page: text } of rows.reverse()) {
      const message = pages[0]
      const ordinal = Math.floor(at / SPAN)
      if (!onPath(state, ordinal)) {
        end = at
        continue
      }
      const isOlderPart = message?.from === ordinal
      bytes += text.length
      if (isOlderPart && parts === 'newest') {
        end = ordinal * SPAN
        break
      }
      if (message && (bytes > limits.bytes || (!isOlderPart && pages.length >= limits.messages))) return pages
      end = at
      const page = JSON.parse(text) as MessagesPage
      checkAge(state, page)
      if (isOlderPart) prepend(message, page, at % SPAN)
      else pages.unshift(page)
    }
    await letOthersWork()
  }
}

/** Puts a row of older parts before those of the message. */
function prepend(page: MessagesPage, older: MessagesPage, partsFrom: number): void {
  const [message] = page.entities.messages
  if (!message || older.entities.parts.length === 0) return
  for (const name of ['parts', 'tools', 'actions', 'surfaces'] as const) {
    page.entities[name] = [...older.entities[name], ...page.entities[name]]
  }
  message.parts = page.entities.parts.map(part => part.partId as string)
  message.partsFrom = partsFrom
}

export function joinPages(pages: MessagesPage[], seq: number): MessagesPage {
  const first = pages[0]!
  const names = Object.keys(first.entities) as (keyof MessagesPage['entities'])[]
  const entities = Object.fromEntries(names.map(name => [name, pages.flatMap(page => page.entities[name])]))
  return { ...first, seq, entities: entities as MessagesPage['entities'] }
}
