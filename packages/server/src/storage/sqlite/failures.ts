import {
  BytesLeft,
  LogDamaged,
  SeqConflict,
  SessionExists,
  StaleLease,
  StorageFailed,
  type StorageFailure,
  StorageRefused,
} from '../storage.ts'
import { fromSystem } from '../system-errors.ts'

/** An error as it crosses threads. */
export interface Failure {
  name: string
  message: string
  code?: StorageFailure
}

/** Result codes of SQLite that mean something to us; their low byte says which kind it is. */
export const SQLITE = { busy: 5, readonly: 8, io: 10, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 } as const
/**
 * A write, or more room in a file, that the system refused: SQLite says `full` only for ENOSPC and this for a quota or a
 * limit on the size of files. What a broken disk cannot keep shows later, when it is synced or read.
 */
const NO_ROOM = new Set([778, 4874])

const OURS = { LogDamaged, SeqConflict, SessionExists, StaleLease, StorageRefused, TypeError }

export function failureOf(given: unknown): Failure {
  const error = fromSystem(given)
  const { name, message, errcode } = error as Error & { errcode?: number }
  if (error instanceof StorageFailed) return { name, message, code: error.code }
  return errcode === undefined ? { name, message } : { name: 'StorageFailed', message, code: kindOf(errcode) }
}

/** The class is what callers tell errors apart by. */
export function revive({ name, message, code }: Failure): Error {
  if (code !== undefined) return name === 'BytesLeft' ? new BytesLeft(code, message) : new StorageFailed(code, message)
  const Ours = OURS[name as keyof typeof OURS] ?? Error
  return new Ours(message)
}

function kindOf(errcode: number): StorageFailure {
  if (NO_ROOM.has(errcode)) return 'disk_full'
  switch (errcode & 0xff) {
    case SQLITE.full:
      return 'disk_full'
    case SQLITE.io:
    case SQLITE.readonly:
    case SQLITE.cantOpen:
      return 'io_error'
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return 'damaged'
    default:
      return 'unknown'
  }
}
