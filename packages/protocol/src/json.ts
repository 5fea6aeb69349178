/** Any value that JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
/** An object that JSON can hold. */
export type JsonObject = { [key: string]: Json }

/** A JSON object, and no list. */
export function isObject(value: Json | undefined): value is JsonObject
export function isObject(value: unknown): value is Record<string, unknown>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The bytes (UTF-8) that a value takes as JSON text, escapes included. `roughBytes` is the estimate. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return stringBytes(value)
  if (typeof value === 'number') return numberBytes(value)
  if (typeof value === 'boolean') return value ? 4 : 5
  if (typeof value !== 'object' || value === null) return 4
  if (Array.isArray(value)) {
    let bytes = value.length > 0 ? 1 + value.length : 2
    for (const item of value) bytes += jsonBytes(item)
    return bytes
  }
  let bytes = 1
  for (const [key, item] of Object.entries(value))
    if (item !== undefined) bytes += stringBytes(key) + 2 + jsonBytes(item)
  return Math.max(bytes, 2)
}

function numberBytes(value: number): number {
  if (!Number.isFinite(value)) return 4
  // Most numbers are small and whole: they need no text to be counted.
  if (value < 0 || value >= 1e6 || !Number.isInteger(value)) return String(value).length
  return value < 10 ? 1 : value < 100 ? 2 : value < 1_000 ? 3 : value < 10_000 ? 4 : value < 100_000 ? 5 : 6
}

function stringBytes(text: string): number {
  const { length } = text
  let bytes = length + 2
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code < 0x80) {
      if (code === 0x22 || code === 0x5c) bytes++
    } else if (code < 0x20) bytes += code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 1 : 5
    else if (code < 0x800) bytes++
    else if (code < 0xd800 || code > 0xdfff) bytes += 2
    else {
      const next = text.charCodeAt(i + 1)
      // Half of a pair alone is written as an escape.
      if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) bytes += 5
      else {
        bytes += 2
        i++
      }
    }
  }
  return bytes
}
