import type { Interaction } from '@vitrine/protocol'

/** Interactions of one session that are kept for their agent. Those used longest ago leave first. */
const MOST_KEPT = 100

/**
 * What people typed hidden, for the runs that it is for: in the memory of this process and nowhere else. When the process
 * ends it is gone, and the run that needed it says so.
 */
export class KeptSecrets {
  readonly #kept = new Map<string, Interaction>()

  keep(key: string, interaction: Interaction): void {
    this.#kept.set(key, interaction)
    for (const [oldest] of this.#kept) if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest)
  }

  forget(key: string): void {
    this.#kept.delete(key)
  }

  /** What the person did with what they typed, if it is still there. */
  get(key: string): Interaction | undefined {
    return this.#kept.get(key)
  }
}
