import type { PatternWorker } from '../pattern/worker.ts'

const REMEMBERED = 256

/** What the worker said about patterns that may not run on the page, and who waits for what it will say. */
export class PatternAnswers<Waiter> {
  readonly #worker: PatternWorker
  readonly #answered: (waiters: ReadonlySet<Waiter>, pattern: string, answer: boolean | 'timeout') => void
  readonly #answers = new Map<string, boolean>()
  readonly #waiting = new Map<string, Set<Waiter>>()

  constructor(
    worker: PatternWorker,
    answered: (waiters: ReadonlySet<Waiter>, pattern: string, answer: boolean | 'timeout') => void,
  ) {
    this.#worker = worker
    this.#answered = answered
  }

  /** The answer, or undefined while it is on its way; then the waiter is told. A time-out counts as not matching. */
  ask(pattern: string, value: string, waiter: Waiter | undefined): boolean | undefined {
    const key = `${pattern}\n${value}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const waiting = this.#waiting.get(key)
    if (waiting) {
      if (waiter) waiting.add(waiter)
      return undefined
    }
    this.#waiting.set(key, new Set(waiter ? [waiter] : []))
    this.#worker.test(pattern, value).then(
      answer => this.#take(key, pattern, answer),
      () => this.#take(key, pattern, 'timeout'),
    )
    return undefined
  }

  /** This one waits no longer. */
  leave(waiter: Waiter): void {
    for (const waiting of this.#waiting.values()) waiting.delete(waiter)
  }

  forget(): void {
    this.#answers.clear()
  }

  #take(key: string, pattern: string, answer: boolean | 'timeout'): void {
    if (this.#answers.size >= REMEMBERED) this.#answers.clear()
    this.#answers.set(key, answer === true)
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    this.#answered(waiting ?? new Set(), pattern, answer)
  }
}
