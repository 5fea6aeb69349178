import { useEffect, useState } from 'react'

const kept = new WeakMap<object, Map<string, unknown>>()

/** What was kept of a block under a name. */
export function keptOf<T>(block: object | undefined, name: string, initial: T): T {
  const all = block && kept.get(block)
  return all?.has(name) ? (all.get(name) as T) : initial
}

/** Keeps a value with a block. The first value needs no place, but takes that of another one. */
export function keepWith<T>(block: object | undefined, name: string, value: T, initial: T): void {
  if (!block || (value === initial && !kept.get(block)?.has(name))) return
  const all = kept.get(block) ?? new Map<string, unknown>()
  kept.set(block, all.set(name, value))
}

/**
 * State of a block, such as whether it is open. It is remembered with the block, because blocks that are out of sight
 * are taken down. A block that is still arriving is read anew each time: its state goes along.
 */
export function useKept<T>(block: object | undefined, name: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => keptOf(block, name, initial))
  useEffect(() => keepWith(block, name, value, initial), [block, name, value, initial])
  return [value, setValue]
}
