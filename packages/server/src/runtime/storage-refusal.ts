import { Refusal } from '../refusal.ts'
import { ErasureIncomplete, LogDamaged, StorageFailed, type StorageFailure } from '../storage/storage.ts'

/** What a person can do about each failure of the storage. */
const NEXT: Record<StorageFailure, string> = {
  disk_full: 'Free some space on the disk of the server, then try again.',
  read_only: 'Make the data folder of the server writable, then try again.',
  io_error: 'Check the disk of the server, then try again.',
  damaged: 'Restore the data folder of the server from a backup.',
  stopped: 'Start the server again, then try again.',
  unknown: 'Try again in a moment; if it stays, look into the log of the server.',
}

/** What is wrong, when it is the disk. */
const WHY: Partial<Record<StorageFailure, string>> = {
  disk_full: 'the disk is full',
  read_only: 'the disk cannot be written',
  io_error: 'the disk failed',
}

/** The refusal that tells an error of the storage to whoever asked (L7). Nothing when the error is of another kind. */
export function storageRefusal(error: unknown): Refusal | undefined {
  if (error instanceof StorageFailed) {
    const why = WHY[error.code]
    const detail = `This could not be stored: ${why ? `${why} (${error.message})` : error.message}.`
    return new Refusal('storage_failed', detail, { next: NEXT[error.code], params: { why: error.code } })
  }
  if (error instanceof ErasureIncomplete) {
    const when = error.code === 'disk_full' ? 'there is room' : `the file can be written anew (${error.message})`
    const detail = `The session is gone; some of its bytes are still in the file and will be removed as soon as ${when}.`
    return new Refusal('storage_failed', detail, { next: NEXT[error.code], params: { why: error.code } })
  }
  if (error instanceof LogDamaged) {
    return new Refusal('data_damaged', error.message, { next: NEXT.damaged })
  }
  return undefined
}
