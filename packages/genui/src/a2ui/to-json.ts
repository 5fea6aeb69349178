import type { Json, JsonObject } from '@vitrine/protocol'
import { EnvelopeRefusal } from './refusal.ts'

/**
 * Nesting of an envelope. A component of the nested form takes three levels (itself, `props`, `children`), so that
 * this allows every legal tree; all that follows may walk the envelope by recursion.
 */
const MAX_DEPTH = 400

/**
 * An agent's envelope as JSON says it: undefined is left out, dates are text, NaN is null. It is a copy, because an agent
 * in the same process may go on writing into what it handed over.
 */
export function toJson(value: unknown, maxValues: number, path = ''): Json | undefined {
  if (typeof value === 'string') return value
  return copy(value, 0, { left: maxValues, path })
}

function copy(from: unknown, depth: number, budget: { left: number; path: string }): Json | undefined {
  const { path } = budget
  if (--budget.left < 0) throw new EnvelopeRefusal('too_large', path, 'This is too large. Send less, or page it.')
  if (typeof from === 'string' || typeof from === 'boolean' || from === null) return from
  // JSON knows no -0.
  if (typeof from === 'number') return Number.isFinite(from) ? from + 0 : null
  if (typeof from === 'bigint')
    throw new EnvelopeRefusal('not_json', path, 'There is a BigInt in it, which is not JSON. Send a number or a text.')
  if (typeof from !== 'object') return undefined
  if (depth > MAX_DEPTH)
    throw new EnvelopeRefusal(
      'too_deep',
      path,
      `Global recursion limit exceeded: it is nested deeper than ${MAX_DEPTH}. Flatten it.`,
    )
  const { toJSON } = from as { toJSON?: unknown }
  if (typeof toJSON === 'function') return copy(toJSON.call(from), depth + 1, budget)
  if (Array.isArray(from)) {
    const list: Json[] = []
    for (let i = 0; i < from.length; i++) list.push(copy(from[i], depth + 1, budget) ?? null)
    return list
  }
  // Made by spreading, the copy has the hidden class of the original: one that is written key by key has another class
  // that goes with the next collection, and the optimised code of all its readers goes with it.
  const object = { ...(from as JsonObject) }
  let complete = true
  for (const key of Object.keys(object)) {
    const item = copy(object[key], depth + 1, budget)
    if (item === undefined) complete = false
    if (!Object.is(item, object[key])) object[key] = item as Json
  }
  return complete ? object : Object.fromEntries(Object.entries(object).filter(([, item]) => item !== undefined))
}
