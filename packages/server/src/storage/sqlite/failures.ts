import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  ErasureIncomplete,
  ForkLost,
  LogDamaged,
  SeqConflict,
  SessionExists,
  StaleLease,
  StorageFailed,
  type StorageFailure,
  StorageRefused,
  UploadKeyTaken,
  UploadsFull,
} from '../storage.ts'
import { fromSystem } from '../system-errors.ts'
import { DATABASE } from './folder.ts'

/** An error as it crosses threads. */
export interface Failure {
  name: string
  message: string
  code?: StorageFailure
  /** Of a stale lease. */
  holder?: string | null
}

/** Result codes of SQLite that mean something to us; their low byte says which kind it is. */
export const SQLITE = { busy: 5, readonly: 8, io: 10, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 } as const
/** A write, or more room in a file, that the system refused. SQLite says `full` only for ENOSPC and this for the rest. */
const REFUSED = new Set([778, 4874])

const OURS = {
  ForkLost,
  LogDamaged,
  SeqConflict,
  SessionExists,
  StorageRefused,
  TypeError,
  UploadKeyTaken,
  UploadsFull,
}

/** What went wrong with the database in this folder. */
export function failureOf(given: unknown, folder: string): Failure {
  const error = fromSystem(given)
  const { name, message, errcode } = error as Error & { errcode?: number }
  if (error instanceof StorageFailed) return { name, message, code: error.code }
  if (error instanceof StaleLease) return { name, message, holder: error.holder }
  return errcode === undefined ? { name, message } : { name: 'StorageFailed', message, code: kindOf(errcode, folder) }
}

/** The class is what callers tell errors apart by. */
export function revive({ name, message, code, holder = null }: Failure): Error {
  if (code !== undefined)
    return name === 'ErasureIncomplete' ? new ErasureIncomplete(code, message) : new StorageFailed(code, message)
  if (name === 'StaleLease') return new StaleLease(message, holder)
  const Ours = OURS[name as keyof typeof OURS] ?? Error
  return new Ours(message)
}

function kindOf(errcode: number, folder: string): StorageFailure {
  if (REFUSED.has(errcode)) return whyRefused(folder)
  switch (errcode & 0xff) {
    case SQLITE.full:
      return 'disk_full'
    case SQLITE.readonly:
      return 'read_only'
    case SQLITE.io:
    case SQLITE.cantOpen:
      return 'io_error'
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return 'damaged'
    default:
      return 'unknown'
  }
}

/** Small enough for the system to refuse only what it would refuse anybody. */
const PROBE_BYTES = 64 * 1024

/**
 * SQLite keeps to itself why the system refused a write: a quota, a limit on the size of files, a broken disk. The same
 * with a file of our own, as far out as the largest of the database, tells it.
 */
function whyRefused(folder: string): StorageFailure {
  const probe = join(folder, 'vitrine.probe')
  const sizes = [DATABASE, `${DATABASE}-wal`].map(name => statSync(join(folder, name), { throwIfNoEntry: false })?.size)
  try {
    const file = openSync(probe, 'w', 0o600)
    try {
      writeSync(file, Buffer.alloc(PROBE_BYTES), 0, PROBE_BYTES, Math.max(...sizes.map(size => size ?? 0)))
      fsyncSync(file)
    } finally {
      closeSync(file)
      rmSync(probe, { force: true })
    }
  } catch (error) {
    const told = fromSystem(error)
    if (told instanceof StorageFailed) return told.code
  }
  return 'io_error'
}
