import type { Slots } from '../slots.ts'

/** A run whose agents all wait for people gives its slot to another run after this long. */
const QUIET_MS = 50

export interface RunSlotHost {
  slots: Slots
  signal: AbortSignal
  /** The run waits for a slot, and so many runs are before it. */
  queued(ahead: number): void
  /** The run had to wait for a slot once more, and has it now. */
  returned(): void
}

/**
 * The slot of a run among those that work at once. A run whose agents all wait for people gives its slot back. It takes
 * a slot again before a response reaches an agent, and before anything more is taken from an agent.
 */
export class RunSlot {
  readonly #host: RunSlotHost
  /** For each agent that runs: how many responses and subagents it waits for. */
  readonly #waits = new Map<string, number>()
  #giveBack: (() => void) | undefined
  #taking: Promise<void> | undefined
  #began = false
  #working = 0
  #quiet: NodeJS.Timeout | undefined

  constructor(host: RunSlotHost) {
    this.#host = host
  }

  /** Resolves when the run has a slot, or has none because it is being stopped: a run that is stopped ends without one. */
  take(): Promise<void> {
    if (this.#giveBack || this.#host.signal.aborted) return Promise.resolve()
    this.#taking ??= this.#take()
    return this.#taking
  }

  /** Counts an agent of the run for as long as it runs. */
  async agent<T>(prefix: string, run: () => Promise<T>): Promise<T> {
    this.#waits.set(prefix, 0)
    try {
      return await run()
    } finally {
      this.#waits.delete(prefix)
      this.#rest()
    }
  }

  /** Does something for an agent that needs the slot of the run. */
  work<T>(work: () => Promise<T> | T): Promise<T> | T {
    // Nearly always no agent waits for a person, and then an output needs no counting.
    return this.#giveBack && !this.#asks ? work() : this.#counted(work)
  }

  async #counted<T>(work: () => Promise<T> | T): Promise<T> {
    this.#working++
    try {
      if (!this.#giveBack) await this.take()
      return await work()
    } finally {
      this.#working--
      this.#rest()
    }
  }

  /** Waits for the response of a person or the end of a subagent. The run may give its slot back meanwhile. */
  async wait<T>(prefix: string, awaited: Promise<T>): Promise<T> {
    this.#count(prefix, 1)
    this.#rest()
    try {
      return await awaited
    } finally {
      this.#count(prefix, -1)
      await this.take()
    }
  }

  /** Gives the slot back for good. The run is over, and its signal is aborted. */
  close(): void {
    this.#leave()
  }

  async #take(): Promise<void> {
    const { slots, signal } = this.#host
    const again = this.#began
    let queued = false
    const moved = (ahead: number): void => {
      queued = true
      this.#host.queued(ahead)
    }
    try {
      const giveBack = await slots.take(signal, moved, { again })
      // The run may have been stopped, and have ended, since the slot was given to it.
      if (signal.aborted) return giveBack()
      this.#giveBack = giveBack
      this.#began = true
      if (queued && again) this.#host.returned()
      this.#rest()
    } catch {
      // The run was stopped while it waited.
    } finally {
      this.#taking = undefined
    }
  }

  #count(prefix: string, change: number): void {
    const before = this.#waits.get(prefix)
    // An agent that has ended may have left work behind; what that work waits for does not count.
    if (before !== undefined) this.#waits.set(prefix, before + change)
  }

  /** An agent of the run waits for a person or for a subagent. */
  get #asks(): boolean {
    for (const count of this.#waits.values()) if (count > 0) return true
    return false
  }

  get #idle(): boolean {
    return this.#working === 0 && this.#waits.size > 0 && this.#waits.values().every(count => count > 0)
  }

  #rest(): void {
    clearTimeout(this.#quiet)
    if (!this.#giveBack || !this.#idle) return
    this.#quiet = setTimeout(() => {
      if (this.#idle) this.#leave()
    }, QUIET_MS)
  }

  #leave(): void {
    clearTimeout(this.#quiet)
    this.#giveBack?.()
    this.#giveBack = undefined
  }
}
