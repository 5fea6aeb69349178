import type { Readable } from './types.ts'

export interface Writable<T> extends Readable<T> {
  set(value: T): void
}

export function readable<T>(value: T): Writable<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of [...listeners]) safely(listener)
    },
    subscribe(listener) {
      // A wrapper, so that the same function subscribed twice is two subscriptions.
      const entry = () => listener()
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
  }
}

/** A listener that throws is reported like one of the platform's own; it never stops the stream or its neighbours. */
export function safely(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
