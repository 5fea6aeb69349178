import { onceAFrame } from '@vitrine/client'
import type { SurfaceModel } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'

/** How long applying may hold the page in one go, in milliseconds. */
const SLICE = 8
const STEP = 200

/** Operations on their way into a model: applied once a frame, in order, in slices when there are many. */
export class OpQueue {
  readonly #model: SurfaceModel
  readonly #applied: () => void
  #batches: (readonly SurfaceOp[])[] = []
  readonly #frame = onceAFrame(() => this.#drain())
  #scheduled = false

  constructor(model: SurfaceModel, applied: () => void = () => {}) {
    this.#model = model
    this.#applied = applied
  }

  push(ops: readonly SurfaceOp[]): void {
    this.#batches.push(ops)
    if (this.#scheduled) return
    this.#scheduled = true
    this.#frame.request()
  }

  /** Drops what waits, because a new snapshot contains it. */
  clear(): void {
    this.#batches = []
  }

  readonly #drain = (): void => {
    const end = performance.now() + SLICE
    let batch = this.#batches.shift()
    while (batch) {
      // What a batch creates anew must stay together: components that come again keep their nodes, and the focus.
      const whole = batch.length <= STEP || batch.some(op => op.op === 'create')
      this.#model.apply(whole ? batch : batch.slice(0, STEP))
      if (!whole) this.#batches.unshift(batch.slice(STEP))
      if (performance.now() > end) break
      batch = this.#batches.shift()
    }
    this.#applied()
    this.#scheduled = this.#batches.length > 0
    if (this.#scheduled) setTimeout(this.#drain)
  }
}
