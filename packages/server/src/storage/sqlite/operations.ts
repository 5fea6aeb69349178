import type { DatabaseSync } from 'node:sqlite'
import { answerReads, answerWrites } from './answers.ts'
import { blobReads, blobWrites } from './blob-index.ts'
import { checkpointReads, checkpointWrites } from './checkpoints.ts'
import { folderReads, folderWrites } from './folders.ts'
import { forkWrites } from './forks.ts'
import { instanceReads, instanceWrites } from './instance.ts'
import { logReads, logWrites } from './logs.ts'
import { sessionReads, sessionWrites } from './sessions.ts'
import { settingsReads, settingsWrites } from './settings.ts'
import { textReads, textWrites } from './texts.ts'
import { uploadReads, uploadWrites } from './uploads.ts'
import { usageReads } from './usage.ts'

export type Reads = ReturnType<typeof readsOf>
export type Writes = ReturnType<typeof writesOf>

/** What the worker that reads is asked for, port by port. */
export const readsOf = (db: DatabaseSync) => ({
  ...logReads(db),
  ...sessionReads(db),
  ...checkpointReads(db),
  ...answerReads(db),
  ...blobReads(db),
  ...uploadReads(db),
  ...instanceReads(db),
  ...textReads(db),
  ...folderReads(db),
  ...settingsReads(db),
  ...usageReads(db),
})

/** What the worker that writes is asked for, port by port. */
export const writesOf = (db: DatabaseSync) => ({
  ...logWrites(db),
  ...sessionWrites(db),
  ...checkpointWrites(db),
  ...answerWrites(db),
  ...blobWrites(db),
  ...uploadWrites(db),
  ...forkWrites(db),
  ...instanceWrites(db),
  ...textWrites(db),
  ...folderWrites(db),
  ...settingsWrites(db),
})
