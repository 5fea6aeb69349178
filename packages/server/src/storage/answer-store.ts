/** An answer that was given to a write, kept so that the same write gets it again. */
export interface KeptAnswer {
  status: number
  body: string
}

/** The answers that writes with an idempotency key got. */
export interface AnswerStore {
  /** The first answer given under this key, if any. */
  answer(owner: string, key: string): Promise<KeptAnswer | undefined>
  /**
   * Keeps the answer for a week; when one is there already it stays, and is returned. It is erased with the session that
   * it belongs to, and not kept when that session has been erased meanwhile.
   */
  keepAnswer(owner: string, key: string, answer: KeptAnswer, sessionId?: string): Promise<KeptAnswer>
}
