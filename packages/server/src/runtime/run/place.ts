import type { Slots } from '../slots.ts'

/** How long nothing may come from a run that waits for people before its place goes to another one. */
const QUIET_MS = 50

export interface PlaceHost {
  slots: Slots
  signal: AbortSignal
  /** The run waits for a place, with this many before it. */
  queued(ahead: number): void
  /** It waited for a place again and has it. */
  returned(): void
}

/**
 * The place of a run among those that work at once. A run all of whose agents wait for people gives it back, and has one
 * again before an answer reaches an agent or anything more is taken from one.
 */
export class Place {
  readonly #host: PlaceHost
  /** For each agent that runs, how many answers and child agents it waits for. */
  readonly #waits = new Map<string, number>()
  #release: (() => void) | undefined
  #taking: Promise<void> | undefined
  #began = false
  #working = 0
  #quiet: NodeJS.Timeout | undefined

  constructor(host: PlaceHost) {
    this.#host = host
  }

  /** Resolves with a place, or without one when the run is being stopped: it has to end in any case. */
  take(): Promise<void> {
    if (this.#release || this.#host.signal.aborted) return Promise.resolve()
    this.#taking ??= this.#take()
    return this.#taking
  }

  /** An agent of the run, for as long as it runs. */
  async agent<T>(prefix: string, run: () => Promise<T>): Promise<T> {
    this.#waits.set(prefix, 0)
    try {
      return await run()
    } finally {
      this.#waits.delete(prefix)
      this.#rest()
    }
  }

  /** Something that an agent does, which takes a place. */
  work<T>(work: () => Promise<T>): Promise<T> {
    // Nearly always: nobody was asked, and each output goes its way without a detour.
    const asks = this.#waits.values().some(count => count > 0)
    return this.#release && !asks ? work() : this.#counted(work)
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#working++
    try {
      if (!this.#release) await this.take()
      return await work()
    } finally {
      this.#working--
      this.#rest()
    }
  }

  /** What an agent waits for: the answer of a person, or the end of a child agent. */
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

  /** The run is over, and its signal is aborted. */
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
      const release = await slots.take(signal, moved, { again })
      // It may have been stopped, and have ended, since the place was given to it.
      if (signal.aborted) return release()
      this.#release = release
      this.#began = true
      if (queued && again) this.#host.returned()
      this.#rest()
    } catch {
      // Stopped while it waited.
    } finally {
      this.#taking = undefined
    }
  }

  #count(prefix: string, change: number): void {
    const before = this.#waits.get(prefix)
    // What an agent left behind waits for nobody.
    if (before !== undefined) this.#waits.set(prefix, before + change)
  }

  get #idle(): boolean {
    return this.#working === 0 && this.#waits.size > 0 && this.#waits.values().every(count => count > 0)
  }

  #rest(): void {
    clearTimeout(this.#quiet)
    if (!this.#release || !this.#idle) return
    this.#quiet = setTimeout(() => {
      if (this.#idle) this.#leave()
    }, QUIET_MS)
  }

  #leave(): void {
    clearTimeout(this.#quiet)
    this.#release?.()
    this.#release = undefined
  }
}
