import type { Json, JsonObject } from '@vitrine/protocol'

/** Numbers by chance, the same ones for the same seed. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Container = { [key: string]: Json }
type Place = { readonly holder: Container; readonly key: string }

/** Every value inside of a value, with what holds it. */
function places(value: Json, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push({ holder: value as Container, key })
    places((value as Container)[key]!, found)
  }
  return found
}

function withoutKey(holder: Container, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function brokenText(text: string, chance: Chance, odd: readonly string[]): string {
  const at = chance.below(text.length + 1)
  const put = chance.of(odd)
  return chance.of([
    text.slice(0, at),
    text.slice(at),
    text.slice(0, at) + put + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    text + text,
    put + text,
  ])
}

/** What is put into a value that is changed by chance. */
export interface Odds {
  /** Values for any place. */
  readonly values: readonly Json[]
  /** Names for any member. */
  readonly keys: readonly string[]
  /** Pieces for the middle of a text. */
  readonly pieces: readonly string[]
}

/** A copy of the value with so many changes, each at a place that chance chooses. */
export function mutate(value: Json, changes: number, chance: Chance, odds: Odds): Json {
  const copy: Container = { value: structuredClone(value) }
  for (let i = 0; i < changes; i++) {
    const all = places(copy.value!)
    const { holder, key } = all.length > 0 && chance.next() < 0.98 ? chance.of(all) : { holder: copy, key: 'value' }
    const old = holder[key]!
    const kind = chance.below(9)
    if (kind === 0) holder[key] = structuredClone(chance.of(odds.values))
    else if (kind === 1 && holder !== copy) withoutKey(holder, key)
    else if (kind === 2 && typeof old === 'string') holder[key] = brokenText(old, chance, odds.pieces)
    else if (kind === 3 && Array.isArray(holder)) holder.push(structuredClone(chance.of(holder as Json[])))
    else if (kind === 4 && isObject(holder) && holder !== copy) {
      withoutKey(holder, key)
      holder[chance.of(odds.keys)] = old
    } else if (kind === 5 && isObject(old)) old[chance.of(odds.keys)] = structuredClone(chance.of(odds.values))
    else if (kind === 6 && all.length > 0) {
      const other = chance.of(all)
      holder[key] = structuredClone(other.holder[other.key]!)
    } else if (kind === 7) holder[key] = chance.next() < 0.5 ? [old] : { [chance.of(odds.keys)]: old }
    else holder[key] = structuredClone(chance.of(odds.values))
  }
  return copy.value!
}
