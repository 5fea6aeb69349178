import { formatPointer, isObject, type Json, jsonBytes, MAX_OP_VALUE, MAX_POINTER } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import type { UiLimits } from '../limits.ts'
import { whereOf } from './check-component.ts'
import type { Given } from './normalise.ts'
import { EnvelopeRefusal } from './refusal.ts'

const encoder = new TextEncoder()

class OverLimit extends Error {
  readonly code: UiCode
  constructor(code: UiCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Where a value came from: a place in the envelope, or a component that was given there. */
export type Origin = string | Given

/** Where in the envelope a part of a value came from. */
export function placeIn(from: Origin, path: readonly string[]): string {
  if (typeof from === 'string') return from + formatPointer(path)
  const [key, ...rest] = path
  return key === undefined ? from.path : whereOf(from, key) + formatPointer(rest)
}

/** The bytes of a value as JSON, refusing what no limit allows. */
export function checkSize(value: Json | undefined, from: Origin, limits: UiLimits, depth = 0): number {
  try {
    return sizeOf(value, limits, depth, 0)
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error
    throw new EnvelopeRefusal(error.code, placeIn(from, refusedPart(value, limits, depth, 0)), error.message)
  }
}

function sizeOf(value: Json | undefined, limits: UiLimits, depth: number, calls: number): number {
  if (typeof value === 'string') {
    const bytes = jsonBytes(value)
    if (bytes <= limits.stringBytes && bytes <= MAX_OP_VALUE) return bytes
    // Escapes count where they could make an event too large, and not before.
    const limit = Math.min(limits.stringBytes, MAX_OP_VALUE)
    if (encoder.encode(value).length > limit)
      throw new OverLimit('string_too_long', `A text is longer than ${limit} bytes. Shorten it or split it.`)
    if (bytes > MAX_OP_VALUE)
      throw new OverLimit(
        'string_too_long',
        `A text takes ${bytes} bytes with the escapes of JSON, and ${MAX_OP_VALUE} are the most. Shorten it or split it.`,
      )
    return bytes
  }
  if (typeof value !== 'object' || value === null) return jsonBytes(value)
  if (depth >= limits.depth)
    throw new OverLimit('too_deep', `Global recursion limit exceeded: data is nested deeper than ${limits.depth}.`)
  let size = 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) size += 1 + sizeOf(value[i], limits, depth + 1, calls)
    return size
  }
  const inner = callsIn(value, calls)
  if (inner > limits.callDepth)
    throw new OverLimit(
      'too_deep',
      `Recursion limit exceeded: functionCall depth > ${limits.callDepth}. Compute the value yourself and send it.`,
    )
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new OverLimit('forbidden_key', "The key '__proto__' is not allowed.")
    // Nobody could name what lies below it.
    if (key.length > MAX_POINTER)
      throw new OverLimit('path_too_long', `A key is longer than ${MAX_POINTER} characters. Use shorter keys.`)
    size += jsonBytes(key) + 2 + sizeOf(value[key], limits, depth + 1, inner)
  }
  return size
}

const callsIn = (value: Json, calls: number): number =>
  isObject(value) && typeof value.call === 'string' ? calls + 1 : calls

/** The innermost part that is refused even by itself. It is only asked after a refusal, and looks again. */
function refusedPart(value: Json | undefined, limits: UiLimits, depth: number, calls: number): string[] {
  const path: string[] = []
  let at = value
  let made = calls
  search: while (typeof at === 'object' && at !== null) {
    const members = at as { readonly [key: string]: Json }
    made = callsIn(at, made)
    for (const key of Object.keys(members)) {
      try {
        if (depth + path.length < limits.depth) sizeOf(members[key], limits, depth + path.length + 1, made)
      } catch {
        path.push(key)
        at = members[key]
        continue search
      }
    }
    break
  }
  return path
}
