import type { DatabaseSync } from 'node:sqlite'
import { answerReads, answerWrites } from './answers.ts'
import { blobReads, blobWrites } from './blob-index.ts'
import { checkpointReads, checkpointWrites } from './checkpoints.ts'
import { forkWrites } from './forks.ts'
import { instanceReads, instanceWrites } from './instance.ts'
import { logReads, logWrites } from './logs.ts'
import { sessionReads, sessionWrites } from './sessions.ts'

export type Reads = ReturnType<typeof readsOf>
export type Writes = ReturnType<typeof writesOf>

/** What the worker that reads is asked for, port by port. */
export const readsOf = (db: DatabaseSync) => ({
  ...logReads(db),
  ...sessionReads(db),
  ...checkpointReads(db),
  ...answerReads(db),
  ...blobReads(db),
  ...instanceReads(db),
})

/** What the worker that writes is asked for, port by port. */
export const writesOf = (db: DatabaseSync) => ({
  ...logWrites(db),
  ...sessionWrites(db),
  ...checkpointWrites(db),
  ...answerWrites(db),
  ...blobWrites(db),
  ...forkWrites(db),
  ...instanceWrites(db),
})
