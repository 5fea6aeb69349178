interface Waiter {
  start: () => void
  moved: (ahead: number) => void
  /** It had a slot before, and so it goes before those that had none. */
  again: boolean
}

/** Lets a bounded number of works go on at once, such as runs. The others wait in order and see how many are ahead. */
export class Slots {
  readonly #limit: number
  #used = 0
  #waiting: Waiter[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves with the function that gives the slot back. While it waits, `moved` is told how many are ahead. */
  async take(
    signal?: AbortSignal,
    moved: (ahead: number) => void = () => {},
    { again = false }: { again?: boolean } = {},
  ): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#used >= this.#limit) {
      await new Promise<void>((resolve, reject) => {
        const left = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
          this.#tell()
          reject(signal!.reason)
        }
        const start = (): void => {
          signal?.removeEventListener('abort', left)
          resolve()
        }
        const waiter: Waiter = { start, moved, again }
        signal?.addEventListener('abort', left, { once: true })
        const behind = again ? this.#waiting.findIndex(other => !other.again) : -1
        if (behind < 0) {
          this.#waiting.push(waiter)
          moved(this.#waiting.length - 1)
        } else {
          this.#waiting.splice(behind, 0, waiter)
          this.#tell(behind)
        }
      })
    } else this.#used++
    let givenBack = false
    return () => {
      if (givenBack) return
      givenBack = true
      const next = this.#waiting.shift()
      if (next) {
        next.start()
        this.#tell()
      } else this.#used--
    }
  }

  #tell(from = 0): void {
    for (let ahead = from; ahead < this.#waiting.length; ahead++) this.#waiting[ahead]!.moved(ahead)
  }
}
