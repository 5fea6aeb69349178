import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * How fast the guide writes. The same seed gives the same pauses, and every pause ends at once when the run is stopped.
 */
export interface Pace {
  /** Gives the text in pieces of about one token. Joined, the pieces are the text again. */
  chunks(text: string): string[]
  /** Waits for the time of one piece. */
  beat(signal: AbortSignal): Promise<void>
  /** Waits about `ms` at the natural pace. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Scripts without spaces are cut into one or two letters, everything else into words of at most eight characters. */
const TOKENS =
  /\s*(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{1,2}|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{1,8})|\s+/gu

/** The time of one piece in milliseconds: 60 to 120 pieces a second. */
const FASTEST_BEAT = 1000 / 120
const SLOWEST_BEAT = 1000 / 60
/** Without pauses a long text would block the event loop, and nobody could stop the run. */
const BREATHE_EVERY = 64

/** With `factor` 1 the pace is natural, with 2 it is half as fast, and with 0 there are no pauses. */
export function createPace(factor = 1, seed = 1): Pace {
  const random = randomFrom(seed)
  let due = 0
  let unpaused = 0

  async function sleep(ms: number, signal: AbortSignal): Promise<void> {
    unpaused = 0
    if (ms >= 1) await setTimeout(ms, undefined, { signal })
    else await setImmediate(undefined, { signal })
  }

  return {
    chunks: text => text.match(TOKENS) ?? [],

    async beat(signal) {
      signal.throwIfAborted()
      if (factor > 0) {
        const now = performance.now()
        // Timers fire late. Counting from the time when the piece was
        // due keeps the rate; after a long pause the count starts again.
        due = Math.max(due, now - 100) + factor * (FASTEST_BEAT + random() * (SLOWEST_BEAT - FASTEST_BEAT))
        if (due - now >= 1) return sleep(due - now, signal)
      }
      if (++unpaused >= BREATHE_EVERY) await sleep(0, signal)
    },

    wait: (ms, signal) => sleep(ms * factor, signal),
  }
}

/** Mulberry32, a small random generator that gives the same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
