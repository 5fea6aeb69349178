import {
  apply,
  type Entity,
  type EventDraft,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  sessionStatus,
  verify,
} from '@vitrine/protocol'
import { eventSchemas, MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import type { RowChange, SessionRow, Storage } from '../storage/storage.ts'
import type { Hub } from '../stream/hub.ts'
import { mergeDeltas } from './merge.ts'

/** The event breaks a rule of the protocol, is malformed or too large. Nothing of it was written. */
export class IllegalEvent extends Error {
  override name = 'IllegalEvent'
  readonly code: string
  readonly runId: string | undefined

  constructor(code: string, detail: string, draft: EventDraft) {
    super(`${draft.type}: ${detail}`)
    this.code = code
    this.runId = draft.runId
  }
}

export interface LogOptions {
  storage: Storage
  hub: Hub
  row: SessionRow
  state: SessionState
  epoch: number
  /** How long streamed output may wait for company before it is written. */
  batchMs: number
  now: () => number
  /** The log can no longer write (disk full, lease lost): whoever holds the session must let go of it. */
  onBroken: (error: Error) => void
  /** The list row changed, after the commit. */
  onRow: (change: RowChange) => void
}

/** Bytes that wait for storage before producers are made to wait. */
const HIGH_WATER = 1024 * 1024

/**
 * The one writer of a session: verify → seq → fold → append → publish after the commit.
 * `state` runs ahead of what is durable; `durable` says how far a reader may look (L1).
 */
export class SessionLog {
  readonly state: SessionState
  durable: number
  /** Messages that changed since the last checkpoint. */
  readonly changedMessages = new Set<string>()
  readonly #options: LogOptions
  #row: SessionRow
  #epoch: number
  #renewing: Promise<void> | undefined
  #pending: { draft: EventDraft; onIllegal: (error: IllegalEvent) => void }[] = []
  #timer: NodeJS.Timeout | undefined
  #lastFlush = 0
  #tail: Promise<void> = Promise.resolve()
  #inFlight = 0
  #broken: Error | undefined

  constructor(options: LogOptions) {
    this.#options = options
    this.#row = options.row
    this.state = options.state
    this.#epoch = options.epoch
    this.durable = options.state.seq
  }

  get summary(): SessionSummary {
    const { owner: _, unfinished: __, ...summary } = this.#row
    return { ...summary, seq: this.durable }
  }

  /** Writes now, after what waits. Resolves when durable; throws IllegalEvent at the first that is not allowed. */
  async write(drafts: readonly EventDraft[], row: RowChange = {}): Promise<void> {
    this.#flushPending()
    const events: SessionEvent[] = []
    try {
      for (const draft of drafts) events.push(this.#accept(draft))
    } finally {
      // What was folded has its seq: it must reach the log even when a later one is refused.
      await this.#commit(events, row)
    }
  }

  /**
   * Streamed output: adjacent deltas merge, and up to `batchMs` of it becomes one append. The first after a pause goes
   * at once. Resolves when there is room for more, not when durable.
   */
  async stream(draft: EventDraft, onIllegal: (error: IllegalEvent) => void): Promise<void> {
    if (this.#broken) throw this.#broken
    this.#pending.push({ draft, onIllegal })
    if (this.#options.now() - this.#lastFlush >= this.#options.batchMs) this.#flushPending()
    else this.#timer ??= setTimeout(() => this.#flushPending(), this.#options.batchMs)
    if (this.#inFlight > HIGH_WATER || this.#pending.length > 1_000) {
      this.#flushPending()
      await this.settled()
    }
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
    this.#renewing ??= this.#options.storage.lease(this.state.sessionId).then(({ epoch }) => {
      this.#epoch = epoch
      this.#renewing = undefined
    })
    await this.#renewing
  }

  /** A change of the list row that no event carries (what somebody has read). */
  async updateRow(change: RowChange): Promise<void> {
    await this.#options.storage.updateSession(this.state.sessionId, change)
    this.#row = { ...this.#row, ...change }
    this.#options.hub.publishSummary(this.#row.owner, this.summary)
  }

  #flushPending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    this.#lastFlush = this.#options.now()
    const events: SessionEvent[] = []
    for (const { draft, onIllegal } of mergeDeltas(pending)) {
      try {
        events.push(this.#accept(draft))
      } catch (error) {
        if (error instanceof IllegalEvent) onIllegal(error)
        else throw error
      }
    }
    // A failed append has told `onBroken`; nobody waits for this one.
    this.#commit(events, {}).catch(() => {})
  }

  /** Verifies, gives the event its place and folds it. */
  #accept(draft: EventDraft): SessionEvent {
    const { state } = this
    const given = { ...draft, seq: state.seq + 1, sessionId: state.sessionId, at: this.#options.now() } as SessionEvent
    const event = checkShape(given, draft)
    const violation = verify(state, event)
    if (violation) throw new IllegalEvent(violation.code, violation.detail, draft)
    apply(state, event, this.#touched)
    return event
  }

  #touched = (entity: Entity): void => {
    const { messageId } = entity as { messageId?: string | null }
    if (messageId) this.changedMessages.add(messageId)
  }

  async #commit(events: SessionEvent[], row: RowChange): Promise<void> {
    if (this.#broken) throw this.#broken
    if (events.length === 0) return this.#tail
    const { storage, hub } = this.#options
    const { sessionId } = this.state
    const change = { ...this.#rowChange(events), ...row }
    const changes = Object.keys(change).length > 0
    if (changes) this.#row = { ...this.#row, ...change }
    const size = JSON.stringify(events).length
    this.#inFlight += size
    const append = (): Promise<void> =>
      storage.append({ sessionId, epoch: this.#epoch, events, ...(changes && { row: change }) })
    const stored = this.#renewing ? this.#renewing.then(append) : append()
    const before = this.#tail
    const done = Promise.all([stored, before]).then(
      () => {
        this.durable = events.at(-1)!.seq
        hub.publish(sessionId, events)
        if (!changes) return
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
    const { state } = this
    const { session, queue } = state
    const now: RowChange = {
      title: session.title.known ? session.title.value : '',
      agentId: session.agentId.known ? session.agentId.value : '',
      pinned: session.pinned,
      archived: session.archived,
      status: sessionStatus(state),
      queued: queue.turns.length,
      messageCount: state.counts.messages,
      updatedAt: session.updatedAt,
      unfinished: session.activeRunId !== null || queue.turns.length > 0,
    }
    const names = Object.keys(now) as (keyof RowChange)[]
    return Object.fromEntries(names.filter(name => now[name] !== this.#row[name]).map(name => [name, now[name]]))
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

function checkShape(event: SessionEvent, draft: EventDraft): SessionEvent {
  const schema = eventSchemas[event.type]
  if (!schema) throw new IllegalEvent('shape', 'is not an event class', draft)
  const parsed = schema.safeParse(event)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new IllegalEvent('shape', `/${issue?.path.join('/')}: ${issue?.message}`, draft)
  }
  const checked = parsed.data as SessionEvent
  // A delta that merging keeps short cannot exceed the limit: only the others are measured.
  const short = checked.type === 'text.delta' || checked.type === 'reasoning.delta'
  if (!short && Buffer.byteLength(JSON.stringify(checked)) > MAX_EVENT_BYTES) {
    throw new IllegalEvent('too-large', `is larger than ${MAX_EVENT_BYTES} bytes`, draft)
  }
  return checked
}
