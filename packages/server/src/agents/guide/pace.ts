import { setImmediate, setTimeout } from 'node:timers/promises'

/** How fast the guide speaks. Deterministic by seed, and every wait ends at once when the run is stopped. */
export interface Pace {
  /** The text in pieces of about a token; joined they are the text again. */
  chunks(text: string): string[]
  /** Waits as long as one piece takes to say. */
  beat(signal: AbortSignal): Promise<void>
  /** Waits about `ms` at the natural pace. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Letters of scripts without spaces come one or two at a time, the rest as words of at most eight characters. */
const TOKENS =
  /\s*(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{1,2}|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{1,8})|\s+/gu

/** Between 120 and 60 pieces a second. */
const FASTEST_BEAT = 1000 / 120
const SLOWEST_BEAT = 1000 / 60
/** Without pauses a long text would keep the event loop to itself, and nobody could stop it. */
const BREATHE_EVERY = 64

/** `factor` 1 is natural, 2 is half as fast, 0 is as fast as possible. */
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
        // Timers are late; counting from when the piece was due keeps the rate. After a pause it starts anew.
        due = Math.max(due, now - 100) + factor * (FASTEST_BEAT + random() * (SLOWEST_BEAT - FASTEST_BEAT))
        if (due - now >= 1) return sleep(due - now, signal)
      }
      if (++unpaused >= BREATHE_EVERY) await sleep(0, signal)
    },

    wait: (ms, signal) => sleep(ms * factor, signal),
  }
}

/** Mulberry32: small, fast and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
