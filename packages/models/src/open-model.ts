import { AgentError } from '@vitrine/server'
import type { LanguageModel } from 'ai'

/** A model of the AI SDK. */
export type Model = Exclude<LanguageModel, string>

/** How a provider is reached. What is absent is what the package of the provider takes by itself. */
export interface ProviderOptions {
  apiKey?: string
  /** The address of the API, such as `http://127.0.0.1:8000/v1`. */
  baseURL?: string
  headers?: Record<string, string>
  /** How requests are sent; `fetch` of the process when nothing is given. */
  fetch?: typeof globalThis.fetch
}

type Open = (modelId: string, options: ProviderOptions) => Promise<Model>

const providers: Readonly<Record<string, { package: string; open: Open }>> = {
  openai: {
    package: '@ai-sdk/openai',
    open: async (modelId, options) => (await import('@ai-sdk/openai')).createOpenAI(options)(modelId),
  },
  anthropic: {
    package: '@ai-sdk/anthropic',
    open: async (modelId, options) => (await import('@ai-sdk/anthropic')).createAnthropic(options)(modelId),
  },
  google: {
    package: '@ai-sdk/google',
    open: async (modelId, options) => (await import('@ai-sdk/google')).createGoogle(options)(modelId),
  },
  ollama: {
    package: '@ai-sdk/openai-compatible',
    open: (modelId, options) => compatible('ollama', modelId, { baseURL: 'http://127.0.0.1:11434/v1', ...options }),
  },
  'openai-compatible': {
    package: '@ai-sdk/openai-compatible',
    open: (modelId, options) => compatible('openai-compatible', modelId, options),
  },
}

async function compatible(
  name: string,
  modelId: string,
  { baseURL = '', ...options }: ProviderOptions,
): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ name, baseURL, includeUsage: true, ...options })(modelId)
}

/** Reads the name of a model, and throws when it is none. What it gives opens the model. */
export function modelNamed(name: string, options: ProviderOptions = {}): () => Promise<Model> {
  const [providerId, modelId] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
  const provider = Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
  if (!provider || !name.includes(':') || modelId === '') {
    const known = Object.keys(providers).join(', ')
    throw wrong(`The name of a model is provider:model, and the providers are ${known}. This is none: ${name}`)
  }
  if (providerId === 'openai-compatible' && options.baseURL === undefined) {
    throw wrong(`The model ${name} needs the address of its server: give baseURL.`)
  }
  return async () => {
    try {
      return await provider.open(modelId, options)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new AgentError(`The model ${name} needs the package ${provider.package}, which is not installed.`, {
        code: 'package_missing',
        next: `Run: npm install ${provider.package}`,
        retryable: false,
        cause: error,
      })
    }
  }
}

/** Opens a model by its name, such as `ollama:llama3.2`. The package of its provider has to be installed. */
export const openModel = async (name: string, options?: ProviderOptions): Promise<Model> => modelNamed(name, options)()

const wrong = (message: string): AgentError => new AgentError(message, { code: 'model_name_invalid', retryable: false })
