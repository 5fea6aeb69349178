import { onceAFrame } from '@vitrine/client'
import type { SurfaceModel } from '@vitrine/genui/a2ui'

/** What one slice may take, in milliseconds, with the drawing that follows it. */
const SLICE = 12

type Reader = () => void

/**
 * Tells drawn components that their node changed: once a frame, and a slice at a time, so that a flood of changes never
 * holds the page. Readers always read the newest state, so what comes late is never outdated.
 */
export class NodeFeed {
  readonly #model: SurfaceModel
  readonly #changed = new Set<Reader>()
  #size = 256
  readonly #frame = onceAFrame(() => this.#tell())
  /** What it waits for: the next frame, or the rest of what it has begun to tell. */
  #waits: 'frame' | 'rest' | null = null
  #atOnce = false

  constructor(model: SurfaceModel) {
    this.#model = model
  }

  subscribe(nodeId: string, reader: Reader): () => void {
    // A function of its own: two readers of one node may share the callback.
    const told = () => reader()
    const stop = this.#model.subscribe(nodeId, () => (this.#atOnce ? told() : this.#mark(told)))
    return () => {
      stop()
      this.#changed.delete(told)
    }
  }

  /** What a person does is drawn before the next key: a controlled input would lose its caret otherwise. */
  atOnce(change: () => void): void {
    const before = this.#atOnce
    this.#atOnce = true
    try {
      change()
    } finally {
      this.#atOnce = before
    }
  }

  #mark(reader: Reader): void {
    this.#changed.add(reader)
    if (this.#waits) return
    this.#waits = 'frame'
    this.#frame.request()
  }

  /**
   * Tells now what the next frame would tell. Who changes the model once a frame calls it afterwards: the change would be
   * drawn a frame later otherwise.
   */
  flush(): void {
    if (this.#waits !== 'frame') return
    this.#frame.cancel()
    this.#tell()
  }

  readonly #tell = (): void => {
    const started = performance.now()
    this.#waits = 'rest'
    let left = this.#size
    for (const reader of this.#changed) {
      if (left-- === 0) break
      this.#changed.delete(reader)
      reader()
    }
    // React draws when this task ends; the next one sees how long both took.
    setTimeout(() => {
      const took = performance.now() - started
      if (left < 0 && took < SLICE / 2) this.#size = Math.min(4096, this.#size * 2)
      else if (took > SLICE) this.#size = Math.max(16, this.#size >> 1)
      if (this.#changed.size > 0 && left < 0) return this.#tell()
      this.#waits = this.#changed.size > 0 ? 'frame' : null
      if (this.#waits) this.#frame.request()
    })
  }
}
