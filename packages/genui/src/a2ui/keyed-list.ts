import { isObject, type Json } from '@vitrine/protocol'
import { deepEqual } from '../json.ts'

/** The fields that name an item, in this order. */
export const KEY_FIELDS: readonly string[] = ['id', 'key']

export function itemKey(item: Json): string | undefined {
  if (!isObject(item)) return undefined
  for (const field of KEY_FIELDS) {
    const value = item[field]
    if (typeof value === 'string' || typeof value === 'number') return `${field}:${value}`
  }
  return undefined
}

/** Keys for all items, or undefined when one has none or two share one. */
function ownKeys(items: readonly Json[]): string[] | undefined {
  const keys: string[] = []
  for (const item of items) {
    const key = itemKey(item)
    if (key === undefined) return undefined
    keys.push(key)
  }
  return new Set(keys).size === keys.length ? keys : undefined
}

/**
 * For each new position the old position of the same item, or -1. Items with an id or key keep their identity wherever
 * they go; without one, equal items at both ends do, so that an insert or a removal in the middle moves what follows.
 */
export function matchItems(before: readonly Json[], after: readonly Json[]): number[] {
  const oldKeys = ownKeys(before)
  const newKeys = oldKeys && ownKeys(after)
  if (oldKeys && newKeys) {
    const positions = new Map(oldKeys.map((key, index) => [key, index]))
    return newKeys.map(key => positions.get(key) ?? -1)
  }
  const result = new Array<number>(after.length).fill(-1)
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && deepEqual(before[head], after[head])) {
    result[head] = head
    head++
  }
  let tail = 0
  while (tail < shorter - head && deepEqual(before[before.length - 1 - tail], after[after.length - 1 - tail])) {
    result[after.length - 1 - tail] = before.length - 1 - tail
    tail++
  }
  // What changed in place stays in place: the same row with new text is the same row.
  for (let i = head; i < after.length - tail && i < before.length - tail; i++) result[i] = i
  return result
}
