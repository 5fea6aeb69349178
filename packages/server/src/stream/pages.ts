import type { EventReader } from '../storage/log-store.ts'
import { type Batch, createBatch } from './batch.ts'

const underWay = new WeakMap<EventReader, Map<string, Promise<Batch>>>()

/** A page of a session's log. Readers that ask for the same one at the same time share the read and its encoding. */
export function readPage(storage: EventReader, sessionId: string, after: number, limit: number): Promise<Batch> {
  const reads = underWay.get(storage) ?? new Map<string, Promise<Batch>>()
  underWay.set(storage, reads)
  const key = `${after}:${limit}:${sessionId}`
  let read = reads.get(key)
  if (!read) {
    read = storage
      .events(sessionId, after, limit)
      .then(events => createBatch(sessionId, events))
      .finally(() => reads.delete(key))
    reads.set(key, read)
  }
  return read
}
