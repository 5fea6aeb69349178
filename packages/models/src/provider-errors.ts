import { AgentError, withoutSecret } from '@vitrine/server'
import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError, StreamProviderError } from 'ai'

/** What went wrong at the provider, in words for a person, and whether and when the same request may succeed. */
export interface ProviderProblem {
  error: AgentError
  /** True when the same request may succeed a little later. */
  again: boolean
  /** How long the provider wants us to wait. */
  waitMs?: number
}

const CONTEXT_TOO_LONG =
  /context.{0,20}(length|window|limit)|maximum context|too many tokens|prompt is too long|token count.{0,40}exceeds/i
const NO_TOOLS =
  /(does not|doesn't|not) support.{0,20}(tool|function)|(tool|function)s?( use| calling)? (is|are) not (supported|enabled)/i
const NO_STREAM =
  /(does not|doesn't|not) support.{0,20}stream|stream(ing)?.{0,40}(not supported|unsupported|not enabled)/i
const NO_FILES =
  /(image|vision|pdf|document|file|multimodal|modality).{0,80}(not supported|unsupported|only supported by|not enabled|not available)|(does not|doesn't|not) (support|accept|take).{0,30}(image|vision|pdf|document|file)|support image input|missing data required for image/i
export const NO_CREDIT = /insufficient_quota|exceeded your current quota|credit balance|billing|payment/i
const NO_MODEL = /model.{0,80}(not found|does not exist|not exist|not supported)|no such model/i
/** What looks like a key or a token. A provider may repeat a part of the key that it refuses. */
const SECRETS = /\b(sk|pk|rk|key|AIza|Bearer)[-_ ]?[\w*.-]{8,}/gi

/** Explains whatever a provider package threw or streamed as an error. `secret` is the key, which no message repeats. */
export function explain(thrown: unknown, secret?: string): ProviderProblem {
  if (thrown instanceof AgentError) return { error: thrown, again: false }
  if (RetryError.isInstance(thrown)) return explain(thrown.lastError, secret)
  if (LoadAPIKeyError.isInstance(thrown)) {
    return problem('key_missing', 'The model has no key.', 'Give the agent a key for its provider.')
  }
  if (NoSuchModelError.isInstance(thrown)) return noModel(masked(thrown.modelId, secret))
  if (APICallError.isInstance(thrown)) {
    const { statusCode, responseHeaders, responseBody, message, isRetryable } = thrown
    const wait = retryAfter(responseHeaders ?? {})
    const said = masked(message, secret)
    return ofStatus(statusCode, `${message} ${responseBody ?? ''}`, said, isRetryable, wait, hostOf(thrown.url))
  }
  if (StreamProviderError.isInstance(thrown)) {
    const { statusCode, message, isRetryable } = thrown
    const said = masked(message, secret)
    return ofStatus(statusCode ?? 500, `${message} ${thrown.type ?? ''} ${thrown.code ?? ''}`, said, isRetryable)
  }
  return again('stream_broken', `The answer of the model broke off: ${masked(messageOf(thrown), secret)}`)
}

/** `all` is everything that the provider said, `said` its one sentence without secrets. */
function ofStatus(
  status: number | undefined,
  all: string,
  said: string,
  isRetryable: boolean,
  waitMs?: number,
  host = 'the provider',
): ProviderProblem {
  if (status === undefined) {
    const next = 'Check its address and that it runs.'
    return again('provider_unreachable', `The server of the model at ${host} cannot be reached.`, next)
  }
  if (status >= 300 && status < 400) {
    const next = 'Enter the address that it leads to in the settings of the provider.'
    return problem('address_wrong', `The address of the provider leads to another one (${status}).`, next)
  }
  if (status === 401 || status === 403) {
    const next = 'Check the key of this provider, and that it may use this model.'
    return problem('key_invalid', `The provider does not accept the key (${status}).`, next)
  }
  if (status === 402 || (status === 429 && NO_CREDIT.test(all))) {
    const next = 'Add credit in the account of the provider, or choose another model.'
    return problem('no_credit', 'The account at the provider has no credit left.', next)
  }
  if (status === 413 || (status === 400 && CONTEXT_TOO_LONG.test(all))) {
    const next = 'Begin a new session, or choose a model with a larger context.'
    return problem('context_too_long', 'The conversation is too long for this model.', next)
  }
  const lacking = status !== 200 && status !== 429 && unsupported(all)
  if (lacking) return lacking
  if (status === 404 || (status === 400 && NO_MODEL.test(all))) return noModel(said)
  if (status === 429) {
    const found = again(
      'rate_limited',
      'The provider takes no more requests for now (429).',
      'Wait a little, then try again.',
    )
    return { ...found, ...(waitMs !== undefined && { waitMs }) }
  }
  if (status === 200) return again('provider_malformed', `The provider sent something that cannot be read: ${said}`)
  if (isRetryable || status >= 500) {
    const found = again('provider_failed', `The provider failed (${status}): ${said}`)
    return { ...found, ...(waitMs !== undefined && { waitMs }) }
  }
  return problem(
    'request_refused',
    `The provider refused the request (${status}): ${said}`,
    'Choose another model or change the settings of the agent.',
  )
}

/** What a model cannot do. Who asked may ask again without it. */
function unsupported(all: string): ProviderProblem | undefined {
  const choose = 'Choose another model.'
  if (NO_TOOLS.test(all)) return problem('tools_unsupported', 'This model cannot use tools.', choose)
  if (NO_STREAM.test(all)) return problem('streaming_unsupported', 'This model cannot stream its answer.', choose)
  if (NO_FILES.test(all)) return problem('files_unsupported', 'This model does not take these files.', choose)
  return undefined
}

const noModel = (said: string): ProviderProblem =>
  problem('model_not_found', `The provider does not know this model: ${said}`, 'Check the name of the model.')

const problem = (code: string, message: string, next: string): ProviderProblem => ({
  error: new AgentError(message, { code, next, retryable: false }),
  again: false,
})

const again = (code: string, message: string, next = 'Try again.'): ProviderProblem => ({
  error: new AgentError(message, { code, next }),
  again: true,
})

/** Milliseconds from the headers that providers use: a number of milliseconds, of seconds, or a date. */
function retryAfter(headers: Record<string, string | undefined>): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return ms
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = Number(given)
  if (seconds >= 0) return seconds * 1_000
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0)
}

/** The beginning of a text without the secret, and without what looks like one. */
export const masked = (text: string, secret?: string): string =>
  withoutSecret(text.slice(0, 10_000), secret).replace(SECRETS, '•••').slice(0, 500).toWellFormed()

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the provider'
}
