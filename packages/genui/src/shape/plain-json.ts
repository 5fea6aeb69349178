import { isPlainObject } from '../json.ts'
import { DEFAULT_UI_LIMITS, type UiLimits } from '../limits.ts'

/**
 * The plain JSON part of a value: the value itself when it is plain already. Cycles and shared parts end at the
 * limits; functions, undefined, NaN and the key __proto__ have no place in JSON.
 */
export function plainJson(
  value: unknown,
  limits: UiLimits = DEFAULT_UI_LIMITS,
  full = counter(limits.values),
): unknown {
  return plain(value, limits, full, 0)
}

function counter(most: number): () => boolean {
  let count = 0
  return () => ++count > most
}

function plain(value: unknown, limits: UiLimits, full: () => boolean, depth: number): unknown {
  if (full()) return '…'
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (typeof value === 'string') {
    const cut = value.length > limits.stringLength ? `${value.slice(0, limits.stringLength - 1)}…` : value
    return cut.isWellFormed() ? cut : cut.toWellFormed()
  }
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return null
  if (depth >= limits.jsonDepth) return '…'
  if (Array.isArray(value)) {
    const items = value.map(item => plain(item, limits, full, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlainObject(value)) return null
  let same = true
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') {
      same = false
      continue
    }
    // A member without a value is as good as none.
    if (value[key] === undefined) continue
    out[key] = plain(value[key], limits, full, depth + 1)
    same &&= out[key] === value[key]
  }
  return same ? value : out
}
