import {
  apply,
  type Entity,
  type EventDraft,
  roughBytes,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  verify,
  verifyAll,
} from '@vitrine/protocol'
import type { CheckpointStore } from '../storage/checkpoint-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import type { SessionRow } from '../storage/session-store.ts'
import type { Hub } from '../stream/hub.ts'
import { acceptedIds } from './accepted-ids.ts'
import { type CheckedDeltas, deltaFrom, eventFrom, IllegalEvent } from './event-from.ts'
import { rowChange, summaryOf } from './list-row.ts'
import { type LoadedSession, noteMessage, putAway } from './loaded-session.ts'
import { mergeDeltas } from './merge.ts'
import { runUsage } from './run-usage.ts'
import { pauseForOthers } from './share-loop.ts'
import { textChange } from './text-change.ts'

export interface LogOptions {
  storage: LogStore & CheckpointStore
  /** It is told of what is durable, and of nothing else (L1). */
  hub: Pick<Hub, 'publish' | 'publishSummary'>
  row: SessionRow
  loaded: LoadedSession
  epoch: number
  /** Who takes the leases of this log. */
  holder: string
  /** How long streamed output may wait for more before it is written. */
  batchMs: number
  now: () => number
}

/** Is told of an event that was refused. When it returns true, the log takes nothing more that comes with this listener. */
export type OnIllegal = (error: IllegalEvent) => boolean

/**
 * So many appends of streamed output may follow each other without a pause, and each `batchMs` allows one more. What a run
 * says first, such as its state, a new part and the first words in it, is therefore seen at once, and a flood is not.
 */
const AT_ONCE = 4

/** When more bytes than these wait for storage, whoever streams has to wait. */
const HIGH_WATER = 1024 * 1024

/**
 * The one writer of a session: seq → verify → fold → append → publish after the commit.
 * `state` runs ahead of what is durable; `durable` says how far a reader may look (L1).
 */
export class SessionLog {
  readonly state: SessionState
  readonly loaded: LoadedSession
  /** Resolves with the reason when it can no longer write (disk full, lease lost): the session has to leave memory. */
  readonly whenBroken: Promise<Error>
  durable: number
  readonly #options: LogOptions
  /** The row of the list: as far as it is durable, and with what is on its way to storage. */
  #shown: SessionRow
  #row: SessionRow
  /** Every append goes through it, so that those that wait for a newer lease keep their order. */
  #epoch: Promise<number>
  #pending: { draft: EventDraft; onIllegal: OnIllegal }[] = []
  #timer: NodeJS.Timeout | undefined
  /** Until when the appends of streamed output have used up their time, at one append each `batchMs`. */
  #usedUpTo = 0
  #tail: Promise<void> = Promise.resolve()
  #inFlight = 0
  #broken: Error | undefined
  readonly #tellBroken: (error: Error) => void

  constructor(options: LogOptions) {
    this.#options = options
    this.#row = this.#shown = options.row
    this.loaded = options.loaded
    this.state = options.loaded.state
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.whenBroken = promise
    this.#tellBroken = resolve
    this.#epoch = Promise.resolve(options.epoch)
    this.durable = this.state.seq
  }

  /** The log cannot write any more. */
  get broken(): boolean {
    return this.#broken !== undefined
  }

