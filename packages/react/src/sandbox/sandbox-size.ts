/** Less than this is no change that anybody sees. */
const STEP = 2
const LEAST = 32
/** More changes than this in so many milliseconds are not a layout that settles. */
const MOST_CHANGES = 12
const WINDOW_MS = 2_000

/**
 * The height that a sandbox asks for, as far as it is given: never outside of its limits, and a content that changes its
 * mind all the time is held at the largest height of that time, so that the page around it stands still.
 */
export class SandboxSize {
  readonly #most: number
  #height: number
  #largest = 0
  #changes: number[] = []

  constructor(height: number, most: number) {
    this.#most = most
    this.#height = height
  }

  /** The new height, or undefined when it stays as it is. */
  accept(wanted: unknown, now: number): number | undefined {
    if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return undefined
    const height = Math.min(this.#most, Math.max(LEAST, Math.ceil(wanted)))
    if (Math.abs(height - this.#height) < STEP) return undefined
    this.#changes = this.#changes.filter(at => now - at < WINDOW_MS)
    if (this.#changes.length === 0) this.#largest = 0
    this.#changes.push(now)
    this.#largest = Math.max(this.#largest, height)
    const given = this.#changes.length > MOST_CHANGES ? this.#largest : height
    if (given === this.#height) return undefined
    this.#height = given
    return given
  }
}
