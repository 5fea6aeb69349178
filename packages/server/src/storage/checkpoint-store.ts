/** A derived copy of the projection at `seq`, so that a session opens without its whole log. Safe to lose. */
export interface Checkpoint {
  seq: number
  /** The fold that made it (`FOLD` of upcast.ts). The pages of another fold are dropped when it is saved. */
  fold: number
  /** Everything but the messages: `Snapshot` of protocol with a window that begins after the last message, as JSON. */
  state: string
  /**
   * Messages that changed since the last checkpoint: rows with a `MessagesPage` of a message, or of older parts of it, as
   * JSON. Storage only knows that their numbers rise with history (stored-history.ts).
   */
  messages: readonly { ordinal: number; page: string }[]
}

/** Checkpoints of sessions. All of them can be made again from the logs. */
export interface CheckpointStore {
  saveCheckpoint(sessionId: string, checkpoint: Checkpoint): Promise<void>
  checkpoint(sessionId: string): Promise<Omit<Checkpoint, 'messages'> | undefined>
  /** Message pages with `ordinal < before`, the newest `limit` of them, in ascending order; undefined when they are damaged. */
  messagePages(
    sessionId: string,
    before: number,
    limit: number,
  ): Promise<{ ordinal: number; page: string }[] | undefined>
}
