import { isObject, type Json, jsonBytes, MAX_OP_VALUE } from '@vitrine/protocol'
import type { UiLimits } from '../limits.ts'
import { EnvelopeRefusal } from './refusal.ts'

const encoder = new TextEncoder()

/** The bytes of a value as JSON, refusing on the way what no limit allows. `path` is where the whole value came from. */
export function checkSize(value: Json | undefined, path: string, limits: UiLimits, depth = 0, calls = 0): number {
  if (typeof value === 'string') {
    const bytes = jsonBytes(value)
    if (bytes <= limits.stringBytes && bytes <= MAX_OP_VALUE) return bytes
    // Escapes count where they could make an event too large, and not before.
    const limit = Math.min(limits.stringBytes, MAX_OP_VALUE)
    if (bytes > MAX_OP_VALUE || encoder.encode(value).length > limit)
      throw new EnvelopeRefusal(
        'string_too_long',
        path,
        `A text is longer than ${limit} bytes. Shorten it or split it.`,
      )
    return bytes
  }
  if (typeof value !== 'object' || value === null) return jsonBytes(value)
  if (depth >= limits.depth)
    throw new EnvelopeRefusal(
      'too_deep',
      path,
      `Global recursion limit exceeded: data is nested deeper than ${limits.depth}.`,
    )
  let size = 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) size += 1 + checkSize(value[i], path, limits, depth + 1, calls)
    return size
  }
  const inner = isObject(value) && typeof value.call === 'string' ? calls + 1 : calls
  if (inner > limits.callDepth)
    throw new EnvelopeRefusal(
      'too_deep',
      path,
      `Recursion limit exceeded: functionCall depth > ${limits.callDepth}. Compute the value yourself and send it.`,
    )
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      throw new EnvelopeRefusal('forbidden_key', `${path}/${key}`, "The key '__proto__' is not allowed.")
    size += jsonBytes(key) + 2 + checkSize(value[key], path, limits, depth + 1, inner)
  }
  return size
}
