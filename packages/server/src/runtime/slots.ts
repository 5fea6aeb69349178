interface Waiter {
  start: () => void
  moved: (ahead: number) => void
  /** It had a place before and goes before those that had none. */
  again: boolean
}

/** A bounded number of works at once, such as runs; the others wait in order and can see how many are ahead. */
export class Slots {
  readonly #limit: number
  #used = 0
  #waiting: Waiter[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves with the release function. `moved` is told the number ahead while waiting. */
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
    let released = false
    return () => {
      if (released) return
      released = true
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
