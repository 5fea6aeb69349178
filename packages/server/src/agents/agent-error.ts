/** A failure that says what it is: throw it in an agent, and the person reads the message and what to do next. */
export class AgentError extends Error {
  override name = 'AgentError'
  /** Stable, in snake_case; programs and translations go by it. */
  readonly code: string
  /** What the person can do next, in words. */
  readonly next: string | undefined
  /** False when trying again cannot help. */
  readonly retryable: boolean

  constructor(message: string, options: { code: string; next?: string; retryable?: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.code = options.code
    this.next = options.next
    this.retryable = options.retryable ?? true
  }
}
