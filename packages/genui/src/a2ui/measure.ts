import type { Limits } from './limits.ts'
import { Refusal } from './normalise.ts'
import { isObject, type Json } from './ops.ts'

function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** Bytes of a value as JSON, refusing on the way what no limit allows. `path` is where the whole value came from. */
export function measure(value: Json | undefined, path: string, limits: Limits, depth = 0, calls = 0): number {
  if (typeof value === 'string') {
    if (value.length * 3 > limits.string && utf8Length(value) > limits.string)
      throw new Refusal(
        'string_too_long',
        path,
        `A string is longer than ${limits.string} bytes. Shorten it or split it.`,
      )
    return value.length + 2
  }
  if (typeof value !== 'object' || value === null) return 8
  if (depth >= limits.depth)
    throw new Refusal('too_deep', path, `Global recursion limit exceeded: data is nested deeper than ${limits.depth}.`)
  let size = 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) size += 1 + measure(value[i], path, limits, depth + 1, calls)
    return size
  }
  const inner = isObject(value) && typeof value.call === 'string' ? calls + 1 : calls
  if (inner > limits.callDepth)
    throw new Refusal(
      'too_deep',
      path,
      `Recursion limit exceeded: functionCall depth > ${limits.callDepth}. Compute the value yourself and send it.`,
    )
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new Refusal('forbidden_key', `${path}/${key}`, "The key '__proto__' is not allowed.")
    size += key.length + 4 + measure(value[key], path, limits, depth + 1, inner)
  }
  return size
}
