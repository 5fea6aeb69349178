import type { SessionEvent, SessionSummary } from '@vitrine/protocol'
import { type Batch, createBatch } from './batch.ts'

/** Tells readers what is durable. The log publishes after the commit and never before (L1). */
export interface Hub {
  publish(sessionId: string, events: readonly SessionEvent[]): void
  publishSummary(owner: string, summary: SessionSummary): void
  /** Called with each committed batch of the session, the same one for all; batches come in order and without gaps. */
  onEvents(sessionId: string, listener: (batch: Batch) => void): () => void
  onSummary(owner: string, listener: (summary: SessionSummary) => void): () => void
}

export function createHub(): Hub {
  const bySession: Listeners<Batch> = new Map()
  const byOwner: Listeners<SessionSummary> = new Map()
  return {
    publish: (sessionId, events) => tell(bySession, sessionId, createBatch(sessionId, events)),
    publishSummary: (owner, summary) => tell(byOwner, owner, summary),
    onEvents: (sessionId, listener) => listen(bySession, sessionId, listener),
    onSummary: (owner, listener) => listen(byOwner, owner, listener),
  }
}

type Listeners<T> = Map<string, Set<(value: T) => void>>

function tell<T>(listeners: Listeners<T>, key: string, value: T): void {
  for (const listener of listeners.get(key) ?? []) listener(value)
}

function listen<T>(listeners: Listeners<T>, key: string, listener: (value: T) => void): () => void {
  const set = listeners.get(key) ?? new Set()
  listeners.set(key, set.add(listener))
  return () => {
    set.delete(listener)
    // Given back twice, it must not take away a set that others have made since.
    if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
  }
}
