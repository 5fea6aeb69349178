import type { GivenProvider } from '@vitrine/server'

/** The variables of the environment that connect providers, with the kind of each and where its address may stand. */
const KEYS = [
  ['openai', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL'],
] as const

export type Environment = Readonly<Record<string, string | undefined>>

/** The providers that the environment connects, for everybody who uses this server. */
export function givenProviders(environment: Environment): GivenProvider[] {
  const given: GivenProvider[] = []
  for (const [kind, variable, place] of KEYS) {
    const apiKey = environment[variable]?.trim()
    // A key for a server of somebody's own must not go to the provider that the server stands in for.
    const baseURL = environment[place]?.trim().replace(/\/+$/, '')
    if (apiKey) given.push({ providerId: `env-${kind}`, kind, apiKey, ...(baseURL && { baseURL }) })
  }
  const host = environment.OLLAMA_HOST?.trim()
  if (host) given.push({ providerId: 'env-ollama', kind: 'ollama', baseURL: ollamaAddress(host) })
  return given
}

/** `OLLAMA_HOST` in each of its forms: a host, a port, both, or an address. Ollama listens on 0.0.0.0; we ask 127.0.0.1. */
export function ollamaAddress(host: string): string {
  const hasScheme = /^https?:\/\//.test(host)
  const url = URL.parse(hasScheme ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`)
  if (!url) return 'http://127.0.0.1:11434/v1'
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  const port = url.port || (hasScheme ? '' : '11434')
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.protocol}//${url.hostname}${port && `:${port}`}${path === '' ? '/v1' : path}`
}

/** What `--model` names, and the provider that its kind has. The message says what is missing. */
export function modelChoice(
  name: string,
  given: readonly GivenProvider[],
): { provider: GivenProvider; modelId: string } | { wrong: string } {
  const at = name.indexOf(':')
  const [kind, modelId] = [name.slice(0, at), name.slice(at + 1)]
  const kinds = [...KEYS.map(([known]) => known), 'ollama']
  if (at < 1 || modelId === '' || !kinds.includes(kind)) {
    return { wrong: `--model takes provider:model, and the providers are ${kinds.join(', ')}: ${name} is none.` }
  }
  const provider = given.find(one => one.kind === kind)
  if (provider) return { provider, modelId }
  const variable = KEYS.find(([known]) => known === kind)?.[1]
  if (variable === undefined) return { provider: { providerId: 'env-ollama', kind }, modelId }
  return { wrong: `--model ${name} needs a key: set ${variable}, or connect the provider in the browser.` }
}
