import { BytesLeft, LogDamaged, StorageFailed, type StorageFailure } from '../storage/storage.ts'
import { Refusal } from './runtime.ts'

/** What a person can do about it. */
const NEXT: Record<StorageFailure, string> = {
  disk_full: 'Free some space on the disk of the server, then try again.',
  io_error: 'Check the disk of the server and the permissions of its data folder, then try again.',
  damaged: 'Restore the data folder of the server from a backup.',
  stopped: 'Start the server again, then try again.',
  unknown: 'Try again in a moment; if it stays, look into the log of the server.',
}

/** How the storage's own errors are told to whoever asked (L7). Nothing when it is another error. */
export function storageRefusal(error: unknown): Refusal | undefined {
  if (error instanceof StorageFailed) {
    return new Refusal(503, 'storage_failed', `This could not be stored: ${error.message}.`, NEXT[error.code])
  }
  if (error instanceof BytesLeft) {
    const when = error.code === 'disk_full' ? 'there is room' : `the file can be written anew (${error.message})`
    const detail = `The session is gone; some of its bytes are still in the file and will be removed as soon as ${when}.`
    return new Refusal(503, 'storage_failed', detail, NEXT[error.code])
  }
  if (error instanceof LogDamaged) {
    return new Refusal(503, 'log_damaged', error.message, 'Restore the data folder of the server from a backup.')
  }
  return undefined
}
