import type { AgentConfig, ModelInfo, ProviderKind, ProviderTest } from '@vitrine/protocol'
import type { Agent } from './agent.ts'

/** How a provider is reached. Only the server has it: it holds the key. */
export interface ProviderAccess {
  readonly kind: string
  /** The address of its API. Without it the provider is where its kind says. */
  readonly baseURL?: string
  readonly apiKey?: string
}

/** A provider that whoever runs the server has connected, such as by a key in the environment. People cannot change it. */
export interface GivenProvider extends ProviderAccess {
  readonly providerId: string
  /** What people call it; the name of its kind when nothing is given. */
  readonly name?: string
}

/** What a source of models says after it has tried a provider. It never has the key in it. */
export interface ProviderVerdict extends Omit<ProviderTest, 'at' | 'ms'> {
  /** The models that the provider offers, when it lists them. */
  readonly models?: ModelInfo[]
}

/** What an agent with a model is made of, as far as a source of models has to know it. */
export interface ModelAgentConfig
  extends Pick<
    AgentConfig,
    'name' | 'description' | 'providerId' | 'modelId' | 'instructions' | 'effort' | 'temperature' | 'maxSteps'
  > {
  readonly agentId: string
}

/** Who offers models: the package that knows the AI SDK. The server itself knows no provider. */
export interface ModelSource {
  readonly kinds: readonly ProviderKind[]
  /** Providers that are connected for everybody. */
  readonly given?: readonly GivenProvider[]
  /** Asks the provider for its models, and says what is wrong when it does not answer. */
  test(access: ProviderAccess, signal?: AbortSignal): Promise<ProviderVerdict>
  /** What is known about a model of a provider without asking it. */
  info(kind: string, modelId: string): ModelInfo
  /** An agent that answers with the model. `access` is asked when a run begins, so that a new key counts at once. */
  agent(config: ModelAgentConfig, access: () => Promise<ProviderAccess>): Agent
}
