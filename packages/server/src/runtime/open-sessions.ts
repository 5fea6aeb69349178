import type { Reason } from '@vitrine/protocol'
import { stopping } from '../refusal.ts'
import type { SessionRow } from '../storage/session-store.ts'
import { LogDamaged, StaleLease } from '../storage/storage.ts'
import { logUnwritable } from './reasons.ts'
import type { SessionActor } from './session-actor.ts'

/** After storage failed: how long until the session is taken up again. Each time that fails, too, it is twice as long. */
const REOPEN_MS = { first: 500, last: 60_000 }

/** A session in memory, or on its way there. */
interface Open {
  opening: Promise<SessionActor>
  actor: SessionActor | undefined
  users: number
}

export interface OpenSessionsOptions {
  /** Takes the session over under a new lease. */
  open(row: SessionRow): Promise<SessionActor>
  row(sessionId: string): Promise<SessionRow | undefined>
  /** Its log cannot be read, and nobody knows what became of what was under way. */
  damaged(sessionId: string): Promise<void>
  /** How many may stay that nobody uses, and about how many bytes all may take. */
  limit: number
  bytes: number
}

/** The sessions in memory. One that is used stays; the ones used longest ago leave first. */
export class OpenSessions {
  readonly #options: OpenSessionsOptions
  /** The one used longest ago is the first. */
  readonly #sessions = new Map<string, Open>()
  #closing = false

  constructor(options: OpenSessionsOptions) {
    this.#options = options
  }

  /** Brings the session into memory when it is not there, and keeps it there while `use` works with it. */
  async use<T>(row: SessionRow, use: (actor: SessionActor) => Promise<T>): Promise<T> {
    const { sessionId } = row
    const entry = this.#sessions.get(sessionId) ?? this.#activate(row)
    this.#sessions.delete(sessionId)
    this.#sessions.set(sessionId, entry)
    entry.users++
    try {
      return await use(await entry.opening)
    } finally {
      entry.users--
      this.#evict()
    }
  }

  /** The session if it is in memory already. */
  async find(sessionId: string): Promise<SessionActor | undefined> {
    return this.#sessions.get(sessionId)?.opening.catch(() => undefined)
  }

  /** Stops what works in the sessions, one after another, lets `remove` take them away, and forgets them. */
  async remove<T extends { sessionId: string }>(
    sessionIds: readonly string[],
    reason: Reason,
    remove: () => Promise<T[]>,
  ): Promise<T[]> {
    const gone = new Set(sessionIds)
    const stop = async () => {
      for (const sessionId of gone) await (await this.find(sessionId))?.close(reason)
    }
    try {
      await stop()
      const removed = await remove()
      for (const { sessionId } of removed) gone.add(sessionId)
      // What was opened meanwhile has lost its lease.
      await stop()
      return removed
    } finally {
      for (const sessionId of gone) this.#sessions.delete(sessionId)
    }
  }

  async close(reason: Reason): Promise<void> {
    this.#closing = true
    const open = await Promise.allSettled([...this.#sessions.values()].map(({ opening }) => opening))
    await Promise.all(open.map(result => result.status === 'fulfilled' && result.value.close(reason)))
  }

  #activate(row: SessionRow): Open {
    if (this.#closing) throw stopping()
    const { sessionId } = row
    const entry: Open = {
      opening: this.#options.open(row),
      actor: undefined,
      users: 0,
    }
    entry.opening.then(
      actor => {
        entry.actor = actor
        void actor.log.whenBroken.then(error => this.#leave(sessionId, entry, actor, error))
      },
      () => this.#forget(sessionId, entry),
    )
    return entry
  }

  #forget(sessionId: string, entry: Open): void {
    if (this.#sessions.get(sessionId) === entry) this.#sessions.delete(sessionId)
  }

  /** A session whose log can no longer write leaves memory. */
  #leave(sessionId: string, entry: Open, actor: SessionActor, error: Error): void {
    this.#forget(sessionId, entry)
    void actor.close(logUnwritable).then(() => {
      // Whoever took the lease works on; otherwise the run that was cut off is reported without waiting for a command.
      if (!(error instanceof StaleLease)) this.takeUp(sessionId)
    })
  }

  /**
   * Brings the session into memory without anybody waiting for it, so that a run that was cut off is reported and its
   * queue goes on. Tries until it is done: the disk may be full for a while.
   */
  takeUp(sessionId: string, wait = REOPEN_MS.first): void {
    if (this.#closing || this.#sessions.has(sessionId)) return
    this.#options
      .row(sessionId)
      .then(row => row && this.use(row, async () => {}))
      .catch(error => {
        // A damaged log does not heal by itself.
        if (error instanceof LogDamaged) return this.#options.damaged(sessionId)
        const again = () => this.takeUp(sessionId, Math.min(2 * wait, REOPEN_MS.last))
        setTimeout(again, wait).unref()
      })
  }

  #evict(): void {
    let bytes = 0
    for (const { actor } of this.#sessions.values()) bytes += actor?.log.loaded.bytes ?? 0
    for (const [sessionId, { actor, users }] of this.#sessions) {
      if (this.#sessions.size <= this.#options.limit && bytes <= this.#options.bytes) return
      if (users > 0 || !actor?.idle) continue
      this.#sessions.delete(sessionId)
      bytes -= actor.log.loaded.bytes
    }
  }
}
