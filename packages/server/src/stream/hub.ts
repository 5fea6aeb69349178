import type { Folder, SessionEvent, SessionSummary } from '@vitrine/protocol'
import { type Batch, createBatch } from './batch.ts'

/** Tells readers what is durable. The log publishes after the commit and never before (L1). */
export interface Hub {
  /** These events were committed by this process. */
  publish(sessionId: string, events: readonly SessionEvent[]): void
  /**
   * The log of the session goes at least to `seq`, whoever has written it. Readers fetch what they miss from storage, so
   * that a hint may be lost, doubled or late as long as another one comes.
   */
  hint(sessionId: string, seq: number): void
  publishSummary(owner: string, summary: SessionSummary): void
  /** All folders of this person's list. */
  publishFolders(owner: string, folders: readonly Folder[]): void
  /** Called with each batch that this process committed, the same one for all listeners, in order. */
  onEvents(sessionId: string, listener: (batch: Batch) => void): () => void
  /** Called with how far the log goes, when that is all that is known. */
  onHint(sessionId: string, listener: (seq: number) => void): () => void
  onSummary(owner: string, listener: (summary: SessionSummary) => void): () => void
  onFolders(owner: string, listener: (folders: readonly Folder[]) => void): () => void
}

/** Makes a hub that tells the readers of one process. */
export function createHub(): Hub {
  const batches: Listeners<Batch> = new Map()
  const hints: Listeners<number> = new Map()
  const summaries: Listeners<SessionSummary> = new Map()
  const folders: Listeners<readonly Folder[]> = new Map()
  return {
    publish: (sessionId, events) => tell(batches, sessionId, createBatch(sessionId, events)),
    hint: (sessionId, seq) => tell(hints, sessionId, seq),
    publishSummary: (owner, summary) => tell(summaries, owner, summary),
    publishFolders: (owner, all) => tell(folders, owner, all),
    onEvents: (sessionId, listener) => listen(batches, sessionId, listener),
    onHint: (sessionId, listener) => listen(hints, sessionId, listener),
    onSummary: (owner, listener) => listen(summaries, owner, listener),
    onFolders: (owner, listener) => listen(folders, owner, listener),
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
    // Unsubscribing twice must not remove a newer set of listeners.
    if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
  }
}
