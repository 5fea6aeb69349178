import type { ProviderKind } from '@vitrine/protocol'

/** The kinds of providers that people can connect. */
export const providerKinds: readonly ProviderKind[] = [
  {
    kind: 'openai',
    name: 'OpenAI',
    key: 'required',
    address: 'optional',
    defaultAddress: 'https://api.openai.com/v1',
    keyLooksLike: 'sk-',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    kind: 'anthropic',
    name: 'Anthropic',
    key: 'required',
    address: 'optional',
    defaultAddress: 'https://api.anthropic.com/v1',
    keyLooksLike: 'sk-ant-',
    keyPage: 'https://console.anthropic.com/settings/keys',
  },
  {
    kind: 'google',
    name: 'Google',
    key: 'required',
    address: 'optional',
    defaultAddress: 'https://generativelanguage.googleapis.com/v1beta',
    keyLooksLike: 'AIza',
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    kind: 'ollama',
    name: 'Ollama',
    key: 'optional',
    address: 'optional',
    defaultAddress: 'http://127.0.0.1:11434/v1',
  },
  {
    kind: 'openai-compatible',
    name: 'OpenAI-compatible',
    key: 'optional',
    address: 'required',
    presets: [
      { name: 'LM Studio', address: 'http://127.0.0.1:1234/v1', key: 'none' },
      { name: 'vLLM', address: 'http://127.0.0.1:8000/v1', key: 'optional' },
      { name: 'OpenRouter', address: 'https://openrouter.ai/api/v1', key: 'required' },
    ],
  },
]

/** The address of the API of a provider. That of Ollama is often given without its path. */
export function baseOf({ kind, baseURL }: { kind: string; baseURL?: string }): string {
  const base = baseURL ?? providerKinds.find(one => one.kind === kind)?.defaultAddress ?? ''
  const url = URL.parse(base)
  return kind === 'ollama' && url?.pathname === '/' ? `${url.origin}/v1` : base.replace(/\/+$/, '')
}