  get summary(): SessionSummary {
    return { ...summaryOf(this.#shown), seq: this.durable }
  }

  /**
   * Writes the events now, after those that wait: all of them or none. Resolves when they are durable. Throws IllegalEvent
   * for the first event that is malformed, too large or not allowed; then none of them is in the state or in the log.
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
   * Takes streamed output: adjacent deltas are merged, and the output of up to `batchMs` becomes one append. After a pause
   * the first appends wait for nothing but the rest of what is said in the same moment. Returns a promise when the caller
   * has to wait until there is room for more, or when the log is broken. It does not wait until the event is durable.
   */
  stream(draft: EventDraft, onIllegal: OnIllegal): Promise<void> | undefined {
    if (this.#lacks(draft)) return this.reach(draft).then(() => this.#take(draft, onIllegal))
    return this.#take(draft, onIllegal)
  }

  #take(draft: EventDraft, onIllegal: OnIllegal): Promise<void> | undefined {
    if (this.#broken) return Promise.reject(this.#broken)
    this.#pending.push({ draft, onIllegal })
    this.#timer ??= setTimeout(() => this.#flushPending(), this.#waitForMore())
    if (this.#inFlight > HIGH_WATER || this.#pending.length > 1_000) return this.settled().then(pauseForOthers)
    return pauseForOthers()
  }

  /** Resolves when everything accepted so far is durable. */
  async settled(): Promise<void> {
    this.#flushPending()
    await this.#tail
    if (this.#broken) throw this.#broken
  }

  /** Between runs: stores a checkpoint and lets messages leave memory when there are many. True when some have left. */
  async rest(): Promise<boolean> {
    await this.settled()
    return putAway(this.#options.storage, this.loaded)
  }

  /** Takes a newer lease, so that whoever still writes under the old one is refused. Appends wait meanwhile, in order. */
  async renewLease(): Promise<void> {
    this.#flushPending()
    const { storage, holder } = this.#options
    this.#epoch = this.#epoch.then(async () => (await storage.lease(this.state.sessionId, holder)).epoch)
    await this.#epoch
  }

  /** Brings what the event changes into the state. `write` and `stream` do this by themselves. */
  async reach(draft: EventDraft): Promise<void> {
    await this.loaded.history.reach(draft)
  }

  /** Whether the state lacks what the event changes. It nearly never does, and then an event is taken without a pause. */
  #lacks(draft: EventDraft): boolean {
    return this.loaded.history.lacks(draft)
  }

  /** How long streamed output waits for more. */
  #waitForMore(): number {
    const { batchMs, now } = this.#options
    return Math.max(0, this.#usedUpTo - (AT_ONCE - 1) * batchMs - now())
  }

  #noteAppend(): void {
    const { batchMs, now } = this.#options
    // Appends that did not wait, because much had gathered, hold up the next one no longer than any other.
    this.#usedUpTo = Math.min(Math.max(this.#usedUpTo, now()) + batchMs, now() + AT_ONCE * batchMs)
  }

  #flushPending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    this.#noteAppend()
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
    // Nobody waits for this append; when it fails, `whenBroken` tells.
    this.#commit(events).catch(() => {})
  }

  /** Surfaces whose words cannot be found yet as they are now. */
  readonly #drawn = new Set<string>()

  #touched = (entity: Entity): void => noteMessage(this.state, entity, this.loaded.changedMessages)

  async #commit(events: SessionEvent[]): Promise<void> {
    if (this.#broken) throw this.#broken
    if (events.length === 0) return this.#tail
    const { storage, hub } = this.#options
    const { sessionId } = this.state
    const change = rowChange(this.#row, this.state, events)
    const changes = Object.keys(change).length > 0
    if (changes) this.#row = { ...this.#row, ...change }
    const size = roughBytes(events)
    this.#inFlight += size
    this.loaded.bytes += size
    const ids = events.flatMap(acceptedIds)
    const texts = textChange(this.state, events, this.#drawn)
    const usage = runUsage(this.state, events)
    const rest = {
      ...(changes && { row: change }),
      ...(ids.length > 0 && { ids }),
      ...(texts && { texts }),
      ...(usage.length > 0 && { usage }),
    }
    const stored = this.#epoch.then(epoch => storage.append({ sessionId, epoch, events, ...rest }))
    const before = this.#tail
    const done = Promise.all([stored, before]).then(
      () => {
        this.durable = events.at(-1)!.seq
        hub.publish(sessionId, events)
        if (!changes) return
        this.#shown = { ...this.#shown, ...change }
        hub.publishSummary(this.#row.owner, this.summary)
      },
      (error: Error) => {
        if (!this.#broken) {
          this.#broken = error
          this.#tellBroken(error)
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
}
