import { StorageFailed, type StorageFailure } from './storage.ts'

/** Errors of the file system that somebody can do something about. */
const CODES: Record<string, StorageFailure> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  // A limit on the size of files (`ulimit -f`).
  EFBIG: 'disk_full',
  EIO: 'io_error',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EMFILE: 'io_error',
  ENOENT: 'io_error',
  ENOTDIR: 'io_error',
}

/** What the file system could not do as a StorageFailed; other errors as they are. */
export function fromSystem(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const kind = code === undefined ? undefined : CODES[code]
  return kind === undefined ? error : new StorageFailed(kind, message, { cause: error })
}
