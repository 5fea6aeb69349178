import type { ModelInfo } from '@vitrine/protocol'
import type { GivenProvider, ModelAgentConfig, ModelSource, ProviderAccess } from '@vitrine/server'
import { inputsOf } from './attachments.ts'
import { type KnownModel, knownModel } from './known-models.ts'
import { agentWith } from './model-agent.ts'
import { modelNamed } from './open-model.ts'
import { baseOf, providerKinds } from './provider-kinds.ts'
import type { ModelSettings } from './speak.ts'
import { testProvider } from './test-provider.ts'

/** What a source of models may be given. */
export interface ModelSourceOptions {
  /** Providers that are connected for everybody, such as by keys of the environment. */
  given?: readonly GivenProvider[]
  /** What is known of models, by `kind:model`. It counts before what this package knows. */
  known?: Readonly<Record<string, KnownModel>>
}

/** The models of OpenAI, Anthropic, Google, Ollama and every server that speaks like OpenAI, for `createServer`. */
export function createModelSource({ given = [], known = {} }: ModelSourceOptions = {}): ModelSource {
  /** What providers have said about their models, by address. */
  const listed = new Map<string, ReadonlyMap<string, ModelInfo>>()

  const info = (kind: string, modelId: string): ModelInfo => infoOf(modelId, knownModel(kind, modelId, known))

  return {
    kinds: providerKinds,
    given,
    info,
    async test(access, signal) {
      const verdict = await testProvider(access, model => ({ ...info(access.kind, model.modelId), ...model }), signal)
      if (verdict.models) listed.set(baseOf(access), new Map(verdict.models.map(model => [model.modelId, model])))
      return verdict
    },
    agent(config, access) {
      const { agentId, name, description, providerId, modelId, instructions, effort, maxSteps } = config
      const agent = agentWith(
        {
          agentId,
          name,
          description,
          instructions,
          ...(maxSteps !== null && { maxSteps }),
          settings: settingsOf(config),
        },
        async () => {
          const reached = await access()
          const { kind, apiKey } = reached
          const model = await modelNamed(`${kind}:${modelId}`, optionsOf(reached))()
          const price = priceOf(reached, modelId)
          const { contextTokens, takes } = { ...info(kind, modelId), ...listed.get(baseOf(reached))?.get(modelId) }
          return { model, secret: apiKey, price, contextTokens, takes: inputsOf(takes) }
        },
      )
      return { ...agent, model: { providerId, modelId, ...(effort !== null && { effort }) } }
    },
  }

  /** A server at an address of its own may charge what it wants: its own word counts, or that of whoever runs us. */
  function priceOf(access: ProviderAccess, modelId: string): KnownModel['price'] {
    const own = known[`${access.kind}:${modelId}`]
    if (own) return own.price
    if (access.baseURL === undefined) return knownModel(access.kind, modelId)?.price
    return listed.get(baseOf(access))?.get(modelId)?.price
  }
}

/** The address is always given: without one, a package would look into the environment. */
const optionsOf = (access: ProviderAccess) => ({
  baseURL: baseOf(access),
  ...(access.apiKey !== undefined && { apiKey: access.apiKey }),
  fetch: stayingFetch,
})

/** A provider that leads elsewhere is not followed: the key would go along. */
const stayingFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, { ...init, redirect: 'manual' })

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

function settingsOf({ effort, temperature }: ModelAgentConfig): ModelSettings {
  const reasoning = EFFORTS.find(known => known === effort)
  return { ...(reasoning && { reasoning }), ...(temperature !== null && { temperature }) }
}

function infoOf(modelId: string, known: KnownModel | undefined): ModelInfo {
  if (!known) return { modelId }
  const { price, ...rest } = known
  if (!price) return { modelId, ...rest }
  const { input, output, cachedInput } = price
  const shown = {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cachedInput !== undefined && { cachedInput }),
  }
  return { modelId, ...rest, price: shown }
}
