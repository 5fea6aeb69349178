import type { Readable } from './types.ts'

export interface Writable<T> extends Readable<T> {
  /** Tells nobody when it is what it was. */
  set(value: T): void
}

export function readable<T>(value: T): Writable<T> {
  const listeners = createListeners()
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      listeners.tell()
    },
    subscribe: listeners.add,
  }
}

export interface Listeners<T> {
  /** Returns how to stop; true when that left nobody. */
  add(listener: (value: T) => void): () => boolean
  tell(value: T): void
}

/** Those who want to be told of something. */
export function createListeners<T = void>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    add(listener) {
      // A wrapper, so that the same function added twice is told twice.
      const entry = (value: T) => listener(value)
      listeners.add(entry)
      return () => listeners.delete(entry) && listeners.size === 0
    },
    tell(value) {
      for (const listener of [...listeners]) safely(() => listener(value))
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
