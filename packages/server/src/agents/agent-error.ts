/** An agent throws this error when it knows what went wrong. The person reads the message and what to do next. */
export class AgentError extends Error {
  override name = 'AgentError'
  /** A stable name in snake_case. Programs and translations use it to recognise the failure. */
  readonly code: string
  /** A sentence that tells the person what to do next. */
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
