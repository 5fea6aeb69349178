import type { Agent } from './agent.ts'

/** A kind of provider that people can connect, such as OpenAI or any endpoint that speaks its format. */
export interface ProviderKind {
  /** `openai`, `anthropic`, `google`, `ollama` or `openai-compatible`. */
  readonly kind: string
  /** What people call it. */
  readonly name: string
  /** Whether it needs a key, takes one, or has none. */
  readonly key: 'required' | 'optional' | 'none'
  /** Whether the address has to be given, may be given, or is fixed. */
  readonly address: 'required' | 'optional' | 'none'
  /** The address that counts when none is given. */
  readonly defaultAddress?: string
  /** What a key looks like, so that a wrong paste is noticed, such as `sk-…`. */
  readonly keyLooksLike?: string
}

/** How a provider is reached. Only the server has it: it holds the key. */
export interface ProviderAccess {
  readonly kind: string
  readonly baseURL?: string
  readonly apiKey?: string
}

/** What is known of a model. What is not known is absent, and never zero (L8). */
export interface ModelInfo {
  readonly modelId: string
  readonly name?: string
  /** Tokens of its context window, and the most that it answers. */
  readonly contextTokens?: number
  readonly outputTokens?: number
  /** US dollars for a million tokens. */
  readonly price?: { input?: number; output?: number; cachedInput?: number }
  readonly takes?: { images?: boolean; files?: boolean; tools?: boolean }
  /** Whether it thinks before it answers, and which efforts people may choose. */
  readonly efforts?: readonly string[]
}

/** What came of a test of a provider, in words that say what is wrong and what to do. */
export interface ProviderTest {
  readonly ok: boolean
  readonly code?: string
  readonly message: string
  readonly next?: string
  /** The models that the provider offers, when it lists them. */
  readonly models?: readonly ModelInfo[]
}

/** What an agent with a model is made of. People change it in the browser. */
export interface ModelAgentConfig {
  readonly agentId: string
  readonly name: string
  readonly description: string
  readonly modelId: string
  readonly instructions: string
  readonly effort?: string
  readonly temperature?: number
  readonly maxSteps?: number
}

/** Who offers models: the package that knows the AI SDK. The server itself knows no provider. */
export interface ModelSource {
  readonly providers: readonly ProviderKind[]
  /** Asks the provider for something small, and says what is wrong when it does not answer. */
  test(access: ProviderAccess, signal?: AbortSignal): Promise<ProviderTest>
  /** What is known about a model of a provider without asking it. */
  info(kind: string, modelId: string): ModelInfo
  /** An agent that answers with the model. `access` is asked when a run begins, so that a new key counts at once. */
  agent(config: ModelAgentConfig, access: () => Promise<ProviderAccess>): Agent
}
