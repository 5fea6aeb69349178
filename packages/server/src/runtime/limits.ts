import { MAX_FILE_BYTES } from '@vitrine/protocol'

/** What sessions and runs may take of the server. */
export interface Limits {
  /** How many runs work at once, over all sessions. */
  runs: number
  /** How long streamed output waits for more before it is written. */
  batchMs: number
  /** After an interrupt the agent and its tools have this long to stop. */
  interruptMs: number
  /** How long a call of a tool may take that does not say so itself. */
  toolMs: number
  /** When sources offer more tools than these, a model finds those that it wants with `find_tools`. */
  toolsAtOnce: number
  /** How many turns may wait in one session. */
  queue: number
  /** How many sessions stay in memory while nothing happens in them. */
  openSessions: number
  /** How long a deleted session can be brought back. */
  eraseAfterMs: number
  /** About how many bytes of memory the sessions may take together. */
  openBytes: number
  /** How large a file that a person uploads may be. */
  fileBytes: number
  /** How many files, and how many bytes of them, one person may have uploaded that no turn refers to yet. */
  uploads: number
  uploadBytes: number
  /** How many files of one person may be on their way at once. */
  uploadsAtOnce: number
  /** How long an uploaded file waits for a turn that refers to it. */
  uploadKeptMs: number
  /** How long an upload may take, and how long it may pause. */
  uploadMs: number
  uploadIdleMs: number
}

export const defaultLimits: Limits = {
  runs: 8,
  batchMs: 16,
  interruptMs: 10_000,
  toolMs: 300_000,
  toolsAtOnce: 60,
  queue: 100,
  openSessions: 200,
  eraseAfterMs: 7 * 24 * 60 * 60 * 1000,
  openBytes: 64 * 1024 * 1024,
  fileBytes: MAX_FILE_BYTES,
  uploads: 500,
  uploadBytes: 512 * 1024 * 1024,
  uploadsAtOnce: 8,
  uploadKeptMs: 24 * 60 * 60 * 1000,
  uploadMs: 15 * 60 * 1000,
  uploadIdleMs: 30_000,
}
