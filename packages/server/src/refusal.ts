import type { Problem, RefusalCode } from '@vitrine/protocol'

/** What a refusal can say beside its code and its message. */
export interface RefusalDetails {
  /** What the caller can do next. */
  next?: string
  /** JSON pointer to the place of the command that is wrong. */
  path?: string
  /** Every place that is wrong, when several can be. */
  errors?: NonNullable<Problem['errors']>
  /** Values for the words that a reader's language has for the code. */
  params?: NonNullable<Problem['params']>
}

/** The server says no, and nothing was changed. `http/` gives it a status and makes it a problem document. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly next: string | undefined
  readonly path: string | undefined
  readonly errors: Problem['errors']
  readonly params: Problem['params']

  constructor(code: RefusalCode, message: string, { next, path, errors, params }: RefusalDetails = {}) {
    super(message)
    this.code = code
    this.next = next
    this.path = path
    this.errors = errors
    this.params = params
  }
}

/** What is not there and what belongs to somebody else get the same refusal. */
export const sessionNotFound = (): Refusal => new Refusal('session_not_found', 'There is no such session.')

export const idTaken = (): Refusal =>
  new Refusal('session_exists', 'This session id is taken.', { next: 'Use another id.' })

export const keyReused = (): Refusal =>
  new Refusal('key_reused', 'This id was used for something else before.', { next: 'Use a new id.' })

export const stopping = (what: 'server' | 'session' = 'server'): Refusal => {
  const words = what === 'server' ? 'The server is stopping.' : 'The session is being closed.'
  return new Refusal('stopping', words, { next: 'Try again in a moment.' })
}
