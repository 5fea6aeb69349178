const HOLD = 0
const HELD = 1

export interface CommitHold {
  /** Hand it to `openSqlite`. */
  readonly buffer: SharedArrayBuffer
  /** From now on groups are written but not committed: the storage answers nothing, reads included. */
  hold(): void
  release(): void
  /** Resolves when a group has been written and waits for its commit. */
  held(): Promise<void>
}

/** Lets a test stand between a write and its commit (L1). A callback cannot cross into the worker, shared memory can. */
export function createCommitHold(): CommitHold {
  const buffer = new SharedArrayBuffer(8)
  const cells = new Int32Array(buffer)
  return {
    buffer,
    hold: () => {
      Atomics.store(cells, HOLD, 1)
    },
    release: () => {
      Atomics.store(cells, HOLD, 0)
      Atomics.notify(cells, HOLD)
    },
    async held() {
      while (Atomics.load(cells, HELD) === 0) await Atomics.waitAsync(cells, HELD, 0, 50).value
    },
  }
}

/** The worker's side, right before COMMIT. */
export function waitWhileHeld(buffer: SharedArrayBuffer): void {
  const cells = new Int32Array(buffer)
  while (Atomics.load(cells, HOLD) === 1) {
    Atomics.store(cells, HELD, 1)
    Atomics.notify(cells, HELD)
    Atomics.wait(cells, HOLD, 1)
  }
  Atomics.store(cells, HELD, 0)
}
