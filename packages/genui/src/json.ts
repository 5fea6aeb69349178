import { isObject, type Json, type JsonObject } from '@vitrine/protocol'

/** An object as JSON and object literals make it: no date, map or instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const proto = Object.getPrototypeOf(value)
  return proto === null || proto === Object.prototype || Object.getPrototypeOf(proto) === null
}

/** Lists of ids are long: this is a loop and no callback. */
export function isTexts(list: readonly Json[]): list is string[] {
  for (let i = 0; i < list.length; i++) if (typeof list[i] !== 'string') return false
  return true
}

/**
 * Whether two values are the same: JSON, and what functions of a catalog make beside it, such as NaN. `tick` is called for
 * each pair, so that a caller can limit what a comparison costs.
 */
export function deepEqual(a: unknown, b: unknown, tick?: () => void): boolean {
  tick?.()
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i], tick)) return false
    return true
  }
  if (Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys)
    if (!Object.hasOwn(b, key) || !deepEqual((a as JsonObject)[key], (b as JsonObject)[key], tick)) return false
  return true
}

/** The beginning of a text. What an agent sent may be of any length; a message that repeats it is not. */
export const clip = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()

/** A JSON value as a message shows it. */
export const showJson = (value: unknown): string => clip(JSON.stringify(value) ?? 'undefined', 80)

/** Where the first value stands that stood before it too. */
export function repeatedAt(values: readonly unknown[]): number | undefined {
  const seen = new Set<unknown>()
  const index = values.findIndex(value => seen.size === seen.add(value).size)
  return index < 0 ? undefined : index
}
