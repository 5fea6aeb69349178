import { Text } from './text.ts'

/**
 * About the bytes that an event or an entity takes as JSON, without writing it out: a character counts as one byte. Windows
 * and budgets are counted with it, because they weigh whole sessions and need no exact figure. Where a limit is exact, such
 * as that of an event, `jsonBytes` counts.
 */
export function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  if (value instanceof Text) return value.length
  if (value instanceof Map || value instanceof Set) return roughBytes([...value])
  let bytes = 2
  if (Array.isArray(value)) for (const item of value) bytes += roughBytes(item)
  else for (const name in value) bytes += name.length + 3 + roughBytes((value as Record<string, unknown>)[name])
  return bytes
}
