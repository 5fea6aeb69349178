import {
  apply,
  type Entity,
  type EventDraft,
  type Message,
  type Run,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  sessionStatus,
  verify,
  verifyAll,
} from '@vitrine/protocol'
import { eventSchemas, MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import type { Loaded } from '../runtime/load.ts'
import type { AcceptedId, RowChange, SessionRow, Storage } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { MAX_DELTA, mergeDeltas } from './merge.ts'
import { othersTurn } from './share-loop.ts'

/** The event breaks a rule of the protocol, is malformed or too large. Nothing of it was written. */
export class IllegalEvent extends Error {
  override name = 'IllegalEvent'
  readonly code: string
  readonly runId: string | undefined

  constructor(code: string, detail: string, draft: EventDraft) {
    super(`${String(draft.type).slice(0, 100)}: ${detail}`)
    this.code = code
    this.runId = draft.runId
  }
}

export interface LogOptions {
  storage: Storage
  hub: Hub
  row: SessionRow
  loaded: Loaded
  epoch: number
  /** How long streamed output may wait for company before it is written. */
  batchMs: number
  now: () => number
  /** The log can no longer write (disk full, lease lost): whoever holds the session must let go of it. */
  onBroken: (error: Error) => void
  /** The list row changed, after the commit. */
  onRow: (change: RowChange) => void
}

/** Hears of an event that was refused. True: nothing more that came with the same listener is taken. */
export type OnIllegal = (error: IllegalEvent) => boolean

/** Bytes that wait for storage before producers are made to wait. */
const HIGH_WATER = 1024 * 1024

/**
 * The one writer of a session: verify → seq → fold → append → publish after the commit.
 * `state` runs ahead of what is durable; `durable` says how far a reader may look (L1).
 */
export class SessionLog {
  readonly state: SessionState
  durable: number
  readonly #options: LogOptions
  /** The list row as far as it is durable, and with what is on its way. */
  #shown: SessionRow
  #row: SessionRow
  /** Every append goes through it, so that those that wait for a newer lease keep their order. */
  #epoch: Promise<number>
  #pending: { draft: EventDraft; onIllegal: OnIllegal }[] = []
  #timer: NodeJS.Timeout | undefined
  #lastFlush = 0
  #tail: Promise<void> = Promise.resolve()
  #inFlight = 0
  #broken: Error | undefined

  constructor(options: LogOptions) {
    this.#options = options
    this.#row = this.#shown = options.row
    this.state = options.loaded.state
    this.#epoch = Promise.resolve(options.epoch)
    this.durable = this.state.seq
  }

  /** It cannot write any more. */
  get broken(): boolean {
    return this.#broken !== undefined
  }

  get summary(): SessionSummary {
    const { owner: _, unfinished: __, logId: ___, ...summary } = this.#shown
    return { ...summary, seq: this.durable }
  }

  /**
   * Writes now, after what waits: all of it or nothing. Resolves when durable; throws IllegalEvent for the first that is
   * malformed, too large or not allowed after those before it, and then none of them is in the state or in the log.
   */
  async write(drafts: readonly EventDraft[]): Promise<void> {
    for (const draft of drafts) if (this.#lacks(draft)) await this.reach(draft)
    this.#flushPending()
    if (this.#broken) throw this.#broken
    const events = drafts.map((draft, index) => eventFrom(this.state, this.#options.now(), draft, index))
    const violation = verifyAll(this.state, events)
    if (violation) throw new IllegalEvent(violation.code, violation.detail, drafts[violation.index]!)
    for (const event of events) apply(this.state, event, this.#touched)
    await this.#commit(events)
  }

  /**
   * Streamed output: adjacent deltas merge, and up to `batchMs` of it becomes one append. The first after a pause goes
   * at once. Resolves when there is room for more, not when durable.
   */
  async stream(draft: EventDraft, onIllegal: OnIllegal): Promise<void> {
    if (this.#lacks(draft)) await this.reach(draft)
    if (this.#broken) throw this.#broken
    this.#pending.push({ draft, onIllegal })
    if (this.#options.now() - this.#lastFlush >= this.#options.batchMs) this.#flushPending()
    else this.#timer ??= setTimeout(() => this.#flushPending(), this.#options.batchMs)
    if (this.#inFlight > HIGH_WATER || this.#pending.length > 1_000) {
      this.#flushPending()
      await this.settled()
    }
    const others = othersTurn()
    if (others) await others
  }

  /** Resolves when everything accepted so far is durable. */
  async settled(): Promise<void> {
    this.#flushPending()
    await this.#tail
    if (this.#broken) throw this.#broken
  }

  /** Takes a newer lease: whoever still writes under the old one is refused. Appends wait meanwhile, in order. */
  async renewLease(): Promise<void> {
    this.#flushPending()
    const { storage } = this.#options
    this.#epoch = this.#epoch.then(async () => (await storage.lease(this.state.sessionId)).epoch)
    await this.#epoch
  }

  /** Brings what the event changes into the state. Drafts that are written or streamed do this by themselves. */
  async reach(draft: EventDraft): Promise<void> {
    await this.#options.loaded.history.reach(draft)
  }

  /** What an event changes must be in the state. It nearly always is: then a draft is accepted without a pause. */
  #lacks(draft: EventDraft): boolean {
    return this.#options.loaded.history.lacks(draft)
  }

  #flushPending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    this.#lastFlush = this.#options.now()
    const events: SessionEvent[] = []
    const stopped = new Set<OnIllegal>()
    const checkedDeltas: CheckedDeltas = new Map()
    for (const { draft, onIllegal } of mergeDeltas(pending)) {
      if (stopped.has(onIllegal)) continue
      try {
        const at = this.#options.now()
        const event = deltaFrom(checkedDeltas, this.state, at, draft) ?? eventFrom(this.state, at, draft)
        const violation = verify(this.state, event)
        if (violation) throw new IllegalEvent(violation.code, violation.detail, draft)
        apply(this.state, event, this.#touched)
        events.push(event)
      } catch (error) {
        if (!(error instanceof IllegalEvent)) throw error
        if (onIllegal(error)) stopped.add(onIllegal)
      }
    }
    // A failed append has told `onBroken`; nobody waits for this one.
    this.#commit(events).catch(() => {})
  }

  #touched = (entity: Entity): void => noteMessage(this.state, entity, this.#options.loaded.changedMessages)

  async #commit(events: SessionEvent[]): Promise<void> {
    if (this.#broken) throw this.#broken
    if (events.length === 0) return this.#tail
    const { storage, hub } = this.#options
    const { sessionId } = this.state
    const change = this.#rowChange(events)
    const changes = Object.keys(change).length > 0
    if (changes) this.#row = { ...this.#row, ...change }
    const size = events.reduce((sum, event) => sum + weightOf(event), 0)
    this.#inFlight += size
    this.#options.loaded.bytes += size
    const ids = events.flatMap(acceptedIds)
    const stored = this.#epoch.then(epoch =>
      storage.append({ sessionId, epoch, events, ...(changes && { row: change }), ...(ids.length > 0 && { ids }) }),
    )
    const before = this.#tail
    const done = Promise.all([stored, before]).then(
      () => {
        this.durable = events.at(-1)!.seq
        hub.publish(sessionId, events)
        if (!changes) return
        this.#shown = { ...this.#shown, ...change }
        hub.publishSummary(this.#row.owner, this.summary)
        this.#options.onRow(change)
      },
      (error: Error) => {
        if (!this.#broken) {
          this.#broken = error
          this.#options.onBroken(error)
        }
        throw error
      },
    )
    const settled = done.finally(() => {
      this.#inFlight -= size
    })
    this.#tail = settled.catch(() => {})
    await settled
  }

  /** What the session list shows, worked out only when an event can have changed it. */
  #rowChange(events: readonly SessionEvent[]): RowChange {
    if (events.every(event => QUIET.has(event.type))) return {}
    const now: RowChange = listed(this.state)
    const names = Object.keys(now) as (keyof RowChange)[]
    return Object.fromEntries(names.filter(name => now[name] !== this.#row[name]).map(name => [name, now[name]]))
  }
}

/** About how many bytes it is. Deltas are many and short around their text, so that nobody has to write them out. */
const weightOf = (event: SessionEvent): number =>
  'delta' in event ? event.delta.length + 300 : JSON.stringify(event).length

/** The ids that are given once and for ever: people choose them, and send them again when an answer got lost. */
function acceptedIds(event: SessionEvent): AcceptedId[] {
  switch (event.type) {
    case 'run.started': {
      const { runId, turnId, input, merged = [] } = event
      const turns = [{ turnId, digest: input.digest }, ...merged]
      return [{ kind: 'run', id: runId }, ...turns.map(turn => idOf('turn', turn.turnId, turn.digest))]
    }
    case 'queue.changed':
      return event.change === 'added' && event.turn ? [idOf('turn', event.turn.turnId, event.turn.input.digest)] : []
    case 'steer.accepted':
      return [idOf('steer', event.steerId, event.digest)]
    case 'steer.rejected':
      return [{ kind: 'steer', id: event.steerId }]
    case 'action.required':
      return [{ kind: 'action', id: event.actionId }]
    default:
      return []
  }
}

const idOf = (kind: 'turn' | 'steer', id: string, digest: string | undefined): AcceptedId => ({
  kind,
  id,
  ...(digest !== undefined && { digest }),
})

/** What the session list shows of a state. */
export function listed(state: SessionState) {
  const { session, queue, counts } = state
  return {
    title: session.title.known ? session.title.value : '',
    agentId: session.agentId.known ? session.agentId.value : '',
    pinned: session.pinned,
    archived: session.archived,
    status: sessionStatus(state),
    queued: queue.turns.length,
    messageCount: counts.messages,
    updatedAt: session.updatedAt,
    unfinished: session.activeRunId !== null || queue.turns.length > 0,
  }
}

const QUIET = new Set([
  'text.delta',
  'reasoning.delta',
  'tool.args',
  'tool.output.delta',
  'tool.progress',
  'surface.changed',
])

/** Remembers the messages whose stored page an event makes old. */
export function noteMessage(state: SessionState, entity: Entity, changed: Set<number>): void {
  const { messageId, retriedBy, runId } = entity as Partial<Message & Run>
  const ordinal = messageId ? state.messages.byId.get(messageId)?.ordinal : undefined
  if (ordinal !== undefined) changed.add(ordinal)
  // A run is part of the page of each of its messages; only a retry changes one that has ended.
  if (!retriedBy) return
  for (const message of state.messages.byId.values()) if (message.runId === runId) changed.add(message.ordinal)
}

/** The event at its place, `ahead` of the next one. */
export function eventFrom({ seq, sessionId }: SessionState, at: number, draft: EventDraft, ahead = 0): SessionEvent {
  return checkShape({ ...draft, seq: seq + 1 + ahead, sessionId, at } as SessionEvent, draft)
}

type Delta = Extract<EventDraft, { type: 'text.delta' | 'reasoning.delta' }>
/** By part: a delta whose shape was checked, and the event that it became. */
type CheckedDeltas = Map<string, { draft: Delta; event: SessionEvent }>

/** Deltas are many, and those of a part differ in their text alone: the shape of the first is the shape of all. */
function deltaFrom(
  checked: CheckedDeltas,
  state: SessionState,
  at: number,
  draft: EventDraft,
): SessionEvent | undefined {
  if (draft.type !== 'text.delta' && draft.type !== 'reasoning.delta') return undefined
  const { partId, delta } = draft
  const before = checked.get(partId)
  if (before && isShortText(delta) && sameButText(before.draft, draft)) {
    return { ...before.event, seq: state.seq + 1, at, delta } as SessionEvent
  }
  const event = eventFrom(state, at, draft)
  checked.set(partId, { draft, event })
  return event
}

const isShortText = (delta: unknown): boolean =>
  typeof delta === 'string' && delta.length > 0 && delta.length <= MAX_DELTA

function sameButText(a: Delta, b: Delta): boolean {
  const names = Object.keys(a) as (keyof Delta)[]
  return names.length === Object.keys(b).length && names.every(name => name === 'delta' || a[name] === b[name])
}

function checkShape(event: SessionEvent, draft: EventDraft): SessionEvent {
  if (!Object.hasOwn(eventSchemas, event.type)) throw new IllegalEvent('shape', 'is not an event class', draft)
  try {
    return checked(event, draft)
  } catch (error) {
    if (error instanceof IllegalEvent) throw error
    // A value that is cyclic, nested without end or throws when it is read.
    throw new IllegalEvent('shape', 'cannot be read', draft)
  }
}

function checked(event: SessionEvent, draft: EventDraft): SessionEvent {
  const parsed = eventSchemas[event.type].safeParse(event)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new IllegalEvent('shape', `/${issue?.path.join('/')}: ${issue?.message}`, draft)
  }
  const data = parsed.data as SessionEvent
  // A delta that merging keeps short cannot exceed the limit: only the others are measured.
  const short = (data.type === 'text.delta' || data.type === 'reasoning.delta') && isShortText(data.delta)
  if (!short && Buffer.byteLength(JSON.stringify(data)) > MAX_EVENT_BYTES) {
    throw new IllegalEvent('too-large', `is larger than ${MAX_EVENT_BYTES} bytes`, draft)
  }
  return data
}
