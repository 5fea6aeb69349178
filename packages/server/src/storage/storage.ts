import type { AnswerStore } from './answer-store.ts'
import type { BlobIndex } from './blob-index.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { FolderStore } from './folder-store.ts'
import type { ForkStore } from './fork-store.ts'
import type { InstanceStore } from './instance-store.ts'
import type { LogStore } from './log-store.ts'
import type { SearchStore } from './search-store.ts'
import type { SessionStore } from './session-store.ts'
import type { SettingsStore } from './settings-store.ts'
import type { UploadStore } from './upload-store.ts'
import type { UsageStore } from './usage-store.ts'

/**
 * Where facts are durable: all ports of the storage together. Whoever needs one takes that one.
 * Every write resolves after its effect would survive a crash of the machine (L1), and every read sees the writes that had
 * resolved when it was asked for. What goes wrong inside is a StorageFailed. Each port has a contract suite beside it
 * (log-store.contract.ts), which runs against every implementation.
 */
export interface Storage
  extends LogStore,
    SessionStore,
    CheckpointStore,
    AnswerStore,
    BlobIndex,
    UploadStore,
    ForkStore,
    FolderStore,
    SearchStore,
    SettingsStore,
    UsageStore,
    InstanceStore {
  close(): Promise<void>
}

/** A newer lease exists, or the session is gone: this writer may write no more. */
export class StaleLease extends Error {
  override name = 'StaleLease'
  /** Who holds the session now; null when nobody does. */
  readonly holder: string | null

  constructor(message: string, holder: string | null) {
    super(message)
    this.holder = holder
  }
}

/** The copy of a log cannot be finished: somebody began it anew, or the session that it is made from is deleted. */
export class ForkLost extends Error {
  override name = 'ForkLost'
}

/** The events do not follow what is stored. */
export class SeqConflict extends Error {
  override name = 'SeqConflict'
}

/** The id belongs to a session that the caller cannot have. */
export class SessionExists extends Error {
  override name = 'SessionExists'
}

/** The uploads of this person that wait for a turn have reached their limit. */
export class UploadsFull extends Error {
  override name = 'UploadsFull'
}

/** The key of an upload was used for other bytes before. */
export class UploadKeyTaken extends Error {
  override name = 'UploadKeyTaken'
}

/** The stored log of a session is not what was written. Nothing of the damaged part is served. */
export class LogDamaged extends Error {
  override name = 'LogDamaged'
}

/** Why the storage could not do what it was asked for. */
export type StorageFailure = 'disk_full' | 'read_only' | 'io_error' | 'damaged' | 'stopped' | 'unknown'

/** The storage could not do it, and nothing of it was done. The message says why. */
export class StorageFailed extends Error {
  override name = 'StorageFailed'
  readonly code: StorageFailure

  constructor(code: StorageFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A session is erased, and nobody can read it, but some of its bytes are still in a file. The message says why. */
export class ErasureIncomplete extends Error {
  override name = 'ErasureIncomplete'
  readonly code: StorageFailure

  constructor(code: StorageFailure, message: string) {
    super(message)
    this.code = code
  }
}

/** The data folder cannot be used; the message is one line for the person who started the server. */
export class StorageRefused extends Error {
  override name = 'StorageRefused'
}
