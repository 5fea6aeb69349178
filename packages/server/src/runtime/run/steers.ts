import type { SteerInbox, Steering } from '../../agents/agent.ts'
import { readable } from '../../agents/interaction-text.ts'
import type { RunWriter } from './writer.ts'

const MAX_STEERS = 100

/** Steers of the run that the agent has not taken yet. */
export class Steers {
  readonly #writer: RunWriter
  readonly #signal: AbortSignal
  #waiting: Steering[] = []
  #wake: (() => void)[] = []

  constructor(writer: RunWriter, signal: AbortSignal) {
    this.#writer = writer
    this.#signal = signal
  }

  get full(): boolean {
    return this.#waiting.length >= MAX_STEERS
  }

  push(steering: Steering): void {
    this.#waiting.push(steering)
    this.wake()
  }

  /** Wakes the agents that wait: a steer has come, or the run is being stopped. */
  wake(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  readonly inbox: SteerInbox = {
    take: async () => this.#take(),
    wait: () =>
      new Promise(resolve => {
        if (this.#waiting.length > 0 || this.#signal.aborted || this.#writer.over) resolve()
        else this.#wake.push(resolve)
      }),
  }

  #take(): Steering[] {
    const taken = this.#waiting.splice(0).map(readable)
    const writer = this.#writer
    for (const { steerId } of taken) {
      const at = { messageId: writer.messageId, partId: writer.nextPart() }
      writer.stream({ type: 'steer.consumed', ...writer.ids, steerId, ...at })?.catch(() => {})
    }
    return taken
  }
}
