import { createModelSource } from '@vitrine/models'
import { type Agent, AgentRefused, type ModelSource } from '@vitrine/server'
import { type Environment, givenProviders, modelChoice } from './providers.ts'

/** The source of models with what the environment connects, and a ready agent for each model that was named. */
export async function modelAgents(
  names: readonly string[],
  environment: Environment,
): Promise<{ models: ModelSource; ready: Agent[] }> {
  const given = givenProviders(environment)
  const chosen = names.map(name => {
    const choice = modelChoice(name, given)
    if ('wrong' in choice) throw new AgentRefused(choice.wrong)
    if (!given.includes(choice.provider)) given.push(choice.provider)
    return choice
  })
  const models = createModelSource({ given })
  const ready = chosen.map(({ provider, modelId }, index) => {
    const { name = modelId } = models.info(provider.kind, modelId)
    const config = {
      agentId: index === 0 ? 'assistant' : `assistant-${index + 1}`,
      name,
      description: `Answers with ${name}`,
      providerId: provider.providerId,
      modelId,
      instructions: '',
      effort: null,
      temperature: null,
      maxSteps: null,
    }
    return models.agent(config, async () => provider)
  })
  return { models, ready }
}
