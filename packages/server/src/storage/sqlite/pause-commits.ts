const PAUSE = 0
const PAUSED = 1

export interface CommitPause {
  /** Hand it to `openSqlite`. */
  readonly buffer: SharedArrayBuffer
  /** From now on groups are written but not committed: the storage answers nothing, reads included. */
  pause(): void
  resume(): void
  /** Resolves when a group has been written and waits for its commit. */
  paused(): Promise<void>
}

/** Lets a test stand between a write and its commit (L1). A callback cannot cross into the worker, shared memory can. */
export function createCommitPause(): CommitPause {
  const buffer = new SharedArrayBuffer(8)
  const cells = new Int32Array(buffer)
  return {
    buffer,
    pause: () => {
      Atomics.store(cells, PAUSE, 1)
    },
    resume: () => {
      Atomics.store(cells, PAUSE, 0)
      Atomics.notify(cells, PAUSE)
    },
    async paused() {
      while (Atomics.load(cells, PAUSED) === 0) await Atomics.waitAsync(cells, PAUSED, 0, 50).value
    },
  }
}

/** The worker's side, right before COMMIT. */
export function waitWhilePaused(buffer: SharedArrayBuffer): void {
  const cells = new Int32Array(buffer)
  while (Atomics.load(cells, PAUSE) === 1) {
    Atomics.store(cells, PAUSED, 1)
    Atomics.notify(cells, PAUSED)
    Atomics.wait(cells, PAUSE, 1)
  }
  Atomics.store(cells, PAUSED, 0)
}
