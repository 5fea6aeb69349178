import type { ModelInfo, ProviderKind } from '@vitrine/protocol'
import type { ProviderAccess, ProviderVerdict } from '@vitrine/server'
import { listRequest, readList } from './list-models.ts'
import { masked, NO_CREDIT } from './provider-errors.ts'
import { baseOf, providerKinds } from './provider-kinds.ts'

/** How long a provider may take. */
const TEST_MS = 5_000
/** What a provider may send: the longest lists are a third of it. */
const MOST_BYTES = 4 * 1024 * 1024
/** How much of a refusal is shown. */
const SHOWN = 300

/**
 * Asks a provider for its models, which costs nothing, and says in words what is wrong when it does not answer. `enrich`
 * adds what is known of a model beside what the provider says.
 */
export async function testProvider(
  access: ProviderAccess,
  enrich: (model: ModelInfo) => ModelInfo,
  signal: AbortSignal = AbortSignal.timeout(TEST_MS),
): Promise<ProviderVerdict> {
  const { apiKey } = access
  const kind = providerKinds.find(one => one.kind === access.kind)
  if (!kind) return wrong('address_wrong', `There is no kind of provider called ${access.kind}.`, 'Choose another one.')
  if (kind.key === 'required' && apiKey === undefined) {
    return wrong('key_missing', `${kind.name} needs a key.`, 'Paste the key.')
  }
  const base = baseOf(access)
  const { url, headers } = listRequest(access.kind, base, apiKey)
  const request = `GET ${url}`
  let answered: { status: number; statusText: string; location: string | null; body: string }
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const { status, statusText } = response
    answered = { status, statusText, location: response.headers.get('location'), body: await bodyOf(response) }
  } catch (error) {
    return { request, response: masked(causeOf(error), apiKey), ...unanswered(kind, base, error) }
  }
  const { status, statusText, body } = answered
  const line = `${status} ${statusText}`.trim()
  if (status !== 200) {
    const response = `${line} ${masked(body.slice(0, SHOWN), apiKey)}`.trim()
    return { request, response, ...refused(kind, base, answered, apiKey) }
  }
  const listed = readList(access.kind, body)
  if (!listed) {
    const response = `${line} ${masked(body.slice(0, SHOWN), apiKey)}`.trim()
    const message = `Something answers at ${base}, but not with a list of models, as ${kind.name} does.`
    return { request, response, ...wrong('address_wrong', message, 'Check the address. Most of them end in /v1.') }
  }
  const models = listed.map(enrich)
  return { ok: true, ...words(kind, models.length), request, response: line, models }
}

function words({ kind }: ProviderKind, count: number): Pick<ProviderVerdict, 'message' | 'next' | 'command'> {
  if (count === 1) return { message: 'It works: one model can be used.' }
  if (count > 0) return { message: `It works: ${count} models can be used.` }
  const message = 'It answers, but it has no model yet.'
  if (kind === 'ollama') return { message, next: 'Fetch a model and test again.', command: 'ollama pull llama3.2' }
  return { message, next: 'Load a model there and test again.' }
}

/** Nothing came back that is HTTP. */
function unanswered({ kind, name }: ProviderKind, base: string, error: unknown): ProviderVerdict {
  const cause = causeOf(error)
  const { hostname } = new URL(base)
  if (cause === TOO_MUCH) {
    return wrong('address_wrong', `${base} sends too much for a list of models.`, 'Check the address.')
  }
  if (/timeout|timed out|ETIMEDOUT|aborted/i.test(cause)) {
    const message = `${name} at ${base} did not answer in ${TEST_MS / 1_000} s.`
    return wrong('timed_out', message, 'Check the address and the connection, then test again.')
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(cause)) {
    return wrong('address_wrong', `There is no host called ${hostname}.`, 'Check the address and the connection.')
  }
  if (/certificate|CERT_|self.signed|SSL|EPROTO/i.test(cause)) {
    const message = `The connection to ${hostname} is not safe: ${masked(cause)}.`
    return wrong('address_wrong', message, 'Use http:// for a server without a certificate, or give it a valid one.')
  }
  if (kind === 'ollama' || /:11434(\/|$)/.test(base)) {
    const message = `Nothing answers at ${base}. Ollama is not running, or it runs on another machine.`
    return { ...wrong('unreachable', message, 'Start Ollama and test again.'), command: 'ollama serve' }
  }
  return wrong('unreachable', `Nothing answers at ${base}.`, 'Check the address, and that the server runs.')
}

function refused(
  { name }: ProviderKind,
  base: string,
  { status, body, location }: { status: number; body: string; location: string | null },
  apiKey: string | undefined,
): ProviderVerdict {
  const isKeyWrong = status === 401 || status === 403 || (status === 400 && /api.?key/i.test(body))
  if (isKeyWrong && apiKey === undefined) {
    return wrong('key_missing', `${name} at ${base} asks for a key (${status}).`, 'Paste the key.')
  }
  if (isKeyWrong) {
    return wrong(
      'key_refused',
      `${name} does not accept the key (${status}).`,
      'Copy the key again, or make a new one.',
    )
  }
  if (status === 402 || (status === 429 && NO_CREDIT.test(body))) {
    return wrong('no_credit', `The account at ${name} has no credit left (${status}).`, 'Add credit, then test again.')
  }
  if (status === 429) {
    return wrong('rate_limited', `${name} takes no more requests for now (429).`, 'Wait a little, then test again.')
  }
  if (status >= 300 && status < 400) {
    const to = location !== null && URL.canParse(location, base) ? ` to ${new URL(location, base).origin}` : ''
    return wrong('address_wrong', `${base} leads${to} (${status}).`, 'Enter the address that it leads to.')
  }
  if (status < 500) {
    const message = `There is no list of models at ${base} (${status}).`
    return wrong('address_wrong', message, 'Check the address. Most of them end in /v1.')
  }
  return wrong('provider_failed', `${name} failed (${status}).`, 'Test again in a moment.')
}

const wrong = (code: string, message: string, next: string): ProviderVerdict => ({ ok: false, code, message, next })

const TOO_MUCH = 'too much'

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new Error(TOO_MUCH)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** What lies at the bottom of a failed fetch. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof AggregateError) return causeOf(error.cause.errors[0])
  if (error.cause instanceof Error) return causeOf(error.cause)
  const { code } = error as NodeJS.ErrnoException
  return code === undefined || error.message.includes(code) ? error.message : `${code} ${error.message}`
}
