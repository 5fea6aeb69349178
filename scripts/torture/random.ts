/** Random choices that are the same for the same seed. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(values: readonly T[]): T
  shuffle<T>(values: readonly T[]): T[]
}

/** mulberry32. Its 32 bits of state are enough to choose scenarios. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: values => values[between(0, values.length - 1)]!,
    shuffle: values => {
      const left = [...values]
      return values.map(() => left.splice(between(0, left.length - 1), 1)[0]!)
    },
  }
}
