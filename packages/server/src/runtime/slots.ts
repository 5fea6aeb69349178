/** A bounded number of works at once, such as runs; the others wait in order and can see how many are ahead. */
export class Slots {
  readonly #limit: number
  #used = 0
  #waiting: { start: () => void; moved: (ahead: number) => void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves with the release function. `moved` is told the number ahead while waiting. */
  async take(signal?: AbortSignal, moved: (ahead: number) => void = () => {}): Promise<() => void> {
    if (this.#used >= this.#limit) {
      await new Promise<void>((resolve, reject) => {
        const waiter = { start: resolve, moved }
        this.#waiting.push(waiter)
        moved(this.#waiting.length - 1)
        signal?.addEventListener('abort', () => {
          const at = this.#waiting.indexOf(waiter)
          if (at < 0) return
          this.#waiting.splice(at, 1)
          this.#tell()
          reject(signal!.reason)
        })
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

  #tell(): void {
    this.#waiting.forEach((waiter, ahead) => {
      waiter.moved(ahead)
    })
  }
}
