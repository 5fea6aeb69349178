import type { ModelInfo } from '@vitrine/protocol'

/** When what stands here was last compared with what the providers publish. */
export const KNOWN_SINCE = '2025-12-01'

/** What is known of a well-known model, with what only the computation of a cost needs. */
export interface KnownModel extends Omit<ModelInfo, 'modelId' | 'price'> {
  price?: ModelPrice
}

/** US dollars for a million tokens. What is absent is not known. */
export interface ModelPrice {
  input?: number
  output?: number
  cachedInput?: number
  /** For tokens that are written to the cache. */
  cacheWrite?: number
  /** The price counts up to this many tokens in the context; above it another one does, which is not known here. */
  upTo?: number
}

const openai = { takes: { images: true, files: true, tools: true } } as const
const textOnly = { takes: { images: false, files: false, tools: true } } as const
const claude = { contextTokens: 200_000, takes: { images: true, files: true, tools: true } } as const
const gemini = { contextTokens: 1_048_576, takes: { images: true, files: true, tools: true } } as const
const thinks = { efforts: ['low', 'medium', 'high'] }
const gpt5 = { ...openai, contextTokens: 400_000, outputTokens: 128_000, efforts: ['minimal', 'low', 'medium', 'high'] }
const gpt41 = { ...openai, contextTokens: 1_047_576, outputTokens: 32_768 }
const gpt4o = { ...openai, contextTokens: 128_000, outputTokens: 16_384 }
const o = { ...openai, ...thinks, contextTokens: 200_000, outputTokens: 100_000 }
const sonnet = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, upTo: 200_000 }
const opus4 = { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 }

/**
 * Prices, context sizes and abilities of well-known models, by the kind of the provider and the name of the model without
 * its date. A model that is not here, and a field that is not here, is not known. Local models have no entry: what they
 * can do depends on how their server was started.
 */
export const knownModels: Readonly<Record<string, Readonly<Record<string, KnownModel>>>> = {
  openai: {
    'gpt-5': { ...gpt5, name: 'GPT-5', price: { input: 1.25, output: 10, cachedInput: 0.125 } },
    'gpt-5-mini': { ...gpt5, name: 'GPT-5 mini', price: { input: 0.25, output: 2, cachedInput: 0.025 } },
    'gpt-5-nano': { ...gpt5, name: 'GPT-5 nano', price: { input: 0.05, output: 0.4, cachedInput: 0.005 } },
    'gpt-4.1': { ...gpt41, name: 'GPT-4.1', price: { input: 2, output: 8, cachedInput: 0.5 } },
    'gpt-4.1-mini': { ...gpt41, name: 'GPT-4.1 mini', price: { input: 0.4, output: 1.6, cachedInput: 0.1 } },
    'gpt-4.1-nano': { ...gpt41, name: 'GPT-4.1 nano', price: { input: 0.1, output: 0.4, cachedInput: 0.025 } },
    'gpt-4o': { ...gpt4o, name: 'GPT-4o', price: { input: 2.5, output: 10, cachedInput: 1.25 } },
    'gpt-4o-mini': { ...gpt4o, name: 'GPT-4o mini', price: { input: 0.15, output: 0.6, cachedInput: 0.075 } },
    o3: { ...o, name: 'o3', price: { input: 2, output: 8, cachedInput: 0.5 } },
    'o4-mini': { ...o, name: 'o4-mini', price: { input: 1.1, output: 4.4, cachedInput: 0.275 } },
    'o3-mini': { ...o, ...textOnly, name: 'o3-mini', price: { input: 1.1, output: 4.4, cachedInput: 0.55 } },
  },
  anthropic: {
    'claude-opus-4-5': {
      ...claude,
      ...thinks,
      name: 'Claude Opus 4.5',
      outputTokens: 64_000,
      price: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
    },
    'claude-opus-4-1': { ...claude, ...thinks, name: 'Claude Opus 4.1', outputTokens: 32_000, price: opus4 },
    'claude-opus-4': { ...claude, ...thinks, name: 'Claude Opus 4', outputTokens: 32_000, price: opus4 },
    'claude-sonnet-4-5': { ...claude, ...thinks, name: 'Claude Sonnet 4.5', outputTokens: 64_000, price: sonnet },
    'claude-sonnet-4': { ...claude, ...thinks, name: 'Claude Sonnet 4', outputTokens: 64_000, price: sonnet },
    'claude-3-7-sonnet': { ...claude, ...thinks, name: 'Claude Sonnet 3.7', outputTokens: 64_000, price: sonnet },
    'claude-haiku-4-5': {
      ...claude,
      ...thinks,
      name: 'Claude Haiku 4.5',
      outputTokens: 64_000,
      price: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
    },
    'claude-3-5-haiku': {
      ...claude,
      name: 'Claude Haiku 3.5',
      outputTokens: 8_192,
      price: { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1 },
    },
    'claude-3-haiku': {
      ...claude,
      name: 'Claude Haiku 3',
      outputTokens: 4_096,
      price: { input: 0.25, output: 1.25, cachedInput: 0.03, cacheWrite: 0.3 },
    },
  },
  google: {
    'gemini-2.5-pro': {
      ...gemini,
      ...thinks,
      name: 'Gemini 2.5 Pro',
      outputTokens: 65_536,
      price: { input: 1.25, output: 10, upTo: 200_000 },
    },
    'gemini-2.5-flash': {
      ...gemini,
      ...thinks,
      name: 'Gemini 2.5 Flash',
      outputTokens: 65_536,
      price: { input: 0.3, output: 2.5 },
    },
    'gemini-2.5-flash-lite': {
      ...gemini,
      ...thinks,
      name: 'Gemini 2.5 Flash-Lite',
      outputTokens: 65_536,
      price: { input: 0.1, output: 0.4 },
    },
    'gemini-2.0-flash': {
      ...gemini,
      name: 'Gemini 2.0 Flash',
      outputTokens: 8_192,
      price: { input: 0.1, output: 0.4 },
    },
  },
}

const DATED = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/** What is known of a model, also when its name ends with a date. */
export function knownModel(
  kind: string,
  modelId: string,
  others: Readonly<Record<string, KnownModel>> = {},
): KnownModel | undefined {
  const ofKind = Object.hasOwn(knownModels, kind) ? knownModels[kind]! : {}
  for (const name of [modelId, modelId.replace(DATED, '')]) {
    if (Object.hasOwn(others, `${kind}:${name}`)) return others[`${kind}:${name}`]
    if (Object.hasOwn(ofKind, name)) return ofKind[name]
  }
  return undefined
}
